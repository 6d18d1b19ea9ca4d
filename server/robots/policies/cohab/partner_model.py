"""What the partner is up to, from where it walks and what it was seen doing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from episodes.poses import Vec3
from episodes.worldgraph import WorldGraph
from server.robots.policies.cohab.goal_status import Standing
from server.robots.policies.cohab.walking_distances import Ways
from server.robots.policy import PolicyView, SeenAct
from server.sessions.spec import TICK_RATE

CARRIES_TICKS = 60 * TICK_RATE
"""Who holds something for longer is not on the way with it any more."""
BUSY_TICKS = 15 * TICK_RATE
"""Who puts something down where it does not belong is likely to go on with it: so long it is left
alone."""
ACTIVE_TICKS = 20 * TICK_RATE
"""Who has neither done anything nor walked for so long is not counted on."""
STEP_M = 0.5
"""Shorter moves say nothing about where somebody is going."""
TOWARDS = 0.7
"""Who came nearer to something by this share of the way walked is taken to be going there."""


class Partner:
    """Follows one partner through the views of one seat."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._read = 0
        """Acts that were taken note of."""
        self._put: dict[str, tuple[int, str]] = {}
        """When the partner last put a thing down, and where (a name)."""
        self._took: dict[str, tuple[int, str]] = {}
        """When, and who, took one that has not been put down since."""
        self._changed: dict[str, tuple[str, bool]] = {}
        """The state into which it brought something last."""
        self._before: Vec3 | None = None
        self._walked = -ACTIVE_TICKS
        """When it was last seen elsewhere than before."""
        self.position: Vec3 | None = None
        """About where it is: the middle of its room where only that is known."""

    def follow(self, view: PolicyView) -> None:
        """Take note of a view: acts, and where it walks. What it was seen taking, putting down
        or changing is so in the view's graph too."""
        for act in view.partner_acts[self._read :]:
            self._note(view.graph, act)
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
        seen = self._where(view)
        if seen is not None and (self.position is None or math.dist(seen, self.position) > STEP_M):
            if self.position is not None:
                self._walked = view.tick
            self._before, self.position = self.position, seen

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

    def _where(self, view: PolicyView) -> Vec3 | None:
        for other in view.others:
            return other.position
        for seat, room in view.graph.agents.items():
            if seat != view.seat and room:
                return self._ways.places[room]
        return None

    # What can be told from that

    def holds(self, view: PolicyView, thing: str) -> bool:
        known = view.graph.objects.get(thing)
        return known is not None and known.place.kind == "agent" and known.place.key != view.seat

    def carries(self, view: PolicyView, thing: str) -> bool:
        """Whether a thing is in its hand and on its way somewhere."""
        since, _ = self._took.get(thing, (view.tick, ""))
        return self.holds(view, thing) and view.tick - since <= CARRIES_TICKS

    def is_busy_with(self, view: PolicyView, thing: str) -> bool:
        """Whether it has just put something down, and may go on with it."""
        tick, _ = self._put.get(thing, (-BUSY_TICKS, ""))
        return view.tick - tick < BUSY_TICKS

    def is_active(self, view: PolicyView) -> bool:
        """Whether it has done something lately, or walked somewhere."""
        acts = view.partner_acts
        last = max(self._walked, acts[-1].tick if acts else self._walked)
        return view.tick - last < ACTIVE_TICKS

    def arrangements(self) -> Iterable[tuple[str, str]]:
        """What it has put down, and where (a name)."""
        return ((thing, name) for thing, (_, name) in self._put.items())

    def likely_next(self, standing: Standing, things: Sequence[str]) -> str | None:
        """Which of some things it is walking towards, if that can be told: of several that are
        equally near, the first."""
        if self.position is None or self._before is None:
            return None
        walked = self._ways.metres(self._before, self.position)
        best: tuple[float, str] | None = None
        for thing in things:
            where = self._ways.places.get(standing.place(thing))
            if where is None or walked <= 0:
                continue
            left = self._ways.metres(self.position, where)
            gained = self._ways.metres(self._before, where) - left
            if gained >= TOWARDS * walked and (best is None or left < best[0]):
                best = (left, thing)
        return None if best is None else best[1]
