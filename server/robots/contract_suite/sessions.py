"""Sessions of the contract suite: a candidate in its seat, in the first house, as fast as it goes.

A session notes everything that the candidate was shown and decided, early decisions included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, Self

from episodes.dataset import Task
from episodes.houses import first_house
from episodes.seats import PAIR
from episodes.tasks import first_tasks
from server.robots.contract_suite.candidate import Candidate
from server.robots.contract_suite.partners import Bystander
from server.robots.models import Completes
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import Thinker
from server.robots.policy import Decision, Policy, PolicyView
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore
from server.sessions.intents import Act, Intent
from server.sessions.player import Player
from server.sessions.policy_records import CallRecord, SkillRecord
from server.sessions.spec import TICK_S, EpisodeSpec, SessionSpec
from server.sessions.tick_driver import FixedPlayers, TickDriver
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.skills import Call

NOWHERE = "no_such_thing_1_:0000"
"""The handle of a thing that no house has."""


@cache
def _library() -> HouseLibrary:
    scene, catalogue = first_house()
    return HouseLibrary.of(catalogue, [scene])


@cache
def _default_task() -> Task:
    return first_tasks()[1]


def new_core(candidate: Candidate) -> SessionCore:
    """Return a session of two in the first house that has not begun."""
    task = candidate.task or _default_task()
    spec = SessionSpec.pair("ses_contract", 1)
    episode = EpisodeSpec("epi_contract", "first", task.task_id)
    return SessionCore(spec, episode, task, HouseholdSimulator(_library()))


class Made(NamedTuple):
    """A decision, or the error in its place, and what it was made from."""

    view: PolicyView
    decision: Decision | Exception


class ObservedPolicy(Policy):
    """A policy whose decisions are noted; copies of it note theirs in the same list."""

    def __init__(self, inner: Policy, made: list[Made]) -> None:
        self.inner = inner
        self.made = made
        self.in_vain = inner.in_vain

    async def decide(self, view: PolicyView) -> Decision:
        try:
            decision = await self.inner.decide(view)
        except Exception as error:
            self.made.append(Made(view, error))
            raise
        self.made.append(Made(view, decision))
        return decision

    def take_calls(self) -> Sequence[CallRecord]:
        return self.inner.take_calls()

    def ahead(self, doing: Call) -> Self | None:
        copy = self.inner.ahead(doing)
        return None if copy is None else type(self)(copy, self.made)

    @property
    def reconsiders(self) -> bool:
        return self.inner.reconsiders

    def lets_go(self, view: PolicyView) -> bool:
        return self.inner.lets_go(view)


class Players(FixedPlayers):
    """Players of whom some find everything locked: what they do to things is refused."""

    def __init__(self, core: SessionCore, players: Sequence[Player], locked: Sequence[str]) -> None:
        super().__init__(core, players)
        self._locked = locked

    def submit(self) -> None:
        for player in self._players:
            for intent in player.intents(self._core):
                self._core.submit(player.seat, self._as_heard(player.seat, intent))

    def _as_heard(self, seat: str, intent: Intent) -> Intent:
        if seat not in self._locked or not isinstance(intent, Act):
            return intent
        return Act(intent.intent_id, intent.verb, NOWHERE, intent.part, intent.by_skill)


class Session:
    """A session with a candidate in a seat, or in both where it is one mind for both."""

    def __init__(
        self,
        candidate: Candidate,
        seat: str,
        thinker: Thinker,
        *,
        model: Completes | None = None,
        partner: Callable[[str], Player] = Bystander,
        core: SessionCore | None = None,
        locked: bool = False,
    ) -> None:
        """Seat everybody; ``core`` is a session that others have begun, ``model`` is asked.

        With ``locked`` nothing can be opened, taken or changed by the candidate.
        """
        self.core = core or new_core(candidate)
        if model is None and candidate.model is not None:
            model = candidate.model(self.core)
        self.made: list[Made] = []
        self.skills: list[SkillRecord] = []
        options = PlayerOptions(thinker, model, seed=candidate.seed)
        both = candidate.plays_both
        self.seats = tuple(s.seat_id for s in PAIR if both or s.seat_id == seat)
        self.players = [self._seated(make_player(candidate.name, s, options)) for s in self.seats]
        others = [partner(s.seat_id) for s in PAIR if s.seat_id not in self.seats]
        everybody = [*self.players, *others]
        locked_seats = self.seats if locked else ()
        self._driver = TickDriver(self.core, Players(self.core, everybody, locked_seats))

    def _seated(self, player: Player) -> Player:
        if isinstance(player, PolicyPlayer):
            player.policy = ObservedPolicy(player.policy, self.made)
        return player

    @property
    def has_finished(self) -> bool:
        """Whether the candidate has said that it is done."""
        return all(self.core.seats[seat].finished for seat in self.seats)

    @property
    def failures(self) -> list[Exception]:
        """The last error of each of its players whose decisions failed."""
        errors = [p.last_failure for p in self.players if isinstance(p, PolicyPlayer)]
        return [error for error in errors if error is not None]

    @property
    def gave_up(self) -> str:
        """Reason why the candidate can play no longer; empty: it can."""
        return next((p.gave_up for p in self.players if p.gave_up), "")

    def step(self) -> None:
        """Make one tick."""
        self._driver.step((self.core.tick + 1) * TICK_S)
        for player in self.players:
            self.skills += player.take_skills()

    def play(self, ticks: int, until: Callable[[], bool] | None = None) -> Self:
        """Step until the candidate has finished, or ``until`` holds, at most so many ticks."""
        for _ in range(ticks):
            if self.core.phase == "ended" or self.has_finished or (until is not None and until()):
                break
            self.step()
        return self

    def close(self) -> None:
        """Close the candidate's players."""
        for player in self.players:
            player.close()

    def trace(self) -> list[Any]:
        """Return all that the candidate did and how the world is now, as JSON."""
        return [
            [[m.view.seat, m.view.tick, repr(m.decision)] for m in self.made],
            [[s.seat, s.call, s.response, s.began, s.ended] for s in self.skills],
            [[line.seat, line.text] for line in self.core.chat],
            [self.core.tick, self.core.world.digest()],
        ]
