"""Table of scores: those of published questionnaires, by their keys."""

from __future__ import annotations

from collections.abc import Iterator

from matchmaking.study.instruments.registry import INSTRUMENTS, scores
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext

TABLE = Table(
    name="scores",
    row="score of a questionnaire, at one occasion",
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
            name="score_id",
            definition="Questionnaire and scale; the codebook has items, key and source.",
            source="study file",
        ),
        Column(
            name="value",
            definition="Score of the last attempt at the page, by the published key; empty: an "
            "item was not answered.",
            kind="number",
            source="answers",
        ),
    ),
)


def scores_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield the scores of those who have not withdrawn, of each page and occasion."""
    people = {visit.visit_id: visit.participant_id for visit in context.stored.visits}
    withheld = {episode.episode_id for episode in context.withheld_episodes}
    items = {q.name for one in INSTRUMENTS.values() for q in one.questions}
    # Of several attempts the last one replaces those before it.
    found: dict[tuple[str, str, str], dict[str, tuple[int, float]]] = {}
    for answer in context.answers:
        person = people[answer.visit_id]
        if person in context.left_out or answer.occasion in withheld:
            continue
        if answer.question in context.without:
            # It could be computed from the score, which is therefore missing.
            continue
        if answer.question in items and isinstance(answer.value, int | float):
            mine = found.setdefault((person, answer.page, answer.occasion), {})
            attempt, _ = mine.get(answer.question, (0, 0.0))
            if answer.attempt >= attempt:
                mine[answer.question] = (answer.attempt, float(answer.value))
    for (person, page, occasion), answers in found.items():
        for name, value in scores({q: value for q, (_, value) in answers.items()}).items():
            yield {
                "participant_id": context.pseudonym(person),
                "page_id": page,
                "episode_id": occasion,
                "score_id": name,
                "value": value,
            }
