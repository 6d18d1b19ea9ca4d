"""Table of measures: each of them for each episode, in long form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.measures.doings import Doings
from server.research.measures.measure import Measure

TABLE = Table(
    name="measures",
    row="measure of an episode, or of a seat in it",
    is_outcome=True,
    columns=(
        Column(name="episode_id", definition="Episode.", source="episodes"),
        Column(
            name="seat",
            definition="Seat that it is of; empty: the team's.",
            source="log",
        ),
        Column(
            name="measure_id",
            definition="Measure; the codebook has definition, unit and source of each.",
            source="log",
        ),
        Column(
            name="measure_version",
            definition="Version of the measure: values of different ones are not compared.",
            kind="integer",
            source="log",
        ),
        Column(
            name="value",
            definition="Value, in the measure's unit; empty: undefined, which is not zero.",
            kind="number",
            source="log",
        ),
        Column(
            name="is_censored",
            definition="Whether what is measured had not happened at the end: the value is a lower "
            "bound.",
            kind="boolean",
            source="log",
        ),
    ),
)


def measure_rows(
    doings: Doings, measures: Sequence[Measure], failed: Callable[[str, Exception], None]
) -> Iterator[dict[str, Value]]:
    """Yield the measures of an episode; one that raises is left out, and told to ``failed``."""
    for measure in measures:
        try:
            values = list(measure.compute(doings))
        except Exception as error:
            # A measure of somebody's own may raise anything: the others are computed.
            failed(measure.name, error)
            continue
        for value in values:
            yield {
                "episode_id": doings.trace.episode_id,
                "seat": value.seat,
                "measure_id": measure.name,
                "measure_version": measure.version,
                "value": None if value.number is None else float(value.number),
                "is_censored": value.is_censored,
            }
