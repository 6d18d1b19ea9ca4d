"""A lobby on a virtual clock, with sessions and records in memory that do as they are told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

from episodes.teams import Team
from matchmaking.matchmakers import Match
from matchmaking.offers import PAIR, Offer, Offers
from matchmaking.queue import Limits
from matchmaking.tickets import Pool, State, Ticket, Wish
from server.lobby import Closed, Lobby, LobbyRules, StartError
from server.lobby.ticket_outcomes import Outcome
from server.store.matches import MatchRefusedError
from server.store.turns import ON_BEHALF_OF
from server.wire.lobby_messages import LobbyStatus


class Sessions:
    """Sessions in memory: ``delay_s`` makes opening slow, ``failures`` makes the next ones fail."""

    def __init__(self, free: int = 1000, delay_s: float = 0.0, failures: int = 0) -> None:
        self.free, self.delay_s, self.failures = free, delay_s, failures
        self.started: list[tuple[str, ...]] = []
        self.robots: list[str] = []
        self.teams: list[Team] = []
        self.refuse: set[str] = set()
        self.paused = False

    def free_places(self) -> int:
        return 0 if self.paused else self.free

    def is_paused(self) -> bool:
        return self.paused

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
        self.join_s = 0.0
        self.join_fails = False

    async def ticket_joined(self, ticket: Ticket, n_waiting: int) -> None:
        self.on_behalf_of.append(ON_BEHALF_OF.get())
        await asyncio.sleep(self.join_s)
        if self.join_fails:
            raise OSError("the database is away")

    async def ticket_ended(self, ticket: Ticket, state: State) -> None:
        self.ended.append((ticket.ticket_id, state))

    async def outcome_of(self, ticket_id: str) -> Outcome:
        raise AssertionError(f"{ticket_id}: these tests ask the lobby alone")


class OpenedLobby(Lobby):
    """A lobby that is asked for what is there, and whose records a test can read."""

    records: Records

    def shown(self, ticket_id: str) -> LobbyStatus:
        status = self.status(ticket_id)
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
    **limits: float,
) -> AsyncIterator[OpenedLobby]:
    lobby = OpenedLobby(
        openings or Sessions(),
        records := Records(),
        LobbyRules(Limits(**limits), offers or Offers(), answers),
        Random(1),
    )
    lobby.records = records
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
) -> asyncio.Future[Outcome]:
    pool = Pool(wish, code, robot, team)
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
