"""Rows of visitors of a preflight: found by their study's name, and removed with nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from matchmaking.study_key import StudyKey
from server.personal.key_folder import KeyFolder
from server.store import Database
from server.store.models import (
    MatchRow,
    OccupancyRow,
    ParticipantRow,
    RecordingRow,
    SessionRow,
    TicketRow,
)
from server.store.preflight_rows import are_packed, left_over, remove_study
from server.store.study_runs import add_run
from server.store.visit_models import IdentityRow, VisitRow

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
TABLES = (ParticipantRow, VisitRow, IdentityRow, MatchRow, TicketRow, SessionRow, RecordingRow)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    made = Database(f"sqlite:///{tmp_path / 'cohabit.db'}", keys=KeyFolder(tmp_path / "keys"))
    await made.upgrade()
    yield made
    await made.close()


async def add_group(database: Database, study: str, n: str, state: str = "closed") -> None:
    """Store a study with somebody in a session of it, whose words have a key."""
    KeyFolder(database._keys.path).made_key(f"par_{n}")  # type: ignore[union-attr]
    async with database.transaction() as db:
        add_run(db, StudyKey(study, 1, "test"), {}, NOW)
        db.add(ParticipantRow(participant_id=f"par_{n}", cookie_hash=n, created_at=NOW))
        db.add(MatchRow(match_id=f"mat_{n}", policy="p", seed=0, formed_at=NOW, n_waiting=1,
                        study=study))  # fmt: skip
        await db.flush()
        db.add(TicketRow(ticket_id=f"tic_{n}", participant_id=f"par_{n}", wish="any",
                         state="matched", joined_at=NOW, n_waiting_at_join=0,
                         match_id=f"mat_{n}"))  # fmt: skip
        db.add(SessionRow(session_id=f"ses_{n}", match_id=f"mat_{n}", state=state, seed=0,
                          simulator="household", profile="p", semantics="s", dataset="d", spec={},
                          opened_at=NOW))  # fmt: skip
        await db.flush()
        db.add(OccupancyRow(session_id=f"ses_{n}", seat_id="human_0", participant_id=f"par_{n}",
                            ticket_id=f"tic_{n}", since=NOW))  # fmt: skip
        db.add(VisitRow(visit_id=f"vis_{n}", participant_id=f"par_{n}", study=study,
                        study_version=1, mode="test", recruiter="direct", language="en",
                        place="ended", page=3, arrived_at=NOW, here_since=NOW,
                        session_id=f"ses_{n}"))  # fmt: skip
        await db.flush()
        db.add(IdentityRow(visit_id=f"vis_{n}", study=study, mode="test", recruiter="direct",
                           parameters={}))  # fmt: skip


async def counts(database: Database) -> dict[str, int]:
    async with database.transaction() as db:
        return {
            table.__tablename__: await db.scalar(select(func.count()).select_from(table)) or 0
            for table in TABLES
        }


async def test_a_copy_goes_with_all_that_it_had_and_a_study_stays(database: Database) -> None:
    await add_group(database, "homes", "1")
    before = await counts(database)
    await add_group(database, "preflight-0a", "2")
    keys = KeyFolder(database._keys.path)  # type: ignore[union-attr]
    assert keys.people() == {"par_1", "par_2"}
    async with database.transaction() as db:
        await remove_study(db, "preflight-0a")
    assert await counts(database) == before
    assert keys.people() == {"par_1"}


async def test_a_copy_is_left_until_its_logs_are_packed(database: Database) -> None:
    await add_group(database, "preflight-0a", "1", state="open")
    async with database.transaction() as db:
        assert not await are_packed(db, "preflight-0a")
        (await db.get_one(SessionRow, "ses_1")).state = "closed"
        await db.flush()
        assert not await are_packed(db, "preflight-0a")
        db.add(RecordingRow(session_id="ses_1", file="f", format=1, episodes=1, ticks=1,
                            log_bytes=1, packed_bytes=1, lost_bytes=0, sha256="",
                            archived_at=NOW))  # fmt: skip
        await db.flush()
        assert await are_packed(db, "preflight-0a")
        assert await are_packed(db, "preflight-of-nobody")


async def test_what_a_preflight_that_broke_off_has_left_is_found(database: Database) -> None:
    await add_group(database, "preflight-0a", "1")
    await add_group(database, "preflights", "2")
    async with database.transaction() as db:
        assert await left_over(db, "preflight-", NOW, member="main") == []
        after = NOW + timedelta(seconds=1)
        assert await left_over(db, "preflight-", after, member="main") == ["preflight-0a"]
        # Another server of the database has the recordings.
        assert await left_over(db, "preflight-", after, member="second") == []
