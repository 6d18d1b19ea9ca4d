"""Both endings of one episode: where success came, and where everybody had finished.

A policy that does not notice success, or has nothing left to do and waits, costs its partner time
that an ending on success hides. So both are told, of the same episode.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import NamedTuple

from episodes.dataset.model import Proposition
from episodes.dataset.vocabulary import GROUPS_ARG
from episodes.metrics.team import offloading
from episodes.trace import Percent, Trace
from episodes.world import HolderChanged

COMPLETE = 1.0


class Endings(NamedTuple):
    """Ends of an episode: where it ended, and where it would have ended on success.

    ``steps_to_success``: ticks until its goals held and nothing that they name was in a hand, which
    is where an ending on success ends it, so that it runs to the last placement; the whole episode
    where success stood only then; None: it was no success. ``success_in_hand``: whether a success
    ended with a goal's thing in a hand, None for a failure. ``idle_s``: seconds from the one to
    the end. ``robot_share``: the robots' share of the credit, whatever the outcome; None where
    nobody has any.
    """

    steps_to_success: int | None
    success_in_hand: float | None
    idle_s: float | None
    robot_share: float | None


def endings(trace: Trace, propositions: Sequence[Proposition], tick_rate: int = 30) -> Endings:
    """Compute both endings of an episode of a task."""
    share = offloading(trace)
    if not trace.verdict.success:
        return Endings(None, None, None, share)
    things = goal_things(propositions)
    steps, in_hand = _success(trace, things)
    return Endings(steps, float(in_hand), (trace.ticks - steps) / tick_rate, share)


def restricted(steps: int | None, limit: int) -> float:
    """Return the steps of an attempt up to a limit: that limit where it was not solved.

    An attempt that is unsolved counts so whenever and however it ended: who gives up early has
    saved nobody any time. The mean of these is the restricted mean time to success.
    """
    return float(limit) if steps is None else float(min(steps, limit))


def goal_things(propositions: Sequence[Proposition]) -> frozenset[str]:
    """Return every handle that a task's propositions name (rooms too, which nobody holds)."""
    found: set[str] = set()
    for proposition in propositions:
        for name, value in proposition.args.items():
            if name == GROUPS_ARG:
                found.update(handle for group in value for handle in group)
            elif isinstance(value, list) and all(isinstance(v, str) for v in value):
                found.update(value)
    return frozenset(found)


def _success(trace: Trace, things: Collection[str]) -> tuple[int, bool]:
    """Return the tick of success with empty hands, and whether a hand was full at the end."""
    changes = [(0, c) for c in trace.start] + [(h.tick, h.change) for h in trace.happenings]
    found: list[tuple[int, HolderChanged | Percent]] = [
        (max(tick, 0), c) for tick, c in changes if isinstance(c, HolderChanged)
    ]
    found += [(max(percent.tick, 0), percent) for percent in trace.percents]
    found.sort(key=lambda event: event[0])
    held: set[str] = set()
    complete = False
    first: int | None = None
    for tick, events in groupby(found, key=lambda event: event[0]):
        for _, event in events:
            if isinstance(event, Percent):
                complete = event.value >= COMPLETE
            elif event.seat is None:
                held.discard(event.handle)
            else:
                held.add(event.handle)
        if first is None and complete and held.isdisjoint(things):
            first = tick
    return trace.ticks if first is None else first, not held.isdisjoint(things)
