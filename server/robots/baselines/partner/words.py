"""Words of a line of chat, made alike: contractions, typing errors, politeness, forms of a verb.

What comes out is a `Clause`: lemmas and marks for what was named, over which patterns are written
(`first_request.py`). English only, and only as much of it as people say to a partner at work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from episodes.catalogue.colour_words import COLOUR_WORDS
from server.robots.baselines.partner.lexicon import (
    ARTICLES,
    BEFORE_NOUNS,
    COMMON,
    CONTRACTIONS,
    IRREGULAR,
    KNOWN,
    NO_PLACES,
    NOUNS,
    POINTING,
    POLITE,
    TO_PLACES,
    VERBS,
)

COLOURS = frozenset(COLOUR_WORDS.values())


class Name(NamedTuple):
    """The names of something that a line may mean, by all that people may call it."""

    key: str
    is_place: bool
    """Whether it is furniture or a room, and not what is carried."""
    words: tuple[str, ...]


class Mention(NamedTuple):
    """A part of a clause that names something: the words, and the keys that they may mean.

    No keys: nothing here is called so.
    """

    words: str
    keys: tuple[str, ...]
    is_place: bool


class Clause(NamedTuple):
    """A clause: its pattern (lemmas, `THING` and `PLACE` for names), and what the names mean."""

    pattern: str
    mentions: tuple[Mention, ...]
    asks: bool
    """Whether there is a question mark behind it."""
    raw: str


def clauses(text: str, names: Sequence[Name] = ()) -> list[Clause]:
    """Return the clauses of a line, made alike."""
    text = text.lower().replace("\u2019", "'").replace("`", "'")
    text = re.sub(r"\s*(?:[-=]+>|\u2192)\s*", " to ", text)
    # Said long: *stooop*, *waaait*.
    text = re.sub(r"([a-z])\1{2,}", r"\1", text)
    found = []
    for part in re.findall(r"[^.!?;\n]+[.!?;\n]*", text):
        clause = _clause(part, names)
        if clause.pattern:
            found.append(clause)
    return found


def _clause(part: str, names: Sequence[Name]) -> Clause:
    lookup = _lookup(tuple(names))
    raw = re.findall(r"[a-z0-9']+", part)
    expanded = [word for token in raw for word in _expand(token).split()]
    told = " ".join(expanded).replace("carry on", "continue")
    # The commonest slip of all, which is a word of its own.
    told = re.sub(r"\bwere (?=is\b|are\b|did\b|can\b|it\b|they\b)", "where ", told)
    told = re.sub(r"\bits (?=all yours|yours|mine)", "it is ", told)
    told = told.replace("nevermind", "never mind")
    told = re.sub(r"\b(what|which|this|that|some|any|other|right) place\b", r"\1 spot", told)
    expanded = re.sub(r"\b(?:stand|be|hold|keep) still\b", "freeze", told).split()
    known, likely = _known_words(tuple(names)), _meant_words(tuple(names))
    spelt = [_spelt(word, known, likely) for word in expanded]
    words, mentions = _link(spelt, lookup)
    lemmas = [w if w.isupper() else lemma(w) for w in words]
    kept = [w for w in lemmas if w not in POLITE and w not in ARTICLES]
    pattern = re.sub(r"\b(?!THING\b|PLACE\b)(\w+)(?: \1\b)+", r"\1", " ".join(kept))
    for idiom, meant in _IDIOMS:
        pattern = idiom.sub(meant, pattern)
    return Clause(pattern, tuple(mentions), "?" in part, part.strip())


_IDIOMS = tuple(
    (re.compile(told), meant)
    for told, meant in (
        (r"\bdo not\b|\bnever\b(?! mind)", "not"),
        (r"\bcan like\b", "want"),
        (r" too$", ""),
        (r"\bhand (it|this|that|them|THING) over\b", r"bring me \1"),
        (r"\bhand over (?=it|this|that|them|THING)", "bring me "),
        (r"\bhand (?=me\b|us\b|over\b|it\b|that\b|THING)", "bring "),
        (
            r"\b((?:put|bring|get|take) (?:THING|it|that)) (?:to )?where (THING|PLACE) be$",
            r"\1 next to \2",
        ),
        (r"\bhang THING", "put THING"),
        (r"\bgo for (?=THING|(?:that|this) one\b)", "get "),
        (r"\bswing open\b", "open"),
    )
)
"""Words that mean something else together."""


def _expand(token: str) -> str:
    told = CONTRACTIONS.get(token)
    if told is not None:
        return told
    stem, quote, end = token.partition("'")
    if quote and end in ("s", "re", "ll", "ve", "d", "m", "t", "em", ""):
        # *Where'd you put it* asks what was done.
        past = " did" if stem in ("where", "what", "who", "how", "why", "when") else " would"
        more = {"d": past, "s": " is", "re": " are", "ll": " will", "ve": " have", "m": " am"}
        return stem + more.get(end, "")
    return token.replace("'", "")


@cache
def lemma(word: str) -> str:
    """Return the verb that stands for a form of it, or the word itself."""
    word = IRREGULAR.get(word, word)
    return _forms().get(word, word)


@cache
def _forms() -> dict[str, str]:
    forms: dict[str, str] = {}
    for head, verbs in VERBS.items():
        for verb in verbs.split():
            stem = verb[:-1] if verb.endswith("e") else verb
            double = verb + verb[-1] if re.search(r"[^aeiou][aeiou][^aeiouwxy]$", verb) else stem
            thirds = f"{verb}es" if re.search(r"(s|sh|ch|x|o)$", verb) else f"{verb}s"
            for form in (verb, thirds, f"{stem}ing", f"{double}ing", f"{stem}ed", f"{double}ed",
                         f"{verb}ing"):  # fmt: skip
                forms.setdefault(form, head)
            if verb.endswith("y"):
                forms |= {f"{verb[:-1]}ies": head, f"{verb[:-1]}ied": head}
    forms["doing"] = "doing"
    return forms


# Names


@cache
def _lookup(names: tuple[Name, ...]) -> dict[tuple[str, ...], tuple[tuple[str, ...], bool]]:
    found: dict[tuple[str, ...], dict[str, bool]] = {}
    for name in names:
        for words in name.words:
            for form in {words, *_plurals(words)}:
                found.setdefault(tuple(form.lower().split()), {})[name.key] = name.is_place
    return {words: (tuple(keys), all(keys.values())) for words, keys in found.items()}


def _plurals(words: str) -> Iterable[str]:
    if not words.endswith("s"):
        yield f"{words}es" if words.endswith(("x", "ch", "sh")) else f"{words}s"


@cache
def _known_words(names: tuple[Name, ...]) -> frozenset[str]:
    return _meant_words(names) | COMMON | NOUNS


@cache
def _meant_words(names: tuple[Name, ...]) -> frozenset[str]:
    """Return the words that typing errors may stand for: *a break* is no bread, *a track* no truck.

    What a house may have and this one has not is meant only by its own letters in another order.
    """
    of_names = {word for words in _lookup(names) for word in words}
    return frozenset(KNOWN | POLITE | ARTICLES | set(_forms()) | set(IRREGULAR) | of_names)


@lru_cache(maxsize=4096)
def _spelt(word: str, known: frozenset[str], meant: frozenset[str]) -> str:
    """Return the known word that a typing error stands for, if there is one near enough."""
    if word in known or len(word) < 4 or word.isdecimal():
        return word
    most = 1 if len(word) < 8 else 2
    best, letters = None, sorted(word)
    for other in meant | NOUNS:
        if other not in meant and sorted(other) != letters:
            continue
        if (
            abs(len(other) - len(word)) <= most
            and len(other) > 2
            and (other[0] == word[0] or other[:2] == word[1::-1] or other[1:] == word[2:])
        ):
            away = _distance(word, other, most)
            if away <= most and (best is None or (away, other) < best):
                best = (away, other)
    return word if best is None else best[1]


def _distance(one: str, other: str, most: int) -> int:
    """Return the number of letters to add, drop, change or swap with the next.

    What is more than ``most`` is counted no further.
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        now = [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            now.append(cost)
        if min(now) > most and min(last) >= most:
            return most + 1
        before, last = last, now
    return last[-1]


def _link(
    words: list[str], lookup: Mapping[tuple[str, ...], tuple[tuple[str, ...], bool]]
) -> tuple[list[str], list[Mention]]:
    """Put marks where something is named: the longest names first."""
    longest = max((len(name) for name in lookup), default=0)
    out: list[str] = []
    mentions: list[Mention] = []
    at = 0
    while at < len(words):
        if _is_colour_alone(words, at) and (one := lookup.get((words[at], "one"))) is not None:
            # *You take red, I take blue*.
            mentions.append(Mention(f"{words[at]} one", *one))
            out.append("PLACE" if one[1] else "THING")
            at += 1
            continue
        for length in range(min(longest, len(words) - at), 0, -1):
            span = tuple(words[at : at + length])
            found = lookup.get(span)
            if found is None or (length == 1 and not _is_noun(words, at)):
                continue
            keys, is_place = found
            told = " ".join(span)
            if out and out[-1] in COLOURS:
                colour = out.pop()
                told = f"{colour} {told}"
                if any((other, *span) in lookup for other in COLOURS):
                    # One of a colour that nothing here has: not those of others.
                    keys = ()
            mentions.append(Mention(told, keys, is_place))
            if out and out[-1] in POINTING:
                out.pop()
            out.append("PLACE" if is_place else "THING")
            at += length
            break
        else:
            is_thing = words[at] in NOUNS and _names_something(words, at)
            if is_thing or _names_a_place(words, at, lookup):
                described = out.pop() if out and out[-1] in COLOURS else ""
                mentions.append(Mention(f"{described} {words[at]}".strip(), (), not is_thing))
                if out and out[-1] in POINTING:
                    out.pop()
                out.append("THING" if is_thing else "PLACE")
            else:
                out.append(words[at])
            at += 1
    return out, mentions


_OWNERS = frozenset({"my", "this", "that", "these", "those", "any", "your"})


_TAKES = frozenset({"take", "get", "do", "have", "handle", "own"})
_AFTER_COLOURS = frozenset({"and", "you", "i", "me", "please", "then", "instead", "while", "so"})


def _is_colour_alone(words: Sequence[str], at: int) -> bool:
    """Tell whether a colour stands for the thing that somebody takes: *you take red*."""
    if words[at] not in COLOURS or at == 0:
        return False
    before = at - 2 if words[at - 1] == "the" and at > 1 else at - 1
    is_last = at + 1 == len(words) or words[at + 1] in _AFTER_COLOURS
    return is_last and lemma(words[before]) in _TAKES


def _names_something(words: Sequence[str], at: int) -> bool:
    """Tell whether a noun that nothing here is called is spoken of as a thing: *the apple*."""
    while at > 1 and words[at - 1] in COLOURS:
        at -= 1
    before = words[at - 1] if at else ""
    return before in ARTICLES or before in _OWNERS


def _names_a_place(
    words: Sequence[str],
    at: int,
    lookup: Mapping[tuple[str, ...], tuple[tuple[str, ...], bool]],
) -> bool:
    """Tell whether a word names a place that nothing here is called: *put it in the garage*."""
    if at < 2 or words[at - 2] not in TO_PLACES or words[at - 1] not in ("the", "my", "a"):
        return False
    leads_on = at + 1 < len(words) and (words[at + 1],) in lookup
    return len(words[at]) > 2 and words[at] not in NO_PLACES | COLOURS and not leads_on


def _is_noun(words: Sequence[str], at: int) -> bool:
    """Tell whether a word that may be a verb, too, is a name here (*the can*, *can you*)."""
    word = words[at]
    if word not in _forms() and word not in (
        "can",
        "will",
        "left",
        "right",
        "light",
        "one",
        "stand",
    ):
        return True
    before = words[at - 1] if at else ""
    return before in BEFORE_NOUNS
