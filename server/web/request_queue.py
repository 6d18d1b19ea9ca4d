"""Queue of requests: each address gets its turn, and a few begin at a time.

The event loop that answers pages also sends the frames of those who play. However many requests
come at once, it begins a handful of them between two frames, and whoever asks for much waits for
what they asked for themselves.
"""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

Who = TypeVar("Who")


class RequestQueue(Generic[Who]):
    """Queue in which ``at_once`` begin, and further ones when those are done or ``hold_s`` old.

    A request that waits for something (a form for its session, a file for a slow reader) keeps
    nobody from beginning: it costs little while it waits.
    """

    def __init__(self, at_once: int, hold_s: float, most_of_group: int) -> None:
        self._at_once, self._hold_s, self._most_of_group = at_once, hold_s, most_of_group
        self._begun: dict[Who, float] = {}
        """Requests that have begun, and when; in that order."""
        self._waiting: dict[str, deque[Who]] = {}
        """Groups with requests; the first one's turn is next."""
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
