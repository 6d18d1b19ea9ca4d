"""Queue in which a few begin at a time, and each group, such as an address, gets its turn.

Whoever asks for much waits for what they asked for themselves.
"""

from __future__ import annotations

import sys
from collections import deque
from math import inf
from typing import Generic, TypeVar

Who = TypeVar("Who")


class FairQueue(Generic[Who]):
    """Queue in which ``at_once`` begin, and further ones when those are done or ``hold_s`` old.

    ``most_of_group`` is how many of a group may wait.
    """

    def __init__(self, at_once: int, hold_s: float = inf, most_of_group: int = sys.maxsize) -> None:
        self._at_once, self._hold_s, self._most_of_group = at_once, hold_s, most_of_group
        self._begun: dict[Who, float] = {}
        """Members that have begun, and when; in that order."""
        self._waiting: dict[str, deque[Who]] = {}
        """Groups of which somebody waits; the first one's turn is next."""
        self._group: dict[Who, str] = {}

    def __len__(self) -> int:
        """Return how many wait."""
        return len(self._group)

    def ask(self, group: str, who: Who) -> bool:
        """Join; False if too many of this group wait already."""
        waiting = self._waiting.setdefault(group, deque())
        if len(waiting) >= self._most_of_group:
            return False
        waiting.append(who)
        self._group[who] = group
        return True

    def begin(self, now: float) -> Who | None:
        """Return who begins now; None while enough are at it, or nobody waits."""
        while self._begun and now - next(iter(self._begun.values())) >= self._hold_s:
            del self._begun[next(iter(self._begun))]
        if len(self._begun) >= self._at_once or not self._waiting:
            return None
        group, waiting = next(iter(self._waiting.items()))
        who = waiting.popleft()
        del self._waiting[group], self._group[who]
        if waiting:
            self._waiting[group] = waiting
        self._begun[who] = now
        return who

    def due_at(self) -> float | None:
        """Return when to ask `begin` again if nothing is done until then."""
        if not self._waiting or not self._begun:
            return None
        return next(iter(self._begun.values())) + self._hold_s

    def done(self, who: Who) -> None:
        """Make room, or leave the queue."""
        self._begun.pop(who, None)
        group = self._group.pop(who, None)
        if group is not None:
            waiting = self._waiting[group]
            waiting.remove(who)
            if not waiting:
                del self._waiting[group]
