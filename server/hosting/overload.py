"""Overload of a worker or of the disk: admission stops before play suffers."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from server.ipc.messages import WorkerStats

BAD_SECONDS = 3
"""Bad seconds in a row that make an overload. A house that is being loaded makes one second bad, no
more."""
CALM_SECONDS = 10
TOO_SLOW = (
    "the machine is too slow now: ticks of all workers are late (see COHABIT_LATE_LIMIT_MS), and "
    "no new session opens until they have been in time for ten seconds"
)
"""Reason for which no session opens while every worker is overloaded."""


class WorkerLoad:
    """Load of one worker, from the figures that it sends each second.

    A worker that stretched time, or whose ticks were more than ``most_late_ms`` late (p99 of a
    second), for some seconds in a row is overloaded until it has been calm for a while. With a
    limit of 0 it never is.
    """

    def __init__(self, most_late_ms: float) -> None:
        self._most_late_ms = most_late_ms
        self.is_overloaded = False
        self.stretched_s = 0.0
        """Seconds by which time was stretched, since the beginning."""
        self._streak = 0

    @property
    def calm_in_s(self) -> int:
        """Seconds after which it counts as calm, if it is calm from now on; 0 if it does."""
        return CALM_SECONDS - self._streak if self.is_overloaded else 0

    def hear(self, stats: WorkerStats) -> None:
        """Take in the figures of the last second."""
        self.stretched_s += stats.stretched_s
        if not self._most_late_ms:
            return
        is_bad = stats.stretched_s > 0 or stats.late_ms_p99 > self._most_late_ms
        self._streak = 0 if is_bad == self.is_overloaded else self._streak + 1
        if self._streak >= (CALM_SECONDS if self.is_overloaded else BAD_SECONDS):
            self.is_overloaded, self._streak = is_bad, 0


def disk_problem(folder: Path, reserve_bytes: int) -> str | None:
    """Return why nothing can be recorded in a folder for long; None if it can."""
    place = next((p for p in (folder, *folder.parents) if p.exists()), folder)
    if not os.access(place, os.W_OK):
        return f"{folder} cannot be written: check its owner, and that the disk is not read-only"
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        return f"{folder} cannot be used: {error.strerror}"
    if free < reserve_bytes:
        return (
            f"the disk of {folder} has {free / 1e6:.0f} MB left, less than the "
            f"{reserve_bytes / 1e6:.0f} MB of COHABIT_DISK_RESERVE_MB: make room"
        )
    return None
