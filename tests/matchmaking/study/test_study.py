"""Studies as values: what cannot be is refused, with the place and what to do."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from episodes.teams import Team
from matchmaking.limits import AtDeadline, Limits
from matchmaking.offers import Offers
from matchmaking.pair_rules import LatencyBound
from matchmaking.study import Study, StudyError
from matchmaking.study.conditions import Cell, Factor
from matchmaking.study.conduct import Departures, Pauses
from matchmaking.study.endings import Ending
from matchmaking.study.open_play import OPEN_PLAY
from matchmaking.study.opening import obstacles
from matchmaking.study.pages import (
    Consent,
    Debrief,
    Device,
    Eligibility,
    Lobby,
    Permission,
    Play,
    Quiz,
    Survey,
    Tutorial,
)
from matchmaking.study.pay import Measure, Pay, Payment
from matchmaking.study.questions import Kind, Option, Question
from matchmaking.study.recruiter import Recruiter
from tests.matchmaking.study.made_studies import CONSENT, PAIR_CELL, choice, scale, study

END = (Lobby(), Play())
EN = {"en": "Text."}


def question(**changes: Any) -> tuple[object, ...]:
    """Return pages with a survey of one question."""
    fields: dict[str, Any] = {"name": "q", "kind": Kind.NUMBER, "text": EN}
    return (CONSENT, *END, Survey(questions=(Question(**{**fields, **changes}),)))


SAME = Option("same", EN)
ATTENTIVE = choice("attentive", ("yes",))
ENDS_INATTENTIVE = Survey(name="each", questions=(ATTENTIVE,), ends_inattentive=True)
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"name": "My study"}, "name: expected small letters"),
    ({"version": 0}, "version: expected 1 or more"),
    ({"languages": ()}, "languages: expected one language"),
    ({"languages": ("en", "en")}, "languages: expected one language at least, each once"),
    ({"languages": ("English",)}, "languages: expected a language as 'en'"),
    ({"title": {}}, "title: expected a text in 'en'"),
    ({"title": {"en": " "}}, "title: expected a text in 'en'"),
    ({"languages": ("en", "de")}, "pages 2, text: expected a text in 'de'"),
    ({"minutes": 0.0}, "minutes: expected more than 0"),
    ({"visit_limit_s": 60.0}, "limits, wait_s: expected less than the longest visit (60 s)"),
    ({"limits": Limits(grace_s=-1)}, "limits, grace_s: expected 0 or more"),
    ({"limits": Limits(ready_s=float("nan"))}, "limits, ready_s: expected 0 or more"),
    ({"limits": Limits(wait_s=0)}, "limits, wait_s: expected more than 0"),
    ({"latency": LatencyBound(most_ms=0)}, "latency, most_ms: expected more than 0"),
    (
        {"latency": LatencyBound(most_ms=200, widest_ms=100)},
        "latency, widest_ms: expected 200 or more",
    ),
    (
        {"latency": LatencyBound(most_ms=200, widens_ms_per_s=-1)},
        "latency, widens_ms_per_s: expected 0 or more",
    ),
    # Pages
    ({"pages": END}, "pages: expected one page 'consent', got 0"),
    ({"pages": (CONSENT, Lobby())}, "pages: expected one page 'play', got 0"),
    ({"pages": (CONSENT, *END, Lobby(name="again"))}, "expected one page 'lobby', got 2"),
    ({"pages": (CONSENT, Play(), Lobby())}, "pages 3: expected 'play' to follow 'lobby'"),
    (
        {"pages": (Tutorial(), CONSENT, *END)},
        "pages 1: expected 'consent' before 'tutorial'",
    ),
    ({"pages": (*END, CONSENT)}, "pages 1: expected 'consent' before 'lobby'"),
    (
        {"pages": (CONSENT, Debrief(text=EN), *END)},
        "pages 2: expected the debrief at the end",
    ),
    ({"pages": (CONSENT, Lobby(name="consent"), Play())}, "2 pages have the name 'consent'"),
    (
        {"pages": (CONSENT, Lobby(), Play(after_each=Survey(name="play", questions=(scale(),))))},
        "2 pages have the name 'play'",
    ),
    ({"pages": (CONSENT, Lobby(name="The lobby"), Play())}, "pages 2, name: expected small"),
    ({"pages": (Consent(version="", text=EN), *END)}, "pages 1, version: expected a version"),
    (
        {"pages": (Consent(version="1", text=EN, asks=(Permission.SHARING,)), *END)},
        "pages 1, asks: expected 'research'",
    ),
    (
        {"pages": (Consent(version="1", text=EN, on_pay={"en": "You get less."}), *END)},
        "pages 1, on_pay, en: expected a sentence of the consent text",
    ),
    ({"pages": (CONSENT, Eligibility(least_age=200), *END)}, "pages 2, least_age: expected"),
    (
        {"pages": (CONSENT, Eligibility(least_age=30, most_age=20), *END)},
        "pages 2, least_age: expected an age from 0 to 20",
    ),
    ({"pages": (Device(samples=3), CONSENT, *END)}, "pages 1, samples: expected at least 5"),
    ({"pages": (Device(least_fps=-1), CONSENT, *END)}, "pages 1, least_fps: expected 0 or more"),
    ({"pages": (Device(most_rtt_ms=0), CONSENT, *END)}, "pages 1, most_rtt_ms: expected more"),
    ({"pages": (Device(inputs=()), CONSENT, *END)}, "pages 1, inputs: expected one at least"),
    ({"pages": (CONSENT, Tutorial(bodies=()), *END)}, "pages 2, bodies: expected human or robot"),
    ({"pages": (CONSENT, Tutorial(limit_s=0), *END)}, "pages 2, limit_s: expected more than 0"),
    ({"pages": (CONSENT, Lobby(), Play(episodes=0))}, "pages 3, episodes: expected 1 or more"),
    ({"pages": (CONSENT, Quiz(questions=()), *END)}, "pages 2, questions: expected a question"),
    (
        {"pages": (CONSENT, Survey(questions=(choice(),), ends_inattentive=True), *END)},
        "pages 2, ends_inattentive: expected a question with ``accepted``",
    ),
    (
        {"pages": (CONSENT, Lobby(), Play(after_each=ENDS_INATTENTIVE))},
        "pages 3, after_each, ends_inattentive: expected false",
    ),
    (
        {"pages": (CONSENT, Quiz(questions=(choice(),)), *END)},
        "pages 2, questions 1, accepted: expected the right answer",
    ),
    (
        {"pages": (CONSENT, Quiz(questions=(choice("q", ("yes",)),), attempts=0), *END)},
        "pages 2, attempts: expected 1 or more",
    ),
    ({"pages": (CONSENT, *END, Survey(questions=()))}, "pages 4, questions: expected a question"),
    (
        {"pages": (CONSENT, *END, Survey(questions=(scale(), scale())))},
        "pages 4: 2 of its questions have the name 'fluent'",
    ),
    # Questions
    ({"pages": question(name="1st")}, "pages 4, questions 1, name: expected small letters"),
    ({"pages": question(text={})}, "pages 4, questions 1, text: expected a text in 'en'"),
    (
        {"pages": question(kind=Kind.CHOICE)},
        "questions 1, options: expected two options to choose from, got 0",
    ),
    (
        {"pages": question(kind=Kind.CHOICE, options=(SAME, SAME))},
        "questions 1, options: expected a value of its own",
    ),
    (
        {"pages": question(kind=Kind.CHOICE, options=(SAME, Option("other", {})))},
        "questions 1, options 2, text: expected a text in 'en'",
    ),
    (
        {"pages": question(options=(SAME,))},
        "questions 1, options: a question of the kind number has no options",
    ),
    (
        {"pages": (CONSENT, Quiz(questions=(choice("q", ("maybe",)),)), *END)},
        "questions 1, accepted: 'maybe' is none of its options",
    ),
    ({"pages": question(least=5, most=1)}, "questions 1, least: expected at most 1"),
    ({"pages": question(kind=Kind.SCALE)}, "questions 1, most: expected two whole numbers"),
    (
        {"pages": question(kind=Kind.SCALE, least=1, most=1)},
        "questions 1, most: expected two whole numbers",
    ),
    ({"pages": question(kind=Kind.WORDS, most=9999)}, "questions 1, most: expected 1 to 4000"),
    # Conditions
    ({"cells": ()}, "cells: expected conditions in a study"),
    ({"menu": Offers()}, "cells: expected conditions in a study and a menu"),
    ({"cells": (PAIR_CELL, PAIR_CELL)}, "cells 1, name: 'pair' is there twice"),
    ({"cells": (replace(PAIR_CELL, target=0),)}, "cells 1, target: expected 1 group or more"),
    ({"cells": (replace(PAIR_CELL, most_begun=3),)}, "most_begun: expected at least 20"),
    ({"cells": (replace(PAIR_CELL, least=3),)}, "cells 1, least: expected 1 to 2"),
    ({"cells": (replace(PAIR_CELL, team=Team.parse("2robot")),)}, "expected a body for a person"),
    (
        {"cells": (replace(PAIR_CELL, team=Team.parse("human+robot")),)},
        "cells 1, team: expected the name of a policy",
    ),
    ({"cells": (replace(PAIR_CELL, levels={}),)}, "expected a level of the factor 'partner'"),
    (
        {"cells": (replace(PAIR_CELL, levels={"partner": "cat"}),)},
        "cells 1, levels, partner: 'cat' is none of its levels",
    ),
    (
        {"cells": (replace(PAIR_CELL, levels={"partner": "person", "mood": "good"}),)},
        "cells 1, levels, mood: there is no such factor",
    ),
    (
        {"factors": (Factor(name="partner", levels=("person",)),)},
        "factors 1, levels: expected two levels at least",
    ),
    # Robots in people's places
    ({"at_deadline": AtDeadline.ROBOT}, "at_deadline: expected `substitute` to name the policy"),
    (
        {"departures": Departures(outcome="robot")},
        "departures, outcome: expected `substitute` to name the policy",
    ),
    ({"at_deadline": AtDeadline.SMALLER}, "at_deadline: expected a condition with `least`"),
    ({"departures": Departures(window_s=-1)}, "departures, window_s: expected 0 or more"),
    ({"pauses": Pauses(failures=11)}, "pauses, failures: expected 1 to 10"),
    # Recruiter and pay
    ({"recruiter": Recruiter(kind="Prolific!")}, "recruiter, kind: expected a word"),
    (
        {"recruiter": Recruiter(kind="direct", codes={Ending.COMPLETED: "a b"})},
        "recruiter, codes, completed: expected up to 64 letters",
    ),
    (
        {
            "recruiter": Recruiter(
                kind="direct", codes={Ending.COMPLETED: "C1", Ending.NO_PARTNER: "C1"}
            )
        },
        "recruiter, codes, no_partner: 'C1' is the code of completed already",
    ),
    ({"pay": Pay(currency="pounds")}, "pay, currency: expected three capital letters"),
    ({"pay": Pay(base=500)}, "pay, hourly: expected pay of an hour"),
    ({"pay": Pay(base=-1, hourly=5)}, "pay, base: expected 0 or more"),
    ({"pay": Pay(cap=-1)}, "pay, cap: expected 0 or more"),
    (
        {"pay": Pay(endings={Ending.NO_PARTNER: Payment(Measure.FIXED)})},
        "pay, endings, no_partner: expected an amount above 0 with the measure 'fixed'",
    ),
    (
        {"pay": Pay(endings={Ending.NO_PARTNER: Payment(Measure.TIME, 5)})},
        "pay, endings, no_partner: expected an amount above 0 with the measure 'fixed'",
    ),
]


@pytest.mark.parametrize(("changes", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_what_cannot_be_is_refused_with_its_place(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(StudyError) as failure:
        study(**changes)
    assert told in str(failure.value)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(StudyError) as failure:
        study(name="No!", version=0, cells=())
    assert [problem.where for problem in failure.value.problems] == [
        ("name",),
        ("version",),
        ("cells",),
    ]


def test_a_study_is_a_value_that_is_written_and_read_the_same() -> None:
    written = msgspec.json.encode(study(), order="deterministic")
    assert msgspec.json.decode(written, type=Study) == study()
    assert msgspec.json.encode(study(), order="deterministic") == written
    with pytest.raises(AttributeError):
        study().version = 2  # type: ignore[misc]


def test_an_unknown_field_is_refused() -> None:
    written = msgspec.to_builtins(study())
    written["pages"][0]["least_hight"] = 500
    with pytest.raises(msgspec.ValidationError, match="least_hight"):
        msgspec.convert(written, Study)


def test_a_change_of_a_study_is_checked_again() -> None:
    with pytest.raises(StudyError, match="substitute"):
        replace(study(), at_deadline=AtDeadline.ROBOT)


def test_open_play_is_a_study_without_pay_consent_or_obstacles() -> None:
    assert OPEN_PLAY.is_open_play
    assert OPEN_PLAY.consent is None
    assert not OPEN_PLAY.pay.is_paid
    assert list(obstacles(OPEN_PLAY)) == []
    assert not study().is_open_play


def test_in_a_study_no_robot_replaces_a_person_unless_it_says_so() -> None:
    assert study().substitute == ""
    assert study().at_deadline is AtDeadline.END
    assert study().departures.outcome != "robot"
    with_robot = study(at_deadline=AtDeadline.ROBOT, substitute="expert")
    assert with_robot.substitute == "expert"


# Opening


def test_a_whole_study_can_open() -> None:
    assert list(obstacles(study())) == []


LACKS: list[tuple[dict[str, Any], str]] = [
    ({"contact": ""}, "contact: expected an address"),
    ({"researchers": ""}, "researchers: expected the names"),
    ({"pay": Pay(base=600, hourly=900)}, "pay, cap: expected the most that may be spent"),
    ({"pauses": Pauses(spent=100_001)}, "pauses, spent: expected at most 100000"),
    ({"models_run_by": "BigCloud"}, "the consent text in 'en' does not name 'BigCloud'"),
    (
        {"pay": Pay(base=6, hourly=9, cap=9000, endings={Ending.WITHDREW: Payment(Measure.NONE)})},
        "pays withdrew less than the time spent",
    ),
    (
        {
            "pay": Pay(
                base=6, hourly=9, cap=9000, endings={Ending.SCREENED_OUT: Payment(Measure.FIXED, 1)}
            )
        },
        "pays screened_out less than the time spent",
    ),
    ({"pay": Pay(base=6, hourly=9, cap=9000, waiting_hourly=0)}, "pays waiting less"),
    ({"pay": Pay(base=6, hourly=9, cap=9000, waiting_free_s=60)}, "pays waiting less"),
]


@pytest.mark.parametrize(("changes", "told"), LACKS, ids=[told for _, told in LACKS])
def test_what_people_must_not_be_invited_without(changes: dict[str, Any], told: str) -> None:
    found = list(obstacles(study(**changes)))
    assert len(found) == 1
    assert told in str(found[0])


def test_a_study_that_pays_less_opens_once_its_consent_text_says_so() -> None:
    less = Pay(base=6, hourly=9, cap=9000, endings={Ending.WITHDREW: Payment(Measure.NONE)})
    sentence = "Who withdraws is not paid."
    consent = Consent(
        version="2", text={"en": f"We record you. {sentence}"}, on_pay={"en": sentence}
    )
    assert list(obstacles(study(pay=less, pages=(consent, *END)))) == []


def test_cells_know_their_people() -> None:
    cell = Cell(name="three", team=Team.parse("3human"), target=1, least=2)
    assert (cell.people, cell.least_people) == (3, 2)
    assert (PAIR_CELL.people, PAIR_CELL.least_people) == (2, 2)
