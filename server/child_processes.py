"""Child processes: the environment of those that run our modules, first steps of a pool's."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path
from threading import Thread

_ROOT = str(Path(__file__).parents[1])


def module_environment() -> dict[str, str]:
    """Return this process's environment with ours importable, wherever it was started from."""
    path = os.pathsep.join(p for p in (_ROOT, os.environ.get("PYTHONPATH", "")) if p)
    return {**os.environ, "PYTHONPATH": path}


def end_with_parent() -> None:
    """Leave interrupts to the parent, and end when the parent dies, however sudden that is.

    Call it in the child. A pool alone does not see to that: its children wait for work for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()
