"""Timeline of an episode: a line per seat, and the steps of the task as they were done.

Times are shares of the whole width, so that the drawing fits any page at the same height and with
letters of the same size.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from episodes.drawing import colours as c
from episodes.drawing import marks
from episodes.drawing.steps import Status
from episodes.drawing.svg import FONT, element, lines_of_text, number, title
from episodes.evaluation.account_sentences import TICK_RATE, capital, clock

LANE_PX = 70.0
AXIS_PX = 24.0
STEPS_PX = 46.0
MOST_TIMES = 7
TEXT_PX = 13.0
_BUBBLE = "M-6-5h12a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3h-8l-4 4v-4a3 3 0 0 1-3-3v-4a3 3 0 0 1 3-3z"


class Span(msgspec.Struct, frozen=True, array_like=True):
    """A stretch from tick ``start`` up to tick ``end`` of the episode; ``what`` is for a reader."""

    start: int
    end: int
    what: str = ""


class Wait(Span, frozen=True, array_like=True):
    """A stretch in which the body of seat ``by`` stood in the way."""

    by: str = ""


class Moment(msgspec.Struct, frozen=True, array_like=True):
    tick: int
    what: str


class Lane(msgspec.Struct, frozen=True):
    """The doings of one seat; ``walked_m`` is the length of its way."""

    seat: str
    look: str
    """The seat's look, ``robot-2``, by which its colour is known."""
    name: str
    walks: tuple[Span, ...] = ()
    holds: tuple[Span, ...] = ()
    acts: tuple[Moment, ...] = ()
    chats: tuple[Moment, ...] = ()
    away: tuple[Span, ...] = ()
    waits: tuple[Wait, ...] = ()
    walked_m: float = 0.0
    left: int | None = None
    """Tick at which whoever played it left, without coming back."""


class StepMark(msgspec.Struct, frozen=True, array_like=True):
    """The moment when step ``number`` was done or (``holds`` is false) undone.

    ``is_held``: it came true in a hand then, and was never put down.
    """

    tick: int
    number: int
    holds: bool
    status: Status
    by: str | None = None
    is_held: bool = False


class Course(msgspec.Struct, frozen=True):
    """An episode from its start to its end, ``ticks`` long.

    The clock by which its times are told started at tick ``waited``; before it was 0:00.
    """

    ticks: int
    lanes: tuple[Lane, ...]
    steps: tuple[StepMark, ...] = ()
    waited: int = 0

    def time(self, tick: int) -> str:
        """Return the clock at a tick of the episode."""
        return clock(max(0, tick - self.waited))


def draw_timeline(course: Course) -> str:
    """Draw the timeline, as wide as the page lets it be."""
    line = _Timeline(course)
    height = AXIS_PX + LANE_PX * len(course.lanes) + STEPS_PX
    parts = [*line.axis(height)]
    y = AXIS_PX
    for lane in course.lanes:
        parts += line.lane(lane, y)
        y += LANE_PX
    parts += line.steps(course.steps, y)
    return element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        width="100%",
        height=height,
        role="img",
        aria_label=_summary(course),
        font_family=FONT,
        overflow="visible",
        class_="timeline",
    )


def _summary(course: Course) -> str:
    told = [
        f"{lane.name}: walked {lane.walked_m:.0f} m, {len(lane.acts)} actions, "
        f"{len(lane.chats)} messages"
        for lane in course.lanes
    ]
    steps = [f"step {m.number} {_what(m)} at {course.time(m.tick)}" for m in course.steps]
    return "; ".join([f"Timeline of {course.time(course.ticks)}", *told, *steps])


def _what(mark: StepMark) -> str:
    if mark.is_held:
        return "held there"
    return "done" if mark.holds else "undone"


