"""Free space in a drawing: finds room for words and badges where much is taken already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from episodes.drawing.svg import text_width


class Area(NamedTuple):
    """A rectangle of the drawing (px)."""

    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> Area:
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @classmethod
    def of(cls, corners: Iterable[tuple[float, float]]) -> Area:
        found = list(corners)
        xs, ys = [x for x, _ in found], [y for _, y in found]
        return cls(min(xs), min(ys), max(xs), max(ys))

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def shared(self, other: Area) -> float:
        """Return the area that two rectangles share (px²)."""
        across = min(self.x1, other.x1) - max(self.x0, other.x0)
        down = min(self.y1, other.y1) - max(self.y0, other.y0)
        return across * down if across > 0 and down > 0 else 0.0


class FreeSpace:
    """Space that words may still take in a drawing.

    Rectangles are taken for good (`take`), or better left free and covered if need be
    (furniture).
    """

    def __init__(self, whole: Area) -> None:
        self.whole = whole
        self._hard: list[Area] = []
        self._soft: list[Area] = []

    def take(self, area: Area) -> None:
        self._hard.append(area)

    def prefer_free(self, area: Area) -> None:
        self._soft.append(area)

    def cost(self, area: Area) -> float:
        """Return how much of what is taken, or lies outside, an area covers (px², weighted)."""
        size = (area.x1 - area.x0) * (area.y1 - area.y0)
        cost = 8.0 * (size - area.shared(self.whole))
        cost += 8.0 * sum(area.shared(other) for other in self._hard)
        return cost + sum(area.shared(other) for other in self._soft)

    def best(self, candidates: Sequence[Area]) -> Area:
        """Return the candidate that covers least, the first among equals, and take it."""
        found = min(candidates, key=self.cost)
        self.take(found)
        return found


def beside(x: float, y: float, gap: float, text: str, size: float) -> list[Area]:
    """Return where a word may stand next to a point: below, above, right, left."""
    width, height = text_width(text, size) + 4, size * 1.15
    return [
        Area.around(x, y + gap + height / 2, width, height),
        Area.around(x, y - gap - height / 2, width, height),
        Area.around(x + gap + width / 2, y, width, height),
        Area.around(x - gap - width / 2, y, width, height),
        Area.around(x + width / 2, y + gap + height / 2, width, height),
        Area.around(x - width / 2, y + gap + height / 2, width, height),
        Area.around(x + width / 2, y - gap - height / 2, width, height),
        Area.around(x - width / 2, y - gap - height / 2, width, height),
    ]
