"""Starts of a study: the very tasks and seeds that its groups played, for policies to play."""

from __future__ import annotations

from typing import NamedTuple

from server.research.exports.context import ExportContext
from server.research.exports.stored_study import StoredStudy
from server.research.exports.tables.episodes import seed_of
from server.research.trials.plan import LONGEST_TICKS, MOST_TICKS, Start, TrialError
from server.sessions.spec import TICK_RATE


class StudyStarts(NamedTuple):
    """Terms that a trial has in common with the study whose tasks it plays."""

    study: str
    version: int
    dataset: str
    """Path below the data directory."""
    starts: tuple[Start, ...]
    """Tasks with their seeds, each once, in the order of the groups."""
    max_ticks: int
    profiles: tuple[str, ...]
    """Rule profiles of its sessions."""


def starts_of(stored: StoredStudy) -> StudyStarts:
    """Return what a study's table of coordination compares: first tries by assigned condition.

    Practice is left out, and what was played with somebody who has withdrawn. Raises TrialError:
    nothing was played.
    """
    # Pseudonyms are made of the key, and none is asked for here.
    context = ExportContext(stored, "")
    study = context.study
    played = [
        (context.group_of_session[row.session_id], row)
        for row in context.episodes
        if row.try_index == 0 and row.ended_at is not None and not context.is_practice(row)
    ]
    played = [(group, row) for group, row in played if group.is_assigned]
    seeds = ((row.task_id, seed_of(group, row.task_id)) for group, row in played)
    starts = (Start(task_id, seed) for task_id, seed in seeds if seed is not None)
    found = tuple(dict.fromkeys(starts))
    if not found:
        raise TrialError(f"no group of {study.name} has played a task yet: there is no start")
    limit_s = study.tasks.limit_s
    profiles = {group.session.profile for group, _ in played if group.session is not None}
    return StudyStarts(
        study.name,
        study.version,
        f"tasks/{study.tasks.set}.json.gz",
        found,
        MOST_TICKS if limit_s is None else min(LONGEST_TICKS, max(1, round(limit_s * TICK_RATE))),
        tuple(sorted(profiles)),
    )