class _Timeline:
    def __init__(self, course: Course) -> None:
        self.ticks = max(1, course.ticks)
        self.waited = course.waited
        self.time = course.time

    def at(self, tick: int) -> str:
        return f"{number(100 * min(max(tick / self.ticks, 0.0), 1.0))}%"

    def axis(self, height: float) -> Iterable[str]:
        whole = self.ticks / TICK_RATE
        seconds = whole - self.waited / TICK_RATE
        step = next(
            (s for s in (5, 10, 15, 30, 60, 120, 300, 600) if whole / s <= MOST_TIMES), 1200
        )
        for at in range(0, int(seconds) + 1, step):
            tick = self.waited + at * TICK_RATE
            x = self.at(tick)
            yield element("line", x1=x, x2=x, y1=AXIS_PX - 4, y2=height, stroke=c.RULE)
            yield lines_of_text(
                [self.time(tick)],
                0.0,
                TEXT_PX,
                TEXT_PX,
                text_anchor="start"
                if tick < step * TICK_RATE / 4
                else "end"
                if seconds - at < step / 4
                else "middle",
                fill=c.INK_SOFT,
            ).replace('<tspan x="0"', f'<tspan x="{x}"')

    def lane(self, lane: Lane, y: float) -> Iterable[str]:
        colour = c.LOOKS[lane.look]
        soft = c.soft(colour)
        yield lines_of_text(
            [capital(lane.name)],
            0.0,
            y + TEXT_PX + 3,
            TEXT_PX,
            font_weight=700,
            fill=colour,
            stroke=c.SURFACE,
            stroke_width=3.0,
            paint_order="stroke",
        )
        base = y + 48
        yield element("line", x1="0%", x2="100%", y1=base, y2=base, stroke=c.RULE_STRONG)
        for span in lane.walks:
            yield self._bar(span, base - 3, 6, colour, 0.45, "walk", "walked")
        for span in lane.holds:
            yield self._bar(span, base - 9, 18, soft, 1.0, "hold", span.what, colour)
        for span in lane.away:
            yield self._bar(span, base - 9, 18, c.SUNKEN, 1.0, "away", span.what, c.RULE_STRONG)
        for span in lane.waits:
            yield self._bar(span, base - 12, 24, c.SURFACE, 0.0, "wait", span.what, c.BAD)
        for act in lane.acts:
            x = self.at(act.tick)
            yield element(
                "line",
                title(f"{self.time(act.tick)} {act.what}"),
                x1=x,
                x2=x,
                y1=base - 12,
                y2=base + 12,
                stroke=colour,
                stroke_width=3.0,
                stroke_linecap="round",
                class_="act",
            )
        for chat in lane.chats:
            yield self._bubble(chat, base - 19, colour)

    def _bar(
        self,
        span: Span,
        y: float,
        height: float,
        fill: str,
        opacity: float,
        class_: str,
        what: str,
        stroke: str | None = None,
    ) -> str:
        share = 100 * max(span.end - span.start, 1) / self.ticks
        return element(
            "rect",
            title(f"{self.time(span.start)} to {self.time(span.end)}: {what}"),
            x=self.at(span.start),
            y=y,
            width=f"{number(max(share, 0.3))}%",
            height=height,
            rx=3.0,
            fill=fill,
            fill_opacity=opacity,
            stroke=stroke,
            class_=class_,
        )

    def _bubble(self, chat: Moment, y: float, colour: str) -> str:
        shape = element(
            "path",
            title(f"{self.time(chat.tick)} said: {chat.what}"),
            d=_BUBBLE,
            fill=c.SURFACE,
            stroke=colour,
            stroke_width=1.6,
        )
        return _placed(self.at(chat.tick), y, shape, "chat")

    def steps(self, found: Iterable[StepMark], y: float) -> Iterable[str]:
        middle = y + 24
        yield element(
            "line",
            x1="0%",
            x2="100%",
            y1=middle,
            y2=middle,
            stroke=c.RULE_STRONG,
            stroke_dasharray="2 4",
        )
        last: dict[int, int] = {}
        for n, mark in enumerate(sorted(found, key=lambda m: m.tick)):
            # Where two marks would cover each other, the later stands lower.
            near = [t for t in last.values() if (mark.tick - t) / self.ticks < 0.03]
            down = 14 * (len(near) % 2)
            last[n] = mark.tick
            by = f" by {mark.by}" if mark.by else ""
            words = title(f"{self.time(mark.tick)} step {mark.number} {_what(mark)}{by}")
            status = mark.status if mark.holds else "missing"
            shape = marks.badge((0.0, 0.0), str(mark.number), 11.0, status, empty=mark.is_held)
            cross = (
                ""
                if mark.holds
                else element("path", d="M-9 9L9 -9", stroke=c.BAD, stroke_width=2.2)
            )
            yield _placed(self.at(mark.tick), middle + down, words + shape + cross, "step")


def _placed(x: str, y: float, drawn: str, class_: str) -> str:
    """Put something drawn about its own origin at a share of the width."""
    return element("svg", drawn, x=x, y=y, overflow="visible", class_=class_)
