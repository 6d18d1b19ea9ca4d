"""Words of the forgotten in older logs: how long other writers wait, and which rows are written."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any

from sqlalchemy import event, update

from server.personal.key_folder import KeyFolder
from server.recording.archive import archive
from server.robots.baselines.scripted_player import Speak
from server.store import Database
from server.store.forgotten_words import remove_older_words
from server.store.models import (
    MatchRow,
    OccupancyRow,
    ParticipantRow,
    RecordingRow,
    SessionRow,
)
from server.wall_clock import utc_now
from tests.server.recording.short_recordings import HUMAN, record

ANN = "par_ann"
SAID = "Marker-Said"
SPOKEN, SILENT = ("ses_a", "ses_b"), "ses_c"


async def store(database: Database, folder: Path, session_id: str) -> Path:
    """Record a session of Ann's, in which she speaks or not, and return its packed log."""
    log = folder / f"{session_id}.jsonl"
    words = [Speak(SAID)] if session_id in SPOKEN else []
    record(log, script=lambda steps: [*words, *steps])
    packed = archive(log, folder / "archive")
    log.unlink()
    now = utc_now()
    async with database.transaction() as db:
        db.add(
            MatchRow(match_id=session_id, policy="fifo", seed=1, formed_at=now, n_waiting=1),
        )
        await db.flush()
        db.add(
            SessionRow(
                session_id=session_id,
                match_id=session_id,
                state="closed",
                seed=1,
                simulator="household",
                profile="cohabit",
                semantics="documented",
                dataset="first",
                spec={},
                opened_at=now,
            )
        )
        await db.flush()
        db.add(
            OccupancyRow(
                session_id=session_id, seat_id=HUMAN, participant_id=ANN, since=now, until=now
            )
        )
        db.add(
            RecordingRow(
                session_id=session_id,
                file=packed.file,
                format=packed.format,
                episodes=packed.episodes,
                ticks=packed.ticks,
                log_bytes=packed.bytes,
                packed_bytes=packed.packed_bytes,
                lost_bytes=0,
                sha256=packed.sha256,
                archived_at=now,
            )
        )
    return folder / "archive" / packed.file


async def test_logs_are_rewritten_before_the_first_row_and_only_their_rows_are_written(
    tmp_path: Path,
) -> None:
    database = Database(f"sqlite:///{tmp_path / 'cohabit.db'}", keys=KeyFolder(tmp_path / "keys"))
    await database.upgrade()
    now = utc_now()
    async with database.transaction() as db:
        db.add(
            ParticipantRow(
                participant_id=ANN, cookie_hash="a" * 64, created_at=now, forgotten_at=now
            )
        )
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    files = {name: await store(database, recordings, name) for name in (*SPOKEN, SILENT)}

    def have_words() -> list[bool]:
        return [SAID.encode() in gzip.decompress(file.read_bytes()) for file in files.values()]

    seen: list[list[bool]] = []

    def listen(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("UPDATE recordings"):
            seen.append(have_words())

    async def remove() -> int:
        before = len(seen)
        async with database.transaction() as db:
            await remove_older_words(db, recordings, recordings / "archive")
        return len(seen) - before

    assert have_words() == [True, True, False]
    event.listen(database.engine.sync_engine, "before_cursor_execute", listen)
    assert await remove() == len(SPOKEN)
    assert seen[0] == [False, False, False], "whoever else writes waits for no log"
    assert await remove() == 0
    # A crash came after the log was written, and before its row.
    async with database.transaction() as db:
        await db.execute(update(RecordingRow).values(sha256="old"))
    seen.clear()
    assert await remove() == len(files)
    async with database.transaction() as db:
        for name, file in files.items():
            row = await db.get_one(RecordingRow, name)
            assert row.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    await database.close()
