"""Furniture from above, as on an architect's plan.

A symbol is drawn in the furniture's own frame, in metres: x to its right, y (the world's z) to its
back; a piece faces away from its back. What has no symbol shows the solids it is made of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from episodes.drawing import colours as c
from episodes.drawing.svg import element, points
from episodes.scene import Template

LINE_M = 0.018


class Bounds(NamedTuple):
    """The rectangle of a piece in its own frame (m)."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def depth(self) -> float:
        return self.y1 - self.y0

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def inner(self, by: float) -> Bounds:
        return Bounds(self.x0 + by, self.y0 + by, self.x1 - by, self.y1 - by)


class Look(NamedTuple):
    """Two colours that a class is drawn with, and the details upon its outline."""

    fill: str
    line: str
    details: Callable[[Bounds, Look], list[str]]
    corner: float = 0.03
    """Radius of the outline's corners (m)."""


def symbol(template: Template) -> str:
    """Draw a piece in its own frame."""
    low, high = template.box
    b = Bounds(low[0], low[2], high[0], high[2])
    look = _look_of(template)
    if look is None:
        return _group(Look(c.WOOD, c.WOOD_LINE, _nothing), _solids(template))
    if template.class_name == "table" and _is_round(template):
        x, y = b.middle
        outline = element("ellipse", cx=x, cy=y, rx=b.width / 2, ry=b.depth / 2)
    else:
        outline = _rect(b, look.corner)
    return _group(look, [outline, *look.details(b, look)])


def _group(look: Look, shapes: list[str]) -> str:
    return element("g", *shapes, fill=look.fill, stroke=look.line, stroke_width=LINE_M)


def _is_round(template: Template) -> bool:
    """Tell whether a table is round: several solids of one height, each narrower than the whole."""
    top = max(s.box.high[1] for s in template.solids)
    layers = [s for s in template.solids if s.box.high[1] > top - 1e-6]
    return len(layers) >= 3


def _solids(template: Template) -> list[str]:
    """Draw the solids from the lowest to the highest, so that what covers comes last."""
    found = sorted(template.solids, key=lambda s: s.box.high[1])
    return [
        _rect(Bounds(s.box.low[0], s.box.low[2], s.box.high[0], s.box.high[2]), 0.0) for s in found
    ] or [_rect(Bounds(template.box.low[0], template.box.low[2], *template.box.high[::2]), 0.0)]


def _rect(b: Bounds, corner: float, **more: object) -> str:
    corner = min(corner, b.width / 2, b.depth / 2)
    return element("rect", x=b.x0, y=b.y0, width=b.width, height=b.depth, rx=corner or None, **more)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2)


def _circle(x: float, y: float, r: float, **more: object) -> str:
    return element("circle", cx=x, cy=y, r=r, **more)


def _nothing(b: Bounds, look: Look) -> list[str]:
    return []


def _couch(b: Bounds, look: Look) -> list[str]:
    back, arm = min(0.2, b.depth * 0.25), min(0.15, b.width * 0.15)
    seats = max(1, round((b.width - 2 * arm) / 0.75))
    step = (b.width - 2 * arm) / seats
    found = [_rect(Bounds(b.x0, b.y1 - back, b.x1, b.y1), 0.05)]
    found += [_rect(Bounds(x, b.y0, x + arm, b.y1 - back), 0.05) for x in (b.x0, b.x1 - arm)]
    for n in range(seats):
        x = b.x0 + arm + n * step
        found.append(_rect(Bounds(x, b.y0, x + step, b.y1 - back), 0.06))
    return found


def _bed(b: Bounds, look: Look) -> list[str]:
    pillows = 2 if b.width > 1.1 else 1
    step = b.width / pillows
    found = [
        _rect(
            Bounds(b.x0 + n * step + 0.08, b.y1 - 0.5, b.x0 + (n + 1) * step - 0.08, b.y1 - 0.14),
            0.08,
            fill=c.WHITE,
        )
        for n in range(pillows)
    ]
    fold = b.y1 - 0.62
    found.append(_line(b.x0, fold, b.x1, fold))
    corner = ((b.x1, fold), (b.x1, fold - 0.4), (b.x1 - 0.4, fold))
    found.append(element("polygon", points=points(corner), fill=c.WHITE))
    found.append(_rect(Bounds(b.x0, b.y1 - 0.06, b.x1, b.y1), 0.0, fill=c.WOOD))
    return found


