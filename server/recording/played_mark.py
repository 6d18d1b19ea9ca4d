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

from episodes.bounded_files import regular_file
from server.sessions.play_count import NO_PLAY, PlayCount

SUFFIX = ".played"
BYTES = 64
"""Size of every mark, so that none ever grows."""


class Played(NamedTuple):
    """Content of a mark."""

    tick: int = 0
    """The last tick that was played."""
    lost_ticks: int = 0
    """Ticks that were lost before, of which the log could not be told yet."""
    events: int = 0
    """The acts and lines of chat up to ``tick``; older marks do not say them."""
    lost_events: int = 0
    """Acts and lines of chat that were lost before; the log could not be told of them yet."""

    @property
    def lost_before(self) -> PlayCount:
        """The play that was lost before, of which the log could not be told yet."""
        return PlayCount(self.lost_ticks, self.lost_events)

    def lost_after(self, recorded: PlayCount, shown: PlayCount = NO_PLAY) -> PlayCount:
        """Return the lost play that a log which ends with ``recorded`` does not tell of.

        ``shown`` is how far anybody was shown it, as far as is known.
        """
        played = PlayCount(self.tick, self.events).at_least(shown)
        return self.lost_before.plus(played.after(recorded))


NOTHING = Played()
_decode = msgspec.json.Decoder(Played).decode


def mark_path(log: Path) -> Path:
    """Return the path of the mark of a log."""
    return log.with_suffix(SUFFIX)


def read_mark(log: Path) -> Played:
    """Return what the mark of a log says; nothing where there is none that can be read."""
    try:
        with open(mark_path(log), "rb", opener=regular_file) as file:
            said = _decode(file.read(BYTES))
    except (OSError, msgspec.DecodeError):
        return NOTHING
    return said if min(said) >= 0 else NOTHING


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
            self._file = regular_file(mark_path(path), os.O_RDWR | os.O_CREAT, 0o644)
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
