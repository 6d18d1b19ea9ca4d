"""Table of models: those that robots asked, as they were read at opening, daily and at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.studies.model_readings import model_of
from server.robots.serving.served_model import FACTS, change_of

TABLE = Table(
    name="models",
    row="reading of a model that robots of the study ask",
    columns=(
        Column(
            name="model",
            definition="Name that requests call it by; empty: its server did not answer.",
            source="model_readings",
        ),
        Column(
            name="occasion",
            definition="Occasion of the reading: open, daily or close.",
            source="model_readings",
        ),
        Column(name="read_at", definition="Time.", kind="time", source="model_readings"),
        *(
            Column(
                name=f"model_{fact}",
                definition=f"{words.capitalize()}; empty: nobody could tell.",
                source="model_readings",
            )
            for fact, words in FACTS.items()
        ),
        Column(
            name="n_questions",
            definition="Fixed questions whose answers can be compared with those at the opening.",
            kind="integer",
            source="model_readings",
        ),
        Column(
            name="n_same",
            definition="Of these, answers that were the same.",
            kind="integer",
            source="model_readings",
        ),
        Column(
            name="difference",
            definition="What was different from the opening, or why it could not be read; empty: "
            "nothing was.",
            source="model_readings",
        ),
    ),
)


def models_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield a row for each reading of a model, in the order of time."""
    opened = {}
    for row in context.stored.readings:
        model = model_of(row)
        if model is not None and row.occasion == "open":
            opened[model.asked] = model
        first = None if model is None else opened.get(model.asked)
        change = None if first is None or model is None else change_of(first, model)
        facts = {} if model is None else model.facts
        yield {
            # A model may be called by the folder that it was loaded from.
            "model": PurePath(row.model).name if context.is_shared else row.model,
            "occasion": row.occasion,
            "read_at": row.at,
            **{f"model_{fact}": facts.get(fact) for fact in FACTS},
            "n_questions": None if change is None else change.of,
            "n_same": None if change is None else change.same,
            "difference": row.text,
        }
