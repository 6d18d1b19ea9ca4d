"""Round trips: how long messages between each seat's page and the server took."""

from __future__ import annotations

from itertools import pairwise
from statistics import fmean

from server.research.measures.measure import Measure
from server.research.measures.page_figures import SOURCE, Pages, of_pages, quantile, samples_of


def _jitter(pages: Pages) -> float | None:
    trips = samples_of(pages, "rtts_ms")
    return fmean(abs(b - a) for a, b in pairwise(trips)) if len(trips) > 1 else None


PING = Measure(
    name="ping",
    version=1,
    definition="Median round trip of a message from the page to the session and back, what a "
    "condition adds included.",
    unit="ms",
    source=SOURCE,
    compute=of_pages(lambda pages: quantile(samples_of(pages, "rtts_ms"), 0.5)),
)
JITTER = Measure(
    name="jitter",
    version=1,
    definition="Mean difference of two round trips that follow each other.",
    unit="ms",
    source=SOURCE,
    compute=of_pages(_jitter),
)
