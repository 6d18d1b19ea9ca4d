"""Archivist: brings the logs of closed sessions into the archive and the index, in batches.

It looks at what lies in the folder, so that what an earlier process left undone is done by this
one.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path

import msgspec
import structlog
from sqlalchemy.exc import IntegrityError

from server.child_processes import module_environment
from server.recording.archive import SUFFIX, Archived, Outcome, decode_outcome
from server.recording.durable_file import free_name
from server.recording.played_mark import remove_mark
from server.recording.removal import left_of, remove_recording
from server.sessions.play_count import PlayCount
from server.sessions.spec import TICK_S
from server.settings import Settings
from server.store.database import Database
from server.store.database_faults import DatabaseError
from server.store.recordings import add_recording, closed_of, recorded_of, removed_recordings
from server.wall_clock import utc_now

LOOK_S = 60.0
BATCH = 20
TIMEOUT_S = 300.0

log = structlog.get_logger(__name__)


class Archivist:
    """Packer of the logs of closed sessions.

    ``on_lost`` is told of a session whose recording lacks something that was played, ``on_packed``
    of the packed logs of each batch.
    Run `keep` in a task of its own; `wake` it when a session was closed.
    """

    def __init__(
        self,
        settings: Settings,
        database: Database,
        now: Callable[[], datetime] = utc_now,
        on_lost: Callable[[str, PlayCount], None] | None = None,
        on_packed: Callable[[Sequence[Path]], Awaitable[None]] | None = None,
    ) -> None:
        self._logs, self._archive = settings.recordings_dir, settings.archive_dir
        self._database, self._now = database, now
        self._on_lost, self._on_packed = on_lost, on_packed
        self._wake = asyncio.Event()
        self._refused: set[str] = set()
        """Sessions whose logs cannot be read; operators have been told in the log."""
        self._failures: Counter[str] = Counter()
        """Number of times that the packer failed at a session's log."""

    def wake(self) -> None:
        self._wake.set()

    async def keep(self) -> None:
        """Archive every log of a closed session; runs until cancelled."""
        while True:
            self._wake.clear()
            try:
                await self.archive_all()
            except (DatabaseError, OSError) as error:
                # The logs stay where they are until it is back.
                log.warning("recordings.not_archived", reason=str(error))
            except Exception:
                log.exception("recordings.not_archived")
            try:
                await asyncio.wait_for(self._wake.wait(), LOOK_S)
            except TimeoutError:
                continue

    async def archive_all(self) -> int:
        """Archive the logs of all closed sessions; return how many.

        Whatever a crash has left of removed recordings goes first.
        """
        await self._remove_for_good()
        lying = {path.name.removesuffix(SUFFIX): path for path in self._logs.glob(f"*{SUFFIX}")}
        archived = 0
        # What fails comes last: a log that the packer dies of keeps no other from the archive.
        everything = sorted(lying, key=lambda i: (self._failures[i], i))
        for start in range(0, len(everything), BATCH):
            ids = everything[start : start + BATCH]
            async with self._database.transaction() as db:
                done = await recorded_of(db, ids)
                closed = await closed_of(db, ids)
            for session_id in done:
                # The last process died before it came to this.
                _remove(lying[session_id])
            due = [lying[i] for i in ids if i in closed - done - self._refused]
            if due:
                archived += await self._archive_batch(due, lying)
        return archived

    async def _remove_for_good(self) -> None:
        """Remove what lies of recordings that were removed on purpose, packed or not.

        A packer may write one after its removal, and outlive the process that would undo that.
        """
        async with self._database.transaction() as db:
            removed = await removed_recordings(db)
        if not removed:
            return
        for session_id in await asyncio.to_thread(left_of, removed, self._logs, self._archive):
            try:
                remove_recording(self._logs / f"{session_id}{SUFFIX}", self._archive)
            except OSError as error:
                # It keeps no other from the archive, and is tried again at the next look.
                log.error("recording.not_removed", session=session_id, reason=str(error))
                continue
            log.info("recording.removed", session=session_id)

    async def _archive_batch(self, due: list[Path], lying: dict[str, Path]) -> int:
        outcomes, fault = await self._pack(due)
        settled = [o for o in outcomes if await self._settle(o, lying)]
        archived = len(settled)
        packed = [self._archive / o.file for o in settled if isinstance(o, Archived)]
        if packed and self._on_packed is not None:
            await self._on_packed(packed)
        told = {outcome.session_id for outcome in outcomes}
        left = [i for i in (path.name.removesuffix(SUFFIX) for path in due) if i not in told]
        if left:
            # The packer goes from log to log, and was at this one.
            self._failures[left[0]] += 1
        if left or fault:
            reason = fault or "the packer ended before it came to all logs"
            log.error("recordings.not_archived", sessions=left, reason=reason)
        return archived

    async def _settle(self, outcome: Outcome, lying: dict[str, Path]) -> bool:
        session_id = outcome.session_id
        if not isinstance(outcome, Archived):
            if outcome.for_good:
                self._refused.add(session_id)
            log.error("recording.not_archived", session=session_id, reason=outcome.reason)
            return False
        if not await self._index(outcome):
            # Somebody had it removed while it was packed.
            remove_recording(lying[session_id], self._archive)
            return False
        lost = PlayCount(outcome.lost_ticks, outcome.lost_events)
        if self._on_lost is not None:
            self._on_lost(session_id, lost)
        if outcome.lost_bytes or any(lost):
            log.error(
                "recording.archived_with_loss",
                session=session_id,
                lost_bytes=outcome.lost_bytes,
                lost_s=round(lost.ticks * TICK_S, 1),
                lost_events=lost.events,
                kept_as=_set_aside(lying[session_id]) if outcome.lost_bytes else None,
            )
        # Indexed: now the archive has it.
        _remove(lying[session_id])
        self._failures.pop(session_id, None)
        log.info(
            "recording.archived",
            session=session_id,
            bytes=outcome.bytes,
            packed_bytes=outcome.packed_bytes,
            lost_bytes=outcome.lost_bytes,
        )
        return True

    async def _index(self, archived: Archived) -> bool:
        """Add a packed log to the index; return False where it was removed on purpose."""
        try:
            async with self._database.transaction() as db:
                if archived.session_id in await removed_recordings(db):
                    return False
                add_recording(db, archived, self._now())
        except IntegrityError:
            # A purge may have stored its row since it was looked for.
            async with self._database.transaction() as db:
                if archived.session_id in await removed_recordings(db):
                    return False
            raise
        return True

    async def _pack(self, logs: list[Path]) -> tuple[list[Outcome], str]:
        """Pack logs; return what the packer told of them, and why it told no more."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "server.recording.archive",
            str(self._archive),
            *(str(file) for file in logs),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            env=module_environment(),
        )
        assert process.stdout is not None
        outcomes: list[Outcome] = []
        try:
            async with asyncio.timeout(TIMEOUT_S):
                while line := await process.stdout.readline():
                    outcomes.append(decode_outcome(line))
                status = await process.wait()
        except TimeoutError:
            return outcomes, f"the packer did not end within {TIMEOUT_S:g} s"
        except (msgspec.DecodeError, ValueError) as error:
            return outcomes, f"the packer's words cannot be read: {error}"
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return outcomes, f"the packer ended with status {status}" if status else ""


def _set_aside(log: Path) -> str:
    """Keep a log of which the archive has a part only, for whoever looks into it."""
    return log.rename(free_name(log)).name


def _remove(log: Path) -> None:
    """Remove a log that is archived. What its mark says stands in the archive."""
    log.unlink(missing_ok=True)
    remove_mark(log)
