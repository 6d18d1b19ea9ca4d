"""Choice of what a name means where a house has several of it: narrowed, or asked for.

Taking one thing for another is worse than asking: what is acted on has to be the only one that is
near in sense, by the room, the hand, what was spoken of last, or where the speaker stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from server.robots.baselines.partner.places import (
    furniture_of,
    is_turned,
    room_id_around,
    room_id_of,
)
from server.robots.baselines.partner.referents import CARRIES, Referents, has_place, is_of_rooms
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.partner.words import Mention
from server.robots.baselines.scripted_player import Put
from server.sessions.core import SessionCore

ACTS = frozenset({"do", "you_take", "i_take", "help"})
_STATES = {"power_on": ("is_powered_on", False), "power_off": ("is_powered_on", True),
           "clean": ("is_clean", False), "fill": ("is_filled", False)}  # fmt: skip


class Choices:
    """Choices of one seat of a scripted partner."""

    def __init__(self, mine: str, work: SharedWork, meant: Referents) -> None:
        self.mine = mine
        self.work = work
        self.meant = meant

    def narrowed(
        self, core: SessionCore, seat: str, request: Request
    ) -> tuple[Request, Sequence[str]]:
        """Return a request whose names mean one thing each, and between what it is still open."""
        if request.kind not in ACTS or request.action == "make_way":
            return request, ()
        is_one = not request.many or request.action in ("open", "close")
        if request.thing is not None and is_one and request.thing.keys:
            kept = self._things(core, seat, request, request.thing)
            if not kept:
                where = core.names.labels[_room(core, request).keys[0]]  # type: ignore[union-attr]
                words = f"{request.thing.words} in the {where}"
                return request._replace(thing=Mention(words, (), False)), ()
            request = request._replace(thing=request.thing._replace(keys=tuple(kept)))
            if len(kept) > 1 and not self._is_out_of_reach(core, request, kept):
                return request, kept
        if request.place is not None and request.place.keys and request.action == "put":
            kept = self._places(core, seat, request, request.place)
            request = request._replace(place=request.place._replace(keys=tuple(kept)))
            rooms = {room_id_of(core, key) if has_place(core, key) else key for key in kept}
            if len(rooms) > 1:
                return request, kept
        return request, ()

    def _is_out_of_reach(self, core: SessionCore, request: Request, keys: Sequence[str]) -> bool:
        """Tell whether the body can do that with none of some things, whichever is meant."""
        if request.action in _STATES:
            return core.world.bodies[self.mine].kind not in core.profile.state_changers
        return request.action in CARRIES and not any(key in core.world.objects for key in keys)

    def _things(
        self, core: SessionCore, seat: str, request: Request, mention: Mention
    ) -> list[str]:
        keys = self.meant.resolved(core, mention, request.room)
        action = request.action
        state = _STATES.get(action or "")
        tests: list[Callable[[str], bool]] = []
        if mention.words.endswith(" one"):
            # *The red one* is of the sort that was spoken of, or else something of the task.
            noun = noun_of(core, self.meant.last(core, lambda k: True))
            tests.append(lambda k: noun_of(core, k) == noun)
            tests.append(lambda k: bool(self.work.goals_of(k)))
        if request.room is not None and request.place is None:
            # *The book from the bed*.
            at = request.room.keys
            tests.append(lambda k: furniture_of(core, k) in at)
        if request.kind == "you_take":
            tests.append(lambda k: self.work.owner.get(k) == seat)
        if action in CARRIES or request.kind in ("you_take", "i_take"):
            tests.append(lambda k: k in core.world.objects)
        if action in ("open", "close"):
            tests.append(
                lambda k: k in core.surfaces.of and not is_turned(core, k, action == "open")
            )
        if state is not None:
            name, now = state
            tests.append(lambda k: core.world.states.get((k, name)) is now)
        last = self.meant.last(core, lambda k: k in keys)
        here = room_id_around(core, seat)
        holder = seat if request.kind == "i_take" else self.mine
        tests += [
            lambda k: core.world.holders.get(k) == holder,
            lambda k: k == last,
            lambda k: room_id_around(core, k) == here,
            lambda k: bool(self.work.goals_of(k)),
        ]
        placed = [key for key in keys if has_place(core, key)]
        if not placed:
            return list(keys)
        room = _room(core, request)
        if room is not None:
            placed = [k for k in placed if room_id_around(core, k) in room.keys]
        return _kept(placed, tests)

    def _places(
        self, core: SessionCore, seat: str, request: Request, mention: Mention
    ) -> list[str]:
        keys = self.meant.resolved(core, mention, request.room)
        thing = request.thing.keys[0] if request.thing and request.thing.keys else ""
        goals = {step.target for n in self.work.goals_of(thing) for way in self.work.goals[n].ways
                 for step in way if isinstance(step, Put)}  # fmt: skip
        here = room_id_around(core, seat)
        rooms = set() if request.room is None else set(request.room.keys)
        return _kept(
            list(keys),
            [
                lambda k: room_id_of(core, k) in rooms,
                lambda k: k in goals,
                lambda k: k == self.meant.last(core, lambda key: key in keys),
                lambda k: has_place(core, k) and room_id_of(core, k) == here,
            ],
        )


def _room(core: SessionCore, request: Request) -> Mention | None:
    """Return the room in which a thing is said to be; None: none is named."""
    # With a place it is the room of that: *on the table in the dining room*.
    is_of_thing = request.place is None and request.room is not None
    if is_of_thing and request.room is not None and is_of_rooms(core, request.room):
        return request.room
    # *Switch off the light in the kitchen*: nothing is taken there.
    stays = request.action in (*_STATES, "open", "close")
    if stays and request.place is not None and is_of_rooms(core, request.place):
        return request.place
    return None


def _kept(keys: list[str], tests: Sequence[Callable[[str], bool]]) -> list[str]:
    """Return those that meet each test in turn, a test that none meets left out."""
    for test in tests:
        if len(keys) < 2:
            break
        keys = [key for key in keys if test(key)] or keys
    return keys


def noun_of(core: SessionCore, key: str) -> str:
    """Return the last word of a label: what sort of thing it is."""
    return core.names.labels.get(key, "").rpartition(" ")[2]
