"""Recordings on disk: one log per session, with any number of episodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from episodes.bounded_files import LARGEST, NumberedLine, UnreadableError, lines_of
from server.recording.archive import PACKED_SUFFIX, SUFFIX, read_log
from server.recording.log_checksums import Verified, verify
from server.recording.log_records import (
    END_START,
    RESUMED_START,
    End,
    Header,
    Keyframe,
    Line,
    TickLine,
    decode_numbered,
)
from server.recording.replay import RecoveryError, episodes_in
from server.sessions.events import PhaseChanged
from server.sessions.results import EpisodeResult


class RecordingError(Exception):
    """A recording that cannot be read: says which and why."""


class Recording(NamedTuple):
    """A recorded episode. ``lines`` are those after its header, as bytes.

    ``result`` is what was decided online, None for an episode without an end. ``lost_bytes`` of
    the file had a wrong checksum and are left out.
    """

    path: Path
    header: Header
    lines: bytes
    result: EpisodeResult | None
    lost_bytes: int
    first_line: int = 2
    """Number of the first of the lines in its file."""

    @property
    def episode_id(self) -> str:
        return self.header.episode_spec.episode_id

    @property
    def key(self) -> tuple[str, str]:
        """The session's and the episode's id: nothing else has both."""
        return self.header.spec.session_id, self.episode_id

    @property
    def is_cut(self) -> bool:
        """Whether its end is missing although it was played: the rest was torn off, or lost."""
        if self.result is not None:
            return False
        *_, last, _ = (b"", b"", *self.lines.splitlines())
        return self.lost_bytes > 0 or last.startswith(RESUMED_START)

    def decoded(self) -> Iterator[Line]:
        """Decode every line after the header. Raises RecordingError, which names the line."""
        return (_decoded(self.path, line) for line in lines_of(self.lines, self.first_line))

    @contextmanager
    def folding(self) -> Iterator[None]:
        """Turn whatever goes wrong while its lines are folded into a RecordingError.

        A log with right checksums may come from anybody: its lines may name seats, things and
        propositions that are not there, in ways that nobody can list.
        """
        try:
            yield
        except RecordingError:
            raise
        except Exception as error:
            for _ in self.decoded():
                """The line that cannot be decoded says so itself."""
            why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise RecordingError(
                f"{self.path}, from line {self.first_line}: its lines contradict each other ({why})"
            ) from error


def find_recordings(paths: Iterable[Path]) -> list[Path]:
    """Find recordings: files as they are, folders with all recordings in them.

    Raises RecordingError for a path that does not exist.
    """
    found: list[Path] = []
    for path in paths:
        try:
            is_folder, exists = path.is_dir(), path.exists()
        except OSError as error:
            raise RecordingError(f"{path}: {error.strerror or error}") from error
        if is_folder:
            found += sorted(p for p in path.rglob("*") if p.name.endswith((SUFFIX, PACKED_SUFFIX)))
        elif exists:
            found.append(path)
        else:
            raise RecordingError(f"{path}: there is no such file or folder")
    return list(dict.fromkeys(found))


def read_recording(path: Path, largest: int = LARGEST) -> list[Recording]:
    """Read the episodes of a recording, in order; a torn end is left out.

    Raises RecordingError when it cannot be read, is not a recording of this format, or has more
    than ``largest`` bytes, unpacked.
    """
    return episodes_of(path, verified_log(path, largest))


def began_at(lines: Iterable[Line]) -> int | None:
    """Return the session's tick at which an episode began, by its lines; None: it never did."""
    for line in lines:
        if isinstance(line, Keyframe) and line.started_tick is not None:
            return line.started_tick
        events = line.events if isinstance(line, TickLine) else ()
        if any(isinstance(e, PhaseChanged) and e.phase == "running" for e in events):
            return line.tick
    return None


def verified_log(path: Path, largest: int = LARGEST) -> Verified:
    """Read the part of a recording whose checksums are right.

    Raises RecordingError when it cannot be read, or has more than ``largest`` bytes, unpacked.
    """
    try:
        return verify(read_log(path, largest))
    except UnreadableError as error:
        raise RecordingError(str(error)) from error
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror or error}") from error


def episodes_of(path: Path, verified: Verified) -> list[Recording]:
    """Return the episodes of the recording at ``path``, in order.

    Raises RecordingError when it is not a recording of this format.
    """
    if not verified.data:
        raise RecordingError(f"{path}: no episode with a right checksum is in it")
    try:
        episodes = episodes_in(verified.data)
    except RecoveryError as error:
        raise RecordingError(f"{path}: {error}") from error
    if not episodes:
        raise RecordingError(f"{path}: no whole header is in it, so no episode")
    found: list[Recording] = []
    first_line = 1
    for header, lines in episodes:
        result = _result(path, lines, first_line + 1)
        found.append(Recording(path, header, lines, result, verified.lost_bytes, first_line + 1))
        first_line += 1 + lines.count(b"\n")
    return found


def _decoded(path: Path, line: NumberedLine) -> Line:
    try:
        return decode_numbered(path, line)
    except UnreadableError as error:
        raise RecordingError(str(error)) from error


def _result(path: Path, lines: bytes, first_line: int) -> EpisodeResult | None:
    """Return the result in the last line that begins as an end does."""
    at = lines.rfind(b"\n" + END_START) + 1
    if not at and not lines.startswith(END_START):
        return None
    number = first_line + lines.count(b"\n", 0, at)
    raw = lines[at : lines.index(b"\n", at)]
    line = _decoded(path, NumberedLine(number, raw))
    if not isinstance(line, End):
        raise RecordingError(f"{path}, line {number}: what looks like an end is another line")
    return line.result
