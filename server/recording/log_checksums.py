"""The checksums of a log: written with each flush, and what of a log they vouch for."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import NamedTuple

from episodes.bounded_files import DECODE_ERRORS
from server.recording.log_records import SUM_START, Checksum, decode, encode

_NEXT_SUM = b"\n" + SUM_START


def signed(tick: int, wall: float, crc: int) -> Checksum:
    """Return the checksum line after data with this CRC-32."""
    own = encode(Checksum(tick, wall, ""))
    return Checksum(tick, wall, f"{zlib.crc32(own, crc):08x}")


class Verified(NamedTuple):
    """The part of a log whose checksums are right."""

    data: bytes
    rest: bytes
    """Bytes that follow it, for which no right checksum vouches."""
    crc: int
    """The checksum of all of ``data``, for whoever appends to it."""
    tick: int
    """The session's tick when the last flush was written."""

    @property
    def lost_bytes(self) -> int:
        return len(self.rest)


def verify(data: bytes) -> Verified:
    """Keep a log up to its last good checksum. Nothing is kept when there is none."""
    crc, start, good, good_crc, tick = 0, 0, 0, 0, 0
    for line_start, line_end in _sum_lines(data):
        crc = zlib.crc32(memoryview(data)[start:line_start], crc)
        raw = data[line_start:line_end]
        try:
            line = decode(raw)
        except DECODE_ERRORS:
            break
        if not isinstance(line, Checksum) or line != signed(line.tick, line.wall, crc):
            break
        crc = zlib.crc32(raw, crc)
        start = good = line_end
        good_crc, tick = crc, line.tick
    return Verified(data[:good], data[good:], good_crc, tick)


def _sum_lines(data: bytes) -> Iterator[tuple[int, int]]:
    """Find the start and the end of each whole checksum line.

    Plain searches, as a regular expression takes most of the time that resuming takes.
    """
    if data.startswith(SUM_START):
        line_start = 0
    elif (before := data.find(_NEXT_SUM)) >= 0:
        line_start = before + 1
    else:
        return
    while line_end := data.find(b"\n", line_start) + 1:
        yield line_start, line_end
        # Two may follow each other: nothing happened between them.
        before = data.find(_NEXT_SUM, line_end - 1)
        if before < 0:
            return
        line_start = before + 1
