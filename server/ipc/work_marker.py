"""The mark of the session a worker is at work on, in shared memory: the dead cannot say it.

What a worker writes here outlives it, however it ends, and costs no system call.
"""

from __future__ import annotations

import mmap
from pathlib import Path
from types import TracebackType

_BYTES = 64
"""The room for an id; ours have about half of that."""
_NOBODY = bytes(_BYTES)


class WorkMark:
    """A mark: ``with mark(session_id):`` around work for a session. Not nested."""

    def __init__(self, memory: mmap.mmap, start: int) -> None:
        self._memory = memory
        self._where = slice(start, start + _BYTES)

    def __call__(self, session_id: str) -> WorkMark:
        self._memory[self._where] = session_id.encode().ljust(_BYTES, b"\0")[:_BYTES]
        return self

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._memory[self._where] = _NOBODY


class WorkMarker:
    """The marks of a worker, of which two can be set at once.

    One in the event loop (``playing``), one in the thread that opens sessions (``opening``).
    Without a path they are seen by nobody. Raises OSError where the file cannot be made.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            memory = mmap.mmap(-1, 2 * _BYTES)
        else:
            with path.open("w+b") as file:
                file.truncate(2 * _BYTES)
                memory = mmap.mmap(file.fileno(), 2 * _BYTES)
        self.playing = WorkMark(memory, 0)
        self.opening = WorkMark(memory, _BYTES)


def path_beside(socket_path: Path) -> Path:
    """Return where the worker at this socket writes what it is at work on."""
    return socket_path.with_suffix(".at-work")


def read(path: Path) -> frozenset[str]:
    """Return the sessions that a dead worker was at work on; none where it left no word."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return frozenset()
    marks = (data[start : start + _BYTES] for start in range(0, len(data), _BYTES))
    return frozenset(mark.rstrip(b"\0").decode(errors="replace") for mark in marks) - {""}
