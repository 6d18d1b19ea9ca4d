"""Words for things that were in a hand when a row of a report came true. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from episodes.evaluation.account_sentences import TICK_RATE, capital
from server.reports.placements import Placement
from server.reports.task_clock import TaskClock

YOU = "you"
"""Name of the reader of a report."""
WORTH_SAYING = 5 * TICK_RATE
"""Ticks in a hand, after a row had come true, from which on the row says so."""


def hand_words(placed: Placement, names: Mapping[str, str], clock: TaskClock) -> str:
    """Say that a thing was held where a row asks for it, and what became of it; empty: in passing.

    ``names`` are those that the reader uses, by seat.
    """
    where = f" {placed.where}" if placed.where else ""
    if placed.holder is not None:
        holder = names.get(placed.holder)
        by = "" if holder is None else f" by {holder}"
        return f"{capital(placed.thing)} was held{where}{by} at the end, not put down."
    if placed.tick is None:
        return "Only carried by in a hand, never put down there: the rules count where a hand is."
    if placed.counted is None or placed.tick - placed.counted < WORTH_SAYING:
        return ""
    hand = hand_of(names.get(placed.carrier or ""))
    since, until = clock.at(placed.counted), clock.at(placed.tick)
    return (
        f"At {since} {placed.thing} was {hand}{where}, and the rules count that already; it was "
        f"put down at {until}."
    )


def hand_of(name: str | None) -> str:
    """Return where a thing is that somebody holds: ``in your hand``."""
    if name is None:
        return "in a hand"
    return "in your hand" if name == YOU else f"in the hand of {name}"
