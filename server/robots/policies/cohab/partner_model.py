"""Model of the partners: what they are up to, where they walk and what they were seen doing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from episodes.poses import Vec3
from episodes.worldgraph import WorldGraph
from server.robots.policies.cohab.goal_status import GoalStatus
from server.robots.policies.shared.walking_distances import Ways
from server.robots.policy import PolicyView, SeenAct
from server.sessions.spec import TICK_RATE

CARRIES_TICKS = 60 * TICK_RATE
"""Ticks after which whoever holds a thing no longer counts as being on the way with it."""
BUSY_TICKS = 15 * TICK_RATE
"""Ticks for which a thing that the partner has put down is left alone: it is likely to go on with
it."""
ACTIVE_TICKS = 20 * TICK_RATE
"""Ticks after which a partner that has neither acted nor walked is not counted on."""
STEP_M = 0.5
"""Length of move below which nothing is concluded about where somebody is going (m)."""
TOWARDS = 0.7
"""Share of the way walked by which somebody must come nearer to a thing to count as going there."""


@dataclass
class _Walk:
    """Way of one partner, as far as it was seen."""

    since: int
    """Tick at which it was first known of."""
    position: Vec3
    """Approximate position; the middle of the room where only the room is known."""
    before: Vec3 | None = None
    walked: int = -ACTIVE_TICKS
    """Tick at which it was last seen elsewhere than before."""


class Partners:
    """Running model of all partners, fed with the views of one seat."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._read = 0
        """Number of acts that were taken note of."""
        self._put: dict[str, tuple[int, str]] = {}
        """Tick and place (a name) of the partners' last putting down, by thing."""
        self._took: dict[str, tuple[int, str]] = {}
        """Tick and seat of the last taking of each thing that has not been put down since."""
        self._changed: dict[str, tuple[str, bool]] = {}
        """State and value into which a partner last brought each thing."""
        self._walks: dict[str, _Walk] = {}
        """Ways by seat, in the order of the seats."""
        self._acted: dict[str, int] = {}
        """Tick of the last act of each seat."""
        self._robots: set[str] = set()
        """Seats of the partners that are known to be robots."""

    def follow(self, view: PolicyView) -> None:
        """Take note of a view: the partners' acts, and where they walk.

        What they were seen taking, putting down or changing is entered in the view's graph too.
        """
        for act in view.partner_acts[self._read :]:
            self._note(view.graph, act)
            self._acted[act.seat] = act.tick
        self._read = len(view.partner_acts)
        for thing, (_, seat) in self._took.items():
            if thing in view.graph.objects:
                view.graph.picked(thing, seat)
        for thing, (_, name) in self._put.items():
            known, place = view.graph.objects.get(thing), view.graph.find(name)
            if known is None or place not in view.graph.rooms or place is None:
                continue
            if known.place.kind == "agent" and known.place.key != view.seat:
                view.graph.placed(thing, place)
        for thing, (state, value) in self._changed.items():
            view.graph.changed(thing, state, value)
        self._robots = {p.seat for p in view.partners if p.kind == "robot"}
        for seat, seen in self._where(view).items():
            walk = self._walks.get(seat)
            if walk is None:
                self._walks[seat] = _Walk(view.tick, seen)
            elif math.dist(seen, walk.position) > STEP_M:
                walk.walked = view.tick
                walk.before, walk.position = walk.position, seen

    def _note(self, graph: WorldGraph, act: SeenAct) -> None:
        call = act.call
        thing = graph.find(call.thing)
        if thing is None:
            return
        if call.name == "Pick":
            self._took[thing] = (act.tick, act.seat)
            self._put.pop(thing, None)
        elif call.name == "Place":
            self._took.pop(thing, None)
            self._put[thing] = (act.tick, call.place)
        elif call.skill.changes is not None:
            self._changed[thing] = call.skill.changes

    def _where(self, view: PolicyView) -> dict[str, Vec3]:
        """Return where each partner is, by seat."""
        told = {p.seat: p.position for p in view.partners if p.position is not None}
        known = [p.seat for p in view.partners] or [s for s in view.graph.agents if s != view.seat]
        rooms = view.graph.agents
        middles = {s: self._ways.places[rooms[s]] for s in known if rooms.get(s)}
        return {seat: (middles | told)[seat] for seat in known if seat in middles or seat in told}

    # What can be told from that

    def holds(self, view: PolicyView, thing: str) -> bool:
        known = view.graph.objects.get(thing)
        return known is not None and known.place.kind == "agent" and known.place.key != view.seat

    def carries(self, view: PolicyView, thing: str) -> bool:
        """Tell whether a thing is in a partner's hand and on its way somewhere."""
        since, _ = self._took.get(thing, (view.tick, ""))
        return self.holds(view, thing) and view.tick - since <= CARRIES_TICKS

    def is_busy_with(self, view: PolicyView, thing: str) -> bool:
        """Tell whether a partner has just put a thing down and may go on with it."""
        tick, _ = self._put.get(thing, (-BUSY_TICKS, ""))
        return view.tick - tick < BUSY_TICKS

    def is_active(self, view: PolicyView) -> bool:
        """Tell whether some partner has lately acted, or walked somewhere."""
        acts = view.partner_acts
        walked = max((walk.walked for walk in self._walks.values()), default=-ACTIVE_TICKS)
        last = max(walked, acts[-1].tick if acts else walked)
        return view.tick - last < ACTIVE_TICKS

    def knows_more(self, view: PolicyView) -> bool:
        """Tell whether some partner is at work who may know what is behind doors.

        People may; a robot knows as little as this one.
        """
        if not self._robots:
            return self.is_active(view)
        return any(seat not in self._robots for seat in self._at_work(view))

    @property
    def positions(self) -> list[Vec3]:
        """Approximate positions of the partners, in the order of the seats."""
        return [walk.position for walk in self._walks.values()]

    @property
    def are_paired_off(self) -> bool:
        """Whether each errand is planned for one of all bodies.

        Beside one person the rest of the plan sees to that: what they do next is not planned here.
        """
        return len(self._walks) > 1 or bool(self._robots)

    def free(self, view: PolicyView) -> dict[str, Vec3]:
        """Return where those partners are that may see to something next, by seat.

        Not those who hold something, have finished or left, or have done nothing for long.
        """
        return {
            seat: self._walks[seat].position
            for seat in self._at_work(view)
            if view.graph.held(seat) is None
        }

    def _at_work(self, view: PolicyView) -> list[str]:
        """Return the seats that have neither finished nor left, nor done nothing for long."""
        gone = {p.seat for p in view.partners if not p.is_at_work}
        return [
            seat
            for seat, walk in self._walks.items()
            if seat not in gone
            and view.tick - max(walk.since, walk.walked, self._acted.get(seat, 0)) < ACTIVE_TICKS
        ]

    def arrangements(self) -> Iterable[tuple[str, str]]:
        """Return what partners have put down, each thing with its place (a name)."""
        return ((thing, name) for thing, (_, name) in self._put.items())

    def likely_next(self, status: GoalStatus, things: Sequence[str]) -> set[str]:
        """Return the things that partners seem to walk towards, one for each at most.

        Of several that are equally near it is the first.
        """
        found = (self._heads_for(walk, status, things) for walk in self._walks.values())
        return {thing for thing in found if thing is not None}

    def _heads_for(self, walk: _Walk, status: GoalStatus, things: Sequence[str]) -> str | None:
        if walk.before is None:
            return None
        walked = self._ways.metres(walk.before, walk.position)
        best: tuple[float, str] | None = None
        for thing in things:
            where = self._ways.places.get(status.place(thing))
            if where is None or walked <= 0:
                continue
            left = self._ways.metres(walk.position, where)
            gained = self._ways.metres(walk.before, where) - left
            if gained >= TOWARDS * walked and (best is None or left < best[0]):
                best = (left, thing)
        return None if best is None else best[1]
