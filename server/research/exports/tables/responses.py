"""Table of responses: answers to questions, in long form."""

from __future__ import annotations

from collections.abc import Iterator

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext

SEVERAL = ";"
"""Sign between the options of an answer with several."""

TABLE = Table(
    name="responses",
    row="answer to a question, in one attempt at its page",
    # Those after each episode also tell how many attempts there were.
    is_outcome=True,
    columns=(
        Column(name="participant_id", definition="Pseudonym of the person.", source="answers"),
        Column(name="page_id", definition="Page that asks.", source="answers"),
        Column(
            name="episode_id",
            definition="Episode that the page asks about; empty: the page comes once.",
            source="answers",
        ),
        Column(
            name="attempt",
            definition="Number of the attempt at the page, from 1; the last one counts.",
            kind="integer",
            source="answers",
        ),
        Column(name="question_id", definition="Question.", source="answers"),
        Column(
            name="value",
            definition=f"Answer; several options are parted by {SEVERAL}. Empty: it was left out, "
            "or is not exported.",
            source="answers",
        ),
        Column(
            name="is_exported",
            definition="Whether the answer is in this file: those that may tell who somebody is "
            "never are, those in words only where the export was made with texts.",
            kind="boolean",
            source="study file",
        ),
        Column(name="answered_at", definition="Time of the answer.", kind="time", source="answers"),
    ),
)


def responses_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield a row for each answer of those who have not withdrawn."""
    people = {visit.visit_id: visit.participant_id for visit in context.stored.visits}
    withheld = {episode.episode_id for episode in context.withheld_episodes}
    for answer in context.answers:
        person = people[answer.visit_id]
        if person in context.left_out or answer.occasion in withheld:
            continue
        is_told = context.is_told(answer.question, is_identifying=answer.is_identifying)
        yield {
            "participant_id": context.pseudonym(person),
            "page_id": answer.page,
            "episode_id": answer.occasion,
            "attempt": answer.attempt,
            "question_id": answer.question,
            "value": answer_value(answer.value) if is_told else None,
            "is_exported": is_told,
            "answered_at": answer.answered_at,
        }


def answer_value(value: object) -> Value:
    """Return an answer as a cell has it."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list):
        return SEVERAL.join(map(str, value))
    raise TypeError(f"expected an answer as pages store it, got {value!r}")
