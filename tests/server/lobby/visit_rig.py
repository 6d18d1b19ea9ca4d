"""Two people who want to play together, with a real database, and what must be true in the end."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import monotonic
from typing import cast

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from matchmaking.limits import Limits
from matchmaking.study.open_play import OPEN_PLAY
from matchmaking.tickets import LIVE, Pool, State, Wish
from server.hosting.match_opening import Patience
from server.hosting.result_publisher import OnEnded, OnResult
from server.hosting.session_host import SessionHost
from server.hosting.session_manager import SessionManager
from server.lobby import Lobby, LobbyRules, Matched, owner_task
from server.lobby.ticket_outcomes import GOING_AWAY, Outcome
from server.lobby.ticket_records import TicketRecords
from server.settings import Settings
from server.store import Database
from server.store.attempts import attempt
from server.store.database_faults import DatabaseError
from server.store.identifiers import new_id
from server.store.models import OccupancyRow, SessionRow, TicketRow
from server.store.participants import add_participant
from server.store.sessions import open_sessions
from server.store.tickets import session_of_ticket
from server.web.participants.texts import texts_in
from tests.patience import PATIENCE_S
from tests.server.lobby.faulty_parts import FaultyHost, Points, make_faulty
from tests.server.web.doubles import make_settings

LOCK_WAIT_S = 0.1
ATTEMPT_S = 0.4
"""Limits (s) in the order of those in use: what waits for a lock gives up before the attempt."""
PATIENCE = Patience(
    host_s=ATTEMPT_S,
    attempt_s=ATTEMPT_S,
    keep_s=0.5,
    discard_s=ATTEMPT_S,
    pauses=lambda: itertools.repeat(0.005),
)
TRIES = 3
"""Times that a visitor who could not join presses the button again."""


@pytest.fixture(scope="module", autouse=True)
def quick_retries() -> object:
    """Have the lobby try again at once: these tests are about what, not about when."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner_task, "FIRST_RETRY_S", 0.005)
        patch.setattr(owner_task, "ROUND_S", 0.01)
        yield


async def until_unlocked(act: Callable[[], Awaitable[object]]) -> None:
    """Read or write before or after an evening, when no fault is left but perhaps a lock.

    What was cut short leaves its lock to the thread of its connection, and on a busy machine that
    thread may need longer than `LOCK_WAIT_S`, which is as short as the evening's attempts ask for.
    """
    give_up_at = monotonic() + PATIENCE_S
    while True:
        try:
            await act()
            return
        except DatabaseError:
            if monotonic() > give_up_at:
                raise
            await asyncio.sleep(0.01)


class Visitor:
    """A visitor: joins, comes with a page, waits for an answer; leaves if left alone."""

    def __init__(self, lobby: Lobby) -> None:
        self.participant = new_id("par")
        self._lobby = lobby
        self.tickets: list[str] = []
        self.told: dict[str, Outcome] = {}
        """Answers, by ticket."""
        self.refused = 0
        self.connection: int | None = None

    async def visit(self, wish: Wish) -> None:
        for _ in range(TRIES):
            try:
                ticket = await self._lobby.join(new_id("tic"), self.participant, Pool(wish))
            except Exception:
                self.refused += 1
                continue
            ticket_id = ticket.ticket_id
            if ticket_id not in self.tickets:
                self.tickets.append(ticket_id)
            outcome = self._lobby.outcome(ticket_id)
            if outcome is None:
                self.told[ticket_id] = await self._ask(ticket_id)
                return
            self.connection = await self._lobby.connect(ticket_id, "tab")
            self.told[ticket_id] = await asyncio.shield(outcome)
            return

    async def _ask(self, ticket_id: str) -> Outcome:
        """Ask as a page does that was loaded again, until the database answers."""
        while True:
            try:
                # In a task of its own: a fault may cancel whoever asks.
                return await attempt(self._lobby.ended(ticket_id), 10 * ATTEMPT_S)
            except Exception:
                await asyncio.sleep(0.005)

    # What visitors do at any moment

    async def cancel(self) -> None:
        for ticket_id in self.tickets:
            await self._lobby.cancel(ticket_id)

    async def reload(self) -> None:
        for ticket_id in self.tickets:
            if self.connection is not None:
                await self._lobby.disconnect(ticket_id, self.connection)
            self.connection = await self._lobby.connect(ticket_id, "tab")

    async def press_again(self) -> None:
        """Send the form a second time."""
        try:
            ticket = await self._lobby.join(new_id("tic"), self.participant, Pool(Wish.PERSON))
        except Exception:
            return
        if ticket.ticket_id not in self.tickets:
            self.tickets.append(ticket.ticket_id)
            self.told[ticket.ticket_id] = await self._answer(ticket.ticket_id)

    async def come_back(self) -> None:
        """Open the pages of stays again after a restart, and leave those that go on.

        One may have been stored without its form having had an answer.
        """
        mine = self._lobby.ticket_of(self.participant)
        if mine is not None and mine.ticket_id not in self.tickets:
            self.tickets.append(mine.ticket_id)
        for ticket_id in self.tickets:
            if self.told.get(ticket_id) == GOING_AWAY:
                del self.told[ticket_id]
            answer = await self._answer(ticket_id)
            assert self.told.setdefault(ticket_id, answer) == answer

    async def ask(self) -> None:
        """Ask how a stay stands, as a page that is loaded again does; an answer must hold."""
        for ticket_id in list(self.tickets):
            if self._lobby.status(ticket_id, texts_in("en")) is None:
                self.told.setdefault(ticket_id, await self._ask(ticket_id))

    async def _answer(self, ticket_id: str) -> Outcome:
        while self._lobby.outcome(ticket_id) is not None:
            await self._lobby.cancel(ticket_id)
            await asyncio.sleep(0.005)
        return await self._ask(ticket_id)


