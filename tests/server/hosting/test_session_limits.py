"""Limits of a session: on a clock that nobody sets, and never without what its log says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import cast

import msgspec
import pytest
import structlog

from matchmaking.matchmakers.first_come import fifo
from matchmaking.tickets import State, Ticket, Wish
from server.hosting import pulse, session_manager
from server.hosting.result_publisher import OnEnded, OnResult
from server.hosting.session_host import SessionHost
from server.hosting.session_manager import SessionManager
from server.hosting.session_times import STUCK_S
from server.hosting.unfinished_episodes import unfinished_result
from server.log_throttle import EVERY_S
from server.recording.salvaged_result import Salvaged
from server.sessions.core import SessionCore
from server.sessions.intents import Ready, Say
from server.sessions.results import EpisodeResult
from server.settings import Settings
from server.store import Database, DatabaseError
from server.store.models import EpisodeRow, SessionRow
from server.store.participants import add_participant
from server.store.sessions import session_row
from server.store.tickets import add_ticket
from tests.server.sessions.first_house_sessions import HUMAN, Recording, simulator, task
from tests.server.web.doubles import FakeHost, make_settings, proposition, verdict

JUMPS = [timedelta(minutes=45), timedelta(minutes=-45), timedelta(days=1), timedelta(days=-20_000)]


class Keeper:
    """A manager with a real database, a host that does as it is told, and clocks that are set."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(settings.database)
        self.monotonic_s = 1000.0
        self.wall = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
        self.host: FakeHost
        self.manager = SessionManager(
            settings,
            self.database,
            "test",
            self._make_host,
            now=lambda: self.wall,
            clock=lambda: self.monotonic_s,
        )

    def _make_host(
        self,
        settings: Settings,
        on_result: OnResult,
        on_ended: OnEnded,
    ) -> SessionHost:
        self.host = FakeHost(on_result, on_ended, settings.recordings_dir)
        return cast("SessionHost", self.host)

    async def play(self, name: str = "1") -> str:
        """Open a session for one person; return its id."""
        ticket = Ticket(f"tic_{name}", f"par_{name}", Wish.SOLO, 0.0, State.WAITING, "")
        async with self.database.transaction() as db:
            add_participant(db, f"par_{name}", f"x{name}", self.wall)
            await db.flush()
            add_ticket(db, ticket, 0, self.wall, member="main")
        (match,) = fifo([ticket], 0.0, Random(1))
        return await self.manager.start(match, 7, 1)

    async def rows(self, session_id: str) -> tuple[SessionRow, EpisodeRow]:
        async with self.database.transaction() as db:
            row = await session_row(db, session_id)
        assert row is not None
        return row, row.episodes[-1]

    def leave_log(self) -> int:
        """Leave the log of a worker that was killed in mid-episode; return its ticks."""
        spec, episode, _ = self.host.opened[-1]
        played = msgspec.structs.replace(task(1), task_id=episode.task_id)
        recording = Recording(SessionCore(spec, episode, played, simulator()))
        recording.step([(HUMAN, Ready())])
        for _ in range(40):
            recording.step()
        recording.step([(HUMAN, Say("hello"))])
        self.settings.recordings_dir.mkdir(parents=True, exist_ok=True)
        self.settings.log_path(spec.session_id).write_bytes(recording.data())
        started = recording.core.started_tick
        assert started is not None
        return recording.core.tick - started


@pytest.fixture
async def keeper(tmp_path: Path) -> AsyncIterator[Keeper]:
    made = Keeper(make_settings(tmp_path))
    await made.database.upgrade()
    yield made
    await made.database.close()


@pytest.mark.parametrize("jump", JUMPS, ids=str)
async def test_no_jump_of_the_wall_clock_closes_a_session(keeper: Keeper, jump: timedelta) -> None:
    session = await keeper.play()
    keeper.wall += jump
    await keeper.manager.tidy()
    assert keeper.host.closed == []
    await keeper.host.finish(session, verdict(proposition(0)))
    keeper.wall -= jump
    await keeper.manager.tidy()
    assert keeper.host.closed == []
    # Kept for the next task as long as it says, and no longer.
    keeper.monotonic_s += keeper.settings.between_tasks_s
    await keeper.manager.tidy()
    assert keeper.host.closed == [(session, "finished")]


@pytest.mark.parametrize("jump", JUMPS, ids=str)
async def test_what_broke_is_closed_after_its_farewells(keeper: Keeper, jump: timedelta) -> None:
    session = await keeper.play()
    await keeper.host.on_ended(session, "it broke")
    keeper.wall += jump
    await keeper.manager.tidy()
    assert keeper.host.closed == []
    keeper.monotonic_s += 20
    await keeper.manager.tidy()
    assert keeper.host.closed == [(session, "failed")]


