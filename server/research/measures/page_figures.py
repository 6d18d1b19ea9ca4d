"""Computations from the figures that a seat's page told; where it told none, there is no value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from server.research.measures.doings import Doings
from server.research.measures.measure import Value
from server.wire.messages import PageStats

SOURCE = "page figures"
Pages = Sequence[PageStats]


def of_pages(number: Callable[[Pages], float | None]) -> Callable[[Doings], Iterator[Value]]:
    """Return the computation of a number of each seat's pages; None: they did not tell."""

    def compute(doings: Doings) -> Iterator[Value]:
        for seat in doings.seats:
            pages = doings.pages.get(seat, ())
            yield Value(seat, number(pages) if pages else None)

    return compute


def quantile(samples: Sequence[float], share: float) -> float | None:
    """Return a quantile, linear between samples; None of none."""
    return float(np.quantile(samples, share)) if samples else None


def samples_of(pages: Pages, name: str) -> list[int]:
    """Return all samples of a kind (``fps``, ``rtts_ms``, ``shown_ms``), in order."""
    return [sample for page in pages for sample in getattr(page, name)]


def seconds_of(pages: Pages, name: str) -> float:
    """Return the seconds of a kind of time (``span_ms``, ``partner_ms``, …), in all."""
    milliseconds: int = sum(getattr(page, name) for page in pages)
    return milliseconds / 1000
