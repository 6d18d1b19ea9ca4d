"""Means of units: one value for each person or group, and the tests of two levels on them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats

from server.research.study_report.export_tables import Frame


class Tested(NamedTuple):
    """Estimate of a difference with its standard error and degrees of freedom."""

    estimate: float
    error: float
    df: float
    deviation: float
    """Standard deviation of the unit's values within a level."""


def unit_means(rows: Frame) -> Frame:
    """Return one row for each group and condition, whose value is the mean of its values.

    People who played together are not independent, so that their values are one unit; of groups of
    one person it is that person's mean. Such a row is of no single task.
    """
    keys = [name for name in rows.columns if name not in ("value", "task_id", "order_index")]
    means = rows.groupby(keys, sort=False, dropna=False)["value"].mean().reset_index()
    return means.assign(task_id="")


def with_both(rows: Frame) -> Frame:
    """Return the values of those units that have both levels: a paired test is of these alone."""
    return rows[rows.groupby("group_id")["level"].transform("nunique") == 2]


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
