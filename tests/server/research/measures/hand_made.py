"""Hand-made doings of ten seconds, with answers that anybody can count."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from episodes.trace import Attempt
from server.research.measures.doings import Doings, Span, Spoken, Stay
from server.research.measures.measure import Measure
from server.sessions.policy_records import CallRecord
from tests.episodes.metrics.test_metrics_values import PROPOSITIONS, episode

ROBOT, HUMAN = "robot_0", "human_0"


def call(**changes: Any) -> CallRecord:
    """Return a call of the robot's model with 100 tokens of prompt."""
    made = CallRecord(
        purpose="act",
        model="m",
        prompt="",
        prompt_sha256="",
        completion="",
        parameters={},
        prompt_tokens=100,
        completion_tokens=10,
        seat=ROBOT,
    )
    return msgspec.structs.replace(made, **changes)


def doings(*, solved: bool = True, limit_s: float | None = None, **changes: Any) -> Doings:
    """Return the doings: the cup is put away at tick 100, the plate at 200, the end is at 300."""
    trace = episode(solved=solved)
    more = (
        Attempt(110, HUMAN, "pick", "cup", accepted=False, rule="within_reach"),
        # Later than three seconds after the other's.
        Attempt(250, ROBOT, "pick", "cup"),
    )
    attempts = sorted((*trace.attempts, *more), key=lambda attempt: attempt.tick)
    trace = msgspec.structs.replace(trace, attempts=tuple(attempts), **changes)
    return Doings(
        trace,
        0,
        PROPOSITIONS,
        limit_s,
        {
            ROBOT: [Span(0, 60), Span(90, 100)],
            HUMAN: [Span(10, 30), Span(120, 200), Span(205, 220)],
        },
        [Spoken(10, HUMAN, 3), Spoken(50, HUMAN, 2)],
        {},
        {},
        [
            Stay(ROBOT, "kitchen", 0, 100),
            # Passing through is no search.
            Stay(HUMAN, "kitchen", 0, 50),
            Stay(HUMAN, "bedroom", 50, 150),
            Stay(HUMAN, "kitchen", 150, 250),
        ],
        {HUMAN: math.pi},
        [
            call(asked_tick=30, observed_tick=15, latency_s=1.0, queue_s=0.5, completion_tokens=5),
            call(asked_tick=90, observed_tick=45, latency_s=2.5, stale="the cup is gone"),
        ],
        {HUMAN: {"OK": 2, "MISSING_STEP": 1}},
    )


def alone() -> Doings:
    """Return the doings of the person alone."""
    found = doings()
    (human,) = (seat for seat in found.trace.seats if seat.seat == HUMAN)
    trace = msgspec.structs.replace(found.trace, seats=(human,))
    return found._replace(trace=trace, active={HUMAN: found.active[HUMAN]})


def values(measure: Measure, of: Doings) -> dict[str, float | None]:
    """Return the values of a measure by seat."""
    return {value.seat: value.number for value in measure.compute(of)}
