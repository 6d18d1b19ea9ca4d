"""Analysis and disclosure of a study: refused where they promise what the study cannot give."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from matchmaking.study import Study, StudyError
from matchmaking.study.analysis import Analysis, Exclusion, Hypothesis, Look, Sample
from matchmaking.study.instruments.registry import INSTRUMENTS
from matchmaking.study.opening import obstacles
from matchmaking.study.pages import Consent, Debrief, Lobby, Play, Survey
from matchmaking.study.treatment import Treatment
from tests.matchmaking.study.made_studies import CONSENT, PAIR_CELL, ROBOT_CELL, study

SLOWER = Hypothesis(
    name="slower",
    text="With a robot people need more steps.",
    factor="partner",
    levels=("robot", "person"),
    outcome="episodes.ticks",
    direction="greater",
)
SAMPLE = Sample(effect=0.7, basis="A pilot.", per_level=40)


def analysis(**changes: Any) -> Analysis:
    """Return an analysis that the made study can keep, with some fields changed."""
    fields: dict[str, Any] = {"hypotheses": (SLOWER,), "model": "ticks ~ partner", "sample": SAMPLE}
    return Analysis(**{**fields, **changes})


def planned(**changes: Any) -> Study:
    """Return a study of 20 groups with two episodes in each of two conditions."""
    return study(**{"purpose": "confirmatory", "analysis": analysis(), **changes})


def test_a_confirmatory_study_with_its_analysis_opens() -> None:
    assert list(obstacles(planned())) == []


def test_a_confirmatory_study_without_analysis_does_not_open_but_a_pilot_does() -> None:
    (found,) = obstacles(planned(analysis=None))
    assert str(found).startswith("analysis: expected the analysis of a confirmatory study")
    assert list(obstacles(planned(analysis=None, mode="pilot"))) == []
    assert list(obstacles(planned(analysis=None, purpose="exploratory"))) == []


def test_conditions_that_cannot_be_told_apart_do_not_open_as_confirmatory() -> None:
    again = replace(PAIR_CELL, name="again")
    (found,) = obstacles(planned(cells=(PAIR_CELL, ROBOT_CELL, again)))
    assert "'pair' has the same levels" in str(found)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"hypotheses": ()}, "analysis, hypotheses: expected a primary hypothesis"),
    ({"hypotheses": (replace(SLOWER, is_primary=False),)}, "hypotheses: expected a primary"),
    ({"hypotheses": (SLOWER, SLOWER)}, "hypotheses 2, name: expected a name of its own"),
    ({"hypotheses": (replace(SLOWER, text=""),)}, "hypotheses 1, text: expected the prediction"),
    ({"hypotheses": (replace(SLOWER, factor="mood"),)}, "factor: there is no factor 'mood', only"),
    (
        {"hypotheses": (replace(SLOWER, levels=("robot", "cat")),)},
        "levels: expected two of its levels, ['person', 'robot']",
    ),
    ({"hypotheses": (replace(SLOWER, levels=("robot", "robot")),)}, "levels: expected two of its"),
    (
        {"hypotheses": (replace(SLOWER, outcome="episode.ticks"),)},
        "outcome: the export has no column 'episode.ticks'; the nearest is 'episodes.ticks'",
    ),
    ({"hypotheses": (replace(SLOWER, direction="equivalent"),)}, "bound: expected a bound above 0"),
    ({"hypotheses": (replace(SLOWER, bound=0.2),)}, "bound: expected a bound above 0"),
    ({"model": " "}, "analysis, model: expected the statistical model"),
    (
        {"exclusions": (Exclusion(column="seats.idle", relation=">", value=9, reason="away"),)},
        "exclusions 1, column: the export has no column 'seats.idle'; the nearest is 'seats.idle_",
    ),
    ({"sample": replace(SAMPLE, effect=0)}, "sample, effect: expected an effect (d) up to 5"),
    ({"sample": replace(SAMPLE, basis="")}, "sample, basis: expected where the effect"),
    ({"sample": replace(SAMPLE, alpha=0.9)}, "sample, alpha: expected an alpha below the power"),
    ({"sample": replace(SAMPLE, group_share=1.0)}, "sample, group_share: expected shares from 0"),
    (
        {"sample": replace(SAMPLE, per_level=41)},
        "per_level: expected at most 40, the episodes that the targets give for 'slower', got 41",
    ),
    ({"unit": "group"}, "per_level: expected at most 20, the groups that"),
    ({"unit": "participant"}, "per_level: expected at most 20, the participants that"),
    ({"looks": (Look(at_share=0.5, alpha=0),)}, "looks: expected the alpha that each look spends"),
    ({"looks": (Look(at_share=0.5, alpha=0.05),)}, "looks: expected looks that spend less than"),
    ({"looks": (Look(at_share=1.5, alpha=0.01),)}, "looks: expected shares between 0 and 1"),
]


@pytest.mark.parametrize(("changes", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_an_analysis_that_cannot_be_is_refused(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(StudyError) as failure:
        planned(analysis=analysis(**changes))
    assert told in str(failure.value)


def test_answers_and_scores_are_columns_where_they_are_asked() -> None:
    survey = Survey(questions=INSTRUMENTS["trust"].questions)
    pages = (CONSENT, Lobby(), Play(episodes=2), survey)
    for outcome in ("scores.trust_mean", "responses.trust_12"):
        plan = analysis(hypotheses=(replace(SLOWER, outcome=outcome),))
        assert planned(pages=pages, analysis=plan).analysis == plan
        with pytest.raises(StudyError, match=f"no column '{outcome}'"):
            planned(analysis=plan)


def test_who_names_an_instrument_is_told_its_scales() -> None:
    survey = Survey(questions=INSTRUMENTS["hoffman_fluency"].questions)
    pages = (CONSENT, Lobby(), Play(episodes=2), survey)
    plan = analysis(hypotheses=(replace(SLOWER, outcome="scores.hoffman_fluency"),))
    with pytest.raises(StudyError) as failure:
        planned(pages=pages, analysis=plan)
    assert "'scores.hoffman_fluency_fluency'" in str(failure.value)
    assert "'scores.hoffman_fluency_trust'" in str(failure.value)


# Disclosure

SENTENCE = "Your partner may be a person or a program."
HIDING = replace(ROBOT_CELL, treatment=Treatment(disclosure="told_falsely"))
TOLD = Consent(version="1", text={"en": f"We record you. {SENTENCE}"}, on_partners={"en": SENTENCE})
DEBRIEFED = (TOLD, Lobby(), Play(episodes=2), Debrief(text={"en": "It was a program."}))


@pytest.mark.parametrize("disclosure", ["not_told", "told_falsely"])
def test_who_is_not_told_is_owed_consent_debrief_and_withdrawal(disclosure: Any) -> None:
    cell = replace(ROBOT_CELL, treatment=Treatment(disclosure=disclosure))
    fields: dict[str, Any] = {"cells": (PAIR_CELL, cell), "withdraw_until": "2027-03-31"}
    assert study(pages=DEBRIEFED, **fields).withdraw_until == "2027-03-31"
    with pytest.raises(StudyError, match="pages 1, on_partners: expected the sentence"):
        study(pages=(CONSENT, *DEBRIEFED[1:]), **fields)
    with pytest.raises(StudyError, match="pages: expected a page 'debrief' at the end"):
        study(pages=DEBRIEFED[:-1], **fields)
    with pytest.raises(StudyError, match="withdraw_until: expected the date until which"):
        study(pages=DEBRIEFED, cells=(PAIR_CELL, cell))


def test_who_waits_though_nobody_is_waited_for_is_owed_a_debrief() -> None:
    cells = (PAIR_CELL, replace(ROBOT_CELL, waits_like=PAIR_CELL.name))
    of = study(pages=DEBRIEFED, cells=cells)
    assert of.owes_debrief
    assert not study(cells=(PAIR_CELL, ROBOT_CELL)).owes_debrief


def test_the_sentence_on_partners_is_in_the_consent_text() -> None:
    consent = replace(TOLD, text={"en": "We record you."})
    with pytest.raises(StudyError, match="on_partners, en: expected a sentence of the consent"):
        study(pages=(consent, *DEBRIEFED[1:]))


def test_the_date_of_withdrawal_is_a_date() -> None:
    with pytest.raises(StudyError, match="withdraw_until: expected a date such as 2026-12-31"):
        study(withdraw_until="soon")
