"""Model of the partner: what it is up to, from where it walks and what it was seen doing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from episodes.poses import Vec3
from episodes.worldgraph import WorldGraph
from server.robots.policies.cohab.goal_status import GoalStatus
from server.robots.policies.cohab.walking_distances import Ways
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


class Partner:
    """Running model of one partner, fed with the views of one seat."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._read = 0
        """Number of acts that were taken note of."""
        self._put: dict[str, tuple[int, str]] = {}
        """Tick and place (a name) of the partner's last putting down, by thing."""
        self._took: dict[str, tuple[int, str]] = {}
        """Tick and seat of the last taking of each thing that has not been put down since."""
        self._changed: dict[str, tuple[str, bool]] = {}
        """State and value into which the partner last brought each thing."""
        self._before: Vec3 | None = None
        self._walked = -ACTIVE_TICKS
        """Tick at which the partner was last seen elsewhere than before."""
        self.position: Vec3 | None = None
        """Approximate position; the middle of the room where only the room is known."""

    def follow(self, view: PolicyView) -> None:
        """Take note of a view: the partner's acts, and where it walks.

        What it was seen taking, putting down or changing is entered in the view's graph too.
        """
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
        """Tell whether a thing is in the partner's hand and on its way somewhere."""
        since, _ = self._took.get(thing, (view.tick, ""))
        return self.holds(view, thing) and view.tick - since <= CARRIES_TICKS

    def is_busy_with(self, view: PolicyView, thing: str) -> bool:
        """Tell whether the partner has just put a thing down and may go on with it."""
        tick, _ = self._put.get(thing, (-BUSY_TICKS, ""))
        return view.tick - tick < BUSY_TICKS

    def is_active(self, view: PolicyView) -> bool:
        """Tell whether the partner has lately acted, or walked somewhere."""
        acts = view.partner_acts
        last = max(self._walked, acts[-1].tick if acts else self._walked)
        return view.tick - last < ACTIVE_TICKS

    def arrangements(self) -> Iterable[tuple[str, str]]:
        """Return what the partner has put down, each thing with its place (a name)."""
        return ((thing, name) for thing, (_, name) in self._put.items())

    def likely_next(self, status: GoalStatus, things: Sequence[str]) -> str | None:
        """Return the thing that the partner seems to walk towards, or None.

        Of several that are equally near it is the first.
        """
        if self.position is None or self._before is None:
            return None
        walked = self._ways.metres(self._before, self.position)
        best: tuple[float, str] | None = None
        for thing in things:
            where = self._ways.places.get(status.place(thing))
            if where is None or walked <= 0:
                continue
            left = self._ways.metres(self.position, where)
            gained = self._ways.metres(self._before, where) - left
            if gained >= TOWARDS * walked and (best is None or left < best[0]):
                best = (left, thing)
        return None if best is None else best[1]
