"""Answers are checked against what their questions take."""

from __future__ import annotations

from typing import Any

import pytest

from matchmaking.study.answers import Fault, is_accepted, read_answers
from matchmaking.study.questions import Kind, Option, Question
from tests.matchmaking.study.made_studies import choice, scale

OPTIONS = tuple(Option(value, {"en": value}) for value in ("a", "b", "c"))


def question(kind: Kind, **changes: Any) -> Question:
    return Question(**{"name": "it", "kind": kind, "text": {"en": "?"}, **changes})


SEVERAL = question(Kind.SEVERAL, options=OPTIONS, least=2, most=2)
NUMBER = question(Kind.NUMBER, least=0, most=10)
WORDS = question(Kind.WORDS, most=5)


@pytest.mark.parametrize(
    ("asked", "fields", "value"),
    [
        (choice("it"), {"q.it": "yes"}, "yes"),
        (scale("it"), {"q.it": "7"}, 7),
        (NUMBER, {"q.it": "2,5"}, 2.5),
        (NUMBER, {"q.it": " 3 "}, 3),
        (SEVERAL, {"q.it.c": "on", "q.it.a": "on"}, ["a", "c"]),
        (WORDS, {"q.it": "abcde"}, "abcde"),
        (question(Kind.WORDS, is_required=False), {"q.it": " "}, None),
        (question(Kind.SEVERAL, options=OPTIONS, is_required=False), {}, []),
    ],
)
def test_answers_are_read_in_the_form_of_their_questions(
    asked: Question, fields: dict[str, str], value: object
) -> None:
    assert read_answers([asked], fields) == ({"it": value}, {})


@pytest.mark.parametrize(
    ("asked", "fields", "fault"),
    [
        (choice("it"), {}, Fault.MISSING),
        (choice("it"), {"q.it": "perhaps"}, Fault.NO_OPTION),
        (scale("it"), {"q.it": "8"}, Fault.OUT_OF_RANGE),
        (scale("it"), {"q.it": "1.5"}, Fault.NO_NUMBER),
        (NUMBER, {"q.it": "-1"}, Fault.OUT_OF_RANGE),
        (NUMBER, {"q.it": "nan"}, Fault.NO_NUMBER),
        (NUMBER, {"q.it": "1e999"}, Fault.NO_NUMBER),
        (NUMBER, {"q.it": "ten"}, Fault.NO_NUMBER),
        (NUMBER, {"q.it": "1_0"}, Fault.NO_NUMBER),
        (NUMBER, {"q.it": "\u0663"}, Fault.NO_NUMBER),
        (NUMBER, {"q.it": "1e1"}, Fault.NO_NUMBER),
        (question(Kind.NUMBER), {"q.it": "1e308"}, Fault.NO_NUMBER),
        (question(Kind.NUMBER), {"q.it": "9" * 16}, Fault.NO_NUMBER),
        (SEVERAL, {}, Fault.MISSING),
        (SEVERAL, {"q.it.a": "on"}, Fault.TOO_FEW),
        (SEVERAL, {f"q.it.{v}": "on" for v in "abc"}, Fault.TOO_MANY),
        (SEVERAL, {"q.it.a": "on", "q.it.z": "on"}, Fault.NO_OPTION),
        (WORDS, {"q.it": "abcdef"}, Fault.TOO_LONG),
    ],
)
def test_C6_answers_that_cannot_be_are_refused(
    asked: Question, fields: dict[str, str], fault: Fault
) -> None:
    assert read_answers([asked], fields) == ({}, {"it": fault})


def test_right_answers_are_those_that_the_question_accepts() -> None:
    asked = question(Kind.SEVERAL, options=OPTIONS, accepted=("a", "b"))
    assert is_accepted(asked, ["b", "a"])
    assert not is_accepted(asked, ["a"])
    assert is_accepted(choice(accepted=("yes",)), "yes")
    assert not is_accepted(choice(accepted=("yes",)), None)
    assert is_accepted(choice(), None)
    attentive = question(Kind.SCALE, least=1, most=7, accepted=("4",))
    assert is_accepted(attentive, 4)
