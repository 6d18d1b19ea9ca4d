"""Marks of steps: badges with numbers, arrows, and spots where things begin.

Colour is never the only sign: a badge has another shape, and an arrow another line, for each
outcome.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from episodes.drawing import colours as c
from episodes.drawing.plan import Spot
from episodes.drawing.seat_marks import OUTLINES
from episodes.drawing.steps import Status
from episodes.drawing.svg import element, lines_of_text, number, points


class Ink(NamedTuple):
    """The colours and the line that an outcome is drawn with."""

    colour: str
    soft: str
    dashed: bool


INKS: dict[Status, Ink] = {
    "open": Ink(c.FOCUS, "#e3ebfb", False),
    "done": Ink(c.GOOD, c.GOOD_SOFT, False),
    "void": Ink(c.WARN, c.WARN_SOFT, True),
    "missing": Ink(c.BAD, c.BAD_SOFT, True),
}


def badge(at: Spot, text: str, size: float, status: Status, *, empty: bool = False) -> str:
    """Draw a number in the shape of its outcome; ``size`` is the height of the number (px).

    The shape is a full circle, a triangle for what does not count, an empty dashed circle for
    what is missing, one with a whole line (``empty``) for what was done in a hand only.
    """
    x, y = at
    ink = INKS[status]
    r = badge_radius(size)
    full = status in ("open", "done") and not empty
    if status == "void":
        corners = [
            (x + 1.35 * r * math.cos(a), y + 0.15 * r + 1.35 * r * math.sin(a))
            for a in (-math.pi / 2, math.pi / 6, 5 * math.pi / 6)
        ]
        shape = element(
            "polygon",
            points=points(corners),
            fill=ink.soft,
            stroke=ink.colour,
            stroke_width=size * 0.14,
            stroke_linejoin="round",
        )
    else:
        shape = element(
            "circle",
            cx=x,
            cy=y,
            r=r,
            fill=ink.colour if full else c.SURFACE,
            stroke=c.SURFACE if full else ink.colour,
            stroke_width=size * 0.14,
            stroke_dasharray=None
            if full or not ink.dashed
            else f"{number(r * 0.5)} {number(r * 0.28)}",
        )
    word = lines_of_text(
        [text],
        x,
        y + size * 0.36,
        size,
        text_anchor="middle",
        font_weight=700,
        fill=c.SURFACE if full else ink.colour,
    )
    return element("g", shape, word, class_=f"badge badge-{status}")


def badge_radius(size: float) -> float:
    return size * 0.82


def arrow(start: Spot, end: Spot, size: float, status: Status, room: float) -> str:
    """Draw a bent arrow that stops ``room`` px before its end."""
    ink = INKS[status]
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0)
    if length < room + size * 0.5:
        return ""
    # An arrow bends to the left of its way, so that there and back are two lines.
    bend = min(0.16 * length, 3.0 * size)
    mx = (x0 + x1) / 2 + (y1 - y0) / length * bend
    my = (y0 + y1) / 2 - (x1 - x0) / length * bend
    dx, dy = x1 - mx, y1 - my
    reach = math.hypot(dx, dy)
    ux, uy = dx / reach, dy / reach
    tip = (x1 - ux * room, y1 - uy * room)
    head = size * 0.62
    base = (tip[0] - ux * head, tip[1] - uy * head)
    wings = [
        tip,
        (base[0] - uy * head * 0.5, base[1] + ux * head * 0.5),
        (base[0] + uy * head * 0.5, base[1] - ux * head * 0.5),
    ]
    path = (
        f"M{number(x0)} {number(y0)}Q{number(mx)} {number(my)} {number(base[0])} {number(base[1])}"
    )
    width = size * 0.17
    line = {"d": path, "fill": "none", "stroke_linecap": "round"}
    return element(
        "g",
        element("path", **line, stroke=c.SURFACE, stroke_width=width * 2.2, stroke_opacity=0.75),
        element(
            "path",
            **line,
            stroke=ink.colour,
            stroke_width=width,
            stroke_dasharray=f"{number(width * 2.6)} {number(width * 2.0)}" if ink.dashed else None,
        ),
        element("polygon", points=points(wings), fill=ink.colour),
        class_=f"arrow arrow-{status}",
    )


def spot(at: Spot, size: float) -> str:
    """Mark where a thing of the task begins."""
    x, y = at
    return element(
        "circle",
        cx=x,
        cy=y,
        r=size * 0.36,
        fill="#ffd84d",
        stroke=c.INK,
        stroke_width=size * 0.12,
        class_="start",
    )


def left_at(at: Spot, size: float) -> str:
    """Mark with a crossed square where a thing is at the end that should be elsewhere."""
    x, y = at
    r = size * 0.36
    cross = f"M{number(x - r)} {number(y - r)}l{number(2 * r)} {number(2 * r)}m0 {number(-2 * r)}l{number(-2 * r)} {number(2 * r)}"  # noqa: E501
    box = element(
        "rect", x=x - r * 1.3, y=y - r * 1.3, width=r * 2.6, height=r * 2.6, fill=c.SURFACE
    )
    lines = element("path", d=cross, fill="none", stroke_width=size * 0.16)
    return element("g", box, lines, stroke=c.BAD, stroke_width=size * 0.1, class_="left")


def clutter(at: Spot, size: float) -> str:
    """Mark a thing that the task does not name."""
    x, y = at
    return element(
        "circle", cx=x, cy=y, r=size * 0.16, fill=c.INK_SOFT, fill_opacity=0.55, class_="clutter"
    )


def body(at: Spot, yaw: float, look: str, size: float) -> str:
    """Draw a body from above and where it faces: the mark of its seat, round for a human."""
    x, y = at
    r = size * 0.62
    colour, kind = c.LOOKS[look], look.partition("-")[0]
    if look == "human-1":
        shape = element("circle", cx=x, cy=y, r=r)
    elif look == "robot-1":
        shape = element("rect", x=x - r, y=y - r, width=2 * r, height=2 * r, rx=r * 0.35)
    else:
        outline = [(x + px * r * 1.15, y + py * r * 1.15) for px, py in OUTLINES[look]]
        shape = element("polygon", points=points(outline))
    fx, fy = -math.sin(yaw), -math.cos(yaw)
    nose = [
        (x + fx * r * 2.0, y + fy * r * 2.0),
        (x + fx * r * 0.7 - fy * r * 0.75, y + fy * r * 0.7 + fx * r * 0.75),
        (x + fx * r * 0.7 + fy * r * 0.75, y + fy * r * 0.7 - fx * r * 0.75),
    ]
    return element(
        "g",
        element("polygon", points=points(nose)),
        shape,
        fill=colour,
        stroke=c.SURFACE,
        stroke_width=size * 0.1,
        class_=f"seat-{kind}",
    )
