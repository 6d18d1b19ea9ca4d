"""The pulse of the server: a file that says when it was last alive, for the next process.

How long the server was away is measured on the clock that runs while the machine is up, asleep or
not, and that nobody can set. Only across a start of the machine the wall clock is the one witness.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

import msgspec

from episodes.bounded_files import regular_file
from server.wall_clock import wall_s

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_BOOT_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_BYTES = 128
"""The length of the file: it is written over in place, which needs no room on a full disk."""


class Moment(NamedTuple):
    """A moment: on the clock of a run of the machine (``boot_id``; empty: unknown), and by wall."""

    boot_id: str
    boot_s: float
    wall_s: float


_decode = msgspec.json.Decoder(Moment).decode


def now() -> Moment:
    """Return the present moment."""
    try:
        boot_id = _BOOT_ID.read_text().strip()
    except OSError:
        boot_id = ""
    return Moment(boot_id, time.clock_gettime(_BOOT_CLOCK), wall_s())


def between_s(last: Moment, now: Moment) -> float:
    """Return the seconds from one moment to a later one, at least 0."""
    if last.boot_id and last.boot_id == now.boot_id:
        return max(0.0, now.boot_s - last.boot_s)
    return max(0.0, now.wall_s - last.wall_s)


class Pulse:
    """The file in a data directory, written by the process that serves."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def beat(self) -> None:
        """Note that the server is alive. Raises OSError."""
        line = msgspec.json.encode(now()).ljust(_BYTES - 1) + b"\n"
        descriptor = regular_file(self._path, os.O_WRONLY | os.O_CREAT, 0o644)
        try:
            os.pwrite(descriptor, line, 0)
        finally:
            os.close(descriptor)

    def absence_s(self) -> float | None:
        """Return how long nobody served; None if nobody ever did."""
        try:
            with open(self._path, "rb", opener=regular_file) as file:
                data, wall = file.read(), os.fstat(file.fileno()).st_mtime
        except OSError:
            return None
        try:
            last = _decode(data)
        except msgspec.DecodeError:
            # An older version left the time of the file alone.
            last = Moment("", 0.0, wall)
        return between_s(last, now())