async def test_a_session_that_outlives_its_limits_has_the_verdict_of_its_log(
    keeper: Keeper,
) -> None:
    session = await keeper.play()
    ticks = keeper.leave_log()
    limits_s = keeper.settings.time_limit_s + keeper.settings.loading_timeout_s
    keeper.monotonic_s += limits_s + STUCK_S
    await keeper.manager.tidy()
    row, episode = await keeper.rows(session)
    assert (row.state, episode.end_reason, episode.ticks) == ("closed", "failed", ticks)
    assert episode.verdict is not None
    assert episode.verdict["status"] == "ok"


async def test_nothing_is_closed_before_its_verdict_can_be_stored(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is away when a session is to be closed: it stays open until it is back."""
    session = await keeper.play()
    keeper.leave_log()

    async def away(_: EpisodeResult) -> None:
        raise OSError("the database does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(keeper.manager, "on_result", away)
        with pytest.raises(OSError, match="does not answer"):
            await keeper.manager._close(session, "operator")
    assert (await keeper.rows(session))[0].state == "open"
    await keeper.manager._close(session, "operator")
    row, episode = await keeper.rows(session)
    assert (row.state, episode.end_reason) == ("closed", "operator")
    assert episode.verdict is not None


async def test_a_session_that_is_too_old_to_go_on_has_the_verdict_of_its_log(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await keeper.play()
    ticks = keeper.leave_log()
    keeper.manager._pulse.beat()
    away_s = keeper.settings.resume_age_s + 60
    then = pulse.now()
    monkeypatch.setattr(
        pulse,
        "now",
        lambda: then._replace(boot_s=then.boot_s + away_s, wall_s=then.wall_s + away_s),
    )
    next_one = Keeper(keeper.settings)
    assert await next_one.manager.resume() == 0
    row, episode = await keeper.rows(session)
    await next_one.database.close()
    assert (row.state, row.close_reason) == ("closed", "server_stopped")
    assert (episode.end_reason, episode.ticks) == ("server_stopped", ticks)
    assert episode.verdict is not None


@pytest.mark.parametrize("jump_s", [jump.total_seconds() for jump in JUMPS], ids=str)
async def test_sessions_go_on_after_a_restart_whatever_the_wall_clock_says(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    session = await keeper.play()
    keeper.leave_log()
    keeper.manager._pulse.beat()
    then = pulse.now()
    if not then.boot_id:
        pytest.skip("this system does not name its runs: the wall clock is the one witness")
    later = then._replace(boot_s=then.boot_s + 60, wall_s=then.wall_s + jump_s)
    monkeypatch.setattr(pulse, "now", lambda: later)
    next_one = Keeper(keeper.settings)
    assert await next_one.manager.resume() == 1
    assert [spec.session_id for spec, _, _ in next_one.host.opened] == [session]
    await next_one.database.close()


async def test_a_session_that_cannot_be_closed_keeps_no_other_from_its_turn(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them is the first of the round once."""
    salvage = unfinished_result
    broken: list[str] = []
    for place in (0, 2):
        sessions = [await keeper.play(f"{place}{n}") for n in range(3)]
        bad = sessions[place]
        broken.clear()

        async def unreadable(
            database: Database, settings: Settings, session_id: str, reason: str, bad: str = bad
        ) -> Salvaged | None:
            if session_id == bad:
                broken.append(session_id)
                raise ValueError("this log is odd")
            return await salvage(database, settings, session_id, reason)

        monkeypatch.setattr(session_manager, "unfinished_result", unreadable)
        limits_s = keeper.settings.time_limit_s + keeper.settings.loading_timeout_s
        keeper.monotonic_s += limits_s + STUCK_S
        with structlog.testing.capture_logs() as logs:
            for _ in range(3):
                await keeper.manager.tidy()
        assert len(broken) == 3  # It is tried again each time.
        told = [line for line in logs if line["event"] == "session.tidy_failed"]
        assert [(line["session"], line["reason"]) for line in told] == [
            (bad, "this log is odd")
        ] * 3
        assert [line["exc_info"] for line in told] == [True, False, False]
        assert [s for s in sessions if keeper.manager.is_open(s)] == [bad]
        monkeypatch.undo()
        await keeper.manager.tidy()
        assert not keeper.manager.is_open(bad)


async def test_a_database_that_is_away_is_one_line_of_the_log_in_a_minute(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def for_a_minute(delay_s: float) -> None:
        waits.append(delay_s)
        keeper.monotonic_s += delay_s
        if sum(waits) > EVERY_S:
            raise asyncio.CancelledError

    def away(*_: object) -> None:
        raise DatabaseError("the database is away: check that it runs")

    monkeypatch.setattr(session_manager, "open_sessions", away)
    monkeypatch.setattr(asyncio, "sleep", for_a_minute)
    with structlog.testing.capture_logs() as logs, pytest.raises(asyncio.CancelledError):
        await keeper.manager.keep()
    told = [line for line in logs if line["event"] == "sessions.tidy_failed"]
    why = "the database is away: check that it runs"
    assert [(line["log_level"], line["reason"]) for line in told] == [("warning", why)] * 2
    assert [line["count"] for line in told] == [1, len(waits) - 1]
