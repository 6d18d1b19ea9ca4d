"""A program that runs a command until it ends, or until whoever started it is gone.

Then it stops all of it. Use: PYTHON guard.py COMMAND …, in a process group of its own, with a pipe
as its standard input. The pipe closes when the other side wants that, and when it dies.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

STOP_S = 20.0
"""Seconds between asking a command to stop and killing it."""


def main(command: list[str]) -> int:
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 — the caller's own
    # After the child was made, which would inherit it: the group is asked to stop, this stays.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_stop_when_alone, args=(child,), daemon=True).start()
    code = child.wait()
    return 128 - code if code < 0 else code


def _stop_when_alone(child: subprocess.Popen[bytes]) -> None:
    # Not through sys.stdin: its lock, held here, would break the interpreter's end.
    while os.read(0, 4096):
        pass
    os.killpg(0, signal.SIGTERM)
    try:
        child.wait(STOP_S)
    except subprocess.TimeoutExpired:
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
