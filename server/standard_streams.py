"""Standard output and error of a process that serves: a full disk behind them ends nothing."""

from __future__ import annotations

import sys
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class LossyFile(FileIO):
    """File that loses what cannot be written, because its disk is full or its reader is gone."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            written = super().write(data)
        except OSError:
            written = None
        # None is also the answer of a pipe that takes nothing now and is not waited for.
        return memoryview(data).nbytes if written is None else written


def make_streams_lossy() -> None:
    """Have writing to standard output and error never raise: people play while no log is written.

    Whoever takes `sys.stdout` or `sys.stderr` afterwards has the lossy one.
    """
    sys.stdout, sys.stderr = _lossy(sys.stdout), _lossy(sys.stderr)


def _lossy(stream: TextIO) -> TextIO:
    try:
        number = stream.fileno()
    except (AttributeError, OSError):
        # There is none, or it is no file: a test's, in memory.
        return stream
    with suppress(OSError):
        stream.flush()
    file = BufferedWriter(LossyFile(number, "w", closefd=False))
    return TextIOWrapper(file, stream.encoding, errors="backslashreplace", line_buffering=True)
