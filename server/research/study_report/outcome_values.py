"""Values of an outcome: a row for each unit, with condition, group and task."""

from __future__ import annotations

import pandas as pd

from matchmaking.study import Study
from matchmaking.study.analysis import RETRIES
from server.research.exports.tables.factors import PREFIX
from server.research.exports.tables.responses import SEVERAL
from server.research.study_report.export_tables import Export, Frame

CHOICES = ("first try", "best of tries")
"""Choices of one try for each task, the primary one first, as `counted_attempts` has them."""
KEYS = ["condition", "group_id", "task_id"]


def columns_of(study: Study) -> list[str]:
    """Return the columns that all values have beside ``value``."""
    return [*KEYS, *(PREFIX + factor.name for factor in study.factors)]


class NoValuesError(Exception):
    """Error for an outcome that has no values; the text says why."""


def counted(
    export: Export,
    choice: str = CHOICES[0],
    *,
    per_protocol: bool = False,
    is_retry: bool = False,
) -> Frame:
    """Return the episodes of the analysis by assigned condition, one of each group and task.

    ``is_retry``: of tries that follow a failed one; such a task may have none.
    """
    episodes = export.table("episodes")
    kept = episodes["is_per_protocol" if per_protocol else "is_assigned"].eq(True)
    episodes = episodes[kept]
    if is_retry:
        if "retry_success" not in episodes:
            raise NoValuesError("the export has no columns of tries that follow a failed one")
        episodes = episodes[episodes["retry_success"].notna()]
    if choice == CHOICES[0]:
        # Which try counts is decided before anything is excluded: no later one takes its place.
        return episodes[episodes["try_index"] == (1 if is_retry else 0)]
    # A stable sort: of equals the first stays.
    best = episodes.sort_values("percent_complete", ascending=False, kind="stable")
    return best.drop_duplicates(["group_id", "task_id"]).sort_index()


def values_of(
    export: Export, outcome: str, choice: str = CHOICES[0], *, per_protocol: bool = False
) -> Frame:
    """Return the values of an outcome with condition, group, task, place in the session and levels.

    Where the outcome is not of an episode, the task is empty and there is no place. Raises
    NoValuesError.
    """
    columns = columns_of(export.study)
    table, _, column = outcome.partition(".")
    is_retry = outcome.startswith(RETRIES)
    episodes = counted(export, choice, per_protocol=per_protocol, is_retry=is_retry)
    if table == "episodes":
        found = episodes.assign(value=_numbers(episodes, column))
    elif table == "seats":
        found = seats_of_people(export.table("seats")).merge(
            episodes[["episode_id", "order_index", *columns]], on="episode_id"
        )
        found = found.assign(value=_numbers(found, column))
    else:
        found = _of_people(export, table, column, episodes, per_protocol=per_protocol)
    found = found[[*columns, "order_index", "value"]].dropna(subset=["value"])
    if found.empty:
        raise NoValuesError(f"the export has no values of {outcome} in this set")
    return found.reset_index(drop=True)


def seats_of_people(seats: Frame) -> Frame:
    """Return the seats that people had: outcomes and rules say nothing of those of policies."""
    return seats[seats["participant_id"].ne("")] if len(seats) else seats


def are_of_people(rows: Frame) -> bool:
    """Tell whether values are of people and of no attempt, such as answers at the end."""
    return bool(rows["task_id"].eq("").all())


def _of_people(
    export: Export, table: str, column: str, episodes: Frame, *, per_protocol: bool
) -> Frame:
    """Return what is of participants, and of an episode if its page follows one."""
    people = export.table("participants")
    people = people[people["is_per_protocol" if per_protocol else "is_assigned"].eq(True)]
    levels = columns_of(export.study)[len(KEYS) :]
    of_person = people[["participant_id", "group_id", "condition_assigned", *levels]]
    of_person = of_person.rename(columns={"condition_assigned": "condition"})
    if table == "visits":
        rows = export.table("visits")
        found = rows.assign(value=_numbers(rows, column), episode_id="")
    else:
        key = "question_id" if table == "responses" else "score_id"
        rows = export.table(table)
        rows = rows[rows[key] == column] if key in rows else rows
        found = rows.assign(value=_numbers(rows, "value")) if len(rows) else rows
    if found.empty:
        raise NoValuesError(f"the export has no values of {table}.{column} in this set")
    found = found.merge(of_person, on="participant_id")
    of_episode = episodes[["episode_id", "condition", "task_id", "order_index", *levels]]
    found = found.merge(of_episode, on="episode_id", how="left", suffixes=("_assigned", ""))
    # Pages after an episode that is not counted say nothing here.
    found = found[found["episode_id"].eq("") | found["task_id"].notna()]
    played = {
        name: found[name].fillna(found[f"{name}_assigned"]) for name in ["condition", *levels]
    }
    return found.assign(**played, task_id=found["task_id"].fillna(""))


def _numbers(frame: Frame, column: str) -> pd.Series:
    if column not in frame:
        raise NoValuesError(f"the export has no column {column}")
    values = frame[column]
    if values.map(lambda value: isinstance(value, str) and SEVERAL in value).any():
        raise NoValuesError(f"{column} has answers with several options, which are no numbers")
    numbers = pd.to_numeric(values.replace("", None), errors="coerce").astype(float)
    if numbers.isna().all() and len(values):
        raise NoValuesError(f"{column} has no numbers")
    return numbers
