"""Meaning of the words of a request in a session: names, *it*, *both*, the things of a room."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from server.robots.baselines.partner.hands import Hands
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.places import room_id_around, room_id_of, room_named
from server.robots.baselines.partner.request import Request
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.partner.words import Mention
from server.robots.baselines.scripted_player import Put
from server.sessions.core import SessionCore
from server.sessions.spec import TICK_RATE

REMEMBERED = 3
"""Exchanges back from which *it* still means what was named."""
REMEMBERED_S = 60.0
"""Seconds for which it does."""
MOST_CHOICES = 4
CARRIES = ("bring", "get", "put")


class Referents:
    """The things that were spoken of last, and what a request means by its words."""

    def __init__(self, hands: Hands, work: SharedWork) -> None:
        self.hands = hands
        self.work = work
        self._spoken: deque[tuple[int, str]] = deque(maxlen=REMEMBERED)

    def note(self, core: SessionCore, thing: str) -> None:
        """Take note that something was spoken of."""
        if thing:
            self._spoken.append((core.tick, thing))

    def last(self, core: SessionCore, fits: Callable[[str], bool]) -> str:
        """Return what was spoken of last and fits; empty: nothing not long ago."""
        oldest = core.tick - REMEMBERED_S * TICK_RATE
        return next((t for at, t in reversed(self._spoken) if at >= oldest and fits(t)), "")

    # Names

    def resolved(
        self, core: SessionCore, mention: Mention | None, room: Mention | None = None
    ) -> list[str]:
        """Return what a mention may mean, the likeliest and what is in ``room`` first."""
        if mention is None:
            return []
        wanted = self.work.things()
        at = core.world.agents[self.hands.seat].position

        rooms = set() if room is None else set(room.keys)

        def likely(key: str) -> tuple[bool, bool, float]:
            if not has_place(core, key):
                return (False, False, 0.0)
            is_there = not rooms or room_id_around(core, key) in rooms
            return (not is_there, key not in wanted, core.view.distance_from(at, key))

        return sorted(mention.keys, key=likely)

    def thing(self, core: SessionCore, seat: str, request: Request) -> str:
        """Return the thing that a request is about; empty: none is meant."""
        named = [k for k in self.resolved(core, request.thing, request.room) if has_place(core, k)]
        if named:
            theirs = [k for k in named if self.work.owner.get(k) == seat]
            is_handed = request.kind in ("you_take", "help") and theirs
            return theirs[0] if is_handed else named[0]
        if request.thing is not None:
            return ""
        if request.other:
            spoken = self.last(core, lambda _: True)
            return next((t for t in self.work.things() if t != spoken), "")
        return self._pointed_at(core, request) if request.points else ""

    def _pointed_at(self, core: SessionCore, request: Request) -> str:
        """Return what *it* is: what was spoken of last, if the verb can have it as its object."""
        held = core.world.held.get(self.hands.seat)
        objects = core.world.objects
        if request.kind in ("where", "doing", "belongs"):
            spoken = self.last(core, lambda key: key in objects)
            return spoken or held or self.hands.busy_with()
        # Nobody carries, or takes on, the furniture that was last spoken of.
        if request.action == "put" or (request.action == "bring" and request.to_me):
            return held or self.last(core, lambda key: key in objects)
        if request.kind in ("you_take", "i_take", "help") or request.action in CARRIES:
            return self.last(core, lambda key: key in objects) or held or ""
        return held or self.last(core, lambda _: True)

    def many(self, core: SessionCore, request: Request) -> list[str]:
        """Return all things that a request is about, where it is about several; else nothing."""
        if request.thing is not None and is_of_rooms(core, request.thing):
            return self.in_room(core, request.thing.keys)
        if not request.many:
            return []
        named = [k for k in self.resolved(core, request.thing) if k in core.world.objects]
        return [k for k in named if self.work.goals_of(k)] or named

    def in_room(self, core: SessionCore, rooms: Iterable[str]) -> list[str]:
        """Return the things of the task that are in a room, else those that belong there."""
        among = set(rooms)
        there = [t for t in self.work.things() if room_id_around(core, t) in among]
        return there or [
            t
            for t in self.work.things()
            for number in self.work.goals_of(t)
            if isinstance(put := self.work.goals[number].ways[0][-1], Put)
            and (put.target in among or room_id_of(core, put.target) in among)
        ]

    def which(self, core: SessionCore, choices: Sequence[str] = ()) -> str:
        """Ask which one is meant, by name; without choices, of the things of the task."""
        among = list(dict.fromkeys(choices or self.work.things() or core.world.objects))
        return Phrases(core, self.hands.seat).which(among, MOST_CHOICES)

    def not_found(self, core: SessionCore, request: Request) -> str:
        """Say that nothing of a name is here, or ask which one is meant."""
        for mention in (request.thing, request.place):
            if mention is not None and not mention.keys:
                return Phrases(core, self.hands.seat).none_here(mention.words)
        return self.which(core)


def has_place(core: SessionCore, key: str) -> bool:
    """Tell whether something is a thing or a piece of furniture, and no room."""
    return key in core.surfaces.of or key in core.world.objects


def has_any_place(core: SessionCore, mention: Mention) -> bool:
    """Tell whether a mention may mean a thing or a piece of furniture, and not only rooms."""
    return not mention.keys or any(has_place(core, key) for key in mention.keys)


def is_of_rooms(core: SessionCore, mention: Mention) -> bool:
    """Tell whether rooms are named, and nothing else."""
    return bool(mention.keys) and all(room_named(core, key) for key in mention.keys)
