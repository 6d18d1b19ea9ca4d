"""Token buckets: never more than a burst and what time gives."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.web import token_buckets
from server.web.token_buckets import Rate, TokenBuckets

STEPS = st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 3)), max_size=80)


@given(STEPS, st.floats(0.1, 5), st.integers(1, 10))
def test_nobody_takes_more_than_a_burst_and_what_time_gives(
    steps: list[tuple[str, float]], per_s: float, burst: int
) -> None:
    buckets, now, taken = TokenBuckets(Rate(per_s, burst)), 0.0, dict.fromkeys("abc", 0)
    for name, later in steps:
        now += later
        wait_s = buckets.wait_s(name, now)
        if buckets.take(name, now):
            taken[name] += 1
            assert wait_s == 0
        else:
            assert buckets.level(name, now + wait_s) >= 1 - 1e-9
    for name, count in taken.items():
        assert count <= burst + per_s * now + 1e-6, name


@given(STEPS)
def test_one_name_takes_nothing_from_another(steps: list[tuple[str, float]]) -> None:
    together, alone = TokenBuckets(Rate(1, 3)), TokenBuckets(Rate(1, 3))
    now = 0.0
    for name, later in steps:
        now += later
        took = together.take(name, now)
        if name == "a":
            assert took == alone.take(name, now)


def test_what_is_full_again_is_forgotten() -> None:
    buckets = TokenBuckets(Rate(1, 5))
    for number in range(20 * token_buckets._FORGET_AT):
        assert buckets.take(f"stranger {number}", number / 100)
    # In five seconds 500 came, and each is whole again after one.
    assert len(buckets) <= token_buckets._FORGET_AT
