"""The checksums of a log: written with each flush, and what of a log they vouch for."""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

from episodes.bounded_files import DECODE_ERRORS
from server.recording.log_records import SUM_START, Checksum, decode, encode

# Two may follow each other: nothing happened between them.
_SUM_LINE = re.compile(rb"(?:^|(?<=\n))(" + re.escape(SUM_START) + rb"[^\n]*\n)")


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
    for found in _SUM_LINE.finditer(data):
        line_start, line_end = found.span(1)
        crc = zlib.crc32(memoryview(data)[start:line_start], crc)
        try:
            line = decode(found[1])
        except DECODE_ERRORS:
            break
        if not isinstance(line, Checksum) or line != signed(line.tick, line.wall, crc):
            break
        crc = zlib.crc32(found[1], crc)
        start = good = line_end
        good_crc, tick = crc, line.tick
    return Verified(data[:good], data[good:], good_crc, tick)
