"""Partner in view: how long each player could see the body of another."""

from __future__ import annotations

from collections.abc import Iterator

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value
from server.research.measures.page_figures import SOURCE, Pages, of_pages, seconds_of


def _share(pages: Pages) -> float | None:
    total = seconds_of(pages, "span_ms")
    return seconds_of(pages, "partner_ms") / total if total else None


def compute(doings: Doings) -> Iterator[Value]:
    """Yield the share of each seat."""
    is_alone = len(doings.seats) < 2
    for value in of_pages(_share)(doings):
        yield value._replace(number=None) if is_alone else value


MEASURE = Measure(
    name="partner_in_view",
    version=1,
    definition="Share of the time in which the head of another body was in the picture and no "
    "wall stood between; furniture is not looked at. Empty for a body alone, and for "
    "programs.",
    unit="share from 0 to 1",
    source=SOURCE,
    compute=compute,
)
