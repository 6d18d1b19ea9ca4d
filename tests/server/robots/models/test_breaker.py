"""The circuit breaker, on a clock that only the tests move."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.robots.models.breaker import Breaker


def opened(at: float = 0.0) -> Breaker:
    breaker = Breaker(faults_to_open=3, open_s=5.0, longest_open_s=20.0)
    for _ in range(3):
        assert breaker.admits(at)
        breaker.failed(at)
    return breaker


def test_faults_in_a_row_open_it() -> None:
    breaker = Breaker(faults_to_open=3)
    for _ in range(2):
        breaker.failed(0.0)
    breaker.succeeded()
    for _ in range(2):
        breaker.failed(0.0)
    assert breaker.state(0.0) == "closed"
    breaker.failed(0.0)
    assert breaker.state(0.0) == "open"
    assert not breaker.admits(0.0)


def test_after_a_while_one_call_is_let_through() -> None:
    breaker = opened()
    assert not breaker.admits(4.9)
    assert breaker.wait_s(4.0) == 1.0
    assert breaker.state(5.0) == "half-open"
    assert breaker.admits(5.0)
    assert not breaker.admits(5.0)


def test_the_probe_closes_it() -> None:
    breaker = opened()
    assert breaker.admits(5.0)
    breaker.succeeded()
    assert breaker.state(5.0) == "closed"
    assert all(breaker.admits(5.0) for _ in range(10))


def test_a_failed_probe_opens_it_for_twice_as_long_up_to_a_limit() -> None:
    breaker, now, waits = opened(), 5.0, []
    for _ in range(4):
        assert breaker.admits(now)
        breaker.failed(now)
        waits.append(breaker.wait_s(now))
        now += waits[-1]
    assert waits == [10.0, 20.0, 20.0, 20.0]


def test_a_cancelled_probe_leaves_room_for_another() -> None:
    breaker = opened()
    assert breaker.admits(5.0)
    breaker.abandoned()
    assert breaker.admits(5.0)


def test_late_failures_of_earlier_calls_do_not_prolong_it() -> None:
    breaker = opened()
    breaker.failed(4.0)
    assert breaker.admits(5.0)


@given(st.lists(st.tuples(st.sampled_from(["fail", "succeed", "cancel"]), st.floats(0, 30))))
def test_it_always_lets_somebody_through_in_the_end(history: list[tuple[str, float]]) -> None:
    breaker, now = Breaker(faults_to_open=2, open_s=3.0, longest_open_s=60.0), 0.0
    for outcome, later_s in history:
        now += later_s
        if not breaker.admits(now):
            continue
        if outcome == "fail":
            breaker.failed(now)
        elif outcome == "succeed":
            breaker.succeeded()
        else:
            breaker.abandoned()
    assert breaker.admits(now + 60.0)
