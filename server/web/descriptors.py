"""File descriptors of the web process: how many there are, and how many connections get."""

from __future__ import annotations

import resource
import sys

from server.settings import FEWEST_CONNECTIONS

ENOUGH = 65536
"""Descriptors beyond which no more are asked for."""
KEPT = 96
"""Descriptors that connections never get: those of the database, the log, pictures and archives."""
KEPT_FOR_WORKER = 12
"""Descriptors that the start and the channel of one worker take, twice over."""
OF_CONNECTION = 2
"""Most descriptors of a connection: its socket, and a file that it reads."""


def raise_limit() -> int:
    """Take as many descriptors as the system gives without being asked; return how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return ENOUGH
    wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(ENOUGH, hard)
    if wanted > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError) as error:
            # Some systems have a further limit that they do not tell.
            sys.stderr.write(f"only {soft} file descriptors: {error}\n")
        else:
            return wanted
    return soft


def most_connections(wanted: int, descriptors: int, workers: int) -> int:
    """Return how many connections there may be at once."""
    free = descriptors - KEPT - KEPT_FOR_WORKER * workers
    return max(FEWEST_CONNECTIONS, min(wanted, free // OF_CONNECTION))
