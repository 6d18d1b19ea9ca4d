"""Table of propositions: the goals of each episode, by the final verdict."""

from __future__ import annotations

from collections.abc import Iterator

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.played_episodes import PlayedEpisode

TABLE = Table(
    name="propositions",
    row="goal of an episode",
    is_outcome=True,
    columns=(
        Column(name="episode_id", definition="Episode.", source="episodes"),
        Column(
            name="proposition_index",
            definition="Position in the task, from 0; counted goals stand once for each.",
            kind="integer",
            source="log, else episodes",
        ),
        Column(name="text", definition="Goal in words.", source="log, else episodes"),
        Column(
            name="satisfied",
            definition="Whether it was true once, when it was looked at.",
            kind="boolean",
            source="log, else episodes",
        ),
        Column(
            name="valid",
            definition="Whether no constraint invalidates it; it counts if it is satisfied and "
            "valid.",
            kind="boolean",
            source="log, else episodes",
        ),
        Column(
            name="satisfied_tick",
            definition="Step at which it first was true.",
            kind="integer",
            unit="1/30 s from the start",
            source="log, else episodes",
        ),
        Column(
            name="by_seat",
            definition="Seat that it is credited to; empty: none.",
            source="log, else episodes",
        ),
        Column(
            name="broken_tick",
            definition="Step since which it does not hold any more; empty: it holds.",
            kind="integer",
            unit="1/30 s from the start",
            source="log, else episodes",
        ),
        Column(
            name="broken_by_seat",
            definition="Seat through which it does not hold any more; empty: none.",
            source="log, else episodes",
        ),
    ),
)


def proposition_rows(played: PlayedEpisode) -> Iterator[dict[str, Value]]:
    """Yield a row for each goal of an episode."""
    verdict = played.verdict
    for goal in () if verdict is None else verdict.propositions:
        yield {
            "episode_id": played.row.episode_id,
            "proposition_index": goal.index,
            "text": goal.text,
            "satisfied": goal.satisfied,
            "valid": goal.valid,
            "satisfied_tick": goal.satisfied_tick,
            "by_seat": goal.by_seat,
            "broken_tick": goal.broken_tick,
            "broken_by_seat": goal.broken_by_seat,
        }
