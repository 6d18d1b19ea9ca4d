"""Lateness of the loop: nobody is closed for a stall of ours, and nobody wins by it."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from server.web.frame_budget import GREETING, PLAYING, FrameBudget
from server.web.input_limits import RATES, InputLimits
from server.web.loop_lateness import LEAST_S, LOOK_S, MOST_S, REMEMBER_S, Lateness
from server.wire.messages import DriveInput

DRIVE = DriveInput(0, 0, 0, 0, 0)
RATE = RATES["DriveInput"]
STALLS = st.lists(st.tuples(st.floats(0.1, 20), st.floats(LEAST_S, MOST_S)), max_size=6)
"""Seconds of calm, and of the stall that follows, again and again."""
ARRIVALS = st.lists(st.tuples(st.floats(0, 3), st.floats(0, MOST_S)), max_size=400)
"""Seconds since the message before, and the lateness at that time."""


def test_a_stall_counts_from_its_first_moment_until_what_waited_has_come() -> None:
    lateness = Lateness()
    assert lateness.late_s(1000.0) == 0
    now = 1000.0
    for _ in range(100):
        lateness.look(now)
        assert lateness.late_s(now + LOOK_S + LEAST_S / 2) == 0
        now += LOOK_S
    # What has come is read before the loop gets round to looking.
    assert lateness.late_s(now + 3) == 3
    lateness.look(now + 3)
    assert lateness.late_s(now + 3) == 3
    lateness.look(now + 3 + LOOK_S + 2)
    assert lateness.late_s(now + 5 + LOOK_S) == 5
    for _ in range(int(REMEMBER_S / LOOK_S) + 9):
        now += LOOK_S
        lateness.look(now + 5)
    assert lateness.late_s(now + 5) == 0
    assert lateness.late_s(now + 1000) == MOST_S


@given(STALLS, st.floats(1, RATE.per_s))
def test_who_keeps_to_the_pace_is_heard_whenever_we_stall(
    stalls: list[tuple[float, float]], per_s: float
) -> None:
    lateness, limits, budget = Lateness(), InputLimits(0.0), FrameBudget(0.0)
    budget.admit(PLAYING, 0.0, lateness.late_s)
    now, sent_until = 0.0, 0.0
    for calm_s, stall_s in stalls:
        until = now + calm_s
        while now < until:
            lateness.look(now)
            now = min(now + LOOK_S, until)
            sent_until = _read(limits, budget, lateness, sent_until, now, per_s)
        now += stall_s
        sent_until = _read(limits, budget, lateness, sent_until, now, per_s)


def _read(
    limits: InputLimits,
    budget: FrameBudget,
    lateness: Lateness,
    sent_until: float,
    now: float,
    per_s: float,
) -> float:
    """Take in all that was sent at a pace until now; return the time of the last message."""
    while sent_until + 1 / per_s <= now:
        sent_until += 1 / per_s
        assert budget.take_message(40, now)
        assert limits.judge(DRIVE, now, lateness.late_s(now)) == "pass"
    return sent_until


@given(ARRIVALS)
def test_nobody_gets_more_than_time_has_paid_for_however_late_we_are(
    arrivals: list[tuple[float, float]],
) -> None:
    limits, budget = InputLimits(0.0), FrameBudget(0.0)
    late = 0.0
    budget.admit(PLAYING, 0.0, lambda now: late)
    passed = paid = 0
    times = accumulate(gap for gap, _ in arrivals)
    for now, (_, late) in zip(times, arrivals, strict=True):
        for _ in range(20):
            passed += limits.judge(DRIVE, now, late) == "pass"
            assert passed <= RATE.burst + RATE.per_s * now + 1e-6
            paid += budget.take_other(now)
            assert paid <= PLAYING.others.burst + PLAYING.others.per_s * now + 1e-6


@given(st.floats(0, MOST_S), st.floats(0, 100))
def test_a_stranger_has_no_more_for_it(late_s: float, now: float) -> None:
    """Lateness is for those who have said hello: nobody else may have sent much meanwhile."""
    budget = FrameBudget(0.0)
    taken = 0
    while budget.take_other(now):
        taken += 1
    assert taken <= GREETING.others.burst
    other = FrameBudget(0.0)
    other.admit(PLAYING, 0.0, lambda _: late_s)
    taken = 0
    while other.take_other(now):
        taken += 1
    most = PLAYING.others.burst + PLAYING.others.per_s * min(now, late_s)
    assert most - 1 <= taken <= most + 1


def test_what_exceeds_even_that_is_dropped_and_held_against_nobody() -> None:
    limits = InputLimits(0.0)
    rulings = [limits.judge(DRIVE, 10.0, 2.0) for _ in range(400)]
    assert rulings == ["pass"] * 180 + ["drop"] * 220
    # Without a stall it is as before.
    rulings = [limits.judge(DRIVE, 20.0) for _ in range(62)]
    assert rulings == ["pass"] * 60 + ["warn_rate", "drop"]
    assert limits.judge(DRIVE, 20.0 + 0.5) == "pass"
