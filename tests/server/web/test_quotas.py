"""Quotas in moving windows, on a clock of the test."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.web import quotas
from server.web.quotas import Quota
from tests.clock_double import ClockDouble


@pytest.fixture
def clock() -> ClockDouble:
    return ClockDouble()


@given(
    amount=st.integers(1, 5),
    steps=st.lists(st.tuples(st.floats(0, 40), st.sampled_from("ab")), max_size=60),
)
def test_no_window_ever_holds_more_than_its_amount_and_nobody_waits_longer_than_told(
    amount: int, steps: list[tuple[float, str]]
) -> None:
    clock = ClockDouble()
    quota = Quota(f"{amount}/minute", clock)
    done: dict[str, list[float]] = {"a": [], "b": []}
    for pause_s, key in steps:
        clock.now += pause_s
        wait_s = quota.take(key)
        inside = [at for at in done[key] if at + 60 > clock.now]
        # It is refused exactly when the window is full, and the other key has no say in it.
        assert bool(wait_s) == (len(inside) == amount)
        if wait_s:
            assert inside[0] + 60 <= clock.now + wait_s < inside[0] + 62
        else:
            done[key].append(clock.now)


def test_who_waits_as_long_as_told_may_go_on(clock: ClockDouble) -> None:
    quota = Quota("2/minute;3/hour", clock)
    assert [quota.take("a"), quota.take("a")] == [0, 0]
    clock.now = 20.0
    assert quota.take("a") == 40
    clock.now += 40
    assert quota.take("a") == 0
    clock.now += 60
    # The hour's window is full now, and trying again does not make it longer.
    assert quota.take("a") == 3600 - 120
    assert quota.take("a") == 3600 - 120


def test_a_form_that_is_refused_for_the_hour_does_not_count_for_the_minute(
    clock: ClockDouble,
) -> None:
    quota = Quota("1/minute;1/hour", clock)
    assert quota.take("a") == 0
    clock.now = 3599.0
    assert quota.take("a") == 1
    clock.now = 3600.0
    assert quota.take("a") == 0


def test_keys_expire_and_are_bounded(clock: ClockDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    quota = Quota("5/minute", clock)
    for number in range(1000):
        quota.take(f"visitor {number}")
    assert len(quota) == 1000
    clock.now = 61.0
    quota.take("one more")
    assert len(quota) == 1
    monkeypatch.setattr(quotas, "MOST_KEYS", 10)
    for number in range(1000):
        quota.take(f"visitor {number}")
    assert len(quota) <= 11


def test_the_wall_clock_has_no_say(clock: ClockDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    quota = Quota("1/minute", clock)
    assert quota.take("a") == 0
    monkeypatch.setattr(time, "time", lambda: 1e12)
    assert quota.take("a") == 60
    monkeypatch.setattr(time, "time", lambda: 0.0)
    clock.now = 60.0
    assert quota.take("a") == 0
