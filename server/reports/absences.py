"""Absences: who was away from a task for a while, and for how long.

Whoever left for good is told of by `page.departures`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from episodes.drawing.timeline import Lane
from episodes.evaluation.account_sentences import capital
from server.reports.hand_words import YOU
from server.reports.page import Actor
from server.reports.task_clock import ON_TIME, TaskClock
from server.sessions.spec import TICK_RATE


def absences(
    lanes: Iterable[Lane], actors: Mapping[str, Actor], clock: TaskClock = ON_TIME
) -> tuple[str, ...]:
    """Tell who was away, in the order of time, which is the task's clock."""
    found = [
        (span, actors[lane.seat].name)
        for lane in lanes
        if lane.seat in actors
        for span in lane.away
        if span.end - span.start >= TICK_RATE and (lane.left is None or span.end <= lane.left)
    ]
    return tuple(
        f"{clock.at(span.start)} {capital(name)} {'were' if name == YOU else 'was'} away "
        f"for {_long((span.end - span.start) / TICK_RATE)}."
        for span, name in sorted(found, key=lambda f: f[0].start)
    )


def _long(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    told = f"{rest} s" if rest or not minutes else ""
    return " ".join(part for part in (f"{minutes} min" if minutes else "", told) if part)
