"""Recordings on disk: one log per session, with any number of episodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from server.recording.archive import PACKED_SUFFIX, SUFFIX, read_log
from server.recording.log_checksums import verify
from server.recording.log_records import End, Header, Line, decode
from server.recording.replay import RecoveryError, episodes_in
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

    @property
    def episode_id(self) -> str:
        return self.header.episode_spec.episode_id

    def decoded(self) -> Iterator[Line]:
        """Decode every line after the header."""
        return (decode(raw) for raw in self.lines.split(b"\n") if raw)


def find_recordings(paths: Iterable[Path]) -> list[Path]:
    """Find recordings: files as they are, folders with all recordings in them.

    Raises RecordingError for a path that does not exist.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(p for p in path.rglob("*") if p.name.endswith((SUFFIX, PACKED_SUFFIX)))
        elif path.exists():
            found.append(path)
        else:
            raise RecordingError(f"{path}: there is no such file or folder")
    return list(dict.fromkeys(found))


def read_recording(path: Path) -> list[Recording]:
    """Read the episodes of a recording, in order; a torn end is left out.

    Raises RecordingError when it cannot be read, or is not a recording of this format.
    """
    try:
        verified = verify(read_log(path))
        if not verified.data:
            raise RecordingError(f"{path}: no episode with a right checksum is in it")
        episodes = episodes_in(verified.data)
        found = [
            Recording(path, header, lines, _result(lines), verified.lost_bytes)
            for header, lines in episodes
        ]
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror or error}") from error
    except (RecoveryError, msgspec.DecodeError, AssertionError) as error:
        raise RecordingError(f"{path}: {error}") from error
    return found


def _result(lines: bytes) -> EpisodeResult | None:
    for raw in reversed(lines.split(b"\n")):
        if raw.startswith(b'{"type":"end"'):
            line = decode(raw)
            assert isinstance(line, End)
            return line.result
    return None
