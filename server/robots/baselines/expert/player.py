"""Experts as players: one for a seat, or one for each, sharing an agenda."""

from __future__ import annotations

from collections.abc import Generator

from server.robots.baselines.expert.agenda import Agenda
from server.robots.baselines.expert.goals import Goal
from server.robots.baselines.scripted_player import BodyPlayer, Go, begin, do
from server.robots.baselines.step_aims import step_aim
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did
from server.sessions.intents import Finish, Intent
from server.sessions.state import STILL
from server.skills.body import Body, Script, SkillError
from server.skills.errands import put_anywhere


class Expert(BodyPlayer):
    """A player that sees to its part of an agenda, then says that it has finished.

    It takes that back where somebody else undoes later what has to hold at the end.
    """

    def __init__(self, seat: str, agenda: Agenda | None = None, seed: int = 0) -> None:
        super().__init__(seat, seed)
        self.agenda = agenda or Agenda([seat])
        self.agenda.join(seat)
        self._others_acted = False
        """Whether somebody of another agenda has done something that was not taken note of yet."""

    def see(self, tick: Tick) -> None:
        super().see(tick)
        for event in tick.events:
            if isinstance(event, Did) and event.seat not in self.agenda.seats:
                self._others_acted = True
                self.agenda.note(event.target)

    # How an expert goes about it: stand-ins for people do otherwise.

    def wants(self, goal: Goal) -> bool:
        """Tell whether a goal is for this one to see to."""
        return True

    def before(self, body: Body, goal: Goal) -> Script:
        """Do what comes before each try of a goal."""
        yield from ()

    def idle(self, body: Body) -> Script:
        """Spend a tick (or more) without a goal."""
        yield from self.rest(1)

    def lingers(self, core: SessionCore, idle_ticks: int) -> bool:
        """Tell whether to stay when nothing is left to do."""
        return False

    def script(self, body: Body) -> Script:
        core = body.core
        self.agenda.prepare(core)
        yield from begin(core)
        yield from self._work(body)
        while core.phase == "running":
            yield [Finish()]
            yield from self._until_undone(core)
            if core.phase == "running":
                yield [Finish(False)]
                yield from self._work(body)

    def _until_undone(self, core: SessionCore) -> Script:
        """Make way, and nothing else, until something that was done is to be done again."""
        while core.phase == "running":
            if self._others_acted:
                self._others_acted = False
                if self.agenda.is_undone(core, self.wants):
                    return
            yield from self.rest(1)

    def _work(self, body: Body) -> Script:
        """See to goals until none is left for this one."""
        core, agenda = body.core, self.agenda
        idle_since = core.tick
        while core.phase == "running":
            number = agenda.next(core, self.seat, self.wants)
            held = body.held
            if held is not None and (number is None or agenda.goal(number).thing != held):
                yield from put_anywhere(body)
                continue
            if number is None:
                is_over = agenda.is_over(core, self.wants)
                if is_over and not self.lingers(core, core.tick - idle_since):
                    break
                yield from self._wait(body)
                continue
            try:
                is_reached = yield from self._see_to(body, number)
            except SkillError as failure:
                agenda.missed(self.seat, number, failure)
                continue
            if is_reached:
                agenda.reached(number)
                idle_since = core.tick
        if agenda.failures:
            self.failure = agenda.failures[0]

    def close(self) -> None:
        self.agenda.leave(self.seat)

    def _wait(self, body: Body) -> Script:
        """Spend the time without a goal: go to what will be due, or do what one does when idle."""
        thing = self.agenda.ahead(body.core, self.seat) if len(self.agenda.seats) > 1 else None
        if thing is None:
            yield from self.idle(body)
            return
        try:
            for wanted in do(body, Go(thing)):
                yield wanted
                if self.agenda.next(body.core, self.seat, self.wants) is not None:
                    yield [STILL]
                    return
        except SkillError:
            yield from self.idle(body)

    def _see_to(self, body: Body, number: int) -> Generator[list[Intent], None, bool]:
        """Try a goal once; return whether the try came to its end.

        It is dropped once somebody else has done it or taken its thing.
        """
        goal = self.agenda.goal(number)
        yield from self.before(body, goal)
        self._others_acted = True
        why = "it belongs there" if goal.puts else "the task asks for it"
        way = goal.ways[0]
        for step in way:
            labels = body.core.names.labels
            self.aim = step_aim(labels, goal.thing, way, step, why)
            for wanted in do(body, step):
                if self._others_acted:
                    self._others_acted = False
                    is_left = self.agenda.is_left(body.core, self.seat, number)
                    if goal.ways[0] is not way or not (is_left or body.held == goal.thing):
                        yield [STILL]
                        return False
                yield wanted
        return True


def experts(core: SessionCore, seed: int = 0) -> list[Expert]:
    """Make an expert for every occupied seat; they share one agenda."""
    agenda = Agenda(core.state.occupied())
    return [Expert(seat, agenda, seed) for seat in agenda.seats]