class VisitRig:
    """A lobby, a manager of sessions and their database; `run` is one evening of two people."""

    def __init__(
        self, url: str, folder: Path, points: Points, patience: Patience = PATIENCE
    ) -> None:
        self.database = Database(url, LOCK_WAIT_S)
        self.points = points
        make_faulty(self.database, points)
        self.settings = make_settings(folder)
        self.host: FaultyHost
        self.sessions = SessionManager(
            self.settings, self.database, "test", self._make_host, patience=patience
        )
        records = TicketRecords(
            self.database,
            self.settings.member,
            self.sessions.left,
            pauses=patience.pauses,
            attempt_s=patience.attempt_s,
        )
        limits = Limits(grace_s=0.05, arrival_s=30.0)
        self.lobby = Lobby(
            self.sessions, records, LobbyRules(replace(OPEN_PLAY, limits=limits)), Random(1)
        )
        self.ann, self.ben = Visitor(self.lobby), Visitor(self.lobby)

    def _make_host(self, settings: Settings, on_result: OnResult, on_ended: OnEnded) -> SessionHost:
        self.host = FaultyHost(self.points, on_ended, settings.recordings_dir)
        return cast("SessionHost", self.host)

    async def begin(self) -> None:
        await until_unlocked(self._add_people)
        await until_unlocked(self.lobby.start)

    async def _add_people(self) -> None:
        async with self.database.transaction() as db:
            for visitor in (self.ann, self.ben):
                participant = visitor.participant
                add_participant(db, participant, participant, datetime.now(UTC))

    async def run(self, wish: Wish = Wish.PERSON) -> None:
        """Have both visit until each has an answer; then everything is well again and at rest."""
        self.points.is_armed = True
        visits = [asyncio.create_task(v.visit(wish)) for v in (self.ann, self.ben)]
        done, waiting = await asyncio.wait(visits, return_when=asyncio.FIRST_COMPLETED)
        first = self.ann if visits[0] in done else self.ben
        if not any(isinstance(outcome, Matched) for outcome in first.told.values()):
            # Nobody else comes, so who is left alone leaves at last.
            while waiting:
                for visitor in (self.ann, self.ben):
                    await visitor.cancel()
                await asyncio.wait(waiting, timeout=0.01)
                waiting = {task for task in waiting if not task.done()}
        await asyncio.gather(*visits)
        await asyncio.gather(*self.points.happening)
        self.points.is_armed = False
        await self.lobby.stop()
        await until_unlocked(self.sessions.tidy)

    async def end(self) -> None:
        await until_unlocked(self._close_sessions)
        await self.database.close()

    async def _close_sessions(self) -> None:
        async with self.database.transaction() as db:
            left = [row.session_id for row in (await open_sessions(db, self.settings.member)).rows]
        for session_id in {*left, *self.host.live}:
            await self.sessions._close(session_id, "operator")

    async def check(self) -> None:
        """Check that everybody was told one truth, and that no session is left over anywhere."""
        await until_unlocked(self._check)

    async def _check(self) -> None:
        people = [self.ann.participant, self.ben.participant]
        async with self.database.transaction() as db:
            rows, _ = await open_sessions(db, self.settings.member)
            open_ids = {row.session_id for row in rows}
            seats = await db.scalars(
                select(OccupancyRow).where(
                    OccupancyRow.participant_id.in_(people), OccupancyRow.until.is_(None)
                )
            )
            tickets = await db.scalars(
                select(TicketRow).where(TicketRow.participant_id.in_(people))
            )
            rows_of = {row.ticket_id: row for row in tickets}
            led_to = {t: await session_of_ticket(db, t) for t in rows_of}
            found = await db.execute(select(SessionRow.session_id, SessionRow.state))
            states = {row.session_id: row.state for row in found}
        seated = Counter(seat.participant_id for seat in seats)
        assert all(count == 1 for count in seated.values()), "somebody sits in two sessions"
        assert self.host.live.keys() - open_ids == set(), "a session plays that nobody knows of"
        goes_on = {
            ticket_id
            for visitor in (self.ann, self.ben)
            for ticket_id, told in visitor.told.items()
            if told == GOING_AWAY
        }
        for row in rows_of.values():
            if row.ticket_id in goes_on and row.state in LIVE:
                # The server was stopped: the next process has it.
                continue
            assert row.state not in LIVE, "a ticket has no end"
            assert row.left_at is not None
            assert (row.state == State.MATCHED) == (led_to[row.ticket_id] is not None)
        for visitor in (self.ann, self.ben):
            for ticket_id in visitor.tickets:
                told = visitor.told[ticket_id]
                session_id = told.session_id if isinstance(told, Matched) else None
                assert session_id == led_to[ticket_id], "told otherwise than it was stored"
            assert len(visitor.told) == len(visitor.tickets)
        matched = {s for s in led_to.values() if s is not None}
        playing = {s for s in matched if states[s] == "open"}
        # One whose worker died keeps its row until everybody has been told.
        assert playing - self.host.live.keys() <= set(self.sessions._times._close_at)
        places = self.settings.capacity - self.sessions.free_places()
        assert places == len(playing), "a place is taken by nothing"
