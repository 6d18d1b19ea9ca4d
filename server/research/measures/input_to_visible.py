"""Input to visible: how long each player waited to see what they had asked for."""

from __future__ import annotations

from server.research.measures.measure import Measure
from server.research.measures.page_figures import SOURCE, of_pages, quantile, samples_of

MEASURE = Measure(
    name="input_to_visible",
    version=1,
    definition="Median time from asking for an action on a thing to the first picture with its "
    "result; of actions that were done. Walking is shown at once.",
    unit="ms",
    source=SOURCE,
    compute=of_pages(lambda pages: quantile(samples_of(pages, "shown_ms"), 0.5)),
)
