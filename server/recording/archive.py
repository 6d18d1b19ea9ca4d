"""The archive: logs of sessions that are over, checked, compressed, put there whole or not at all.

    python -m server.recording.archive ARCHIVE LOG...

A process of its own, so that neither a tick nor a page waits for it. It prints one line of JSON for
each log (`Archived` or `NotArchived`) and leaves the logs where they are: whoever has indexed an
archived one removes it.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import sys
import zlib
from pathlib import Path

import msgspec

from episodes.bounded_files import LARGEST, read_file, regular_file
from server.folder_sync import sync_folder
from server.recording.durable_file import LockedError, open_log
from server.recording.log_checksums import Verified, signed, verify
from server.recording.log_records import LOG_FORMAT, Checksum, Resumed, decode, encode
from server.recording.played_mark import read_mark
from server.recording.replay import RecoveryError, episodes_in, recorded_play, seen_play
from server.sessions.play_count import NO_PLAY, PlayCount

SUFFIX = ".jsonl"
PACKED_SUFFIX = ".jsonl.gz"
NICENESS = 10


class Archived(msgspec.Struct, frozen=True, tag="archived"):
    """A log in the archive.

    ``bytes`` are those of the log, ``lost_bytes`` those of its torn end that had no right checksum
    and are left out, ``sha256`` (hex) is the packed file's. ``lost_ticks`` were played, with
    ``lost_events`` acts and lines of chat, after what it holds.
    """

    session_id: str
    file: str
    format: int
    episodes: int
    ticks: int
    bytes: int
    packed_bytes: int
    lost_bytes: int
    sha256: str
    lost_ticks: int = 0
    lost_events: int = 0


class NotArchived(msgspec.Struct, frozen=True, tag="not_archived"):
    session_id: str
    reason: str
    for_good: bool
    """Whether nothing in it can be read, so that trying again will not help."""


Outcome = Archived | NotArchived
decode_outcome = msgspec.json.Decoder(Outcome).decode


def archive(log: Path, folder: Path) -> Archived:
    """Pack a log into ``folder``, under its session's name. Doing it again gives the same file.

    Raises ValueError for what is no log, LockedError while somebody writes it, and OSError.
    """
    with open_log(log) as file:
        file.seek(0)
        verified = verify(file.readall())
    if not verified.data:
        raise ValueError("nothing in it has a right checksum")
    try:
        episodes = episodes_in(verified.data)
    except RecoveryError as error:
        raise ValueError(str(error)) from error
    lost = _lost_after(log, verified)
    data = _with_loss(verified, lost)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{log.name.removesuffix(SUFFIX)}{PACKED_SUFFIX}"
    packed = pack(data, target)
    return Archived(
        session_id=log.name.removesuffix(SUFFIX),
        file=target.name,
        format=LOG_FORMAT,
        episodes=len(episodes),
        ticks=verified.tick,
        bytes=len(data),
        packed_bytes=len(packed),
        lost_bytes=verified.lost_bytes,
        sha256=hashlib.sha256(packed).hexdigest(),
        lost_ticks=lost.ticks,
        lost_events=lost.events,
    )


def _lost_after(log: Path, verified: Verified) -> PlayCount:
    """Return what was played after a log, by its mark and by what is torn off it."""
    return read_mark(log).lost_after(recorded_play(verified), seen_play(verified))


def _with_loss(verified: Verified, lost: PlayCount) -> bytes:
    """Return the data of a log with a note of what was played after it."""
    if lost == NO_PLAY:
        return verified.data
    last = decode(verified.data[verified.data.rfind(b"\n", 0, -1) + 1 :])
    assert isinstance(last, Checksum)
    note = encode(Resumed(verified.tick, last.wall, verified.lost_bytes, *lost))
    crc = zlib.crc32(note, verified.crc)
    return verified.data + note + encode(signed(verified.tick, last.wall, crc))


def read_log(path: Path, largest: int = LARGEST) -> bytes:
    """Read the lines of a log, packed or not.

    Raises UnreadableError, FileNotFoundError for one that is missing.
    """
    return read_file(path, largest)


def read_own_log(path: Path) -> bytes:
    """Read a log that a server wrote, however long. Raises OSError, also for what is no file."""
    with open(path, "rb", opener=regular_file) as file:
        return file.read()


def pack(data: bytes, target: Path) -> bytes:
    """Write the packed data of a log, and return them: the same data are the same file."""
    # No time stands in it.
    packed = gzip.compress(data, mtime=0)
    write_whole(target, packed)
    return packed


def write_whole(target: Path, data: bytes) -> None:
    """Write a file that, after a crash or a power cut, is whole or is not there."""
    draft = target.with_suffix(f"{target.suffix}.part")
    with open(draft, "wb", opener=regular_file) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(target)
    sync_folder(target.parent)


def main() -> int:
    """Run the command line; return 1 where whoever asked for it is gone before the end."""
    parser = argparse.ArgumentParser(description="Pack logs of sessions that are over.")
    parser.add_argument("archive", type=Path)
    parser.add_argument("logs", type=Path, nargs="+")
    arguments = parser.parse_args()
    os.nice(NICENESS)
    for log in arguments.logs:
        outcome: Outcome
        try:
            outcome = archive(log, arguments.archive)
        except (OSError, ValueError, LockedError) as error:
            for_good = isinstance(error, ValueError)
            outcome = NotArchived(log.name.removesuffix(SUFFIX), str(error), for_good)
        try:
            sys.stdout.buffer.write(msgspec.json.encode(outcome) + b"\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # What it did not index is packed again, to the same files, by the next server.
            sys.stderr.write("recordings.not_archived: the server that asked for it is gone\n")
            # Leaving, Python would flush once more, and fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
