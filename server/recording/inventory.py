"""Inventory of the recordings of a data directory: what is there, and what each of them lacks."""

from __future__ import annotations

import fcntl
from collections.abc import Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Literal

import msgspec

from episodes.bounded_files import DECODE_ERRORS, LARGEST, regular_file
from server.recording.archive import PACKED_SUFFIX, SUFFIX
from server.recording.log_records import Resumed
from server.recording.played_mark import read_mark
from server.recording.recordings import RecordingError, episodes_of, verified_log
from server.recording.replay import recorded_play
from server.sessions.play_count import NO_PLAY, PlayCount
from server.sessions.spec import TICK_S

Standing = Literal["recording", "open", "closed", "archived", "vanished", "unreadable"]
"""State of a recording: written by a process now; of a session that goes on when its server
does; complete; packed; gone though its session was played; there, but not to be read."""


class Listed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A recording in the list."""

    session_id: str
    state: Standing
    file: str = ""
    bytes: int = 0
    episodes: int = 0
    ticks: int = 0
    lost_ticks: int = 0
    """Ticks that were shown to people and are not in it."""
    lost_s: float = 0.0
    lost_events: int = 0
    """Acts and lines of chat in those ticks."""
    gaps: int = 0
    """Number of places at which something was lost."""
    lost_bytes: int = 0
    """Bytes of an end without a right checksum."""
    salvaged: int = 0
    """Episodes without an end in it; their results are what the recording says so far."""
    problem: str = ""


def list_recordings(
    logs: Path,
    archive: Path,
    sessions: Mapping[str, bool] | None = None,
    largest: int = LARGEST,
) -> list[Listed]:
    """List what is recorded, by session; ``sessions`` are those that were played, true for open.

    Without it nothing is known of recordings that vanished.
    """
    files = {path.name.removesuffix(PACKED_SUFFIX): path for path in _files(archive, PACKED_SUFFIX)}
    files |= {path.name.removesuffix(SUFFIX): path for path in _files(logs, SUFFIX)}
    known = sessions or {}
    found = [_listed(name, path, known.get(name), largest) for name, path in files.items()]
    found += [_vanished(name, logs) for name in known if name not in files]
    return sorted(found, key=lambda listed: listed.session_id)


def _files(folder: Path, suffix: str) -> Iterable[Path]:
    return folder.glob(f"*{suffix}")


def _vanished(session_id: str, logs: Path) -> Listed:
    # Its mark may be there still; it tells of what could not be recorded at last.
    ticks, events = read_mark(logs / f"{session_id}{SUFFIX}").lost_after(NO_PLAY)
    return Listed(
        session_id,
        "vanished",
        lost_ticks=ticks,
        lost_s=_seconds(ticks),
        lost_events=events,
        gaps=1,
    )


def _listed(session_id: str, path: Path, is_open: bool | None, largest: int) -> Listed:
    is_packed = path.name.endswith(PACKED_SUFFIX)
    state: Standing = "archived" if is_packed else "open" if is_open else "closed"
    if not is_packed and _is_written(path):
        state = "recording"
    size = 0
    try:
        size = path.stat().st_size
        verified = verified_log(path, largest)
        recordings = episodes_of(path, verified)
        notes = [line for r in recordings for line in r.decoded() if isinstance(line, Resumed)]
    except (RecordingError, OSError, *DECODE_ERRORS) as error:
        return Listed(session_id, "unreadable", str(path), size, problem=str(error))
    lost = [PlayCount(note.lost_ticks, note.lost_events) for note in notes]
    lost.append(read_mark(path).lost_after(recorded_play(verified)))
    ticks, events = reduce(PlayCount.plus, lost)
    without_end = sum(recording.result is None for recording in recordings)
    goes_on = state in ("recording", "open") and recordings[-1].result is None
    return Listed(
        session_id,
        state,
        str(path),
        size,
        len(recordings),
        verified.tick,
        ticks,
        _seconds(ticks),
        events,
        sum(gap != NO_PLAY for gap in lost),
        0 if state == "recording" else verified.lost_bytes,
        without_end - goes_on,
    )


def _is_written(path: Path) -> bool:
    """Tell whether a process has a log open to write it."""
    try:
        with open(path, "rb", opener=regular_file) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _seconds(ticks: int) -> float:
    return round(ticks * TICK_S, 1)