def _chair(b: Bounds, look: Look) -> list[str]:
    return [_rect(Bounds(b.x0, b.y1 - 0.07, b.x1, b.y1), 0.03, fill=look.line)]


def _drawers(b: Bounds, look: Look) -> list[str]:
    """Draw a front line with two knobs: something that opens."""
    y = b.y0 + 0.06
    x, _ = b.middle
    knobs = [_circle(x + s * b.width / 4, y - 0.03, 0.018, fill=look.line) for s in (-1, 1)]
    return [_line(b.x0, y, b.x1, y), *knobs]


def _doors(b: Bounds, look: Look) -> list[str]:
    x, _ = b.middle
    y = b.y0 + 0.06
    knobs = [_circle(x + s * 0.06, y - 0.03, 0.018, fill=look.line) for s in (-1, 1)]
    return [_line(b.x0, y, b.x1, y), _line(x, b.y0, x, y), *knobs]


def _wardrobe(b: Bounds, look: Look) -> list[str]:
    """Draw a rail with clothes hangers."""
    _, y = b.middle
    rail = [_line(b.x0 + 0.06, y, b.x1 - 0.06, y)]
    count = max(3, round(b.width / 0.16))
    for n in range(count):
        x = b.x0 + 0.12 + n * (b.width - 0.24) / (count - 1)
        rail.append(_line(x - 0.03, y - b.depth * 0.3, x + 0.03, y + b.depth * 0.3))
    return rail


def _shelves(b: Bounds, look: Look) -> list[str]:
    """Draw books standing along the back."""
    y = b.y1 - b.depth * 0.62
    found = [_line(b.x0, y, b.x1, y)]
    count = max(2, round(b.width / 0.11))
    step = b.width / count
    found += [_line(b.x0 + n * step, y, b.x0 + n * step, b.y1) for n in range(1, count)]
    return found


def _fridge(b: Bounds, look: Look) -> list[str]:
    x, y = b.middle
    found = _doors(b, look)[:1]
    arms = ((-0.1, 0.0, 0.1, 0.0), (-0.05, -0.09, 0.05, 0.09), (0.05, -0.09, -0.05, 0.09))
    return found + [_line(x + ax, y + ay, x + bx, y + by) for ax, ay, bx, by in arms]


