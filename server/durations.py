"""Tallies of how long things took, in the buckets of a histogram, for `/metrics`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from time import perf_counter

import msgspec

WAIT_BOUNDS_S = (1.0, 5.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0)
"""Upper bounds of the histogram of stays in the lobby."""
CALL_BOUNDS_S = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0)
"""Upper bounds of the histogram of calls of a model."""
EVALUATION_BOUNDS_S = (1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 1e-3, 1e-2)
"""Upper bounds of the histogram of looks of the evaluator at a tick."""


class Durations(msgspec.Struct, frozen=True, array_like=True):
    """Durations so far: how many were in each bucket, the last without a bound, and their sum."""

    counts: tuple[int, ...] = ()
    sum_s: float = 0.0


class DurationTally:
    """Tally of durations that one process counts."""

    __slots__ = ("_begun", "_bounds", "_counts", "_sum_s")

    def __init__(self, bounds_s: Sequence[float]) -> None:
        self._bounds = tuple(bounds_s)
        self._counts = [0] * (len(self._bounds) + 1)
        self._sum_s, self._begun = 0.0, 0.0

    def __enter__(self) -> None:
        """Begin to measure; no thread and nothing within measures by the same tally."""
        self._begun = perf_counter()

    def __exit__(self, *_: object) -> None:
        self.note(perf_counter() - self._begun)

    def note(self, seconds: float) -> None:
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum_s += seconds

    def note_sorted(self, seconds: Sequence[float]) -> None:
        """Note many, the shortest first: each bound is looked up once, not each duration."""
        counted = 0
        for n, bound in enumerate(self._bounds):
            upto = bisect_right(seconds, bound)
            self._counts[n] += upto - counted
            counted = upto
        self._counts[-1] += len(seconds) - counted
        self._sum_s += sum(seconds)

    def told(self) -> Durations:
        return Durations(tuple(self._counts), self._sum_s)
