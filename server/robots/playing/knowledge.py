"""A seat's knowledge while it plays: its graph, what others are seen doing, the chat."""

from __future__ import annotations

import math

from msgspec import UNSET

from episodes.names import floor_key
from episodes.rules import VERB_TABLE
from episodes.seat_names import names_of
from episodes.world import FLOOR
from episodes.worldgraph import WorldGraph
from server.robots.playing.chat_sanitizer import heard
from server.robots.playing.seat_options import Observability, Watching
from server.robots.policy import Heard, Partner, SeenAct
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did, FinishChanged, Said
from server.skills import Call
from server.skills.body import GLANCE_TICKS

LOOK_TICKS = GLANCE_TICKS
"""Ticks between two looks: to merge what a body sees into its graph costs milliseconds."""
SIGHT_M = 10.0


class Knowledge:
    """Knowledge that a seat has of a session, tick by tick."""

    def __init__(
        self,
        core: SessionCore,
        seat: str,
        *,
        observability: Observability = "partial",
        shares_views: bool = True,
        partner: Watching = "all",
        tells_finish: bool = True,
    ) -> None:
        """Begin with what is seen now.

        ``shares_views``: the graph has what all bodies see, as the robot's has in PARTNR; else
        only what its own does. ``partner``: which acts of others it is told of; the graph follows
        them where it is to have what all bodies see, or where they were seen.
        ``tells_finish``: whether it is told who has finished, as people are.
        """
        self.core = core
        self.seat = seat
        seats = [s.seat for s in core.spec.seats]
        self._names = names_of(seats)
        self.graph = WorldGraph(core.simulator.scene, core.simulator.catalogue, core.names, seats)
        self.acts: list[SeenAct] = []
        self.chat: list[Heard] = [heard(*entry) for entry in core.chat]
        # In sessions that are older than the rule of endings nobody was told.
        self._tells_finish = tells_finish and core.spec.ending is not UNSET
        self.finished: tuple[str, ...] = self._who_finished()
        self.observed_tick = core.tick
        self._full = observability == "full"
        self._watchers = tuple(core.world.bodies) if shares_views else (seat,)
        self._partner: Watching = partner
        self._follows = shares_views or partner == "seen"
        self.look()

    def look(self) -> None:
        """Merge what is seen now into the graph."""
        core = self.core
        if self._full:
            self.graph.observe_all(core.world)
        else:
            watchers = [s for s in self._watchers if core.seats[s].occupied or s == self.seat]
            seen = {s: core.view.seen(s) for s in watchers}
            self.graph.observe_views(core.world, seen, watchers)
        self.observed_tick = core.tick

    def see(self, tick: Tick) -> None:
        """Take note of a step."""
        for event in tick.events:
            if isinstance(event, Said):
                self.chat.append(heard(tick.tick, event.seat, event.text))
            elif isinstance(event, FinishChanged):
                self.finished = self._who_finished()
            elif isinstance(event, Did) and self._witnesses(event.seat):
                self.acts.append(SeenAct(tick.tick, event.seat, self._as_call(event)))
                if self._follows:
                    self._follow(event)

    def _who_finished(self) -> tuple[str, ...]:
        seats = self.core.seats.items() if self._tells_finish else ()
        return tuple(seat for seat, seated in seats if seated.finished and seat != self.seat)

    @property
    def are_others_done(self) -> bool:
        """Whether all others have finished or left, as far as it is told; False for one alone."""
        others = [s for seat, s in self.core.seats.items() if s.occupied and seat != self.seat]
        told = self._tells_finish and bool(others)
        return told and all(s.finished or s.presence == "gone" for s in others)

    def _follow(self, did: Did) -> None:
        """Edit the graph after an act of another body, as PARTNR does after the human's.

        So things that were put down out of sight are known. Things that the graph does not have
        stay unknown.
        """
        changes = VERB_TABLE[did.verb].changes
        if changes is not None:
            self.graph.changed(did.target, *changes)
        elif did.target not in self.graph.objects:
            return
        elif did.verb == "pick":
            self.graph.picked(did.target, did.seat)
        elif did.verb == "place":
            self.graph.moved(self.core.world, did.target)

    def partners(self) -> tuple[Partner, ...]:
        """Return the other bodies that are played; with their places where it is told of acts."""
        core = self.core
        return tuple(
            Partner(
                seat,
                self._names[seat],
                core.world.bodies[seat].kind,
                core.world.agents[seat].position if self._witnesses(seat) else None,
                seat in self.finished,
                self._tells_finish and seated.presence == "gone",
            )
            for seat, seated in core.seats.items()
            if seated.occupied and seat != self.seat
        )

    def _witnesses(self, seat: str) -> bool:
        if seat == self.seat:
            return False
        return self._partner == "all" or self.sees_body(seat)

    def sees_body(self, other: str) -> bool:
        """Tell whether nothing is between this body's eye and another's, up to `SIGHT_M` away."""
        view = self.core.view
        eye, there = view.eye(self.seat), view.eye(other)
        away = math.dist(eye, there)
        if away > SIGHT_M:
            return False
        if away < 0.01:
            return True
        way = (
            (there[0] - eye[0]) / away,
            (there[1] - eye[1]) / away,
            (there[2] - eye[2]) / away,
        )
        return self.core.simulator.cast_ray(eye, way, away, view.carried()) is None

    def _as_call(self, did: Did) -> Call:
        names = self.core.names.graph
        thing = names.get(did.target, did.target)
        if did.verb != "place":
            return Call.of(VERB_TABLE[did.verb].skill, thing)
        relation, where = "on", did.where or ""
        surface = self.core.surfaces.by_name.get(where)
        if surface is not None:
            relation, where = surface.receptacle.kind, surface.furniture.handle
        elif where == FLOOR:
            where = floor_key(self.graph.room_at(self.core.world.pose(did.target).position))
        return Call.putting("Place", thing, relation, names.get(where, where))
