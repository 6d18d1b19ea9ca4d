"""Throttle of log lines: one a minute of each kind, and none that is not counted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.log_throttle import EVERY_S, LogThrottle
from tests.clock_double import ClockDouble


@given(st.lists(st.tuples(st.floats(0, 40), st.sampled_from("ab")), max_size=100))
def test_each_kind_is_told_once_a_minute_and_nothing_goes_uncounted(
    steps: list[tuple[float, str]],
) -> None:
    clock = ClockDouble(now=5.0)
    throttle = LogThrottle(clock)
    told_at: dict[str, float] = {}
    came, told = dict.fromkeys("ab", 0), dict.fromkeys("ab", 0)
    for pause_s, kind in steps:
        clock.now += pause_s
        came[kind] += 1
        is_due = kind not in told_at or clock.now - told_at[kind] >= EVERY_S
        count = throttle.count(kind)
        assert bool(count) == is_due
        if count:
            told_at[kind] = clock.now
            told[kind] += count
            assert told[kind] == came[kind]
