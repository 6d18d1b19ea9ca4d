"""Experts as players: one for a seat, or one for each, sharing an agenda."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable

from episodes.bodies import SeatKind
from server.robots.baselines.expert.goals import Goal, plan
from server.robots.baselines.scripted_player import BodyPlayer, Put, begin, do
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did
from server.sessions.intents import Finish, Intent
from server.sessions.state import STILL
from server.skills.body import Body, Script, SkillError
from server.skills.errands import put_anywhere

TRIES = 4
"""Tries of a goal before it is given up."""


class Agenda:
    """The goals of a task, who does which, and how far they are. Planned when it is first asked."""

    def __init__(self, seats: Iterable[str]) -> None:
        self.seats = tuple(seats)
        self.goals: list[Goal] | None = None
        self.failures: list[SkillError] = []
        self._kinds: dict[str, SeatKind] = {}
        self._owner: list[str | None] = []
        self._open: set[int] = set()
        self._tries: list[int] = []

    def prepare(self, core: SessionCore) -> None:
        """Plan, once. Raises UnsolvableError."""
        if self.goals is None:
            self.goals = plan(core)
            self._kinds = {s: core.world.bodies[s].kind for s in self.seats}
            self._owner = share(core, self.goals, self.seats)
            self._open = set(range(len(self.goals)))
            self._tries = [0] * len(self.goals)

    def next(
        self, core: SessionCore, seat: str, wants: Callable[[Goal], bool] = lambda _: True
    ) -> int | None:
        """Return the goal that a seat is to see to now; None: there is none.

        That is one about what it holds, else the first of its own that waits for nothing.
        """
        assert self.goals is not None
        self._strike_out(core)
        free = [
            n
            for n in sorted(self._open)
            if self._owner[n] == seat
            and wants(self.goals[n])
            and not self.goals[n].needs & self._open
            and not self._is_busy_with(core, seat, self.goals[n].thing)
        ]
        held = core.world.held.get(seat)
        return next((n for n in free if self.goals[n].thing == held), free[0] if free else None)

    def is_left(self, core: SessionCore, seat: str, number: int) -> bool:
        """Tell whether a goal that a seat has been given is still to be seen to by it.

        Others may have done it, or taken its thing, since.
        """
        self._strike_out(core)
        return number in self._open and not self._is_busy_with(core, seat, self.goal(number).thing)

    def _is_busy_with(self, core: SessionCore, seat: str, thing: str) -> bool:
        """Tell whether somebody else holds a thing and may yet put it down."""
        holder = core.world.holders.get(thing)
        return holder not in (None, seat) and not core.seats[holder].finished

    def _strike_out(self, core: SessionCore) -> None:
        """Leave alone what somebody else has done (or does: it is in a hand of theirs)."""
        assert self.goals is not None
        others = set(core.seats) - set(self.seats)
        if not any(core.seats[s].occupied for s in others):
            return
        missing = {p.original for p in core.verdict().propositions if not p.satisfied}
        for number in sorted(self._open):
            goal = self.goals[number]
            if goal.needs & self._open:
                continue
            if not goal.propositions & missing:
                self._open.discard(number)

    def goal(self, number: int) -> Goal:
        assert self.goals is not None
        return self.goals[number]

    def reached(self, number: int) -> None:
        self._open.discard(number)

    def missed(self, number: int, failure: SkillError) -> None:
        """Take note of a failed try: another will follow, up to `TRIES`."""
        self._tries[number] += 1
        # Another place next time, where there is a choice.
        ways = self.goal(number).ways
        ways.append(ways.pop(0))
        if self._tries[number] >= TRIES:
            self.failures.append(failure)
            self._open.discard(number)
        elif self._tries[number] % 2 == 0:
            # A body may be too low to see what lies high up: the other's turn.
            self._hand_over(number)

    def _hand_over(self, number: int) -> None:
        people = self.goal(number).for_people
        able = [s for s in self.seats if not people or self._kinds[s] == "human"]
        owner = self._owner[number]
        if owner in able:
            self._owner[number] = able[(able.index(owner) + 1) % len(able)]

    def is_over(self, wants: Callable[[Goal], bool] = lambda _: True) -> bool:
        """Tell whether nothing is left that any seat of the agenda could (and wants to) do."""
        assert self.goals is not None
        return not any(self._owner[n] is not None and wants(self.goals[n]) for n in self._open)


def share(core: SessionCore, goals: list[Goal], seats: tuple[str, ...]) -> list[str | None]:
    """Share the goals out: for each the seat that does it, or None where nobody of these can.

    All goals about a thing are one seat's, states are people's, the rest goes to whoever has the
    shorter way so far. That is settled from places alone, not from times: it is the same on every
    simulator.
    """
    kinds = {s: core.world.bodies[s].kind for s in seats}
    load = dict.fromkeys(seats, 0.0)
    owner_of: dict[str, str | None] = {}
    for thing in dict.fromkeys(g.thing for g in goals):
        mine = [g for g in goals if g.thing == thing]
        able = [s for s in seats if kinds[s] == "human" or not any(g.for_people for g in mine)]
        owner = min(able, key=lambda s: load[s], default=None)
        owner_of[thing] = owner
        if owner is not None:
            load[owner] += sum(_length(core, g) for g in mine)
    owners: list[str | None] = []
    for goal in goals:
        owner = owner_of[goal.thing]
        if owner is None and not goal.for_people:
            # A robot alone carries what a person then washes.
            owner = next(iter(seats), None)
        owners.append(owner)
    return owners


def _length(core: SessionCore, goal: Goal) -> float:
    put = next((s for s in goal.ways[0] if isinstance(s, Put)), None)
    start = core.view.pose(goal.thing).position
    if put is None or put.target not in core.surfaces.of:
        return 3.0
    return 3.0 + math.dist(start, core.view.pose(put.target).position)


class Expert(BodyPlayer):
    """A player that sees to its part of an agenda, then says that it has finished."""

    def __init__(self, seat: str, agenda: Agenda | None = None, seed: int = 0) -> None:
        super().__init__(seat, seed)
        self.agenda = agenda or Agenda([seat])
        self._others_acted = False
        """Whether somebody of another agenda has done something that was not taken note of yet."""

    def see(self, tick: Tick) -> None:
        super().see(tick)
        if any(isinstance(e, Did) and e.seat not in self.agenda.seats for e in tick.events):
            self._others_acted = True

    # How an expert goes about it: stand-ins for people do otherwise.

    def wants(self, goal: Goal) -> bool:
        """Tell whether a goal is for this one to see to."""
        return True

    def before(self, body: Body, goal: Goal) -> Script:
        """Do what comes before each try of a goal."""
        yield from ()

    def idle(self, body: Body) -> Script:
        """Spend a tick (or more) without a goal."""
        yield []

    def lingers(self, core: SessionCore, idle_ticks: int) -> bool:
        """Tell whether to stay when nothing is left to do."""
        return False

    def script(self, body: Body) -> Script:
        core, agenda = body.core, self.agenda
        agenda.prepare(core)
        yield from begin(core)
        idle_since = core.tick
        while core.phase == "running":
            number = agenda.next(core, self.seat, self.wants)
            held = body.held
            if held is not None and (number is None or agenda.goal(number).thing != held):
                yield from put_anywhere(body)
                continue
            if number is None:
                is_over = agenda.is_over(self.wants)
                if is_over and not self.lingers(core, core.tick - idle_since):
                    break
                yield from self.idle(body)
                continue
            try:
                is_reached = yield from self._see_to(body, number)
            except SkillError as failure:
                agenda.missed(number, failure)
                continue
            if is_reached:
                agenda.reached(number)
                idle_since = core.tick
        if agenda.failures:
            self.failure = agenda.failures[0]
        yield [Finish()]

    def _see_to(self, body: Body, number: int) -> Generator[list[Intent], None, bool]:
        """Try a goal once; return whether the try came to its end.

        It is dropped once somebody else has done it or taken its thing.
        """
        goal = self.agenda.goal(number)
        yield from self.before(body, goal)
        self._others_acted = True
        for step in goal.ways[0]:
            for wanted in do(body, step):
                if self._others_acted and body.held != goal.thing:
                    self._others_acted = False
                    if not self.agenda.is_left(body.core, self.seat, number):
                        yield [STILL]
                        return False
                yield wanted
        return True


def experts(core: SessionCore, seed: int = 0) -> list[Expert]:
    """Make an expert for every occupied seat; they share one agenda."""
    agenda = Agenda(core.state.occupied())
    return [Expert(seat, agenda, seed) for seat in agenda.seats]
