"""Pay by ending: time, waiting and bonus."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.study.endings import Ending
from matchmaking.study.pay import DEFAULT_PAYMENTS, Ceiling, Length, Measure, Owed, Pay, Payment

PAY = Pay(base=600, hourly=900, bonus_per_success=50)


def less(pay: Pay, minutes: float | None = None) -> list[str]:
    return pay.less(Length(minutes, wait_s=3600, visit_limit_s=14_400))


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
    assert less(pay) == ["screened_out"]


def test_R4_waiting_that_the_base_covers_is_not_paid_again() -> None:
    pay = Pay(base=600, hourly=900, waiting_free_s=300)
    assert pay.owed(Ending.COMPLETED, spent_s=1200, waited_s=300) == Owed(600, 0, 0)
    assert pay.owed(Ending.COMPLETED, spent_s=1200, waited_s=304) == Owed(600, 0, 1)
    assert pay.owed(Ending.WITHDREW, spent_s=300, waited_s=300) == Owed(0, 0, 75)


@pytest.mark.parametrize(
    ("pay", "said"),
    [
        (Pay(base=600, hourly=900, waiting_hourly=899), ["waiting"]),
        (Pay(base=600, hourly=900, waiting_free_s=1), ["waiting"]),
        (Pay(base=600, hourly=900, waiting_hourly=901), []),
    ],
)
def test_waiting_that_is_paid_less_than_the_time_is_said(pay: Pay, said: list[str]) -> None:
    assert less(pay) == said


def test_more_than_the_default_is_not_less() -> None:
    pay = Pay(base=6, hourly=9, endings={Ending.WITHDREW: Payment(Measure.FULL)})
    assert less(pay) == []
    assert less(Pay(endings={Ending.WITHDREW: Payment(Measure.NONE)})) == [], "nobody is paid"


@pytest.mark.parametrize(
    ("pay", "minutes", "ceiling"),
    [
        # Twenty minutes and an hour of waiting; without minutes four hours, as long as a visit is.
        (PAY, 20, Ceiling(1200, 300)),
        (PAY, None, Ceiling(3600)),
        (Pay(base=600, hourly=900, waiting_hourly=0), 20, Ceiling(300, 300)),
        (Pay(base=600, hourly=900, time_ceiling=450), 20, Ceiling(450)),
        (Pay(base=600, hourly=900, time_ceiling=0), 20, Ceiling(0)),
    ],
)
def test_the_ceiling_is_what_a_visit_is_said_to_take_and_the_longest_wait(
    pay: Pay, minutes: float | None, ceiling: Ceiling
) -> None:
    assert pay.ceiling(Length(minutes, wait_s=3600, visit_limit_s=14_400)) == ceiling
    unlimited = pay.ceiling(Length(None, wait_s=3600, visit_limit_s=None))
    assert unlimited == Ceiling(pay.time_ceiling)


@pytest.mark.parametrize(
    ("pay", "minutes", "words"),
    [
        (PAY, 20, []),
        (PAY, None, []),
        (Pay(base=600, hourly=900, time_ceiling=1), 20, ["time above pay.time_ceiling"]),
        (Pay(base=600, hourly=900, time_ceiling=1199), 20, ["time above pay.time_ceiling"]),
        (Pay(base=600, hourly=900, time_ceiling=1200), 20, []),
        (Pay(base=600, hourly=900, time_ceiling=3599), None, ["time above pay.time_ceiling"]),
        (Pay(base=1, hourly=1200), None, []),
        (Pay(bonus_per_success=1000), None, ["time"]),
        (
            Pay(endings={Ending.COMPLETED: Payment(Measure.FIXED, 500)}),
            None,
            ["completed", "time"],
        ),
        (
            Pay(base=299, hourly=900),
            20,
            [
                f"{ending} (the base, for 20 minutes)"
                for ending in ("completed", "partner_left", "over_recruited")
            ],
        ),
    ],
)
def test_what_pays_less_than_the_time_is_named(
    pay: Pay, minutes: float | None, words: list[str]
) -> None:
    assert less(pay, minutes) == words


@pytest.mark.parametrize("base", [0, 1, 100])
def test_an_hour_is_paid_as_an_hour_where_nothing_says_for_how_long_the_base_is(base: int) -> None:
    owed = partial(Pay(base=base, hourly=1200).owed, is_flat=False, ceiling=Ceiling(4800))
    assert owed(Ending.COMPLETED, spent_s=3600).total == 1200
    assert owed(Ending.COMPLETED, spent_s=3600, waited_s=1800) == Owed(600, 0, 600)
    assert owed(Ending.COMPLETED, spent_s=3600) == owed(Ending.WITHDREW, spent_s=3600)
    assert owed(Ending.COMPLETED, spent_s=0) == Owed(base)


def test_an_hour_of_waiting_is_paid_in_a_study_of_twenty_minutes() -> None:
    ceiling = PAY.ceiling(Length(20, wait_s=3600, visit_limit_s=14_400))
    owed = PAY.owed(Ending.NO_PARTNER, spent_s=3900, waited_s=3600, ceiling=ceiling)
    assert owed == Owed(75, 0, 900)
    assert PAY.owed(Ending.WITHDREW, spent_s=6000, ceiling=ceiling) == Owed(300)


@pytest.mark.parametrize(
    "pay",
    [
        Pay(base=1, hourly=1),
        Pay(bonus_per_success=1),
        Pay(waiting_hourly=1),
        Pay(endings={Ending.WITHDREW: Payment(Measure.FIXED, 1)}),
    ],
)
def test_whatever_can_be_owed_is_pay(pay: Pay) -> None:
    assert pay.is_paid
    assert not Pay().is_paid


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
    found = PAY.owed(ending, spent_s=14_400, waited_s=waited_s, successes=2, ceiling=Ceiling(300))
    assert found == owed


@given(
    st.sampled_from(list(Ending)),
    st.floats(0, 20_000),
    st.floats(0, 1),
    st.integers(0, 5),
    st.builds(Ceiling, st.none() | st.integers(0, 1000), st.none()),
    st.booleans(),
)
def test_longer_visits_are_never_paid_less(
    ending: Ending, spent_s: float, share: float, successes: int, ceiling: Ceiling, is_flat: bool
) -> None:
    owed = partial(
        PAY.owed,
        ending,
        waited_s=spent_s * share,
        successes=successes,
        ceiling=ceiling,
        is_flat=is_flat,
    )
    less, more = owed(spent_s=spent_s), owed(spent_s=spent_s + 60)
    assert 0 <= less.total <= more.total


def test_currencies_without_hundredths_are_known() -> None:
    assert not Pay(currency="JPY").has_hundredths
    assert Pay(currency="EUR").has_hundredths
