"""Scores of requests by kind, act and slots: a right kind with a wrong thing is a misreading.

A line of a list reads ``text | kinds | act | thing | place``. Kinds and acts that are alike right
are divided by a slash; an empty field is not looked at, ``-`` wants nothing there, and ``it`` wants
the thing pointed at. ``me`` as a place wants it brought to whoever speaks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.understanding import understand
from server.robots.baselines.partner.words import Mention, Name

Outcome = Literal["understood", "asked", "not understood", "misread"]
SOCIAL = frozenset({
    "unknown", "thanks", "hello", "yes", "no", "sorry", "nod", "ban", "unable", "unsure",
    "state", "contents", "count", "self", "again", "task", "time", "keys",
})  # fmt: skip
"""Kinds after which nothing is done: talk that asks for nothing may have any of them."""
SAYS_SO = frozenset({"unknown", "ban", "unable", "nod"})
"""Kinds that are answered with what the robot did not understand, or cannot do."""
DATA = Path(__file__).parents[3] / "data"


class Wording(NamedTuple):
    """A line that somebody wrote, and what they meant by it."""

    text: str
    kinds: frozenset[str]
    acts: frozenset[str]
    thing: str
    place: str


def wordings(name: str) -> list[Wording]:
    """Return the lines of a list in the data of the tests."""
    found = []
    for line in (DATA / f"{name}.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            text, kinds, *more = (part.strip() for part in line.split("|"))
            acts, thing, place = [*more, "", "", ""][:3]
            wanted = frozenset(kinds.split("/"))
            found.append(
                Wording(text, wanted, frozenset(filter(None, acts.split("/"))), thing, place)
            )
    return found


def outcome(wording: Wording, names: Sequence[Name]) -> Outcome:
    """Return how a line is taken."""
    request = understand(wording.text, names)
    if wording.kinds <= SOCIAL:
        return "understood" if request.kind in SOCIAL else "misread"
    if request.kind in wording.kinds and request.kind in SOCIAL:
        return "understood"
    if request.kind == "unsure":
        return "asked"
    if request.kind in SAYS_SO or request.kind in ("yes", "no", "thanks", "hello", "sorry"):
        return "not understood"
    if request.kind not in wording.kinds:
        return "misread"
    if request.kind == "do" and wording.acts and request.action not in wording.acts:
        return "misread"
    if request.action == "go":
        # Where somebody goes is both.
        return _slot(request, request.thing or request.place, wording.place or wording.thing)
    slots = (_slot(request, request.thing, wording.thing), _place(request, wording.place))
    return "misread" if "misread" in slots else "asked" if "asked" in slots else "understood"


def scores(listed: Sequence[Wording], names: Sequence[Name]) -> Counter[Outcome]:
    """Return how many lines of a list are taken in each way."""
    return Counter(outcome(wording, names) for wording in listed)


def _slot(request: Request, mention: Mention | None, wanted: str) -> Outcome:
    if not wanted:
        return "understood"
    if wanted == "-":
        return "understood" if mention is None or not mention.keys else "misread"
    if wanted == "it":
        if mention is not None:
            return "misread"
        return "understood" if request.points or request.other else "asked"
    if mention is None:
        return "asked" if not request.points else "misread"
    keys = set(wanted.split("+"))
    return "understood" if keys & set(mention.keys) else "misread"


def _place(request: Request, wanted: str) -> Outcome:
    if wanted == "me":
        return "understood" if request.to_me else "misread"
    if request.leaves is not None and wanted:
        return _slot(request, request.leaves, wanted)
    found = request.place
    if wanted and wanted != "-" and found is None:
        # Where it is to go was lost: it goes where the task wants it, or to whoever speaks.
        found = request.room
        return _slot(request, found, wanted) if found else "misread"
    return _slot(request, found, wanted)
