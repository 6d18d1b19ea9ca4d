"""Mark beside a log: how far a session was played that could not be recorded.

It is made when the log is, while there is room, and written in place, which a full disk allows.
Whoever resumes the session, or salvages its result, reads from it what was played and then lost.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import NamedTuple

import msgspec

SUFFIX = ".played"
BYTES = 64
"""Size of every mark, so that none ever grows."""


class Played(NamedTuple):
    """Content of a mark."""

    tick: int = 0
    """The last tick that was played."""
    lost_ticks: int = 0
    """Ticks that were lost before, of which the log could not be told yet."""

    def lost_after(self, tick: int, shown_tick: int = 0) -> int:
        """Return the lost ticks that a log which ends at ``tick`` does not tell of.

        ``shown_tick`` is the last one that anybody was shown, as far as is known.
        """
        return self.lost_ticks + max(self.tick, shown_tick, tick) - tick


NOTHING = Played()
_decode = msgspec.json.Decoder(Played).decode


def mark_path(log: Path) -> Path:
    """Return the path of the mark of a log."""
    return log.with_suffix(SUFFIX)


def read_mark(log: Path) -> Played:
    """Return what the mark of a log says; nothing where there is none that can be read."""
    try:
        with mark_path(log).open("rb") as file:
            said = _decode(file.read(BYTES))
    except (OSError, msgspec.DecodeError):
        return NOTHING
    return said if said.tick >= 0 and said.lost_ticks >= 0 else NOTHING


def remove_mark(log: Path) -> None:
    """Remove the mark of a log. Idempotent; one that cannot be removed stays."""
    with contextlib.suppress(OSError):
        mark_path(log).unlink(missing_ok=True)


class PlayedMark:
    """The mark of the log at ``path``, kept open by the writer of the log.

    No trouble with it is an error: then nobody learns how much was lost if the process dies too.
    """

    def __init__(self, path: Path) -> None:
        self._log = path
        self._said = read_mark(path)
        self._file: int | None = None
        with contextlib.suppress(OSError):
            self._file = os.open(mark_path(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self._put(self._said)

    def say(self, played: Played) -> None:
        """Write how far it was played, if that is news."""
        if played != self._said and self._put(played):
            self._said = played

    def close(self) -> None:
        """Leave the mark as it is. Idempotent."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def remove(self) -> None:
        """Remove it: the log has everything."""
        self.close()
        remove_mark(self._log)

    def _put(self, played: Played) -> bool:
        if self._file is None:
            return False
        data = msgspec.json.encode(played).ljust(BYTES - 1) + b"\n"
        try:
            return os.pwrite(self._file, data, 0) == BYTES
        except OSError:
            return False
