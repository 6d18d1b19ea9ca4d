"""PARTNR's heuristic expert at work: one plan for all bodies, drawn once, without a second try.

Source: section 5 of the notes on partnr-planner (points 7 to 9). It is the yardstick as published:
an action that fails is over as one that succeeds, and nobody looks at what became of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from episodes.worldgraph import WorldGraph
from server.robots.baselines.partnr_expert.drawn_actions import (
    Action,
    Change,
    Drawing,
    Rearrange,
)
from server.sessions.core import SessionCore, Tick
from server.sessions.intents import Finish, Intent, Ready
from server.sessions.player import Player
from server.skills import Body, SkillRun
from server.skills.call import Call
from server.skills.making_way import Courtesy

SEED = 142
"""The released planner's seed."""
_CALLS = {"clean": "Clean", "fill": "Fill", "power_on": "PowerOn", "power_off": "PowerOff"}


class PartnrPlan:
    """The lists of calls of all bodies, with a barrier after each group of actions."""

    def __init__(self, seed: int = SEED) -> None:
        self.seats: tuple[str, ...] = ()
        self.calls: dict[str, list[list[Call]]] = {}
        """Calls of each seat, by group."""
        self._arrived: dict[str, int] = {}
        """Groups that each seat has behind it."""
        self._rng = random.Random(seed)

    def join(self, seat: str) -> None:
        self.seats = (*self.seats, seat)

    def leave(self, seat: str) -> None:
        self.seats = tuple(other for other in self.seats if other != seat)

    def prepare(self, core: SessionCore) -> None:
        """Draw and hand out all actions, once. Raises UnsolvableError."""
        if self.calls:
            return
        groups = Drawing(core, self._rng).actions()
        self.calls = {seat: [[] for _ in groups] for seat in self.seats}
        people = [s for s in self.seats if core.world.bodies[s].kind == "human"]
        for number, actions in enumerate(groups):
            for action in actions:
                able = people if isinstance(action, Change) else list(self.seats)
                if able:
                    self.calls[self._rng.choice(able)][number] += _calls_of(core, action)

    def arrive(self, seat: str, group: int) -> None:
        """Take note that a seat has a group of actions behind it."""
        self._arrived[seat] = group + 1

    def are_all_past(self, group: int) -> bool:
        """Tell whether every seat that still plays has a group behind it."""
        return all(self._arrived.get(seat, 0) > group for seat in self.seats)


def _calls_of(core: SessionCore, action: Action) -> Iterator[Call]:
    """Yield the skills of an action: what is closed is opened first, and nothing is checked."""
    names = core.names.graph
    if isinstance(action, Change):
        yield from _change(core, action)
        return
    thing, target = names[action.thing], names[action.target]
    yield from _fetch(core, action.thing)
    yield Call.of("Navigate", target)
    if action.relation == "within" and _opens(core, action.target):
        yield Call.of("Open", target)
        yield Call.of("Navigate", target)
    yield _place(thing, action, target, names)


def _place(thing: str, action: Rearrange, target: str, names: dict[str, str]) -> Call:
    beside = "" if action.beside is None else names[action.beside]
    return Call.putting("Place", thing, action.relation, target, beside)


def _fetch(core: SessionCore, thing: str) -> Iterator[Call]:
    names = core.names.graph
    shut = core.shut_in(thing)
    if shut is not None:
        yield Call.of("Navigate", names[shut])
        yield Call.of("Open", names[shut])
    yield Call.of("Navigate", names[thing])
    yield Call.of("Pick", names[thing])


def _change(core: SessionCore, action: Change) -> Iterator[Call]:
    """Yield the calls of a change: what needs water is carried to the first faucet and left there.

    Furniture, and what needs none, is changed where it is.
    """
    names, target = core.names.graph, action.target
    is_thing = target in core.world.objects
    act = Call.of(_CALLS[action.verb], names[target])
    template = core.view.template(target)
    wet = action.verb == "fill" or (action.verb == "clean" and template.cleaned_under_faucet)
    graph = WorldGraph(core.simulator.scene, core.simulator.catalogue, core.names)
    if not (is_thing and wet and graph.faucets):
        yield Call.of("Navigate", names[target])
        yield act
        return
    faucet = names[graph.faucets[0]]
    yield from _fetch(core, target)
    yield Call.of("Navigate", faucet)
    yield act
    yield Call.putting("Place", names[target], "on", faucet)


def _opens(core: SessionCore, furniture: str) -> bool:
    return any(surface.part is not None for surface in core.surfaces.of.get(furniture, ()))


class PartnrExpert(Player):
    """Player of one body of the plan."""

    def __init__(self, seat: str, plan: PartnrPlan, seed: int = 0) -> None:
        self.seat = seat
        self.finished = False
        self.responses: list[str] = []
        """Responses to the calls so far."""
        self._plan = plan
        self._seed = seed
        self._group = 0
        self._run: SkillRun | None = None
        self._body: Body | None = None
        self._courtesy: Courtesy | None = None
        self._is_ready = False
        plan.join(seat)

    def intents(self, core: SessionCore) -> list[Intent]:
        wanted = self._intents(core)
        if self._courtesy is None:
            return wanted
        return self._courtesy.beside(wanted, is_busy=self._run is not None)

    def _intents(self, core: SessionCore) -> list[Intent]:
        if self.finished:
            return []
        self._plan.prepare(core)
        if not self._is_ready:
            self._is_ready = True
            self._body = Body(self.seat, core, self._seed)
            self._courtesy = Courtesy(self._body)
            return [Ready()]
        if core.phase == "gathering":
            return []
        if self._run is not None:
            wanted = self._run.intents()
            if self._run.response:
                # Success or not: the next one.
                self.responses.append(self._run.response)
                self._run = None
            return wanted
        call = self._next_call()
        if call is not None:
            assert self._body is not None
            graph = WorldGraph(core.simulator.scene, core.simulator.catalogue, core.names)
            graph.observe_all(core.world)
            self._run = SkillRun(self._body, call, graph)
            return self._run.intents()
        if self._group < len(self._plan.calls[self.seat]):
            return []
        self.finished = True
        return [Finish()]

    def _next_call(self) -> Call | None:
        """Return the next call; None: it waits at a barrier, or is through."""
        groups = self._plan.calls[self.seat]
        while self._group < len(groups):
            if groups[self._group]:
                return groups[self._group].pop(0)
            self._plan.arrive(self.seat, self._group)
            if not self._plan.are_all_past(self._group):
                return None
            self._group += 1
        return None

    def see(self, tick: Tick) -> None:
        if self._run is not None:
            self._run.see(tick)
        elif self._body is not None:
            self._body.see(tick)

    def close(self) -> None:
        self._plan.leave(self.seat)
