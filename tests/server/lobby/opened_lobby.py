"""A lobby on a virtual clock, with sessions and records in memory that do as they are told."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from random import Random

from msgspec.structs import replace

from episodes.teams import Team
from matchmaking.assignment.exposure import Exposure, Exposures
from matchmaking.assignment.records import Record
from matchmaking.limits import Limits
from matchmaking.matches import Match
from matchmaking.offers import PAIR, Offer, Offers
from matchmaking.study import Study
from matchmaking.study.open_play import OPEN_PLAY
from matchmaking.study_key import StudyKey
from matchmaking.tickets import Pool, State, Ticket, Wish
from server.lobby import Closed, Lobby, LobbyRules, StartError
from server.lobby.contracts import Past
from server.lobby.study_draws import Stored
from server.lobby.ticket_outcomes import Outcome
from server.store.matches import MatchRefusedError
from server.store.study_groups import Course, Started
from server.store.turns import ON_BEHALF_OF
from server.web.participants.texts import texts_in
from server.wire.lobby_messages import LobbyStatus
from tests.matchmaking.made_places import TASKS


class Sessions:
    """Sessions in memory: ``delay_s`` makes opening slow, ``failures`` makes the next ones fail."""

    def __init__(self, free: int = 1000, delay_s: float = 0.0, failures: int = 0) -> None:
        self.free, self.delay_s, self.failures = free, delay_s, failures
        self.started: list[tuple[str, ...]] = []
        self.robots: list[str] = []
        self.teams: list[Team] = []
        self.matches: list[Match] = []
        self.refuse: set[str] = set()
        self.paused = False
        self.busy = 0

    def free_places(self) -> int:
        return 0 if self.paused else self.free

    def is_paused(self) -> bool:
        return self.paused

    def busy_s(self) -> int:
        return self.busy

    async def start(self, match: Match, seed: int, n_waiting: int) -> str:
        await asyncio.sleep(self.delay_s)
        if self.failures:
            self.failures -= 1
            raise StartError("no worker")
        if refused := self.refuse & set(match.ticket_ids):
            raise MatchRefusedError(frozenset(refused))
        self.started.append(match.ticket_ids)
        self.robots += match.team.policies.values()
        self.teams.append(match.team)
        self.matches.append(match)
        self.free -= 1
        return f"ses_{len(self.started)}"


class FailingSessions(Sessions):
    """Sessions that cannot be counted while ``fails``."""

    fails = False

    def free_places(self) -> int:
        if self.fails:
            raise ZeroDivisionError
        return super().free_places()


class Records:
    def __init__(self) -> None:
        self.ended: list[tuple[str, State]] = []
        self.on_behalf_of: list[str] = []
        """Addresses for which tickets were stored."""
        self.met: dict[str, frozenset[str]] = {}
        self.unopened: Counter[str] = Counter()
        """Stays for which no session opened, by participant; whoever had one is a test's to say."""
        self.live: list[Ticket] = []
        """Tickets that are live when the lobby starts; ``joined_at`` is how long ago."""
        self.moved: list[Ticket] = []
        self.join_s = 0.0
        self.join_fails = False

    async def ticket_joined(self, ticket: Ticket, n_waiting: int) -> Past:
        self.on_behalf_of.append(ON_BEHALF_OF.get())
        await asyncio.sleep(self.join_s)
        if self.join_fails:
            raise OSError("the database is away")
        who = ticket.participant_id
        return Past(self.met.get(who, frozenset()), self.unopened[who])

    async def ticket_moved(self, ticket: Ticket) -> None:
        self.moved.append(ticket)

    async def live_tickets(self, now: float) -> list[Ticket]:
        return [replace(ticket, joined_at=now - ticket.joined_at) for ticket in self.live]

    async def ticket_ended(self, ticket: Ticket, state: State) -> None:
        self.ended.append((ticket.ticket_id, state))
        self.unopened[ticket.participant_id] += state is State.UNOPENED

    async def outcome_of(self, ticket_id: str) -> Outcome:
        raise AssertionError(f"{ticket_id}: these tests ask the lobby alone")