def _stove(b: Bounds, look: Look) -> list[str]:
    x, y = b.middle
    dx, dy = b.width * 0.23, b.depth * 0.21
    rings = [
        _circle(x + sx * dx, y + 0.02 + sy * dy, b.width * 0.14, fill="none")
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    return [*_doors(b, look)[:1], *rings]


def _basin(b: Bounds, look: Look) -> list[str]:
    x, _ = b.middle
    bowl = Bounds(
        x - min(0.27, b.width * 0.36), b.y0 + 0.1, x + min(0.27, b.width * 0.36), b.y1 - 0.15
    )
    return [
        _rect(bowl, 0.1, fill=c.WHITE),
        _circle(x, (bowl.y0 + bowl.y1) / 2, 0.025, fill=look.line),
        _rect(Bounds(x - 0.02, b.y1 - 0.13, x + 0.02, b.y1 - 0.02), 0.02, fill=look.line),
    ]


def _tub(b: Bounds, look: Look) -> list[str]:
    inside = b.inner(0.07)
    _, y = b.middle
    return [_rect(inside, inside.depth / 2), _circle(inside.x1 - 0.14, y, 0.03, fill=look.line)]


def _toilet(b: Bounds, look: Look) -> list[str]:
    x, _ = b.middle
    tank = min(0.2, b.depth * 0.32)
    bowl = (b.y0 + b.y1 - tank) / 2
    return [
        element("ellipse", cx=x, cy=bowl, rx=b.width * 0.42, ry=(b.depth - tank) * 0.46),
        _rect(Bounds(b.x0, b.y1 - tank, b.x1, b.y1), 0.03),
    ]


def _drum(b: Bounds, look: Look) -> list[str]:
    x, y = b.middle
    return [_circle(x, y, b.width * 0.32), _circle(x, y, b.width * 0.2, fill="none")]


def _screen(b: Bounds, look: Look) -> list[str]:
    return [_line(b.x0 + 0.04, b.y0 - 0.05, b.x1 - 0.04, b.y0 - 0.05)]


def _lamp(b: Bounds, look: Look) -> list[str]:
    x, y = b.middle
    rays = [_line(x - 0.1, y, x + 0.1, y), _line(x, y - 0.1, x, y + 0.1)]
    return [_circle(x, y, b.width * 0.25), *rays]


def _bars(b: Bounds, look: Look) -> list[str]:
    thirds = [b.y0 + b.depth * n / 3 for n in (1, 2)]
    return [_line(b.x0 + 0.03, y, b.x1 - 0.03, y) for y in thirds]


def _lid(b: Bounds, look: Look) -> list[str]:
    return [_rect(b.inner(0.06), 0.03)]


def _vice(b: Bounds, look: Look) -> list[str]:
    """Draw boards, and a vice at the front."""
    jaw = Bounds(b.x0 + 0.12, b.y0 + 0.02, b.x0 + 0.3, b.y0 + 0.12)
    return [*_bars(b, look), _rect(jaw, 0.0, fill=look.line)]


def _shower(b: Bounds, look: Look) -> list[str]:
    """Draw a tray that falls towards its drain."""
    x, y = b.middle
    corners = ((b.x0, b.y0), (b.x1, b.y0), (b.x1, b.y1), (b.x0, b.y1))
    slopes = [_line(cx, cy, x, y) for cx, cy in corners]
    return [*slopes, _circle(x, y, 0.06)]


LOOKS: dict[str, Look] = {
    "armchair": Look(c.SOFT, c.SOFT_LINE, _couch, 0.08),
    "bathtub": Look(c.WHITE, c.WHITE_LINE, _tub, 0.08),
    "bed": Look(c.SOFT, c.SOFT_LINE, _bed, 0.05),
    "bench": Look(c.WOOD, c.WOOD_LINE, _bars),
    "cabinet": Look(c.WOOD, c.WOOD_LINE, _doors),
    "chair": Look(c.WOOD, c.WOOD_LINE, _chair, 0.06),
    "chest": Look(c.WOOD, c.WOOD_LINE, _lid),
    "chest_of_drawers": Look(c.WOOD, c.WOOD_LINE, _drawers),
    "couch": Look(c.SOFT, c.SOFT_LINE, _couch, 0.08),
    "counter": Look(c.WOOD, c.WOOD_LINE, _doors),
    "dishwasher": Look(c.WHITE, c.WHITE_LINE, _drawers),
    "filing_cabinet": Look(c.DARK, c.DARK_LINE, _drawers),
    "floor_lamp": Look(c.LIGHT, c.LIGHT_LINE, _lamp, 9.0),
    "freezer": Look(c.WHITE, c.WHITE_LINE, _fridge),
    "fridge": Look(c.WHITE, c.WHITE_LINE, _fridge),
    "island": Look(c.WOOD, c.WOOD_LINE, _doors, 0.05),
    "shelves": Look(c.WOOD, c.WOOD_LINE, _shelves),
    "shoe_rack": Look(c.WOOD, c.WOOD_LINE, _bars),
    "shower": Look(c.WHITE, c.WHITE_LINE, _shower),
    "sink": Look(c.WHITE, c.WHITE_LINE, _basin, 0.06),
    "stand": Look(c.WOOD, c.WOOD_LINE, _drawers),
    "stool": Look(c.WOOD, c.WOOD_LINE, _nothing, 9.0),
    "stove": Look(c.WHITE, c.WHITE_LINE, _stove),
    "table": Look(c.WOOD, c.WOOD_LINE, _nothing, 0.05),
    "toilet": Look(c.WHITE, c.WHITE_LINE, _toilet, 0.1),
    "tv": Look(c.DARK, c.DARK_LINE, _screen, 0.0),
    "wardrobe": Look(c.WOOD, c.WOOD_LINE, _wardrobe),
    "washer_dryer": Look(c.WHITE, c.WHITE_LINE, _drum),
    "workbench": Look(c.WOOD, c.WOOD_LINE, _vice),
}


def _look_of(template: Template) -> Look | None:
    """Return how a class is drawn, or None where only its solids are.

    A counter with a faucet shows its basin.
    """
    if template.class_name == "counter" and template.faucet is not None:
        return Look(c.WOOD, c.WOOD_LINE, _basin)
    return LOOKS.get(template.class_name)
