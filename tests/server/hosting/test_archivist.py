"""Logs of closed sessions come into the archive and the index; those of open ones are let be."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from matchmaking.matchmakers import fifo
from matchmaking.tickets import State, Ticket, Wish
from server.hosting.archivist import Archivist
from server.sessions.spec import SessionSpec
from server.settings import Settings
from server.store import Database
from server.store.models import RecordingRow
from server.store.participants import add_participant
from server.store.sessions import add_match, add_session, close_session
from server.store.tickets import add_ticket
from tests.server.sessions.first_house_sessions import Recording, started

pytestmark = pytest.mark.processes

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DATASET = "tasks/first.json.gz"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    made = Database(f"sqlite:///{tmp_path / 'cohabit.db'}")
    await made.upgrade()
    yield made
    await made.close()


async def open_session(database: Database, name: str) -> str:
    """Write the row of an open session; return its id."""
    session_id, par, tic = f"ses_{name}", f"par_{name}", f"tic_{name}"
    ticket = Ticket(tic, par, Wish.SOLO, 0.0, State.WAITING, "")
    (match,) = fifo([ticket], 0.0, Random(1))
    async with database.transaction() as db:
        add_participant(db, par, par, NOW)
        await db.flush()
        add_ticket(db, ticket, 0, NOW, member="main")
        add_match(db, f"mat_{name}", match, 7, 1, NOW)
        await db.flush()
        add_session(
            db, SessionSpec.solo(session_id, 7), f"mat_{name}", match, DATASET, NOW, member="main"
        )
    return session_id


async def closed_session(database: Database, name: str) -> str:
    session_id = await open_session(database, name)
    async with database.transaction() as db:
        await close_session(db, session_id, "finished", NOW)
    return session_id


async def row(database: Database, session_id: str) -> RecordingRow | None:
    async with database.transaction() as db:
        return await db.get(RecordingRow, session_id)


async def test_logs_of_closed_sessions_are_packed_and_indexed(
    database: Database, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, _env_file=None)
    folder = settings.recordings_dir
    folder.mkdir()
    data = Recording(started(solo=True)).data()
    over, going_on = await closed_session(database, "over"), await open_session(database, "on")
    broken = await closed_session(database, "broken")
    for session_id in (over, going_on, "ses_of_somebody_else"):
        (folder / f"{session_id}.jsonl").write_bytes(data)
    (folder / f"{broken}.jsonl").write_bytes(b"nothing of ours\n")

    archivist = Archivist(settings, database, now=lambda: NOW)
    assert await archivist.archive_all() == 1
    left = {path.name for path in folder.glob("*.jsonl")}
    assert left == {f"{going_on}.jsonl", "ses_of_somebody_else.jsonl", f"{broken}.jsonl"}
    found = await row(database, over)
    assert found is not None
    assert (found.log_bytes, found.episodes, found.archived_at) == (len(data), 1, NOW)
    assert gzip.decompress((settings.archive_dir / found.file).read_bytes()) == data
    assert await row(database, broken) is None

    # The process died after the index was written and before the log was removed.
    (folder / f"{over}.jsonl").write_bytes(data)
    assert await Archivist(settings, database).archive_all() == 0
    assert not (folder / f"{over}.jsonl").exists()


async def test_without_a_folder_there_is_nothing_to_do(database: Database, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "new", _env_file=None)
    assert await Archivist(settings, database).archive_all() == 0
