"""Lines about what stands open: *the drawer I left open*, *what you opened*, *it is open: shut it*.

A line is taken here only where each of its parts has such a form, or asks for something else by
itself. What is plainly named, *close the fridge*, is an order like others (`first_request.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from server.robots.baselines.partner.first_request import pattern_of
from server.robots.baselines.partner.request import Openness, Request, Sort
from server.robots.baselines.partner.words import Mention, Name, clauses

_WHO = r"(?:I|you|we|somebody|someone|anybody)"
_OPEN = r"(?:wide )?(?:open|ajar)"
_DEED = (
    r"(?:(?:have|do|just|must|can) )*"
    rf"(?:(?:leave|left)(?: (?:it|be|stand))?(?: {_OPEN}| out)?|{_OPEN}(?: up)?|put {_OPEN}|"
    r"(?:forget|forgot|forgotten) (?:to )?close|not close)"
)
_THAT = r"(?:(?:that|which|what|it) )"
_STANDS = rf"(?:(?:be|leave|left|stand|it) )*{_OPEN}"
_HEAD = (
    r"(?:PLACE|drawers?|doors?|ones?|things?|stuff|everything|anything|something|whatever|what|"
    r"all|it|that|them|those|both|any)"
)
_NOUN = (
    rf"(?:(?:all|every|each|any|both|that|this|those|these|my|your|of|open|last|other)"
    rf" )*(?:PLACE )?{_HEAD}(?: (?:drawers?|doors?))?"
)
_AT = r"(?: (?:in|of|at|on|from|by|inside|to) PLACE)"
_WHICH = rf"(?: {_THAT}?(?P<by>{_WHO}) {_DEED}| {_THAT}?{_STANDS})"
_NP = rf"(?P<np>{_NOUN}{_AT}?{_WHICH}?{_AT}?)"
_LEADS = r"(?:REQ )?(?:(?:and|then|now|also|go|up|first|so|but|yes|no) )*"
_TAIL = (
    r"(?: (?:for|again|now|first|up|too|me|us|then|behind|you|we|here|there|can|not|mind|if|can|"
    r"be|before|earlier|ago|moment|minute|thank|like))*"
)
_ACT = re.compile(rf"{_LEADS}(?P<verb>open|close)(?: (?:up|down))* {_NP}{_TAIL}")
_CLOSES_UP = re.compile(rf"{_LEADS}close up(?: (?:behind|after) (?:you|me|us))?")
_STATE = re.compile(
    rf"REQ (?:(?:have|get|see|check) )*{_NP} be (?:all )?(?P<verb>close|open){_TAIL}"
)
_GETS = re.compile(rf"{_LEADS}(?:have|get) {_NP} (?P<verb>close|open){_TAIL}")
_LEFT = re.compile(rf"{_LEADS}(?P<who>{_WHO}) {_DEED}(?: {_NP})?(?: {_OPEN})?{_AT}?")
_STOOD = re.compile(
    rf"{_LEADS}(?:be )?(?:there be )?(?:there )?{_NP}(?: (?:be|leave|left|stand))*"
    rf"(?: {_OPEN})?{_AT}?"
)
_IS_PAST = re.compile(r"\b(?:left|opened|forgot|forgotten|did|didn'?t|have|haven'?t|'?ve)\b")
_IS_OPEN = re.compile(rf"\b{_OPEN}\b")
_POINTS = re.compile(r"(?:PLACE )?(?:it|that|them|this|those|one|ones)")
_CUE = re.compile(
    r"\b(?:drawers?|doors?|ones?|things?|stuff|everything|anything|something|whatever|what|all|"
    r"any|every|each|both|leave|left|forget|forgot)\b"
)
"""Words without which a request to open or close is one like others."""
_MANY = re.compile(
    r"\b(?:drawers|doors|ones|things|stuff|everything|anything|whatever|what|all|every|each|both|"
    r"them|those|these)\b"
)
_PARTS = re.compile(
    r"[,;.!?:]+\s*(?:(?:and|but|so)\b\s*)?|\s+(?:and|but|so)\s+(?=(?:(?:please|then|also|just|"
    r"could you|can you|would you)\s+)*(?:close|shut|open|leave|do|don't|dont|not|never|i|you|"
    r"bring|take|get|put|go|keep)\b)",
    re.IGNORECASE,
)
_POLITE = re.compile(r"(?:(?:can|you|thank|thanks|REQ|for|me|now|yes|no|okay|hey|can I|mind) ?)*")


MOST_WORDS = 20
"""Most words of a part; the forms could take minutes over one that says a thing again and again."""


class _Part(NamedTuple):
    """A part of a line: an order, or what stands open."""

    verb: str
    """Empty: it only tells."""
    words: str
    """The pattern of what is named; empty: nothing is."""
    mentions: tuple[Mention, ...]
    who: str
    """Word for the one who opened it, or left it open; empty: that is not said."""


def opening_line(
    text: str, names: Sequence[Name], understood: Callable[[str, Sequence[Name]], Request]
) -> Request | None:
    """Return what a line wants opened or closed by what stands open; None: it is no such line.

    ``understood`` takes the parts of the line that are about something else.
    """
    act: _Part | None = None
    told: _Part | None = None
    then: list[Request] = []
    for raw in filter(None, (part.strip() for part in _PARTS.split(text))):
        part = _part(raw, names)
        if part is not None and part.verb and act is None:
            act = part
        elif part is not None and not part.verb and told is None:
            told = part
        elif part is None and _is_polite(raw, names):
            continue
        elif act is not None:
            other = understood(raw, names)
            if other.kind not in ("do", "you_take", "i_take", "go_on") or other.then:
                return None
            then.append(other)
        else:
            return None
    if act is None and told is not None and told.who == "you" and told.words:
        # Whoever is told that it left something open is asked to close that.
        act, told = told._replace(verb="close"), None
    if act is None:
        return None
    is_pointed = told is not None and (not act.words or _POINTS.fullmatch(act.words))
    if is_pointed and told is not None:
        act = told._replace(verb=act.verb)
    if not is_pointed and not _is_of_openings(act):
        return None
    return _request(act, text, then)


def _part(raw: str, names: Sequence[Name]) -> _Part | None:
    found = clauses(raw, names)
    if len(found) != 1:
        return None
    (clause,) = found
    pattern = re.sub(
        r"\bbe not\b|\bdo not close\b|\bhave not close\b", "not close", pattern_of(clause)
    )
    if len(pattern.split()) > MOST_WORDS:
        return None
    if _CLOSES_UP.fullmatch(pattern):
        return _Part("close", "", (), "")
    for form in (_ACT, _STATE, _GETS):
        if (match := form.fullmatch(pattern)) is not None:
            return _Part(match["verb"], match["np"], clause.mentions, match["by"] or "")
    if (match := _LEFT.fullmatch(pattern)) is not None:
        if match["who"] == "you" and not _IS_PAST.search(raw.lower()):
            # *You leave the fridge open* is an order, and no reproach.
            return None
        return _Part("", match["np"] or "", clause.mentions, match["who"])
    if (match := _STOOD.fullmatch(pattern)) is not None and _IS_OPEN.search(pattern):
        return _Part("", match["np"], clause.mentions, match["by"] or "")
    return None


def _is_polite(raw: str, names: Sequence[Name]) -> bool:
    """Tell whether a part of a line says nothing."""
    return all(_POLITE.fullmatch(pattern_of(clause)) for clause in clauses(raw, names))


def _is_of_openings(part: _Part) -> bool:
    """Tell whether an order says something that only what stands open tells."""
    words = re.sub(r"^(?:it|that|them)$", "", part.words)
    named = " ".join(mention.words for mention in part.mentions)
    is_sort = re.search(r"\b(?:drawers?|doors?)\b", named) is not None
    return bool(part.words) and (
        is_sort or bool(_CUE.search(words)) or bool(_IS_OPEN.search(words))
    )


def _request(part: _Part, text: str, then: Sequence[Request]) -> Request:
    named = [m for m in part.mentions if m.words not in ("drawer", "drawers", "door", "doors")]
    spoken = " ".join([part.words, *(m.words for m in part.mentions)])
    sort: Sort = ""
    if re.search(r"\bdrawers?\b", spoken):
        sort = "drawer"
    elif re.search(r"\bdoors?\b", spoken):
        sort = "door"
    by = {"I": "speaker", "we": "", "you": "robot"}.get(part.who, "")
    plural = any(m.words.endswith("s") and len(m.keys) > 1 for m in part.mentions)
    return Request(
        "do",
        "open" if part.verb == "open" else "close",
        thing=named[0] if named else None,
        room=named[1] if len(named) > 1 else None,
        said=text.strip(),
        many=plural or _MANY.search(part.words) is not None,
        then=tuple(then),
        openness=Openness(sort, "speaker" if by == "speaker" else "robot" if by else ""),
    )
