"""Use of the page: what each player looked up, and pointed at."""

from __future__ import annotations

from server.research.measures.measure import Measure
from server.research.measures.page_figures import SOURCE, of_pages, seconds_of

MAP = Measure(
    name="map_open",
    version=1,
    definition="Time in which the map was open.",
    unit="s",
    source=SOURCE,
    compute=of_pages(lambda pages: seconds_of(pages, "map_ms")),
)
HELP = Measure(
    name="help_open",
    version=1,
    definition="Time in which the help was open.",
    unit="s",
    source=SOURCE,
    compute=of_pages(lambda pages: seconds_of(pages, "help_ms")),
)
HOVERS = Measure(
    name="hovers",
    version=1,
    definition="Times that the pointer, or the middle of the picture, came to a thing.",
    unit="count",
    source=SOURCE,
    compute=of_pages(lambda pages: float(sum(page.hovers for page in pages))),
)
