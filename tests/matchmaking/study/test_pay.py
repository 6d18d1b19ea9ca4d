"""Pay by ending: time, waiting and bonus."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.study.endings import Ending
from matchmaking.study.pay import DEFAULT_PAYMENTS, Measure, Owed, Pay, Payment

PAY = Pay(base=600, hourly=900, bonus_per_success=50)


@pytest.mark.parametrize(
    ("ending", "owed"),
    [
        (Ending.COMPLETED, Owed(600, 100, 75)),
        (Ending.PARTNER_LEFT, Owed(600, 100, 75)),
        (Ending.OVER_RECRUITED, Owed(600, 100, 75)),
        (Ending.NO_PARTNER, Owed(225, 0, 75)),
        (Ending.TECHNICAL_FAILURE, Owed(225, 0, 75)),
        (Ending.SCREENED_OUT, Owed(225, 0, 75)),
        (Ending.ATTENTION_FAILED, Owed(225, 0, 75)),
        (Ending.TIMED_OUT, Owed(225, 0, 75)),
        (Ending.WITHDREW, Owed(225, 0, 75)),
        (Ending.NO_CONSENT, Owed(0, 0, 0)),
    ],
)
def test_twenty_minutes_of_which_five_were_waited(ending: Ending, owed: Owed) -> None:
    assert PAY.owed(ending, spent_s=1200, waited_s=300, successes=2) == owed


def test_every_ending_has_a_payment() -> None:
    assert set(DEFAULT_PAYMENTS) == set(Ending)


def test_an_ending_can_have_an_amount_of_its_own() -> None:
    pay = Pay(base=6, hourly=9, endings={Ending.SCREENED_OUT: Payment(Measure.FIXED, 14)})
    assert pay.owed(Ending.SCREENED_OUT, spent_s=3600).total == 14
    assert pay.less() == ["screened_out"]


def test_R4_waiting_that_the_base_covers_is_not_paid_again() -> None:
    pay = Pay(base=600, hourly=900, waiting_free_s=300)
    assert pay.owed(Ending.COMPLETED, spent_s=1200, waited_s=300) == Owed(600, 0, 0)
    assert pay.owed(Ending.COMPLETED, spent_s=1200, waited_s=304) == Owed(600, 0, 1)
    assert pay.owed(Ending.WITHDREW, spent_s=300, waited_s=300) == Owed(0, 0, 75)


def test_more_than_the_default_is_not_less() -> None:
    pay = Pay(base=6, hourly=9, endings={Ending.WITHDREW: Payment(Measure.FULL)})
    assert pay.less() == []
    assert Pay(endings={Ending.WITHDREW: Payment(Measure.NONE)}).less() == [], "nobody is paid"


@pytest.mark.parametrize(
    ("pay", "minutes", "ceiling"),
    [
        (PAY, 20, 300),
        (PAY, None, 600),
        (Pay(base=600, hourly=900, time_ceiling=450), 20, 450),
        (Pay(base=600, hourly=900, time_ceiling=0), 20, 0),
        (Pay(hourly=900), None, None),
    ],
)
def test_the_time_of_a_visit_earns_no_more_than_the_time_that_it_is_said_to_take(
    pay: Pay, minutes: float | None, ceiling: int | None
) -> None:
    assert pay.ceiling(minutes) == ceiling


@pytest.mark.parametrize(
    ("ending", "waited_s", "owed"),
    [
        (Ending.TIMED_OUT, 0, Owed(300)),
        (Ending.WITHDREW, 14_000, Owed(100, 0, 200)),
        (Ending.COMPLETED, 14_000, Owed(600, 100, 300)),
        (Ending.NO_CONSENT, 0, Owed()),
    ],
)
def test_four_hours_of_a_visit_of_twenty_minutes_are_paid_as_twenty_minutes(
    ending: Ending, waited_s: float, owed: Owed
) -> None:
    found = PAY.owed(ending, spent_s=14_400, waited_s=waited_s, successes=2, ceiling=300)
    assert found == owed


@given(
    st.sampled_from(list(Ending)),
    st.floats(0, 20_000),
    st.floats(0, 1),
    st.integers(0, 5),
    st.none() | st.integers(0, 1000),
)
def test_longer_visits_are_never_paid_less(
    ending: Ending, spent_s: float, share: float, successes: int, ceiling: int | None
) -> None:
    owed = partial(PAY.owed, ending, waited_s=spent_s * share, successes=successes, ceiling=ceiling)
    less, more = owed(spent_s=spent_s), owed(spent_s=spent_s + 60)
    assert 0 <= less.total <= more.total
