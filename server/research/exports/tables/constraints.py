"""Table of constraints: orders, ties and final states of each episode, by the final verdict."""

from __future__ import annotations

from collections.abc import Iterator

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.played_episodes import PlayedEpisode

TABLE = Table(
    name="constraints",
    row="constraint of an episode",
    is_outcome=True,
    columns=(
        Column(name="episode_id", definition="Episode.", source="episodes"),
        Column(
            name="constraint_index",
            definition="Position in the task, from 0.",
            kind="integer",
            source="log, else episodes",
        ),
        Column(
            name="constraint_type",
            definition="PARTNR's kind: TemporalConstraint (order), SameArgConstraint and "
            "DifferentArgConstraint (ties), TerminalSatisfactionConstraint (what holds at the "
            "end).",
            source="log, else episodes",
        ),
        Column(
            name="satisfied",
            definition="Whether nothing breaks it.",
            kind="boolean",
            source="log, else episodes",
        ),
        Column(
            name="n_invalid",
            definition="Goals that it invalidates.",
            kind="integer",
            source="log, else episodes",
        ),
    ),
)


def constraint_rows(played: PlayedEpisode) -> Iterator[dict[str, Value]]:
    """Yield a row for each constraint of an episode."""
    verdict = played.verdict
    for constraint in () if verdict is None else verdict.constraints:
        yield {
            "episode_id": played.row.episode_id,
            "constraint_index": constraint.index,
            "constraint_type": constraint.type,
            "satisfied": constraint.satisfied,
            "n_invalid": len(constraint.invalid),
        }
