"""What processes of a pool do first."""

from __future__ import annotations

import multiprocessing
import os
import signal
from threading import Thread


def end_with_parent() -> None:
    """In a child: an interrupt is the parent's to handle, and its death, however sudden, ours. A
    pool alone does not see to that: its children wait for work for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()
