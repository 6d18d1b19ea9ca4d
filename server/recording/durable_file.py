"""A log on a disk that may be full, read-only or gone for a while.

A block is in the file whole or not at all. One that cannot be written waits in memory and is tried
again; whoever runs the session tells operators and players meanwhile (`DurableFile.problem`).
"""

from __future__ import annotations

import fcntl
import itertools
import os
import time
import zlib
from collections import deque
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from episodes.bounded_files import regular_file
from server.recording.log_copy import LogCopy

RETRY_S = 1.0
MOST_WAITING_BYTES = 2 * 1024 * 1024
"""The most that may wait in memory: some minutes of a session with two seats.

Beyond it the session ends: what nobody can record must not be played.
"""
READ_BYTES = 256 * 1024
LOCK_WAIT_S = 3.0
"""Seconds that whoever wrote a log before may take to let go of it; the dead have already."""


class UnrecordedError(Exception):
    """Error for more waiting to be written than memory may hold: says why it cannot be written."""


class LockedError(Exception):
    """Error for a log that another process writes."""


def open_log(path: Path) -> FileIO:
    """Open (or create) a log for this process alone. Unbuffered: what failed must not linger.

    Raises LockedError, and OSError when it cannot be written or is no file. Blocks for
    `LOCK_WAIT_S` at most.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = FileIO(path, "a+", opener=regular_file)
    give_up_at = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except BlockingIOError:
            if time.monotonic() > give_up_at:
                file.close()
                raise LockedError(f"{path.name} is being written by another process") from None
            time.sleep(0.05)


def free_name(log: Path) -> Path:
    """Return a name for a damaged or strange file in place of a log, that no other has."""
    names = (log.with_suffix(f"{log.suffix}.damaged-{n}") for n in itertools.count(1))
    return next(name for name in names if not name.exists())


class DurableFile:
    """An appender to a binary file, which need not buffer.

    ``now`` is in seconds of a clock that only goes on, such as the session's own. A file that has a
    ``path`` is written there again, whole, when somebody removes it, cuts it off or changes it.
    """

    def __init__(self, file: BinaryIO | FileIO, path: Path | None = None) -> None:
        self._file = file
        self._path = path
        self.restored = 0
        """Number of times that the file was removed or spoiled, and written again."""
        self.restored_why = ""
        """Reason for the last of them."""
        self._end = file.seek(0, 2)
        self._copy = LogCopy()
        self._seen: tuple[int, int] | None = None
        """Size and time of the last change of the file, in ns, as this process left it."""
        if path is not None:
            for part in self._parts():
                self._copy.add(part)
        self._is_torn = False
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._waiting_bytes = 0
        self.written_s = 0.0
        """Time of the newest block that is in the file."""
        self._retry_at = 0.0
        self.problem = ""
        """Reason why nothing can be written now; empty while all is well."""
        self.bytes_written = 0

    def append(self, block: bytes, now: float) -> None:
        """Write a block, or keep it until it can be written.

        Raises UnrecordedError when too much waits.
        """
        self._waiting.append((now, block))
        self._waiting_bytes += len(block)
        self.retry(now)
        if self._waiting_bytes > MOST_WAITING_BYTES:
            raise UnrecordedError(f"this session cannot be recorded: {self.problem}")

    def retry(self, now: float) -> None:
        """Write what waits, if it is time to try again."""
        if self._waiting and (not self.problem or now >= self._retry_at):
            self._try(now)

    def lag_s(self, now: float) -> float:
        """Return how old the oldest block is that is not in the file."""
        return now - self._waiting[0][0] if self._waiting else 0.0

    def close(self, now: float) -> None:
        """Close the file. Raises UnrecordedError if something could not be written to the end."""
        self._try(now)
        lost, problem = self._waiting_bytes, self.problem
        try:
            self._file.close()
        except OSError as error:
            problem = problem or _reason(error)
        if lost or problem:
            raise UnrecordedError(f"{lost} bytes of the log could not be written: {problem}")

    def _try(self, now: float) -> None:
        try:
            if self._path is not None:
                self._look_after(self._path)
                self._seen = self._state()
            while self._waiting:
                self._write(self._waiting[0][1])
                self.written_s, block = self._waiting.popleft()
                self._waiting_bytes -= len(block)
        except (OSError, LockedError) as error:
            self.problem = _reason(error)
            self._retry_at = now + RETRY_S
        else:
            self.problem = ""

    def _look_after(self, path: Path) -> None:
        """Write the file again if somebody else took it away or wrote to it."""
        if not self._is_at(path):
            self._restore(path, "its log was removed while it was written")
        elif self._seen is not None and self._state() != self._seen:
            size = os.fstat(self._file.fileno()).st_size
            crc = 0
            for part in self._parts():
                crc = zlib.crc32(part, crc)
            if size < self._end or crc != self._copy.crc:
                self._restore(path, "its log was cut off or changed while it was written")
            else:
                # What somebody appended is cut off before anything follows.
                self._is_torn = size > self._end

    def _is_at(self, path: Path) -> bool:
        try:
            found, own = path.stat(), os.fstat(self._file.fileno())
        except FileNotFoundError:
            return False
        return (found.st_dev, found.st_ino) == (own.st_dev, own.st_ino)

    def _state(self) -> tuple[int, int]:
        found = os.fstat(self._file.fileno())
        return found.st_size, found.st_mtime_ns

    def _parts(self) -> Iterator[bytes]:
        """Read the file as far as this process wrote it; less of it where it was cut off."""
        at = 0
        while part := os.pread(self._file.fileno(), min(READ_BYTES, self._end - at), at):
            at += len(part)
            yield part

    def _restore(self, path: Path, why: str) -> None:
        """Put a file with everything in place of one that was removed or spoiled.

        What is there stays until the new one is whole.
        """
        draft = path.with_suffix(f"{path.suffix}.part")
        fresh = open_log(draft)
        try:
            fresh.truncate(0)
            rest = memoryview(self._copy.data())
            while rest:
                rest = rest[fresh.write(rest) or 0 :]
            if path.exists() and not self._is_at(path):
                # Somebody put another file there.
                path.rename(free_name(path))
            draft.replace(path)
        except OSError:
            fresh.close()
            draft.unlink(missing_ok=True)
            raise
        self._file.close()
        self._file, self._is_torn = fresh, False
        self.restored += 1
        self.restored_why = why

    def _write(self, block: bytes) -> None:
        try:
            self._write_whole(block)
        finally:
            if self._path is not None:
                self._seen = self._state()

    def _write_whole(self, block: bytes) -> None:
        if self._is_torn:
            # A part of a block that did not fit would make all that follows unreadable.
            self._file.truncate(self._end)
            self._file.seek(self._end)
            self._is_torn = False
        self._is_torn = True
        rest = memoryview(block)
        while rest:
            rest = rest[self._file.write(rest) or 0 :]
        self._file.flush()
        self._is_torn = False
        self._end += len(block)
        if self._path is not None:
            self._copy.add(block)
        self.bytes_written += len(block)


def _reason(error: OSError | LockedError) -> str:
    return getattr(error, "strerror", None) or str(error) or repr(error)
