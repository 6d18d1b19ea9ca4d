"""Table of measures: each of them for each episode, in long form."""

from __future__ import annotations

from collections.abc import Iterator

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.summaries.episode_summary import EpisodeSummary

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


def measure_rows(summary: EpisodeSummary) -> Iterator[dict[str, Value]]:
    """Yield the measures of an episode; of one that has a problem there are no values."""
    for result in summary.measures:
        for value in result.values:
            yield {
                "episode_id": summary.episode_id,
                "seat": value.seat,
                "measure_id": result.name,
                "measure_version": result.version,
                "value": value.number,
                "is_censored": value.is_censored,
            }
