"""``scripted``: stand-ins for people in trials.

They know the goal, as the person who set the task does, and differ in how they go about it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from server.robots.baselines.expert import Agenda, Expert
from server.robots.baselines.expert.goals import Goal
from server.robots.baselines.partner_answers import PartnerAnswers
from server.robots.baselines.scripted_player import Put, Take, do
from server.robots.baselines.settings import PersonManner
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did
from server.sessions.intents import Intent, Say
from server.sessions.spec import TICK_RATE
from server.skills.body import Body, Script, SkillError

LOOKS_S = 0.5
"""Seconds between two looks of somebody with nothing to do whether there is something."""


class ScriptedPerson(Expert):
    """A player in a certain manner, until the task is done or its patience ends."""

    def __init__(
        self, seat: str, manner: PersonManner | None = None, agenda: Agenda | None = None
    ) -> None:
        """Make a person; those that share an ``agenda`` share out the work."""
        self.manner = manner or PersonManner()
        super().__init__(seat, agenda, self.manner.seed)
        self._rng = random.Random(f"{self.manner.seed} {seat}")
        self._erred: set[str] = set()
        self._theirs: list[str] = []
        """Things that the partner has put down and nobody has touched since, the latest last."""
        self._undone = 0
        self._tick = self._acted = 0
        """The tick now, and that at which anybody last did something that serves the task."""
        after = self.manner.answers_after_s
        self._answering = None if after is None else PartnerAnswers(seat, after)

    def intents(self, core: SessionCore) -> list[Intent]:
        wanted = super().intents(core)
        if self._answering is None or core.phase != "running":
            return wanted
        said = self._answering.due(core, self.agenda.goals or ())
        return [*wanted, Say(said)] if said else wanted

    def see(self, tick: Tick) -> None:
        super().see(tick)
        self._tick = tick.tick
        if self._answering is not None:
            self._answering.hear(tick)
        for event in tick.events:
            if not isinstance(event, Did):
                continue
            if self._serves(event.target):
                self._acted = tick.tick
            if event.target in self._theirs:
                self._theirs.remove(event.target)
            if event.verb == "place" and event.seat != self.seat:
                self._theirs.append(event.target)

    def _serves(self, target: str) -> bool:
        """Tell whether an act on something serves the task; opening furniture does not."""
        return any(goal.thing == target for goal in self.agenda.goals or ())

    def wants(self, goal: Goal) -> bool:
        if self.manner.does == "everything" or self._helps():
            return True
        goals = self.agenda.goals or ()
        return any(g.for_people and g.thing == goal.thing for g in goals)

    def _helps(self) -> bool:
        after = self.manner.helps_after_s * TICK_RATE
        return 0 < after < self._tick - self._acted

    def before(self, body: Body, goal: Goal) -> Script:
        yield from self.rest(round(self.manner.pause_s * TICK_RATE))
        puts = any(isinstance(step, Put) for step in goal.ways[0])
        if puts and goal.thing not in self._erred and self._rng.random() < self.manner.errs:
            self._erred.add(goal.thing)
            yield from _put_elsewhere(body, goal.thing, self._rng)
            yield from self.rest(round(self.manner.notices_s * TICK_RATE))

    def idle(self, body: Body) -> Script:
        if self._theirs and self._undone < self.manner.undoes and body.held is None:
            self._undone += 1
            yield from _put_elsewhere(body, self._theirs[-1], self._rng)
        else:
            # Looking at what is done costs more than a tick should.
            yield from self.rest(round(LOOKS_S * TICK_RATE))

    def lingers(self, core: SessionCore, idle_ticks: int) -> bool:
        if core.verdict().success:
            return False
        if self.manner.helps_after_s:
            return idle_ticks < self.manner.patience_s * TICK_RATE
        has_partner = any(s != self.seat and not core.seats[s].finished for s in _others(core))
        return has_partner and idle_ticks < self.manner.patience_s * TICK_RATE


def _others(core: SessionCore) -> Iterator[str]:
    return (seat for seat, seated in core.seats.items() if seated.occupied)


def _put_elsewhere(body: Body, thing: str, rng: random.Random) -> Script:
    """Take a thing and put it on any other furniture, if that can be done."""
    here = body.core.view.receptacle_of(thing)
    at = None if here is None else here.furniture.handle
    among = sorted(
        handle
        for handle, surfaces in body.core.surfaces.of.items()
        if handle != at and any(s.receptacle.kind == "on" for s in surfaces)
    )
    try:
        yield from do(body, Take(thing))
        yield from do(body, Put(rng.choice(among), "on"))
    except SkillError:
        # What it holds now is put down by whatever it does next.
        return
