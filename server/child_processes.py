"""First steps of every process of a pool."""

from __future__ import annotations

import multiprocessing
import os
import signal
from threading import Thread


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
