"""Instrument: questions with a scoring key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from matchmaking.study.questions import Kind, Option, Question


class Scale(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Score of an instrument from the answers to some of its items."""

    name: str
    items: tuple[str, ...]
    """Names of questions; one that is there twice counts twice."""
    reversed: tuple[str, ...] = ()
    """Items of which a high answer lowers the score."""
    how: Literal["mean", "sum"] = "mean"
    factor: float = 1.0
    """Number that mean or sum are multiplied by."""


class Instrument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Published questionnaire."""

    name: str
    title: str
    source: str
    licence: str
    checked: str
    """Text that items and key were compared with, or what could not be confirmed; nobody here has
    compared them with the article itself."""
    adapted: str = ""
    """Wordings that differ from the source; empty: none do."""
    instruction: str = ""
    questions: tuple[Question, ...]
    scales: tuple[Scale, ...]

    def scores(self, answers: Mapping[str, float]) -> dict[str, float | None]:
        """Return each score by ``instrument_scale``; None where an answer to an item is missing."""
        by_name = {question.name: question for question in self.questions}
        return {
            f"{self.name}_{scale.name}": _score(scale, by_name, answers) for scale in self.scales
        }


def likert(
    prefix: str, texts: Sequence[str], ends: tuple[str, str], points: tuple[int, int]
) -> tuple[Question, ...]:
    """Return statements on a scale of so many points, named ``prefix_1`` and on."""
    least, most = points
    options = (Option(str(least), {"en": ends[0]}), Option(str(most), {"en": ends[1]}))
    return tuple(
        Question(
            name=f"{prefix}_{number}",
            kind=Kind.SCALE,
            text={"en": text},
            options=options,
            least=least,
            most=most,
        )
        for number, text in enumerate(texts, 1)
    )


def numbered(prefix: str, *numbers: int) -> tuple[str, ...]:
    """Return names of items: ``prefix_1`` and so on."""
    return tuple(f"{prefix}_{number}" for number in numbers)


def _score(
    scale: Scale, questions: Mapping[str, Question], answers: Mapping[str, float]
) -> float | None:
    values = []
    for name in scale.items:
        if name not in answers:
            return None
        question, value = questions[name], answers[name]
        assert question.least is not None, "items are scales"
        assert question.most is not None, "items are scales"
        if not question.least <= value <= question.most:
            raise ValueError(
                f"{name}: expected {question.least:g} to {question.most:g}, got {value:g}"
            )
        values.append(question.least + question.most - value if name in scale.reversed else value)
    total = sum(values)
    return scale.factor * (total / len(values) if scale.how == "mean" else total)
