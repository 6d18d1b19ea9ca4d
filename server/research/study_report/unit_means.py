"""Means of units: one value for each person or group, and the tests of two levels on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from matchmaking.study.compared_conditions import Balance
from server.research.exports.tables.factors import PREFIX
from server.research.study_report.export_tables import Frame


class Tested(NamedTuple):
    """Estimate of a difference with its standard error and degrees of freedom."""

    estimate: float
    error: float
    df: float
    deviation: float
    """Standard deviation of the unit's values within a level."""


def attempt_means(rows: Frame) -> Frame:
    """Return one row for each attempt, whose value is the mean of those that it has.

    What two people have of one attempt, such as their answers after it, is not independent. Rows of
    no attempt stay as they are.
    """
    keys = [name for name in rows.columns if name != "value"]
    is_of_attempt = rows["task_id"].ne("")
    means = rows[is_of_attempt].groupby(keys, sort=False, dropna=False)["value"].mean()
    return pd.concat([means.reset_index(), rows[~is_of_attempt]], ignore_index=True)


def unit_means(rows: Frame) -> Frame:
    """Return one row for each group and condition, whose value is the mean of its values.

    People who played together are not independent, so that their values are one unit; of groups of
    one person it is that person's mean. Such a row is of no single task.
    """
    keys = [name for name in rows.columns if name not in ("value", "task_id", "order_index")]
    means = rows.groupby(keys, sort=False, dropna=False)["value"].mean().reset_index()
    return means.assign(task_id="")


def labels(rows: Frame, factors: Sequence[str]) -> pd.Series[str]:
    """Return the levels of factors in each row, as one text."""
    found = pd.Series("", index=rows.index, dtype=object)
    for name in factors:
        found = found + "\n" + rows[PREFIX + name]
    return found


def cell_means(rows: Frame, balance: Balance) -> Frame:
    """Return the mean of each group at each level in each of the conditions that are told apart.

    ``cell`` names the levels of the factors that are held equal, and ``planned`` says how many of
    such cells the group is to be compared at.
    """
    known = {"\n".join(("", *levels)): count for levels, count in balance.planned.items()}
    planned = labels(rows, balance.entry).map(known).fillna(1).astype(int)
    parts = rows[["group_id", "task_id", "level", "value"]]
    return unit_means(parts.assign(cell=labels(rows, balance.factors), planned=planned))


class Balanced(NamedTuple):
    """Values of groups that are compared, and how many groups are not compared as planned."""

    rows: Frame
    """Means of each group at each level, of its means in ``cells``."""
    cells: Frame
    one_level: int
    """Groups that have one of the levels alone, where only those with both are compared."""
    apart: int
    """Groups that have both, but in no cell."""
    fewer: int
    """Groups that are compared at fewer cells than planned."""


def balanced(cells: Frame, balance: Balance, *, is_paired: bool) -> Balanced:
    """Return the values that are compared, from means of two levels as `cell_means` returns them.

    A paired test is of the cells that a group has at both levels. Between groups it is of all that
    a group has of those which the design has at both.
    """
    alone = {"\n".join(("", *levels)) for levels in balance.alone}
    cells = cells[~cells["cell"].isin(alone)]
    one_level = apart = 0
    if is_paired:
        has_both = cells.groupby("group_id")["level"].transform("nunique") == 2
        one_level, cells = int(cells.loc[~has_both, "group_id"].nunique()), cells[has_both]
        before = cells["group_id"].nunique()
        cells = cells[cells.groupby(["group_id", "cell"])["level"].transform("nunique") == 2]
        apart = before - cells["group_id"].nunique()
    is_fewer = cells.groupby("group_id")["cell"].transform("nunique") < cells["planned"]
    rows = unit_means(cells[["group_id", "task_id", "level", "value"]])
    fewer = int(cells.loc[is_fewer, "group_id"].nunique())
    return Balanced(rows, cells, one_level, apart, fewer)


def welch(one: Frame, other: Frame) -> Tested:
    """Compare two levels that different units have (Welch 1947): variances may differ."""
    first, second = (rows["value"].to_numpy(float) for rows in (one, other))
    a, b = first.var(ddof=1) / len(first), second.var(ddof=1) / len(second)
    error = float(np.sqrt(a + b))
    df = (a + b) ** 2 / (a**2 / (len(first) - 1) + b**2 / (len(second) - 1)) if error else 1.0
    return Tested(float(first.mean() - second.mean()), error, float(df), pooled(one, other))


def paired(one: Frame, other: Frame) -> Tested:
    """Compare two levels that each unit has, by its differences."""
    both = one.merge(other, on="group_id", suffixes=("_one", "_other"))
    differences = (both["value_one"] - both["value_other"]).to_numpy(float)
    n = len(differences)
    if n < 2:
        return Tested(float(differences.mean()) if n else float("nan"), 0.0, 1.0, 0.0)
    error = float(stats.sem(differences))
    return Tested(float(differences.mean()), error, float(n - 1), pooled(one, other))


def pooled(one: Frame, other: Frame) -> float:
    """Return the standard deviation of values within two levels."""
    n = len(one) + len(other)
    if n <= 2:
        return 0.0
    spread = sum(
        (len(rows) - 1) * float(rows["value"].var()) for rows in (one, other) if len(rows) > 1
    )
    return float(np.sqrt(spread / (n - 2)))
