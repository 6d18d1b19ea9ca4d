"""Table of propositions: the goals of each episode, by the final verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from episodes.evaluation import Verdict
from episodes.evaluation.verdict import PropositionOutcome
from matchmaking.study.treatment import NAME_GOALS, Explanation
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.played_episodes import PlayedEpisode
from server.store.models import EpisodeRow

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
        Column(
            name="is_named",
            definition="Whether the explanation that people saw after the attempt named the goal "
            "as missing or as one that does not count; PARTNR's text names goals that do not "
            "count only where none is missing. Empty: it names no goals (none, verdict).",
            kind="boolean",
            source="matches, episodes",
        ),
        Column(
            name="is_mended",
            definition="Whether the goal, which does not count here, counts in the group's next "
            "attempt at the task; empty: it counts here, or there was no next attempt.",
            kind="boolean",
            source="log, else episodes",
        ),
    ),
)


def proposition_rows(
    played: PlayedEpisode, told: Explanation | None, session: Iterable[PlayedEpisode]
) -> Iterator[dict[str, Value]]:
    """Yield a row for each goal of an episode.

    ``told`` is the kind of explanation that people saw of it, ``session`` are all of its session.
    """
    verdict = played.verdict
    following = next_attempt(played.row, session)
    after = None if following is None else following.verdict
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
            "is_named": is_named(goal.index, played.shown, told),
            "is_mended": is_mended(goal, after),
        }


def counts(goal: PropositionOutcome) -> bool:
    """Tell whether a goal counts towards the result."""
    return goal.satisfied and goal.valid


def is_named(index: int, shown: Verdict | None, told: Explanation | None) -> bool | None:
    """Tell whether an explanation of a verdict that was shown names a goal.

    None: its kind names no goals, or nobody knows.
    """
    if shown is None or shown.status == "unavailable" or told not in NAME_GOALS:
        return None
    goals = {goal.index: goal for goal in shown.propositions}
    if index not in goals:
        return False
    if told == "partnr" and not all(goal.satisfied for goal in goals.values()):
        return not goals[index].satisfied
    return not counts(goals[index])


def next_attempt(row: EpisodeRow, session: Iterable[PlayedEpisode]) -> PlayedEpisode | None:
    """Return the next attempt of a session at the same task; None: there is none."""
    later = [
        other
        for other in session
        if other.row.order_index > row.order_index
        and (other.row.dataset, other.row.task_id) == (row.dataset, row.task_id)
    ]
    return min(later, key=lambda other: other.row.order_index, default=None)


def is_mended(goal: PropositionOutcome, after: Verdict | None) -> bool | None:
    """Tell whether a goal that does not count does in the next attempt; None: nobody knows."""
    if after is None or after.status == "unavailable" or counts(goal):
        return None
    return next((counts(other) for other in after.propositions if other.index == goal.index), None)
