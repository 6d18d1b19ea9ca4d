"""Frame rate: how many pictures a second each seat's page drew."""

from __future__ import annotations

from server.research.measures.measure import Measure
from server.research.measures.page_figures import SOURCE, of_pages, quantile, samples_of

LOW = Measure(
    name="frame_rate_p5",
    version=1,
    definition="Pictures a second that the page drew, fifth percentile of the seconds in which "
    "pictures followed each other; a page that has nothing new to show draws none.",
    unit="1/s",
    source=SOURCE,
    compute=of_pages(lambda pages: quantile(samples_of(pages, "fps"), 0.05)),
)
MEDIAN = Measure(
    name="frame_rate_p50",
    version=1,
    definition="Pictures a second that the page drew, median of the seconds in which pictures "
    "followed each other.",
    unit="1/s",
    source=SOURCE,
    compute=of_pages(lambda pages: quantile(samples_of(pages, "fps"), 0.5)),
)
