"""Promises of pay: each sentence holds, however the visit ends that it speaks of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.limits import Limits
from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.study.pages import Lobby, Page, Play, Quiz, Survey
from matchmaking.study.pay import Measure, Pay, Payment, by_the_hour
from tests.matchmaking.study.made_studies import CONSENT, choice
from tests.matchmaking.study.made_studies import study as made

ALONE = (CONSENT, Lobby(), Play())
SCREENED = (CONSENT, Quiz(questions=(choice("understood", ("yes",)),)), Lobby(), Play())
SCREENED_LATE = (CONSENT, Lobby(), Play(), Quiz(questions=(choice("understood", ("yes",)),)))
ATTENTIVE = (
    CONSENT,
    Lobby(),
    Play(),
    Survey(questions=(choice("reads", ("yes",)),), ends_inattentive=True),
)
AMOUNTS = st.sampled_from([0, 1, 300, 600, 900, 4000])
PAYMENTS = st.sampled_from(
    [Payment(Measure.FULL), Payment(Measure.TIME), Payment(Measure.NONE), Payment(Measure.FIXED, 9)]
)
PAYS = st.builds(
    Pay,
    base=AMOUNTS,
    hourly=st.sampled_from([1, 600, 900]),
    waiting_hourly=st.sampled_from([None, None, 0, 1, 900]),
    waiting_free_s=st.sampled_from([0.0, 0.0, 60.0, 600.0]),
    endings=st.dictionaries(st.sampled_from(list(Ending)), PAYMENTS, max_size=3),
    time_ceiling=st.none() | st.none() | AMOUNTS,
)
STUDIES = st.builds(
    lambda pay, minutes, limit_s, wait_s, pages: made(
        pay=pay, minutes=minutes, visit_limit_s=limit_s, limits=Limits(wait_s=wait_s), pages=pages
    ),
    PAYS,
    st.sampled_from([None, 0.5, 20.0]),
    st.sampled_from([None, 14_400.0]),
    st.sampled_from([300.0, 3600.0]),
    st.sampled_from([ALONE, SCREENED, SCREENED_LATE, ATTENTIVE]),
)
FIVE_MINUTES = 300.0


def paying(*, unpaid: tuple[Ending, ...] = (), minutes: float | None = 20, **pay: object) -> Study:
    endings = {ending: Payment(Measure.NONE) for ending in unpaid}
    of = {"base": 300, "hourly": 900, "endings": endings} | pay
    return made(pay=Pay(**of), minutes=minutes, pages=SCREENED)  # type: ignore[arg-type]


@given(STUDIES, st.sampled_from([0.0, FIVE_MINUTES, 1500.0]), st.sampled_from([0.0, FIVE_MINUTES]))
def test_every_sentence_holds_however_the_visit_ends(
    study: Study, worked_s: float, waited_s: float
) -> None:
    pay, promises, ceiling = study.pay, study.promises, study.time_ceiling
    work, waiting = by_the_hour(worked_s, pay.hourly), by_the_hour(waited_s, pay.waiting_rate)
    most = work + waiting if ceiling.total is None else ceiling.total

    def total(ending: Ending) -> int:
        return study.owed(ending, spent_s=worked_s + waited_s, waited_s=waited_s).total

    if promises.time:
        assert ceiling.work
        for ending in promises.after_consent - {Ending.COMPLETED}:
            assert total(ending) >= min(min(work, ceiling.work) + waiting, most)
            assert total(ending) or not worked_s
    if promises.waiting:
        for ending in promises.after_waiting:
            is_full = pay.of(ending).measure is Measure.FULL
            assert total(ending) >= min(waiting, most) + (pay.base if is_full else 0)
            assert total(ending) or not waited_s
            assert study.owed(ending, spent_s=waited_s, waited_s=waited_s).total >= waiting
    for ending in filter(promises.covers, Ending):
        assert total(ending) >= min(min(work, ceiling.work or work) + waiting, most)
        assert total(ending) or not worked_s + waited_s
    if promises.is_capped:
        assert any(
            study.owed(ending, spent_s=FIVE_MINUTES).total for ending in promises.after_consent
        )


def test_a_study_that_pays_all_time_says_all_of_it() -> None:
    promises = paying().promises
    assert promises.time
    assert promises.waiting
    assert promises.covers(Ending.WITHDREW)


@pytest.mark.parametrize(
    ("study", "time", "waiting", "is_capped"),
    [
        (
            paying(unpaid=(Ending.NO_PARTNER, Ending.WITHDREW, Ending.SCREENED_OUT)),
            False,
            False,
            True,
        ),
        # Nobody who has waited is screened out any more, and no question ends this visit.
        (paying(unpaid=(Ending.SCREENED_OUT,)), False, True, True),
        (paying(unpaid=(Ending.ATTENTION_FAILED,)), True, True, True),
        (paying(waiting_hourly=0), True, False, True),
        # A partner who leaves would take the time with them that the base covers.
        (paying(waiting_free_s=600), False, False, True),
        (paying(waiting_free_s=600, base=450), True, False, True),
        (paying(base=299), False, True, True),
        (paying(time_ceiling=0), False, False, False),
        (paying(time_ceiling=899), False, False, True),
        # Work is paid first: whoever works long leaves nothing of the ceiling for the wait.
        (paying(time_ceiling=1199), False, False, True),
        (paying(time_ceiling=1200), False, True, True),
        (paying(minutes=None), False, True, True),
        (paying(base=0, hourly=0), False, False, False),
    ],
)
def test_what_is_not_paid_is_not_promised(
    study: Study, time: bool, waiting: bool, is_capped: bool
) -> None:
    promises = study.promises
    assert (promises.time, promises.waiting, promises.is_capped) == (time, waiting, is_capped)


@pytest.mark.parametrize(
    ("pages", "ending"),
    [(SCREENED_LATE, Ending.SCREENED_OUT), (ATTENTIVE, Ending.ATTENTION_FAILED)],
)
def test_an_ending_that_comes_after_the_lobby_is_one_after_waiting(
    pages: tuple[Page, ...], ending: Ending
) -> None:
    unpaid = Pay(base=300, hourly=900, endings={ending: Payment(Measure.NONE)})
    study = made(pay=unpaid, minutes=20, pages=pages)
    assert not study.promises.waiting
    assert not study.promises.time
