"""Estimates: means of conditions and their differences, with groups and tasks as clusters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from episodes.metrics import holm
from matchmaking.study.analysis import Hypothesis
from server.research.study_report.export_tables import Frame

FEW_CLUSTERS = 10
"""Clusters below which an interval is rough."""

Floats = NDArray[np.float64]


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


class Difference(NamedTuple):
    """Difference of two levels, first less second; without an interval ``problem`` says why."""

    n: int
    n_groups: int
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    effect: float | None = None
    """Cohen's d, by the deviation of values within a level."""
    problem: str = ""

    @property
    def is_rough(self) -> bool:
        """Whether there are so few groups that interval and test are rough."""
        return self.low is not None and self.n_groups < FEW_CLUSTERS


def mean_of(condition: str, rows: Frame, alpha: float) -> Mean:
    """Return the mean of a condition."""
    n_groups, n_tasks = rows["group_id"].nunique(), rows["task_id"].nunique()
    values = rows["value"].to_numpy(float)
    if not len(values):
        return Mean(condition, 0, 0, 0, float("nan"), None, None, "no values")
    mean = float(values.mean())
    if n_groups < 2:
        return Mean(condition, len(values), n_groups, n_tasks, mean, None, None, "one group only")
    _, error, df = _fit(np.ones((len(values), 1)), rows)
    half = float(error[0] * stats.t.ppf(1 - alpha / 2, df))
    return Mean(condition, len(values), n_groups, n_tasks, mean, mean - half, mean + half)


def difference(hypothesis: Hypothesis, rows: Frame, alpha: float) -> Difference:
    """Compare two levels; ``rows`` have a column ``level``."""
    first, second = hypothesis.levels
    rows = rows[rows["level"].isin([first, second])]
    n_groups = rows["group_id"].nunique()
    one, other = (rows.loc[rows["level"] == level, "value"] for level in (first, second))
    if one.empty or other.empty:
        return Difference(
            len(rows), n_groups, problem=f"no values at {first if one.empty else second}"
        )
    estimate = float(one.mean() - other.mean())
    fewest = rows.groupby("level")["group_id"].nunique().min()
    if fewest < 2:
        why = "a level has one group only, which says nothing about groups"
        return Difference(len(rows), n_groups, estimate, problem=why)
    is_first = rows["level"].eq(first).to_numpy(float)
    coefficients, error, df = _fit(np.column_stack([np.ones(len(rows)), is_first]), rows)
    spread = (len(one) - 1) * one.var() + (len(other) - 1) * other.var()
    deviation = float(np.sqrt(spread / (len(rows) - 2))) if len(rows) > 2 else 0.0
    if not error[1] or not deviation:
        return Difference(len(rows), n_groups, estimate, problem="nothing varies")
    half = float(error[1] * stats.t.ppf(1 - alpha / 2, df))
    return Difference(
        len(rows),
        n_groups,
        estimate,
        estimate - half,
        estimate + half,
        _p(hypothesis, float(coefficients[1]), float(error[1]), df, deviation),
        estimate / deviation,
    )


def _p(hypothesis: Hypothesis, estimate: float, error: float, df: int, deviation: float) -> float:
    """Return the p value of the declared direction; of equivalence the larger of two tests."""
    t = estimate / error
    match hypothesis.direction:
        case "greater":
            return float(stats.t.sf(t, df))
        case "less":
            return float(stats.t.cdf(t, df))
        case "equivalent":
            bound = (hypothesis.bound or 0.0) * deviation
            above = stats.t.sf((estimate + bound) / error, df)
            below = stats.t.cdf((estimate - bound) / error, df)
            return float(max(above, below))
        case _:
            return float(2 * stats.t.sf(abs(t), df))


def _fit(design: Floats, rows: Frame) -> tuple[Floats, Floats, int]:
    """Fit least squares; return coefficients, standard errors and degrees of freedom.

    Errors have groups and tasks as crossed clusters (Cameron, Gelbach and Miller 2011), and are
    those of the larger of the two alone where the sum is smaller than either.
    """
    values = rows["value"].to_numpy(float)
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ values
    scores = design * (values - design @ coefficients)[:, None]
    variances, counts = [], []
    names = [rows["group_id"], rows["task_id"], rows["group_id"] + "\0" + rows["task_id"]]
    for labels in names:
        codes, found = labels.factorize()
        count = len(found)
        counts.append(count)
        sums = np.zeros((count, design.shape[1]))
        np.add.at(sums, codes, scores)
        factor = count / (count - 1) if count > 1 else 0.0
        variances.append(factor * np.diag(inverse @ (sums.T @ sums) @ inverse))
    groups, tasks, both = variances
    variance = np.maximum(np.maximum(groups, tasks), groups + tasks - both)
    clusters = [count for count in counts[:2] if count > 1]
    return coefficients, np.sqrt(variance), min(clusters) - 1


def corrected(p_values: list[float | None], method: str) -> list[float | None]:
    """Return p values that are corrected for all that there are."""
    known = [p for p in p_values if p is not None]
    if method == "none" or len(known) < 2:
        return p_values
    if method == "bonferroni":
        return [None if p is None else min(1.0, p * len(known)) for p in p_values]
    left = iter(holm(known))
    return [None if p is None else next(left) for p in p_values]
