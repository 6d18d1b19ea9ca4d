"""Check of a ``.env`` file: what would be read as nothing, or as something else, is told."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from io import StringIO
from pathlib import Path

from dotenv.parser import Binding, parse_stream

_OURS = "COHABIT"
_NO_LETTER = re.compile(r"\W+|_+")


def problems_of(path: Path, known: Collection[str]) -> list[str]:
    """Return a sentence for each line of the file that sets nothing, where it was meant to.

    Names of others are theirs; one that is almost ours, or a line that is none, is a mistake.
    """
    if not path.is_file():
        return []
    place = path.absolute()
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        return [f"{place}, line {line}: this is not UTF-8: save the file as UTF-8"]
    except OSError as error:
        return [f"{place} cannot be read ({error.strerror}): let the server's user read it"]
    bindings = parse_stream(StringIO(text))
    return [f"{place}, line {_line(b)}: {why}" for b in bindings for why in _problem(b, known)]


def _problem(binding: Binding, known: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with a line, and what to do; never what may be a secret's value."""
    name = binding.key or ""
    if binding.error:
        yield "this cannot be read: write NAME=value, and close every quote that you open"
    elif name.upper() in known:
        if binding.value is None:
            yield f"{name} has no value: write {name}=value, or remove the line"
    elif _NO_LETTER.sub("", name).upper().startswith(_OURS):
        yield f"unknown setting {name}; known are {', '.join(sorted(known))}"


def _line(binding: Binding) -> int:
    """Return the line on which it begins: the parser counts the empty ones before as its own."""
    text = binding.original.string
    before = text[: len(text) - len(text.lstrip())]
    return binding.original.line + len(before.splitlines())
