"""Blame for the death of a worker, decided from deaths alone.

A worker may die of one of its sessions (a simulator aborts the process, a step never returns) or of
something else (the machine's memory ran out, somebody killed it). The first death ends nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

WINDOW_S = 60.0
"""Seconds after which a death is forgotten: deaths further apart have nothing to do with each
other."""
MOST_DEATHS = 2
"""Deaths within `WINDOW_S` that a session shares with others without a culprit. At the next one its
neighbours are parted, half of them to a worker of their own, until the culprit is alone."""


class Death(NamedTuple):
    """A worker's death as one of its sessions went through it."""

    at_s: float
    """Time on a monotonic clock."""
    was_at_work: bool
    """Whether the worker was busy with this session when it died."""


class Finding(NamedTuple):
    """Sessions to end (``culprits``); where there is none, those to move to another worker."""

    culprits: frozenset[str]
    moving: frozenset[str]


def recent(deaths: Sequence[Death], now_s: float) -> list[Death]:
    """Return the deaths that still count."""
    return [death for death in deaths if now_s - death.at_s < WINDOW_S]


def find(deaths: Mapping[str, Sequence[Death]]) -> Finding:
    """Judge the sessions of a worker that has just died.

    ``deaths`` holds, by session id, the recent deaths that each has gone through, this one
    included.
    """
    if len(deaths) == 1:
        return Finding(frozenset(s for s, all_ in deaths.items() if len(all_) > 1), frozenset())
    culprits = frozenset(s for s, all_ in deaths.items() if sum(d.was_at_work for d in all_) > 1)
    if culprits or all(len(all_) <= MOST_DEATHS for all_ in deaths.values()):
        return Finding(culprits, frozenset())
    return Finding(culprits, frozenset(sorted(deaths)[1::2]))
