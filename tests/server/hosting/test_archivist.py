"""Logs of closed sessions come into the archive and the index; those of open ones are let be."""

from __future__ import annotations

import gzip
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.matchmakers.first_come import fifo
from matchmaking.tickets import State, Ticket, Wish
from server.hosting import archivist
from server.hosting.archivist import Archivist
from server.recording.archive import Outcome, archive
from server.sessions.intents import Say
from server.sessions.play_count import PlayCount
from server.sessions.spec import SessionSpec
from server.settings import Settings
from server.store import Database
from server.store.models import RecordingRow
from server.store.participants import add_participant
from server.store.recordings import note_removal, removed_recordings
from server.store.sessions import add_match, add_session, close_session
from server.store.tickets import add_ticket
from tests.server.sessions.first_house_sessions import HUMAN, Recording, started

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

    packing = Archivist(settings, database, now=lambda: NOW)
    assert await packing.archive_all() == 1
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


async def test_what_is_removed_while_it_is_packed_does_not_come_into_the_archive(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path, _env_file=None)
    settings.recordings_dir.mkdir()
    over = await closed_session(database, "over")
    settings.log_path(over).write_bytes(Recording(started(solo=True)).data())
    pack = Archivist._pack

    async def packed_as_it_is_removed(
        self: Archivist, logs: list[Path]
    ) -> tuple[list[Outcome], str]:
        done = await pack(self, logs)
        assert list(settings.archive_dir.iterdir())
        async with database.transaction() as db:
            await note_removal(db, over, NOW)
        return done

    monkeypatch.setattr(Archivist, "_pack", packed_as_it_is_removed)
    assert await Archivist(settings, database).archive_all() == 0
    assert list(settings.archive_dir.iterdir()) == []
    assert not settings.log_path(over).exists()
    found = await row(database, over)
    assert found is not None
    assert found.file == ""


async def test_a_removal_in_the_moment_in_which_a_log_is_indexed_is_no_fault(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path, _env_file=None)
    settings.recordings_dir.mkdir()
    over = await closed_session(database, "over")
    settings.log_path(over).write_bytes(Recording(started(solo=True)).data())
    looks: list[set[str]] = []

    async def looked_just_before(db: AsyncSession) -> set[str]:
        removed = await removed_recordings(db)
        looks.append(removed)
        if len(looks) == 2:
            # The first look is at what a crash has left, the second before the log is indexed.
            async with database.transaction() as other:
                await note_removal(other, over, NOW)
        return removed

    monkeypatch.setattr(archivist, "removed_recordings", looked_just_before)
    assert await Archivist(settings, database).archive_all() == 0
    assert list(settings.archive_dir.iterdir()) == []
    assert not settings.log_path(over).exists()
    found = await row(database, over)
    assert found is not None
    assert found.file == ""


@pytest.mark.parametrize("crashed_at", ["packing", "purging"])
async def test_nothing_of_what_was_removed_is_left_after_a_crash(
    database: Database, tmp_path: Path, crashed_at: str
) -> None:
    settings = Settings(data_dir=tmp_path, _env_file=None)
    settings.recordings_dir.mkdir()
    over, other = await closed_session(database, "over"), await closed_session(database, "other")
    for session_id in (over, other):
        settings.log_path(session_id).write_bytes(Recording(started(solo=True)).data())
    packed = archive(settings.log_path(over), settings.archive_dir)
    if crashed_at == "packing":
        # The purge was through, the packer was not, and the process ended before it looked again.
        settings.log_path(over).unlink()
    async with database.transaction() as db:
        await note_removal(db, over, NOW)
    assert await Archivist(settings, database).archive_all() == 1
    assert not (settings.archive_dir / packed.file).exists()
    assert not settings.log_path(over).exists()
    assert await row(database, other) is not None


async def test_a_log_that_loses_something_in_the_archive_is_told_and_kept(
    database: Database, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, _env_file=None)
    settings.recordings_dir.mkdir()
    recording = Recording(started(solo=True))
    first = len(recording.data())
    for _ in range(60):
        recording.step()
    recording.step([(HUMAN, Say("lost"))])
    data = bytearray(recording.data())
    data[first + 20] ^= 1
    over = await closed_session(database, "over")
    log = settings.recordings_dir / f"{over}.jsonl"
    log.write_bytes(data)
    lost: dict[str, PlayCount] = {}
    packing = Archivist(settings, database, now=lambda: NOW, on_lost=lost.__setitem__)
    with structlog.testing.capture_logs() as lines:
        assert await packing.archive_all() == 1
    assert lost[over].ticks >= 60
    assert lost[over].events == 1
    (told,) = [line for line in lines if line["event"] == "recording.archived_with_loss"]
    assert (told["log_level"], told["lost_events"]) == ("error", 1)
    assert told["lost_bytes"] == len(data) - first
    assert log.with_name(told["kept_as"]).read_bytes() == data
    assert not log.exists()


async def test_without_a_folder_there_is_nothing_to_do(database: Database, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "new", _env_file=None)
    assert await Archivist(settings, database).archive_all() == 0


DEADLY = """#!{python}
import os, signal, subprocess, sys
for log in sys.argv[4:]:
    if "deadly" in log:
        os.kill(os.getpid(), signal.SIGKILL)
    subprocess.run(["{python}", *sys.argv[1:4], log], check=True)
"""
"""Packer that dies of one log, and brings the others into the archive."""


@pytest.fixture
async def two_logs(database: Database, tmp_path: Path) -> Settings:
    """Return the settings of a server with the logs of two closed sessions."""
    settings = Settings(data_dir=tmp_path, _env_file=None)
    settings.recordings_dir.mkdir()
    data = Recording(started(solo=True)).data()
    for name in ("deadly", "good"):
        settings.log_path(await closed_session(database, name)).write_bytes(data)
    return settings


def replace_packer(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    packer = folder / "packer"
    packer.write_text(text.format(python=sys.executable))
    packer.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(packer))


@pytest.mark.parametrize(
    ("packer", "reason"),
    [
        ("#!/bin/sh\nexit 3\n", "the packer ended with status 3"),
        ("#!/bin/sh\nexit 0\n", "the packer ended before it came to all logs"),
        ("#!/bin/sh\nexec sleep 1000\n", "the packer did not end within 0.5 s"),
        ("#!/bin/sh\necho odd\n", "the packer's words cannot be read: JSON is malformed"),
    ],
)
async def test_a_packer_that_fails_is_told(
    database: Database,
    two_logs: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    packer: str,
    reason: str,
) -> None:
    replace_packer(tmp_path, packer, monkeypatch)
    if "sleep" in packer:
        monkeypatch.setattr(archivist, "TIMEOUT_S", 0.5)
    with structlog.testing.capture_logs() as lines:
        assert await Archivist(two_logs, database).archive_all() == 0
    (told,) = lines
    assert (told["event"], told["log_level"]) == ("recordings.not_archived", "error")
    assert told["sessions"] == ["ses_deadly", "ses_good"]
    assert told["reason"].startswith(reason)


async def test_a_log_that_the_packer_dies_of_keeps_no_other_from_the_archive(
    database: Database, two_logs: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_packer(tmp_path, DEADLY, monkeypatch)
    packing = Archivist(two_logs, database)
    assert [await packing.archive_all() for _ in range(3)] == [0, 1, 0]
    assert await row(database, "ses_good") is not None
    assert [log.name for log in two_logs.recordings_dir.glob("*.jsonl")] == ["ses_deadly.jsonl"]
    monkeypatch.undo()
    assert await packing.archive_all() == 1
