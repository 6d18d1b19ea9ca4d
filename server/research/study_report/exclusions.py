"""Exclusions: the declared rules applied to an export, and how much each takes away.

A rule on attempts or seats takes away the attempt, and with it the group's later tries at the task,
which follow from it; one on people takes away the person, and their group where the plan says so.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from matchmaking.study.analysis import Exclusion
from server.research.study_report.export_tables import Export, Frame
from server.research.study_report.outcome_values import seats_of_people

_RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class Excluded(NamedTuple):
    """Data that a rule took away and those before it had left; ``problem``: it has no column."""

    rule: str
    reason: str
    attempts: int = 0
    people: int = 0
    groups: int = 0
    by_condition: tuple[tuple[str, int], ...] = ()
    """Attempts that were taken away, by condition, with the later tries that went along."""
    along: int = 0
    """Attempts among them that broke no rule: later tries of the group at the task of one."""
    problem: str = ""


def without_excluded(export: Export) -> tuple[Export, list[Excluded]]:
    """Return the export without what the plan excludes, and a row for each rule."""
    plan = export.study.analysis
    told: list[Excluded] = []
    if plan is None:
        return export, told
    for rule in plan.exclusions:
        text = f"{rule.column} {rule.relation} {_told(rule.value)}"
        table, _, column = rule.column.partition(".")
        frame = _rows_of(export, table, column)
        if frame is None:
            told.append(Excluded(text, rule.reason, problem="the export does not have the column"))
            continue
        hit = _hit(frame, rule)
        if rule.is_on_attempts:
            kept = _without_attempts(export, set(hit["episode_id"]))
        else:
            whole = plan.when_one_is_excluded == "group_is_excluded"
            kept = _without_people(export, set(hit["participant_id"]), whole=whole)
        found = Excluded(text, rule.reason, *_lost(export, kept))
        if rule.is_on_attempts:
            by_rule = export.table("episodes")
            by_rule = by_rule[by_rule["episode_id"].isin(hit["episode_id"])]
            along = found.attempts - int(by_rule["is_assigned"].eq(True).sum())
            found = found._replace(along=along)
        told.append(found)
        export = kept
    return export, told


def _told(value: float | str | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _rows_of(export: Export, table: str, column: str) -> Frame | None:
    """Return the rows that a rule looks at, in the column ``ruled``; None: they are not there."""
    frame = export.table(table)
    if table in ("responses", "scores") and "value" in frame:
        key = "question_id" if table == "responses" else "score_id"
        frame = frame[frame[key] == column]
        return frame.assign(ruled=frame["value"])
    if table == "seats":
        frame = seats_of_people(frame)
    return frame.assign(ruled=frame[column]) if column in frame else None


def _hit(frame: Frame, rule: Exclusion) -> Frame:
    compare = _RELATIONS[rule.relation]

    def is_hit(value: Any) -> bool:
        if value is None or value == "" or value != value:
            return False
        if isinstance(rule.value, bool):
            return bool(compare(str(value).lower(), str(rule.value).lower()))
        if isinstance(rule.value, int | float):
            try:
                return bool(compare(float(value), float(rule.value)))
            except ValueError:
                return False
        return bool(compare(str(value), rule.value))

    return frame[frame["ruled"].map(is_hit).astype(bool)]


def _without_attempts(export: Export, episodes: set[str]) -> Export:
    """Return the export without attempts, nor what the same group tried at the task after one."""
    kept = export.table("episodes")
    is_hit, task = kept["episode_id"].isin(episodes), [kept["group_id"], kept["task_id"]]
    first_hit = kept["try_index"].where(is_hit).groupby(task).transform("min")
    return _with(export, episodes=kept[~(is_hit | (kept["try_index"] >= first_hit))])


def _without_people(export: Export, people: set[str], *, whole: bool) -> Export:
    all_people, episodes = export.table("participants"), export.table("episodes")
    is_out = all_people["participant_id"].isin(people)
    if whole:
        groups = set(all_people.loc[is_out, "group_id"]) - {""}
        is_out |= all_people["group_id"].isin(groups)
        episodes = episodes[~episodes["group_id"].isin(groups)]
    return _with(export, participants=all_people[~is_out], episodes=episodes)


def _with(export: Export, **tables: Frame) -> Export:
    return export._replace(tables={**export.tables, **tables})


def _lost(before: Export, after: Export) -> tuple[int, int, int, tuple[tuple[str, int], ...]]:
    """Return how many attempts, people and groups of the analysis were taken away.

    The attempts are told by condition, too.
    """

    def count(export: Export) -> tuple[int, int, int]:
        episodes, people = export.table("episodes"), export.table("participants")
        episodes = episodes[episodes["is_assigned"].eq(True)]
        people = people[people["is_assigned"].eq(True)]
        return len(episodes), len(people), episodes["group_id"].nunique()

    first, then = count(before), count(after)
    attempts, persons, groups = (a - b for a, b in zip(first, then, strict=True))
    episodes = before.table("episodes")
    gone = episodes[
        episodes["is_assigned"].eq(True)
        & ~episodes["episode_id"].isin(after.table("episodes")["episode_id"])
    ]
    counts = gone["condition"].value_counts()
    return (
        attempts,
        persons,
        groups,
        tuple((cell.name, int(counts.get(cell.name, 0))) for cell in before.study.cells),
    )
