"""Budgets of frames: whoever floods is cut off after a known number, whoever plays never is."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import example, given
from hypothesis import strategies as st

from server.web.frame_budget import (
    BYTES_PER_TOKEN,
    GREETING,
    PLAYING,
    WAITING,
    Allowance,
    FrameBudget,
)
from server.web.input_limits import LARGEST_MESSAGE, RATES, InputLimits
from server.web.token_buckets import Bucket, Rate
from server.wire.messages import DriveInput, Ping, SelectInput

ALLOWANCES = st.sampled_from((GREETING, PLAYING, WAITING))
FRAMES = st.lists(
    st.tuples(
        st.floats(0, 5, allow_nan=False),
        st.one_of(st.none(), st.integers(1, LARGEST_MESSAGE)),
    ),
    max_size=200,
)
"""Seconds since the frame before, and the length of a message (None: any other frame)."""


class Neighbourhood:
    """An address with a bucket of its own."""

    def __init__(self, rate: Rate) -> None:
        self._bucket = Bucket(rate, 0.0)
        self.counted = self.punished = 0

    def take_frame(self, now: float) -> bool:
        self.counted += 1
        return self._bucket.take(now)

    def punish(self, now: float) -> None:
        self.punished += 1


def take(budget: FrameBudget, length: int | None, now: float) -> bool:
    return budget.take_other(now) if length is None else budget.take_message(length, now)


@given(ALLOWANCES, FRAMES)
def test_what_is_let_through_stays_below_the_allowance_in_every_span(
    allowance: Allowance, frames: list[tuple[float, int | None]]
) -> None:
    budget = FrameBudget(0.0)
    budget.admit(allowance, 0.0)
    times = list(accumulate(gap for gap, _ in frames))
    passed: list[tuple[float, bool, float]] = []
    for (_, length), now in zip(frames, times, strict=True):
        if take(budget, length, now):
            cost = 1.0 if length is None else 1 + length // BYTES_PER_TOKEN
            passed.append((now, length is None, cost))
    for is_other, rate in ((False, allowance.messages), (True, allowance.others)):
        kind = [(now, cost) for now, other, cost in passed if other is is_other]
        for first, (begun, _) in enumerate(kind):
            spent = 0.0
            for now, cost in kind[first:]:
                spent += cost
                assert spent <= rate.burst + rate.per_s * (now - begun) + 1e-6


@given(ALLOWANCES, FRAMES)
def test_who_has_exceeded_it_once_has_nothing_any_more(
    allowance: Allowance, frames: list[tuple[float, int | None]]
) -> None:
    home = Neighbourhood(Rate(1e9, 1e9))
    budget = FrameBudget(0.0, home)
    budget.admit(allowance, 0.0)
    now, is_out = 0.0, False
    for gap, length in frames:
        now += gap
        is_paid = take(budget, length, now)
        assert not (is_out and is_paid)
        is_out = is_out or not is_paid
        assert budget.is_spent is is_out
        assert home.punished == is_out


@given(st.lists(st.tuples(st.integers(0, 9), st.floats(0, 0.1)), min_size=100, max_size=300))
@example([(number, 0.0) for number in range(10)] * 15)
@example([(number, 0.01) for number in range(10) for _ in range(15)])
def test_strangers_of_one_address_share_a_budget_however_many_they_are(
    frames: list[tuple[int, float]],
) -> None:
    rate = Rate(5, 20)
    home = Neighbourhood(rate)
    strangers = [FrameBudget(0.0, home) for _ in range(10)]
    now = passed = 0.0
    for number, gap in frames:
        now += gap
        passed += strangers[number].take_other(now)
        assert passed <= rate.burst + rate.per_s * now + 1e-6
    # None of them would have been cut off for what it sent by itself before its sixteenth frame.
    assert home.punished == sum(stranger.is_spent for stranger in strangers) > 0


def test_who_has_said_hello_does_not_pay_for_the_strangers_next_door() -> None:
    home = Neighbourhood(Rate(0, 3))
    player, stranger = FrameBudget(0.0, home), FrameBudget(0.0, home)
    player.admit(PLAYING, 0.0)
    while stranger.take_other(0.0):
        pass
    assert home.counted == 4
    assert all(player.take_message(40, 0.0) and player.take_other(0.0) for _ in range(50))
    assert home.counted == 4


def test_a_hello_as_large_as_a_message_may_be_fits_before_hello() -> None:
    budget = FrameBudget(0.0)
    assert budget.take_message(LARGEST_MESSAGE, 0.0)
    assert budget.take_message(100, 0.0)


def test_a_player_meets_the_limits_of_messages_first() -> None:
    """Send as fast as can be: the warning, and the end, come from those who know the messages."""
    for message in (DriveInput(0, 0, 0, 0, 0), Ping(0), SelectInput(0)):
        limits, budget = InputLimits(0.0), FrameBudget(0.0)
        budget.admit(PLAYING, 0.0)
        while limits.judge(message, 0.0) != "close":
            assert budget.take_message(60, 0.0)


@given(st.floats(0, 0.02), st.integers(100, 1000))
def test_as_much_of_everything_as_may_be_sent_is_let_through(gap: float, count: int) -> None:
    budget = FrameBudget(0.0)
    budget.admit(PLAYING, 0.0)
    limits = InputLimits(0.0)
    now = 0.0
    for number in range(count):
        now += gap
        message = (DriveInput(0, 0, 0, 0, 0), Ping(0), SelectInput(0))[number % 3]
        if limits.judge(message, now) == "pass":
            assert budget.take_message(100, now)
    assert set(RATES) == {"DriveInput", "SayInput", "Ping", "PageStats"}


def test_pings_of_proxies_and_answers_to_ours_are_far_below_the_limits() -> None:
    budget = FrameBudget(0.0)
    budget.admit(WAITING, 0.0)
    for second in range(7200):
        assert budget.take_other(float(second))
