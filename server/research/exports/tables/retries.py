"""Columns of episodes on tries that follow another one at the same task: what they mended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matchmaking.study.treatment import Explanation
from server.research.exports.cells import Value
from server.research.exports.columns import Column
from server.research.exports.played_episodes import PlayedEpisode
from server.research.exports.tables.propositions import counts, is_mended, is_named

COLUMNS = (
    Column(
        name="explained_before",
        definition="Kind of explanation that people were shown after the group's try before at the "
        "task, and so before this one: none (also where it comes later), verdict, partnr or ours; "
        "empty: a first try.",
        source="matches, episodes",
    ),
    Column(
        name="retry_success",
        definition="Whether the try succeeded, by the final verdict, where it follows another one "
        "of the group at the task that had not succeeded by the verdict that was shown, whatever "
        "was explained in between (explained_before). Empty: a first try, practice, or one of the "
        "two tries has no verdict.",
        kind="boolean",
        source="log, else episodes",
    ),
    Column(
        name="retry_mended",
        definition="Share of the goals that did not count in the try before, by the final verdict, "
        "which count in this one, whether or not an explanation named them. Empty as "
        "retry_success, and where all goals counted.",
        kind="number",
        unit="share from 0 to 1",
        source="log, else episodes",
    ),
    Column(
        name="retry_named_mended",
        definition="The same of those goals alone that the explanation of the try before named "
        "(propositions.is_named). Empty also where it named none, as none and verdict never do. "
        "Kinds name different goals: ours all that do not count, partnr those that do not count "
        "though they were met only where none is missing.",
        kind="number",
        unit="share from 0 to 1",
        source="log, else episodes",
    ),
)


def retry_cells(
    played: PlayedEpisode, before: PlayedEpisode | None, told: Explanation | None
) -> dict[str, Value]:
    """Return the cells of an episode.

    ``before`` is the group's try before at the task, after which people were shown an explanation
    of the kind ``told``; None: there was none, or it is practice.
    """
    cells: dict[str, Value] = dict.fromkeys(column.name for column in COLUMNS)
    if before is None:
        return cells
    cells["explained_before"] = told
    shown, first, after = before.shown, before.verdict, played.verdict
    verdicts = (shown, first, after)
    if shown is None or first is None or after is None or shown.success:
        return cells
    if any(verdict is not None and verdict.status == "unavailable" for verdict in verdicts):
        return cells
    missing = [goal for goal in first.propositions if not counts(goal)]
    named = [goal for goal in missing if is_named(goal.index, shown, told)]
    return cells | {
        "retry_success": after.success,
        "retry_mended": _share(is_mended(goal, after) is True for goal in missing),
        "retry_named_mended": _share(is_mended(goal, after) is True for goal in named),
    }


def attempt_before(played: PlayedEpisode, session: Sequence[PlayedEpisode]) -> PlayedEpisode | None:
    """Return the attempt of a session before this one at the same task; None: there is none."""
    row = played.row
    earlier = [
        other
        for other in session
        if other.row.order_index < row.order_index
        and (other.row.dataset, other.row.task_id) == (row.dataset, row.task_id)
    ]
    return max(earlier, key=lambda other: other.row.order_index, default=None)


def _share(found: Iterable[bool]) -> float | None:
    values = list(found)
    return sum(values) / len(values) if values else None
