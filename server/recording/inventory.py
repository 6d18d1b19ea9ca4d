"""Inventory of the recordings of a data directory: what is there, and what each of them lacks."""

from __future__ import annotations

import fcntl
from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from episodes.bounded_files import DECODE_ERRORS, LARGEST, regular_file
from server.recording.archive import PACKED_SUFFIX, SUFFIX
from server.recording.log_records import Resumed
from server.recording.played_mark import read_mark
from server.recording.recordings import RecordingError, episodes_of, verified_log
from server.recording.replay import recorded_play, seen_play
from server.sessions.play_count import NO_PLAY, PlayCount
from server.sessions.spec import TICK_S

Standing = Literal["recording", "open", "closed", "archived", "vanished", "unreadable", "orphaned"]
"""State of a recording: written by a process now; of a session that goes on when its server
does; complete; packed; gone though its session was played; there, but not to be read; whole, and of
a session that the database does not know."""


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
    unrecorded_ticks: int = 0
    """Ticks that are not in it yet: the server that writes it has them, and tries again."""
    unrecorded_s: float = 0.0
    unrecorded_events: int = 0
    """Acts and lines of chat in those."""


class Known(NamedTuple):
    """Sessions of a data directory, as its database knows them."""

    played: Mapping[str, bool]
    """Sessions that were played, true for open ones."""
    ticks: Mapping[str, int]
    """Ticks that were played of each, as far as results tell."""
    orphans: Collection[str] = ()
    """Sessions that have logs and that the database does not know."""


NOTHING_KNOWN = Known({}, {})


def list_recordings(
    logs: Path, archive: Path, known: Known = NOTHING_KNOWN, largest: int = LARGEST
) -> list[Listed]:
    """List what is recorded, by session.

    Where nothing is known of sessions, none is listed whose recording vanished.
    """
    files = {path.name.removesuffix(PACKED_SUFFIX): path for path in _files(archive, PACKED_SUFFIX)}
    files |= {path.name.removesuffix(SUFFIX): path for path in _files(logs, SUFFIX)}
    found = [_listed(name, path, known, largest) for name, path in files.items()]
    found += [_lost(name, "vanished", logs, known) for name in known.played if name not in files]
    return sorted(found, key=lambda listed: listed.session_id)


def _files(folder: Path, suffix: str) -> Iterable[Path]:
    return folder.glob(f"*{suffix}")


def _lost(session_id: str, state: Standing, logs: Path, known: Known) -> Listed:
    """Return the entry of a session of whose recording nothing is left."""
    # Its mark may be there still; it tells of what could not be recorded at last.
    ticks, events = read_mark(logs / f"{session_id}{SUFFIX}").lost_after(NO_PLAY)
    ticks = max(ticks, known.ticks.get(session_id, 0))
    return Listed(
        session_id, state, lost_ticks=ticks, lost_s=_seconds(ticks), lost_events=events, gaps=1
    )


def _listed(session_id: str, path: Path, known: Known, largest: int) -> Listed:
    is_open = known.played.get(session_id)
    is_packed = path.name.endswith(PACKED_SUFFIX)
    state: Standing = "archived" if is_packed else "open" if is_open else "closed"
    if not is_packed and _is_written(path):
        state = "recording"
    elif session_id in known.orphans:
        state = "orphaned"
    size = 0
    try:
        size = path.stat().st_size
        verified = verified_log(path, largest)
        recordings = episodes_of(path, verified)
        notes = [line for r in recordings for line in r.decoded() if isinstance(line, Resumed)]
    except (RecordingError, OSError, *DECODE_ERRORS) as error:
        lost_all = _lost(session_id, "unreadable", path.parent, known)
        return msgspec.structs.replace(lost_all, file=str(path), bytes=size, problem=str(error))
    lost = [PlayCount(note.lost_ticks, note.lost_events) for note in notes]
    mark, recorded, waiting = read_mark(path), recorded_play(verified), NO_PLAY
    if state == "recording":
        # Of the play that its log could not be told of, only that of an earlier process is lost.
        lost.append(mark.lost_before)
        waiting = mark.lost_after(recorded).after(mark.lost_before)
    else:
        lost.append(mark.lost_after(recorded, seen_play(verified)))
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
        unrecorded_ticks=waiting.ticks,
        unrecorded_s=_seconds(waiting.ticks),
        unrecorded_events=waiting.events,
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
