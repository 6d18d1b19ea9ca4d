"""Faults of one session at a start, and commits of a next episode whose answer was lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import structlog
from sqlalchemy import event, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.hosting import session_manager, verdict_waits
from server.hosting.session_times import CLOSE_DELAY_S
from server.hosting.task_series import TaskInfo
from server.hosting.unfinished_episodes import unfinished_result
from server.recording.salvaged_result import Salvaged
from server.settings import Settings
from server.store import Database, DatabaseError
from server.store.episodes import episode_row
from server.store.matches import MatchRecord
from server.store.models import EpisodeRow, SessionRow
from tests.patience import PATIENCE_S
from tests.server.hosting.test_session_limits import Keeper
from tests.server.web.doubles import make_settings, proposition, verdict


@pytest.fixture
async def keeper(tmp_path: Path) -> AsyncIterator[Keeper]:
    made = Keeper(make_settings(tmp_path))
    await made.database.upgrade()
    yield made
    await made.database.close()


async def test_a_start_that_fails_oddly_leaves_no_session(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def odd(record: MatchRecord) -> None:
        await keeper.host.open(record.spec, record.episode)
        raise ZeroDivisionError

    monkeypatch.setattr(keeper.manager._opening, "open", odd)
    free = keeper.manager.free_places()
    with pytest.raises(ZeroDivisionError):
        await keeper.play()
    assert keeper.manager.free_places() == free
    ((spec, _, _),) = keeper.host.opened
    assert keeper.host.closed == [(spec.session_id, "failed")]


@asynccontextmanager
async def restarted(keeper: Keeper) -> AsyncIterator[Keeper]:
    keeper.manager._pulse.beat()
    again = Keeper(keeper.settings)
    yield again
    await again.database.close()


async def three_sessions(keeper: Keeper) -> list[str]:
    """Open three sessions with logs; they are resumed in the order of their ids."""
    sessions = []
    for number in range(3):
        sessions.append(await keeper.play(str(number)))
        keeper.leave_log()
    return sorted(sessions)


async def test_a_session_that_cannot_be_read_keeps_no_other_from_being_resumed(
    keeper: Keeper,
) -> None:
    first, odd, last = await three_sessions(keeper)
    async with keeper.database.transaction() as db:
        await db.execute(
            update(SessionRow).where(SessionRow.session_id == odd).values(spec={"odd": 1})
        )
    async with restarted(keeper) as again:
        with structlog.testing.capture_logs() as logs:
            assert await again.manager.resume() == 2
        assert sorted(s.session_id for s, _, _ in again.host.opened) == [first, last]
        told = [line for line in logs if line["event"] == "session.resume_failed"]
        assert [(line["session"], line["log_level"]) for line in told] == [(odd, "error")]
        assert again.manager.untidy == 1
        # Its row says what it is of no more; whoever mends the row has it closed by itself.
        row, _ = await again.rows(odd)
        assert row.state == "open"
        good, _ = await again.rows(first)
        async with again.database.transaction() as db:
            await db.execute(
                update(SessionRow)
                .where(SessionRow.session_id == odd)
                .values(spec={**good.spec, "session_id": odd})
            )
        again.monotonic_s += CLOSE_DELAY_S
        await again.manager.tidy()
        row, episode = await again.rows(odd)
        assert (row.state, row.close_reason) == ("closed", "failed")
        assert episode.verdict is not None
        assert again.manager.untidy == 0
        assert again.manager.is_open(first)


async def spoil(database: Database, session_id: str, column: str, value: str) -> None:
    """Write into a row what its column cannot hold, as another program may."""
    async with database.transaction() as db:
        await db.execute(
            text(f"UPDATE sessions SET {column} = :value WHERE session_id = :session_id"),
            {"value": value, "session_id": session_id},
        )


@pytest.mark.parametrize(("column", "value"), [("spec", "{no"), ("opened_at", "zz")])
async def test_a_row_that_is_spoiled_costs_its_own_session(
    keeper: Keeper, column: str, value: str
) -> None:
    first, odd, last = await three_sessions(keeper)
    good = getattr((await keeper.rows(odd))[0], column)
    await spoil(keeper.database, odd, column, value)
    async with restarted(keeper) as again:
        with structlog.testing.capture_logs() as logs:
            assert await again.manager.resume() == 2
        assert sorted(s.session_id for s, _, _ in again.host.opened) == [first, last]
        (told,) = [line for line in logs if line["event"] == "session.resume_failed"]
        assert (told["session"], told["reason"][:17]) == (odd, "a row holds what ")
        await again.manager.tidy()
        assert again.manager.untidy == 1
        assert again.host.closed == []
        with pytest.raises(DatabaseError, match="undo that, or stop the server and restore"):
            await again.rows(odd)
        async with again.database.transaction() as db:
            await db.execute(
                update(SessionRow).where(SessionRow.session_id == odd).values({column: good})
            )
        again.monotonic_s += CLOSE_DELAY_S
        await again.manager.tidy()
        row, episode = await again.rows(odd)
        assert (row.state, row.close_reason) == ("closed", "failed")
        assert episode.verdict is not None
        assert again.manager.untidy == 0


async def test_a_row_that_is_spoiled_while_it_is_played_stops_no_play(keeper: Keeper) -> None:
    first, odd, last = await three_sessions(keeper)
    await spoil(keeper.database, odd, "spec", "{no")
    await keeper.manager.tidy()
    assert keeper.host.closed == []
    assert all(map(keeper.manager.is_open, (first, odd, last)))


async def test_a_session_that_cannot_be_closed_keeps_no_other_from_being_closed_at_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Keeper(make_settings(tmp_path, resume_age_s=0))
    await keeper.database.upgrade()
    first, odd, last = await three_sessions(keeper)

    async def unreadable(
        database: Database, settings: Settings, session_id: str, reason: str
    ) -> Salvaged | None:
        if session_id == odd:
            raise ValueError("this log is odd")
        return await unfinished_result(database, settings, session_id, reason)

    monkeypatch.setattr(session_manager, "unfinished_result", unreadable)
    async with restarted(keeper) as again:
        assert await again.manager.resume() == 0
        states = {s: (await again.rows(s))[0].state for s in (first, odd, last)}
        assert states == {first: "closed", odd: "open", last: "closed"}
        monkeypatch.undo()
        again.monotonic_s += CLOSE_DELAY_S
        await again.manager.tidy()
        row, episode = await again.rows(odd)
        assert (row.close_reason, episode.end_reason) == ("server_stopped", "server_stopped")
        assert episode.verdict is not None
    await keeper.database.close()


async def ended_first(keeper: Keeper) -> tuple[str, str]:
    """Play one episode to its end; return its session, and the episode."""
    session = await keeper.play()
    return session, await keeper.host.finish(session, verdict(proposition(0)))


def doubtful(keeper: Keeper, monkeypatch: pytest.MonkeyPatch, *, is_stored: bool) -> None:
    """Lose the answer to the next commit of a change, which succeeds or not."""
    transaction = keeper.database.transaction

    @asynccontextmanager
    async def answer_lost() -> AsyncIterator[AsyncSession]:
        async with transaction() as db:
            changes: list[object] = []
            event.listen(db.sync_session, "after_flush", lambda *_: changes.append(_))
            yield db
            await db.flush()
            if not changes:
                return
            monkeypatch.undo()
            if not is_stored:
                raise DatabaseError("the connection was lost")
        raise DatabaseError("the connection was lost")

    monkeypatch.setattr(keeper.database, "transaction", answer_lost)


@pytest.mark.parametrize("is_stored", [True, False])
@pytest.mark.parametrize("asks", ["people", "nobody"])
async def test_a_doubtful_commit_begins_the_next_episode_once(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch, is_stored: bool, asks: str
) -> None:
    session, first = await ended_first(keeper)
    doubtful(keeper, monkeypatch, is_stored=is_stored)
    with pytest.raises(DatabaseError):
        await keeper.manager.next(session, first)
    assert keeper.host.nexts == []
    if asks == "nobody":
        await keeper.manager.tidy()
        row, _ = await keeper.rows(session)
        assert len(keeper.host.nexts) == len(row.episodes) - 1 == int(is_stored)
    for _ in range(2):
        # Both people ask, one after the other.
        await keeper.manager.next(session, first)
    await keeper.manager.tidy()
    row, last = await keeper.rows(session)
    assert len(row.episodes) == 2
    assert [(s, e.episode_id) for s, e in keeper.host.nexts] == [(session, last.episode_id)]
    assert keeper.manager.is_open(session)


async def test_a_stored_episode_that_cannot_begin_closes_its_session(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, first = await ended_first(keeper)
    doubtful(keeper, monkeypatch, is_stored=True)
    with pytest.raises(DatabaseError):
        await keeper.manager.next(session, first)
    keeper.host.fail = RuntimeError("no worker")
    await keeper.manager.tidy()
    row, _ = await keeper.rows(session)
    assert (row.state, row.close_reason) == ("closed", "failed")
    assert not keeper.manager.is_open(session)


async def reading(keeper: Keeper, episode_id: str) -> asyncio.Task[EpisodeRow | None]:
    """Return a reader who has found no verdict, and waits for it."""
    has_read = asyncio.Event()

    async def read(db: AsyncSession, wanted: str) -> EpisodeRow | None:
        row = await episode_row(db, wanted)
        has_read.set()
        return row

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdict_waits, "episode_row", read)
        reader = asyncio.create_task(keeper.manager.episode(episode_id, PATIENCE_S))
        await has_read.wait()
    return reader


async def test_who_reads_a_verdict_early_keeps_it_from_nobody_who_waits(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await keeper.play()
    ((_, episode, _),) = keeper.host.opened
    waiting = await reading(keeper, episode.episode_id)
    transaction = keeper.database.transaction

    @asynccontextmanager
    async def read_before_it_is_told() -> AsyncIterator[AsyncSession]:
        monkeypatch.undo()
        async with transaction() as db:
            yield db
        early = await keeper.manager.episode(episode.episode_id)
        assert early is not None
        assert early.verdict is not None

    monkeypatch.setattr(keeper.database, "transaction", read_before_it_is_told)
    await keeper.host.finish(session, verdict(proposition(0)))
    async with asyncio.timeout(PATIENCE_S / 3):
        row = await waiting
    assert row is not None
    assert row.verdict is not None


async def test_a_verdict_is_read_again_at_the_end_of_the_wait(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await keeper.play()

    async def stored_meanwhile(arrived: Awaitable[bool], limit_s: float) -> bool:
        monkeypatch.undo()
        await asyncio.gather(arrived, keeper.host.finish(session, verdict(proposition(0))))
        raise TimeoutError

    ((_, episode, _),) = keeper.host.opened
    monkeypatch.setattr(asyncio, "wait_for", stored_meanwhile)
    row = await keeper.manager.episode(episode.episode_id)
    assert row is not None
    assert row.verdict is not None


async def test_tasks_are_read_while_others_may_write(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, first = await ended_first(keeper)
    transaction, read = keeper.database.transaction, keeper.manager.tasks.all
    held = 0

    @asynccontextmanager
    async def counted() -> AsyncIterator[AsyncSession]:
        nonlocal held
        async with transaction() as db:
            held += 1
            try:
                yield db
            finally:
                held -= 1

    async def reads() -> list[TaskInfo]:
        assert held == 0
        return await read()

    monkeypatch.setattr(keeper.database, "transaction", counted)
    monkeypatch.setattr(keeper.manager.tasks, "all", reads)
    await keeper.manager.next(session, first)
    assert len(keeper.host.nexts) == 1
