"""Waits after wrong guesses at one account, which grow with each."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import NamedTuple

from server.web.quotas import MOST_KEYS

FREE_GUESSES = 5
"""Wrong guesses after which there is no wait yet."""
FIRST_WAIT_S = 5.0
LONGEST_WAIT_S = 900.0
FORGOTTEN_S = 24 * 3600.0
"""Seconds without a wrong guess after which all are forgotten."""


class _Wrong(NamedTuple):
    guesses: int
    at: float


class GrowingWaits:
    """Waits by key: none for the first wrong guesses, then twice as long for each.

    What is tried during a wait is refused and counts as nothing, so that a wait has an end.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, _Wrong] = OrderedDict()

    def __len__(self) -> int:
        return len(self._wrong)

    def wait_s(self, key: str) -> int:
        """Return the seconds until there may be a guess again; 0: now."""
        wrong = self._wrong.get(key)
        if wrong is None or wrong.guesses < FREE_GUESSES:
            return 0
        # Two to the twentieth is beyond the longest wait by far.
        doublings = min(wrong.guesses - FREE_GUESSES, 20)
        wait_s = min(FIRST_WAIT_S * 2.0**doublings, LONGEST_WAIT_S)
        return max(0, ceil(wrong.at + wait_s - self._clock()))

    def guessed_wrong(self, key: str) -> None:
        """Count a wrong guess."""
        now = self._clock()
        while self._wrong and next(iter(self._wrong.values())).at + FORGOTTEN_S < now:
            self._wrong.popitem(last=False)
        known = self._wrong.get(key)
        self._wrong[key] = _Wrong(known.guesses + 1 if known is not None else 1, now)
        self._wrong.move_to_end(key)
        if len(self._wrong) > MOST_KEYS:
            self._wrong.popitem(last=False)

    def guessed_right(self, key: str) -> None:
        """Forget the wrong guesses of a key."""
        self._wrong.pop(key, None)
