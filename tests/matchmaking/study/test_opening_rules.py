"""Rules for opening a study: what would waste people's time or money is refused, or warned of."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from matchmaking.limits import AtDeadline
from matchmaking.pair_rules import LatencyBound
from matchmaking.study.analysis import Exclusion
from matchmaking.study.conditions import Cell, Factor
from matchmaking.study.endings import Ending
from matchmaking.study.exclusion_rules import END_REASONS
from matchmaking.study.opening_rules import (
    OWN_LANGUAGES,
    opening_problems,
    opening_warnings,
    people_wanted,
)
from matchmaking.study.pages import Consent, Debrief, Lobby, Play, Quiz
from matchmaking.study.pay import Pay
from matchmaking.study.recruiter import Recruiter
from matchmaking.study.treatment import Disclosure, Treatment
from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from server.sessions.events import EndReason
from server.web.participants.texts import LOCALES
from tests.matchmaking.study.made_studies import (
    CONSENT,
    PAIR_CELL,
    ROBOT_CELL,
    all_pages,
    study,
)
from tests.matchmaking.study.test_study_analysis import analysis

TODAY = "2026-11-26"
TWIN = replace(PAIR_CELL, name="twin", levels={"partner": "robot"})
SOLD = Recruiter(kind="prolific", codes={Ending.NO_PARTNER: "C2"})

YOKED = replace(ROBOT_CELL, waits_like=PAIR_CELL.name)
UNDEBRIEFED = tuple(page for page in all_pages() if not isinstance(page, Debrief))

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"name": "preflight-mine"}, "name: expected a name that does not begin with 'preflight-'"),
    ({"pay": Pay(currency="JPY")}, "pay, currency: expected a currency with hundredths"),
    (
        {"cells": (PAIR_CELL, YOKED), "pages": UNDEBRIEFED},
        "pages: expected a page 'debrief' at the end that says why people waited",
    ),
    ({"pay": Pay(base=5, hourly=5, cap=100_000)}, "pay, hourly: an hour earns 0.05 GBP"),
    ({"pay": Pay(base=10, hourly=900, cap=100_000), "minutes": 60}, "an hour earns 0.10 GBP"),
    ({"pay": Pay(base=600, hourly=900, cap=9_000)}, "it pays for 9 of the 60 people"),
    ({"cells": (PAIR_CELL, TWIN)}, "cells 2: 'twin' plays exactly as 'pair' does"),
    (
        {"factors": (Factor(name="partner", levels=("person", "robot", "none")),)},
        "factors 1, levels: no condition has the level 'none'",
    ),
    ({"withdraw_until": "2026-11-26"}, "withdraw_until: expected a date after today"),
    ({"recruiter": SOLD}, "recruiter, codes: expected a code for `completed`"),
]


def told(**changes: Any) -> list[str]:
    return [str(problem) for problem in opening_problems(study(**changes), TODAY)]


def test_a_sound_study_opens() -> None:
    assert told(withdraw_until="2026-11-27") == []
    assert people_wanted(study()) == 60


@pytest.mark.parametrize(("changes", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_would_waste_time_or_money_is_refused(changes: dict[str, Any], words: str) -> None:
    (problem,) = told(**changes)
    assert words in problem


def test_low_pay_is_a_warning_once_the_consent_text_says_so() -> None:
    sentence = "You are paid very little."
    consent = replace(CONSENT, text={"en": sentence}, on_pay={"en": sentence})
    pages = tuple(consent if page == CONSENT else page for page in all_pages())
    low = study(pay=Pay(base=5, hourly=5, cap=100_000), pages=pages)
    assert list(opening_problems(low, TODAY)) == []
    (warning,) = opening_warnings(low)
    assert "an hour earns 0.05 GBP at the least, which is low" in str(warning)
    assert list(opening_warnings(study())) == []


@pytest.mark.parametrize(
    ("time_ceiling", "minutes", "warns"),
    [(1500, 20, True), (300, 20, False), (None, 20, False), (1500, None, False)],
)
def test_a_ceiling_that_pays_those_who_stop_late_more_is_warned_of(
    time_ceiling: int | None, minutes: float | None, warns: bool
) -> None:
    pay = Pay(base=300, hourly=900, time_ceiling=time_ceiling, cap=100_000)
    warnings = [problem.text for problem in opening_warnings(study(pay=pay, minutes=minutes))]
    told = "whoever stops late earns up to 15.00 GBP, and whoever completes in the same time 3.00"
    assert [text.partition(":")[0] for text in warnings] == [told] * warns


@pytest.mark.parametrize(
    ("column", "relation", "value", "words"),
    [
        ("episodes.end_reason", "==", "technical_failure", "is an ending of visits"),
        ("episodes.end_reason", "==", "time_limits", "the nearest is 'time_limit'"),
        ("episodes.end_reason", "<", "failed", "expected == or !="),
        ("visits.ending", "!=", "complete", "the nearest is 'completed'"),
        ("episodes.success", "==", "yes", "expected true or false"),
        ("episodes.ticks", ">", "many", "expected a number"),
        ("responses.understood", "==", "maybe", "is never 'maybe', only no, yes"),
    ],
)
def test_an_exclusion_over_a_value_that_does_not_exist_is_refused(
    column: str, relation: Any, value: Any, words: str
) -> None:
    rule = Exclusion(column=column, relation=relation, value=value, reason="It is so.")
    (problem,) = told(analysis=analysis(exclusions=(rule,)))
    assert problem.startswith("analysis, exclusions 1, ")
    assert words in problem


def test_the_reasons_that_rules_may_name_are_those_of_episodes() -> None:
    assert set(END_REASONS) == set(get_args(EndReason))


@pytest.mark.parametrize(
    ("disclosure", "at_deadline", "cell", "warns"),
    [
        ("not_told", AtDeadline.ROBOT, PAIR_CELL, True),
        ("told_falsely", AtDeadline.ROBOT, PAIR_CELL, True),
        ("told", AtDeadline.ROBOT, PAIR_CELL, False),
        ("not_told", AtDeadline.END, PAIR_CELL, False),
        ("not_told", AtDeadline.ROBOT, ROBOT_CELL, False),
    ],
)
def test_a_substitute_of_whom_people_are_not_told_is_warned_of(
    disclosure: Disclosure, at_deadline: AtDeadline, cell: Cell, warns: bool
) -> None:
    hidden = replace(cell, levels={}, treatment=Treatment(disclosure=disclosure))
    consent = replace(CONSENT, on_partners={"en": "Nobody is paid less."})
    made = study(
        factors=(),
        cells=(hidden,),
        pages=tuple(consent if page == CONSENT else page for page in all_pages()),
        at_deadline=at_deadline,
        substitute="expert" if at_deadline is AtDeadline.ROBOT else "",
        withdraw_until="2026-12-31",
    )
    warnings = [str(warning) for warning in opening_warnings(made)]
    told = "at_deadline: whoever begins at the deadline knows that a program plays, though"
    assert [text.startswith(told) for text in warnings] == [True] * warns


def test_first_tries_before_any_explanation_are_warned_of() -> None:
    compared = read_study(ready_text("explanation")).study
    (warning,) = [w for w in opening_warnings(compared) if w.where[0] == "analysis"]
    assert "the first task's first try comes before any explanation" in warning.text
    alike = tuple(replace(cell, treatment=Treatment()) for cell in compared.cells)
    warnings = opening_warnings(replace(compared, cells=alike))
    assert [w for w in warnings if w.where[0] == "analysis"] == []


def test_a_bound_on_the_round_trip_is_warned_of_where_conditions_are_compared() -> None:
    far = study(latency=LatencyBound(most_ms=200))
    (warning,) = opening_warnings(far)
    assert str(warning).startswith("latency: who is far away can join few groups")
    alone = replace(far, cells=(replace(PAIR_CELL, levels={}),), factors=())
    assert list(opening_warnings(alone)) == []


def test_a_language_that_our_own_words_are_not_in_is_warned_of() -> None:
    """Consent in German with an English button is no form of one language."""
    both = {"en": "Taking part is free.", "de-CH": "Die Teilnahme ist frei."}
    consent = Consent(version="1", text=both)
    pages = (consent, Lobby(), Play(), Debrief(text={"en": "Thanks.", "de-CH": "Danke."}))
    titles = {"en": "Homes", "de-CH": "Wohnen"}
    german = study(title=titles, languages=("en", "de-CH"), pages=pages)
    (warning,) = opening_warnings(german)
    assert warning.where == ("languages",)
    assert "also where your texts are in de-CH:" in warning.text


def test_languages_of_ours_are_those_of_the_catalogues() -> None:
    assert sorted(OWN_LANGUAGES) == sorted(p.name for p in LOCALES.iterdir() if p.is_dir())


@pytest.mark.parametrize(("cap", "warns"), [(36_000, True), (60 * 800, False)])
def test_a_cap_that_leaves_no_bonus_for_all_is_warned_of(cap: int, warns: bool) -> None:
    pay = Pay(base=600, bonus_per_success=100, hourly=900, cap=cap)
    found = [p.text for p in opening_warnings(study(pay=pay)) if p.where == ("pay", "cap")]
    assert bool(found) == warns


def test_a_rule_on_a_quiz_with_several_attempts_is_warned_of() -> None:
    rule = Exclusion(column="responses.understood", relation="==", value="no", reason="Unsure.")
    asked = study(analysis=analysis(exclusions=(rule,)))
    (found,) = [w for w in opening_warnings(asked) if w.where[-1] == 0]
    assert "an answer for each of up to 3 attempts at the quiz" in found.text
    once = tuple(
        replace(page, attempts=1) if isinstance(page, Quiz) else page for page in all_pages()
    )
    assert list(opening_warnings(replace(asked, pages=once))) == []
