"""Doors and drawers that stand open, and who opened them, as orders mean them."""

from __future__ import annotations

import re

from server.robots.baselines.partner.order import Order
from server.robots.baselines.partner.places import room_id_of, room_named
from server.robots.baselines.partner.request import NO_OPENNESS, Request
from server.robots.baselines.partner.words import Mention
from server.robots.baselines.scripted_player import Turn
from server.sessions.core import SessionCore
from server.sessions.events import Did

_JOINTS = {"drawer": "slide", "door": "hinge"}
_ALL = re.compile(r"\b(?:both|all|every\w*|each)\b")
_ANY = re.compile(
    r"\b(?:either|any|whichever|whatever|nearest|closest|closer|don'?t (?:mind|care))\b"
)
_NO_PICK = re.compile(
    r"\b(?:not|never|don'?t(?! mind| care)|none|neither|nothing|leave|stop|wait|keep|hold|take|"
    r"bring|fetch|get|give|put|wash|clean|fill|move|carry|go|come|follow|help|find|where|who|why|"
    r"how)\b"
)
"""Words of a line that says something else, whatever else is in it."""
_ORDINALS = {
    "first": 0,
    "former": 0,
    "second": 1,
    "third": 2,
    "fourth": 3,
    "last": -1,
    "latter": -1,
}
_ORDINAL = re.compile(rf"(?<!\ba )(?<!\bone )\b({'|'.join(_ORDINALS)})\b")
_NO_NAMES = frozenset(
    {"a", "an", "and", "at", "by", "close", "drawer", "i", "in", "it", "mean", "meant", "no", "of",
     "on", "one", "open", "please", "pls", "shut", "side", "that", "the", "thing", "this", "um",
     "yes"}
)  # fmt: skip
"""Words of an answer that tell none of several from the others."""
MOST_WORDS = 7


class Openings:
    """Doors and drawers of a house that one seat saw opened, and what orders mean by them."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self._by: dict[tuple[str, int], str] = {}
        """The seats that opened doors and drawers last."""

    def saw(self, event: Did) -> None:
        """Take note of who opened a door or a drawer."""
        if event.verb == "open" and event.part is not None:
            self._by[event.target, event.part] = event.seat

    def named(self, core: SessionCore, request: Request) -> list[str]:
        """Return the furniture of which a request may speak, open or shut, the nearest first."""
        sort = (request.openness or NO_OPENNESS).sort
        at = core.world.agents[self.seat].position
        found = [key for key in core.surfaces.of if _parts(core, key, sort)]
        for mention in (request.thing, request.place, request.room):
            if mention is None:
                continue
            # *Close the blue book*, *the bedroom*: what has no doors is where they are, or nothing.
            rooms = {key for key in mention.keys if room_named(core, key) is not None}
            found = [k for k in found if k in mention.keys or room_id_of(core, k) in rooms]
        return sorted(found, key=lambda key: core.view.distance_from(at, key))

    def meant(self, core: SessionCore, seat: str, request: Request) -> list[str]:
        """Return the furniture that is to be opened, or closed, for somebody: what can be."""
        opens = request.action == "open"
        found = [k for k in self.named(core, request) if self._to_turn(core, k, request)]
        openness = request.openness or NO_OPENNESS
        if opens or not openness.by:
            return found
        opener = seat if openness.by == "speaker" else self.seat
        theirs = [key for key in found if opener in self._openers(core, key)]
        # What was open before anybody came is nobody's, and people take it for somebody's.
        return theirs or [k for k in found if not self._openers(core, k)]

    def choices(self, core: SessionCore, seat: str, request: Request) -> list[str]:
        """Return the furniture of which a request means one, and does not say which."""
        found = self.meant(core, seat, request)
        return [] if request.many or len(found) < 2 else found

    def open_elsewhere(self, core: SessionCore) -> list[str]:
        """Return all furniture that stands open, whatever was asked for."""
        request = Request("do", "close", many=True)
        return [k for k in self.named(core, request) if self._to_turn(core, k, request)]

    def order(self, core: SessionCore, key: str, request: Request, why: str) -> Order:
        """Return the order to open furniture, or to close all of it that is meant."""
        opens, parts = request.action == "open", self._to_turn(core, key, request)
        if opens:
            return Order(key, [Turn(key, True, parts[0] if request.openness else None)], why)
        return Order(key, [Turn(key, False, part) for part in parts], why)

    def _to_turn(self, core: SessionCore, key: str, request: Request) -> list[int]:
        opens = request.action == "open"
        parts = _parts(core, key, (request.openness or NO_OPENNESS).sort)
        return [p for p in parts if (core.world.joints.get((key, p), 0.0) == 0.0) == opens]

    def _openers(self, core: SessionCore, key: str) -> set[str]:
        """Return the seats that opened what stands open of some furniture."""
        parts = [part.index for part in core.view.template(key).parts]
        return {
            self._by[key, part]
            for part in parts
            if (key, part) in self._by and core.world.joints.get((key, part), 0.0)
        }


def picked(core: SessionCore, said: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some furniture that an answer to *which one* picks out; none: no answer."""
    words = re.findall(r"[a-z0-9']+", said.lower())
    if not words or len(words) > MOST_WORDS:
        return ()
    line = " ".join(words)
    if _NO_PICK.search(line):
        return ()
    if _ALL.search(line):
        return keys
    if _ANY.search(line):
        return keys[:1]
    if (ordinal := _ORDINAL.search(line)) is not None:
        return keys[_ORDINALS[ordinal[1]] :][:1]
    named = set(words) - _NO_NAMES
    labels = core.names.labels
    of = {key: f"{labels[key]} {labels.get(room_id_of(core, key), '')}".split() for key in keys}
    fitting = tuple(key for key in keys if named and named <= set(of[key]))
    return fitting if len(fitting) < len(keys) else ()


def chosen(request: Request, keys: tuple[str, ...]) -> Request:
    """Return a request about furniture that has been picked out."""
    words = "one" if request.thing is None else request.thing.words
    thing = Mention(words, keys, True)
    return request._replace(thing=thing, place=None, room=None, many=True)


def _parts(core: SessionCore, key: str, sort: str) -> list[int]:
    """Return the doors and drawers of furniture, or those of one sort."""
    parts = core.view.template(key).parts
    return [part.index for part in parts if not sort or part.joint == _JOINTS[sort]]
