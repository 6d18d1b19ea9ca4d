"""English words: nouns, plurals, numbers, lists, and an instruction without its nouns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.names import noun_of

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def noun(class_name: str, count: int = 1) -> str:
    """Return what people call things of a class: ``spray bottle``, ``spray bottles``."""
    row = OBJECT_CLASSES.get(class_name)
    if row is not None:
        return row.noun if count == 1 else row.plural
    words = noun_of(class_name)
    if count == 1 or is_plural(class_name):
        return words
    if words == "chest of drawers":
        return "chests of drawers"
    if words.endswith("f"):
        return f"{words[:-1]}ves"
    return f"{words}es" if words.endswith(("s", "x", "ch", "sh")) else f"{words}s"


def is_plural(class_name: str) -> bool:
    """Tell whether one thing of a class has a plural for a name: ``shelves``."""
    return class_name not in OBJECT_CLASSES and class_name.endswith("ves")


def room_noun(room_class: str) -> str:
    return noun_of(room_class)


def some(class_name: str) -> str:
    """Return the name of a thing that is not known yet: ``a table``, ``some shelves``."""
    words = noun(class_name)
    return f"some {words}" if is_plural(class_name) else article(words)


def any_of(class_name: str) -> str:
    """Return ``any table``, ``any of the shelves``."""
    words = noun(class_name)
    return f"any of the {words}" if is_plural(class_name) else f"any {words}"


def number(count: int) -> str:
    """Return a count in words up to ten."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def article(words: str) -> str:
    """Return words with their article: ``a cup``, ``an apple``."""
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Join parts: ``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def sentence(words: str) -> str:
    """Begin words with a capital, and end them with a full stop unless they have another mark."""
    words = words[0].upper() + words[1:]
    return words if words[-1] in ".?!" else f"{words}."


def skeleton(instruction: str, nouns: Iterable[str]) -> str:
    """Return an instruction without its nouns, which tells whether two are worded alike."""
    longest_first = sorted({n.lower() for n in nouns if n}, key=lambda n: (-len(n), n))
    pattern = "|".join(re.escape(n) for n in longest_first)
    left = re.sub(rf"\b(?:{pattern})\b", "_", instruction.lower()) if pattern else instruction
    return re.sub(r"\s+", " ", left).strip()
