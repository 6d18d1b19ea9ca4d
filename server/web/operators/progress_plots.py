"""Plots of a study's progress and waits, as lengths and labels that a page draws."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from server.store.study_course import Course, Wait

WIDTH = 600.0
HEIGHT = 200.0
"""Size of the area that is plotted in, in units of the drawing; its labels stand around it."""
SLOTS = 24
"""Equal stretches of time for which waits are summed up."""
MARKS = 6
"""Marks on an axis of time, at most."""
_LABEL_GAP = 14.0
_STEPS = tuple(
    timedelta(minutes=minutes)
    for minutes in (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080, 20160, 40320)
)
_NICE = (1, 2, 5, 10)
Span = tuple[datetime, datetime]
"""Stretch of time that an axis shows."""


class Mark(NamedTuple):
    """Mark of an axis: where it stands, and its label."""

    at: float
    label: str


class Curve(NamedTuple):
    """Number of people that grows with time, drawn as a flight of steps."""

    name: str
    people: int
    path: str
    """Path as SVG writes it."""
    label_y: float


class ProgressPlot(NamedTuple):
    """Numbers of people over time."""

    curves: list[Curve]
    across: list[Mark]
    up: list[Mark]


class Slot(NamedTuple):
    """Stretch of time with the waits of those who joined in it."""

    begins: datetime
    x: float
    matched: int
    unmatched: int
    median_s: float | None
    """Median wait of those who were matched; None: there were none."""
    most_s: float | None
    """Longest wait of nine in ten of them."""
    median_y: float
    most_y: float


class WaitsPlot(NamedTuple):
    """Waits in the lobby over time."""

    slots: list[Slot]
    across: list[Mark]
    up: list[Mark]
    width: float
    """Width of a slot."""


def progress_plot(course: Course, until: datetime) -> ProgressPlot | None:
    """Return numbers of people from the first arrival until a time; None: nobody came yet."""
    if not course.arrived:
        return None
    span = _span(course.arrived[0], until)
    top = _top(len(course.arrived))
    curves = [
        Curve(name, len(times), _steps(times, span, top), HEIGHT * (1 - len(times) / top))
        for name, times in (
            ("came", course.arrived),
            ("completed", course.completed),
            ("ended otherwise", course.left),
        )
    ]
    return ProgressPlot(_apart(curves), _time_marks(span), _count_marks(top))


def waits_plot(waits: Sequence[Wait], until: datetime) -> WaitsPlot | None:
    """Return waits in slots of the time from the first until a time; None: nobody waited yet."""
    if not waits:
        return None
    span = _span(waits[0].joined_at, until)
    found: list[list[Wait]] = [[] for _ in range(SLOTS)]
    for wait in waits:
        share = (wait.joined_at - span[0]) / (span[1] - span[0])
        found[min(SLOTS - 1, max(0, int(share * SLOTS)))].append(wait)
    times = [sorted(wait.waited_s for wait in slot if wait.is_matched) for slot in found]
    longest = max((_share(slot, 0.9) for slot in times if slot), default=1.0)
    # Longer waits are marked in whole minutes and halves of them.
    top = _top(longest) if longest <= 100 else 60 * _top(longest / 60)
    slots = []
    for n, (slot, matched) in enumerate(zip(found, times, strict=True)):
        middle = _share(matched, 0.5) if matched else None
        most = _share(matched, 0.9) if matched else None
        slots.append(
            Slot(
                span[0] + n / SLOTS * (span[1] - span[0]),
                WIDTH * n / SLOTS,
                len(matched),
                len(slot) - len(matched),
                middle,
                most,
                HEIGHT * (1 - (middle or 0.0) / top),
                HEIGHT * (1 - (most or 0.0) / top),
            )
        )
    up = [Mark(HEIGHT * (1 - s / top), _duration(s)) for s in (0.0, top / 2, top)]
    return WaitsPlot(slots, _time_marks(span), up, WIDTH / SLOTS)


def _span(first: datetime, until: datetime) -> Span:
    """Return a stretch of time that is at least a minute long, whatever the clock did since."""
    return first, max(until, first + timedelta(minutes=1))


def _steps(times: Sequence[datetime], span: Span, top: float) -> str:
    """Return the path of a count, with at most two points for each unit of the drawing's width."""
    begin, length = span[0], span[1] - span[0]
    points, drawn = [f"M0 {HEIGHT:g}"], 0
    for x in range(int(WIDTH) + 1):
        count = bisect_right(times, begin + length * (x / WIDTH))
        if count != drawn:
            points.append(f"H{x:g}V{HEIGHT * (1 - count / top):.1f}")
            drawn = count
    # Where a clock was put back, what came later than the end counts at the end.
    if len(times) != drawn:
        points.append(f"H{WIDTH:g}V{HEIGHT * (1 - len(times) / top):.1f}")
    return "".join([*points, f"H{WIDTH:g}"])


def _apart(curves: Sequence[Curve]) -> list[Curve]:
    """Return curves whose labels stand far enough from each other to be read."""
    found, below = dict[str, Curve](), HEIGHT
    for curve in sorted(curves, key=lambda curve: (-curve.label_y, -curves.index(curve))):
        placed = curve._replace(label_y=min(curve.label_y, below))
        found[curve.name], below = placed, placed.label_y - _LABEL_GAP
    return [found[curve.name] for curve in curves]


def _top(most: float) -> float:
    """Return a round number that is not below another; at least 1."""
    scale = 10.0 ** math.floor(math.log10(max(most, 1.0)))
    return next(nice * scale for nice in _NICE if nice * scale >= most or nice == _NICE[-1])


def _count_marks(top: float) -> list[Mark]:
    counts = (0, top / 2, top) if top % 2 == 0 else (0, top)
    return [Mark(HEIGHT * (1 - count / top), f"{count:g}") for count in counts]


def _time_marks(span: Span) -> list[Mark]:
    """Return marks at round times (UTC); none is nearer to another than a label is wide."""
    length = span[1] - span[0]
    step = next((step for step in _STEPS if length / step < MARKS), length)
    epoch = datetime(2024, 1, 1, tzinfo=UTC)  # A Monday: weeks begin there.
    first = epoch + math.ceil((span[0] - epoch) / step) * step
    written = "%H:%M" if length < timedelta(days=1) else "%d %b %H:%M"
    if step >= timedelta(days=1):
        written = "%d %b"
    found, at = [], first
    while at <= span[1]:
        found.append(Mark(WIDTH * ((at - span[0]) / length), at.strftime(written)))
        at += step
    return found


def _share(ordered: Sequence[float], share: float) -> float:
    """Return the least of some ordered numbers that a share of them does not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _duration(seconds: float) -> str:
    return f"{seconds:g} s" if seconds < 120 else f"{seconds / 60:.3g} min"
