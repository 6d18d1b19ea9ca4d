"""Estimates: means of conditions with intervals, and corrected p values."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from scipy import stats

from episodes.metrics import holm
from server.research.study_report.clustered_errors import fit_clustered
from server.research.study_report.export_tables import Frame

FEW_CLUSTERS = 10
"""Clusters below which an interval is rough."""


Interval = Literal["t", "t, cut at 0 and 1", "Wilson"]
"""Kinds of intervals of a mean: Student's t, cut where values cannot be beyond, or, of a rate,
Wilson's score interval."""


class Mean(NamedTuple):
    """Mean of a condition; without an interval ``problem`` says why."""

    condition: str
    n: int
    n_groups: int
    n_tasks: int
    mean: float
    low: float | None
    high: float | None
    problem: str = ""

    @property
    def is_rough(self) -> bool:
        """Whether there are so few groups or tasks that the interval is rough."""
        clusters = [n for n in (self.n_groups, self.n_tasks) if n > 1]
        return self.low is not None and min(clusters) < FEW_CLUSTERS


def mean_of(condition: str, rows: Frame, alpha: float, interval: Interval = "t") -> Mean:
    """Return the mean of a condition with an interval of a kind."""
    n_groups = int(rows["group_id"].nunique())
    n_tasks = int(rows.loc[rows["task_id"] != "", "task_id"].nunique())
    values = rows["value"].to_numpy(float)
    if not len(values):
        return Mean(condition, 0, 0, 0, float("nan"), None, None, "no values")
    mean = float(values.mean())
    found = Mean(condition, len(values), n_groups, n_tasks, mean, None, None)
    if n_groups < 2:
        return found._replace(problem="one group only")
    fit = fit_clustered(np.ones((len(values), 1)), rows)
    error, quantile = float(fit.errors[0]), float(stats.t.ppf(1 - alpha / 2, fit.df))
    if interval == "Wilson":
        low, high = score_interval(mean, error, quantile, n_groups, len(values))
        return found._replace(low=low, high=high)
    if np.ptp(values) == 0:
        return found._replace(problem="nothing varies")
    low, high = mean - quantile * error, mean + quantile * error
    if interval == "t, cut at 0 and 1":
        low, high = max(0.0, low), min(1.0, high)
    return found._replace(low=low, high=high)


def score_interval(
    share: float, error: float, quantile: float, n_groups: int, n_values: int
) -> tuple[float, float]:
    """Return Wilson's score interval of a share, with the number of values that its error implies.

    That is the effective sample size of Korn and Graubard (1998), which is never more than there
    are values; where nothing varies it is the number of groups. Ends are within 0 and 1.
    """
    spread = share * (1 - share)
    n = min(spread / error**2, n_values) if error and spread else float(n_groups)
    square = quantile**2
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = quantile / (1 + square / n) * float(np.sqrt(spread / n + square / (4 * n**2)))
    # Where the share is 0 or 1, rounding can pass it.
    return max(0.0, middle - half), min(1.0, middle + half)


def corrected(p_values: list[float | None], method: str) -> list[float | None]:
    """Return p values that are corrected for their whole family.

    One that is not known counts with 1: the family is that of the plan, whatever data came.
    """
    family = [1.0 if p is None else p for p in p_values]
    if method == "none" or len(family) < 2:
        return p_values
    if method == "bonferroni":
        raised = [min(1.0, p * len(family)) for p in family]
    else:
        raised = list(holm(family))
    return [None if p is None else r for p, r in zip(p_values, raised, strict=True)]
