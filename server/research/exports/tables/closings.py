"""Table of the cells that operators closed while a study ran."""

from __future__ import annotations

from collections.abc import Iterator

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext

TABLE = Table(
    name="closings",
    row="time at which an operator closed a condition, or opened it again",
    columns=(
        Column(name="condition", definition="Condition of the study.", source="log of operators"),
        Column(
            name="is_closed",
            definition="Whether it took no more groups from then on, however few it had.",
            kind="boolean",
            source="log of operators",
        ),
        Column(name="changed_at", definition="Time.", kind="time", source="log of operators"),
    ),
)


def closings_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield the row of each closing and opening, in the order of time."""
    for closing in context.stored.closings:
        yield {
            "condition": closing.condition,
            "is_closed": closing.is_closed,
            "changed_at": closing.at,
        }
