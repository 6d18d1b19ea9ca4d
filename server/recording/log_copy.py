"""Copy of a log in memory, from which the file can be written again when somebody spoils it."""

from __future__ import annotations

import zlib

LEVEL = 1
"""Compression level: a log becomes an eighth of its size; a better level costs ticks."""


class LogCopy:
    """A compressed copy of what a log holds: half a kilobyte for a second of two seats.

    Its ``crc`` is the CRC-32 of everything.
    """

    def __init__(self) -> None:
        self._packer = zlib.compressobj(LEVEL)
        self._packed = bytearray()
        self.crc = 0

    def add(self, data: bytes) -> None:
        """Append what was written to the log."""
        self._packed += self._packer.compress(data)
        self.crc = zlib.crc32(data, self.crc)

    def data(self) -> bytes:
        """Return everything."""
        return zlib.decompress(bytes(self._packed) + self._packer.copy().flush())
