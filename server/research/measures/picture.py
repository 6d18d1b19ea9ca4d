"""Picture: at which quality and size each seat's page drew, and on what kind of device."""

from __future__ import annotations

from server.research.measures.measure import Measure
from server.research.measures.page_figures import SOURCE, Pages, of_pages


def _mean(pages: Pages, name: str, least: int) -> float | None:
    """Return the mean of what is known, weighted by the time that each message is about."""
    known = [(getattr(p, name), p.span_ms) for p in pages if getattr(p, name) >= least]
    total = sum(span for _, span in known)
    return sum(value * span for value, span in known) / total if total else None


QUALITY = Measure(
    name="picture_quality",
    version=1,
    definition="Level of the picture, from 0 (the lowest) to 4, mean over time; the page lowers "
    "it where drawing is slow.",
    unit="level from 0 to 4",
    source=SOURCE,
    compute=of_pages(lambda pages: _mean(pages, "quality", least=0)),
)
WIDTH = Measure(
    name="viewport_width",
    version=1,
    definition="Width of the scene on the page, mean over time.",
    unit="CSS px",
    source=SOURCE,
    compute=of_pages(lambda pages: _mean(pages, "width", least=1)),
)
HEIGHT = Measure(
    name="viewport_height",
    version=1,
    definition="Height of the scene on the page, mean over time.",
    unit="CSS px",
    source=SOURCE,
    compute=of_pages(lambda pages: _mean(pages, "height", least=1)),
)
TOUCH = Measure(
    name="touch_device",
    version=1,
    definition="Share of the time in which fingers on a screen played, not keys and a pointer.",
    unit="share from 0 to 1",
    source=SOURCE,
    compute=of_pages(lambda pages: _mean(pages, "touch", least=0)),
)
