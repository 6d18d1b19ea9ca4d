"""Standard output and error of a process that serves: a full disk behind them ends nothing."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

LAST_STREAM = 2
"""File descriptor of standard error, the last of the standard streams."""


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


def open_missing_streams() -> None:
    """Have all three standard streams, where a process was started with some of them closed.

    Otherwise the next file that is opened gets the number of one, and what is printed to it.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= LAST_STREAM:
        # Workers are given it, too.
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdin = sys.stdin or _stream(0, "r")
    sys.stdout = sys.stdout or _stream(1, "w")
    sys.stderr = sys.stderr or _stream(2, "w")


def _stream(number: int, mode: Literal["r", "w"]) -> TextIO:
    return os.fdopen(number, mode, closefd=False)
