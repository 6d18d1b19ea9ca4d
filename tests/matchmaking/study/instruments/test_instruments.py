"""Instruments: whole, sourced, and scored by their published keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.study.instruments.hoffman_fluency import HOFFMAN_FLUENCY
from matchmaking.study.instruments.instrument import Instrument
from matchmaking.study.instruments.nasa_tlx import NASA_TLX
from matchmaking.study.instruments.registry import INSTRUMENTS, scores
from matchmaking.study.instruments.sickness import SICKNESS
from matchmaking.study.instruments.trust import TRUST
from matchmaking.study.pages import Consent, Lobby, Play, Survey
from tests.matchmaking.study.made_studies import study

EACH = pytest.mark.parametrize("instrument", INSTRUMENTS.values(), ids=INSTRUMENTS)
SIZES = {
    "nasa_tlx": 6,
    "hoffman_fluency": 13,
    "trust": 12,
    "rosas": 18,
    "explanation": 8,
    "ssq": 16,
}


def answers(instrument: Instrument, value: float) -> dict[str, float]:
    """Return the same answer to each item."""
    return {question.name: value for question in instrument.questions}


@EACH
def test_an_instrument_is_whole_and_says_where_it_is_from(instrument: Instrument) -> None:
    assert instrument.source
    assert instrument.licence
    assert len(instrument.questions) == SIZES[instrument.name]
    names = {question.name for question in instrument.questions}
    assert all(name.startswith(instrument.name) for name in names)
    scored = {item for scale in instrument.scales for item in scale.items}
    assert scored == names
    assert all(set(scale.reversed) <= set(scale.items) for scale in instrument.scales)


@EACH
def test_an_instrument_is_a_survey_of_a_study(instrument: Instrument) -> None:
    survey = Survey(questions=instrument.questions)
    consent = Consent(version="1", text={"en": "We ask."})
    assert survey in study(pages=(consent, Lobby(), Play(), survey)).pages


@EACH
def test_a_missing_answer_leaves_the_score_open(instrument: Instrument) -> None:
    given_answers = answers(instrument, 1)
    missing = instrument.questions[0].name
    del given_answers[missing]
    found = instrument.scores(given_answers)
    for scale in instrument.scales:
        is_open = found[f"{instrument.name}_{scale.name}"] is None
        assert is_open == (missing in scale.items)


@EACH
@given(data=st.data())
def test_scores_stay_between_those_of_the_lowest_and_the_highest_answers(
    instrument: Instrument, data: st.DataObject
) -> None:
    given_answers = {
        q.name: data.draw(st.integers(int(q.least or 0), int(q.most or 0)))
        for q in instrument.questions
    }
    found = instrument.scores(given_answers)
    least, most = instrument.questions[0].least or 0, instrument.questions[0].most or 0
    for scale in instrument.scales:
        score = found[f"{instrument.name}_{scale.name}"]
        assert score is not None
        count = 1 if scale.how == "mean" else len(scale.items)
        assert least * count - 1e-9 <= score / scale.factor <= most * count + 1e-9


def test_the_raw_load_is_the_mean_of_six_ratings_of_a_hundred() -> None:
    ratings = dict(zip(answers(NASA_TLX, 0), [20, 0, 10, 5, 15, 4], strict=True))
    found = NASA_TLX.scores(ratings)
    assert found["nasa_tlx_raw"] == pytest.approx((100 + 0 + 50 + 25 + 75 + 20) / 6)
    assert found["nasa_tlx_frustration"] == 20


def test_sickness_has_the_published_maxima() -> None:
    """Bimberg, Weissker and Kulik (IEEE VRW 2020) print them: 200.34, 159.18, 292.32, 235.62."""
    found = SICKNESS.scores(answers(SICKNESS, 3))
    assert found == pytest.approx(
        {
            "ssq_nausea": 200.34,
            "ssq_oculomotor": 159.18,
            "ssq_disorientation": 292.32,
            "ssq_total": 235.62,
        }
    )


def test_items_that_speak_against_are_reversed() -> None:
    trust = TRUST.scores({f"trust_{n}": 1 if n <= 5 else 7 for n in range(1, 13)})
    assert trust == {"trust_mean": 7, "trust_distrust": 1}
    given_answers = answers(HOFFMAN_FLUENCY, 7)
    assert HOFFMAN_FLUENCY.scores(given_answers)["hoffman_fluency_partner_contribution"] == 4
    given_answers.update(hoffman_fluency_4=1, hoffman_fluency_6=1)
    assert HOFFMAN_FLUENCY.scores(given_answers)["hoffman_fluency_partner_contribution"] == 7


def test_an_answer_off_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="ssq_1: expected 0 to 3, got 4"):
        SICKNESS.scores(answers(SICKNESS, 4))


def test_instruments_are_scored_where_they_were_asked() -> None:
    assert scores({"age": 30}) == {}
    assert set(scores(answers(TRUST, 4))) == {"trust_mean", "trust_distrust"}