class Draws:
    """Draws in memory. ``append_s`` makes storing slow; courses and endings are a test's to say."""

    def __init__(self, seed: str = "secret") -> None:
        self.seed, self.append_s, self.fails = seed, 0.0, False
        self.stored: list[Record] = []
        self.started: list[Started] = []
        self.met: list[Exposure] = []
        self.courses_by_place: dict[int, Course] = {}
        self.endings: dict[str, str] = {}

    async def load(self, study: Study) -> Stored:
        return Stored(self.seed, TASKS, list(self.stored), list(self.started))

    async def append(self, key: StudyKey, first: int, records: Sequence[Record]) -> None:
        await asyncio.sleep(self.append_s)
        if self.fails:
            raise OSError("the database is away")
        assert first == len(self.stored), "each record once, in its order"
        self.stored += records

    async def exposures(self, study: Study, people: Iterable[str]) -> Exposures:
        return Exposures(self.met)

    async def courses(self, study: Study, places: Sequence[int]) -> dict[int, Course]:
        return {n: course for n, course in self.courses_by_place.items() if n in places}

    async def closed(self, key: StudyKey) -> frozenset[str]:
        return frozenset()

    async def ended(self, people: Sequence[str]) -> dict[str, str]:
        return {who: ending for who, ending in self.endings.items() if who in people}


class OpenedLobby(Lobby):
    """A lobby that is asked for what is there, and whose records a test can read."""

    records: Records
    draws: Draws

    def shown(self, ticket_id: str) -> LobbyStatus:
        status = self.status(ticket_id, texts_in("en"))
        assert status is not None
        return status

    def state_of(self, ticket_id: str) -> State:
        ticket = self.ticket(ticket_id)
        assert ticket is not None
        return ticket.state

    async def connected(self, ticket_id: str, tab: str) -> int:
        connection = await self.connect(ticket_id, tab)
        assert connection is not None
        return connection


@asynccontextmanager
async def opened(
    openings: Sessions | None = None,
    offers: Offers | None = None,
    answers: Callable[[str], bool] = lambda _name: True,
    studies: Sequence[Study] = (),
    records: Records | None = None,
    draws: Draws | None = None,
    rate: float = 1.0,
    **limits: float,
) -> AsyncIterator[OpenedLobby]:
    records = records or Records()
    lobby = OpenedLobby(
        openings or Sessions(),
        records,
        LobbyRules(
            replace(OPEN_PLAY, limits=Limits(**limits), menu=offers or Offers()), answers, studies
        ),
        Random(1),
        draws=(draws := draws or Draws()),
        rate=rate,
    )
    lobby.records, lobby.draws = records, draws
    await lobby.start()
    yield lobby
    await lobby.stop()


def robot_after(wait_s: float) -> Offers:
    """Return offers of pairs in which a policy plays the robot after a wait."""
    return Offers(pair=Offer("", PAIR.team, 1, wait_s, "react"))


async def join(
    lobby: Lobby,
    name: str,
    wish: Wish = Wish.PERSON,
    code: str = "",
    here: bool = True,
    robot: str = "",
    team: str = "",
    seat: str = "",
    study: StudyKey | None = None,
) -> asyncio.Future[Outcome]:
    pool = Pool(wish, code, robot, team, study)
    ticket = await lobby.join(f"tic_{name}", f"par_{name}", pool, seat)
    outcome = lobby.outcome(ticket.ticket_id)
    assert outcome is not None
    if here:
        assert await lobby.connect(ticket.ticket_id, f"tab_{name}")
    return outcome


async def closed_by(outcome: asyncio.Future[Outcome]) -> Closed:
    closed = await outcome
    assert isinstance(closed, Closed)
    return closed
