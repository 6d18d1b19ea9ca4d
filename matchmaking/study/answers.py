"""Answers to questions: read from a form's fields, and checked against what the questions take."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from matchmaking.study.questions import LONGEST_ANSWER, Kind, Question

_NUMBER = re.compile(r"-?[0-9]{1,15}([.,][0-9]{1,15})?")
"""Form of numbers: plain digits, as many as a float keeps apart."""

Answer = str | int | float | list[str] | None
"""Value of an answer in the form of its question; None: it was left out."""


class Fault(StrEnum):
    """Reason why an answer cannot be taken."""

    MISSING = "missing"
    NO_OPTION = "no_option"
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    NO_NUMBER = "no_number"
    OUT_OF_RANGE = "out_of_range"
    TOO_LONG = "too_long"


class Answers(NamedTuple):
    """Answers of a form by the names of questions, and what is wrong with others."""

    values: dict[str, Answer]
    faults: dict[str, Fault]


class _RefusedError(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


def field_of(question: Question, value: str = "") -> str:
    """Return the name of a question's field; of several options each has its own."""
    name = f"q.{question.name}"
    return f"{name}.{value}" if question.kind is Kind.SEVERAL else name


def read_answers(questions: Sequence[Question], fields: Mapping[str, str]) -> Answers:
    """Read the answers to some questions from the fields of a form."""
    found = Answers({}, {})
    for question in questions:
        try:
            found.values[question.name] = read_answer(question, fields)
        except _RefusedError as error:
            found.faults[question.name] = error.fault
    return found


def read_answer(question: Question, fields: Mapping[str, str]) -> Answer:
    if question.kind is Kind.SEVERAL:
        return _several(question, fields)
    text = fields.get(field_of(question), "").strip()
    if not text:
        if question.is_required:
            raise _RefusedError(Fault.MISSING)
        return None
    match question.kind:
        case Kind.CHOICE:
            if text not in {option.value for option in question.options}:
                raise _RefusedError(Fault.NO_OPTION)
            return text
        case Kind.SCALE | Kind.NUMBER:
            return _number(question, text)
        case Kind.WORDS:
            if len(text) > (question.most or LONGEST_ANSWER):
                raise _RefusedError(Fault.TOO_LONG)
            return text


def is_accepted(question: Question, answer: Answer) -> bool:
    """Tell whether an answer is among those that the question accepts; of several: all of them."""
    if not question.accepted:
        return True
    if isinstance(answer, list):
        return set(answer) == set(question.accepted)
    return answer is not None and str(answer) in question.accepted


def _several(question: Question, fields: Mapping[str, str]) -> list[str]:
    values = [option.value for option in question.options]
    given = {name for name in fields if name.startswith(f"q.{question.name}.")}
    if given - {field_of(question, value) for value in values}:
        raise _RefusedError(Fault.NO_OPTION)
    chosen = [value for value in values if field_of(question, value) in given]
    least = question.least if question.least is not None else int(question.is_required)
    if not chosen and least:
        raise _RefusedError(Fault.MISSING)
    if chosen and len(chosen) < least:
        raise _RefusedError(Fault.TOO_FEW)
    if question.most is not None and len(chosen) > question.most:
        raise _RefusedError(Fault.TOO_MANY)
    return chosen


def _number(question: Question, text: str) -> int | float:
    if _NUMBER.fullmatch(text) is None:
        raise _RefusedError(Fault.NO_NUMBER)
    number = float(text.replace(",", "."))
    is_whole = number == int(number)
    if question.kind is Kind.SCALE and not is_whole:
        raise _RefusedError(Fault.NO_NUMBER)
    below = question.least is not None and number < question.least
    if below or (question.most is not None and number > question.most):
        raise _RefusedError(Fault.OUT_OF_RANGE)
    return int(number) if is_whole else number
