"""Whose fault is it that a worker died? Decided from deaths alone, nothing else.

A worker may die of one of its sessions (a simulator aborts the process, a step never returns) or of
something else (the machine's memory ran out, somebody killed it). The first death ends nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

WINDOW_S = 60.0
"""Deaths further apart have nothing to do with each other."""
MOST_DEATHS = 2
"""Deaths in this time that a session shares with others without a culprit; at the next one its
neighbours are parted, half of them to a worker of their own, until the culprit is alone."""


class Death(NamedTuple):
    """A worker's death as one of its sessions went through it."""

    at_s: float
    """On a monotonic clock."""
    was_at_work: bool
    """The worker was busy with this session when it died."""


class Finding(NamedTuple):
    """``culprits`` end; where there is none, ``moving`` go on in a worker of their own."""

    culprits: frozenset[str]
    moving: frozenset[str]


def recent(deaths: Sequence[Death], now_s: float) -> list[Death]:
    """Those that still count."""
    return [death for death in deaths if now_s - death.at_s < WINDOW_S]


def find(deaths: Mapping[str, Sequence[Death]]) -> Finding:
    """Judge the sessions of a worker that has just died, by id: what each has gone through lately,
    this death included."""
    if len(deaths) == 1:
        return Finding(frozenset(s for s, all_ in deaths.items() if len(all_) > 1), frozenset())
    culprits = frozenset(s for s, all_ in deaths.items() if sum(d.was_at_work for d in all_) > 1)
    if culprits or all(len(all_) <= MOST_DEATHS for all_ in deaths.values()):
        return Finding(culprits, frozenset())
    return Finding(culprits, frozenset(sorted(deaths)[1::2]))
