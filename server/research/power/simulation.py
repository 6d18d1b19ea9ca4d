"""Power by simulation: groups and tasks as crossed random effects, tested with both as clusters."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from statsmodels.regression.linear_model import OLS

from server.research.power.clusters import Clusters

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]


class Simulated(NamedTuple):
    """Share of simulated studies whose test was significant, with its standard error."""

    power: float
    standard_error: float
    studies: int


class Layout(NamedTuple):
    """Episodes of a study: condition (0 or 1), group and task of each."""

    condition: Integers
    group: Integers
    task: Integers


def layout(per_condition: int, clusters: Clusters, *, is_matched: bool) -> Layout:
    """Return who plays what.

    Matched: the k-th group of each condition plays the same tasks. Otherwise each condition has
    ``clusters.tasks`` tasks of its own.
    """
    episode = np.arange(per_condition)
    condition = np.repeat([0, 1], per_condition)
    groups = math.ceil(per_condition / clusters.episodes_per_group)
    group = np.tile(episode // clusters.episodes_per_group, 2) + condition * groups
    task = np.tile(episode % clusters.tasks, 2)
    return Layout(condition, group, task if is_matched else task + condition * clusters.tasks)


def simulated_power(
    effect: float,
    per_condition: int,
    clusters: Clusters,
    *,
    alpha: float = 0.05,
    is_matched: bool = True,
    studies: int = 1000,
    seed: int = 0,
) -> Simulated:
    """Return the share of studies that find the effect (d) with so many episodes in a condition.

    An episode is condition, group, task and its own part, all normal. The test is that of the
    condition's coefficient with errors clustered by group and by task (Cameron, Gelbach and Miller,
    J. Business and Economic Statistics 29:238, 2011), with the t distribution of the smaller number
    of clusters less one.
    """
    if per_condition < 2 * clusters.episodes_per_group or studies < 1:
        raise ValueError("expected two groups in each condition and a study at least")
    rng = np.random.default_rng(seed)
    plan = layout(per_condition, clusters, is_matched=is_matched)
    design = np.column_stack([np.ones(2 * per_condition), plan.condition])
    found = 0
    for _ in range(studies):
        outcome = effect * plan.condition + _noise(plan, clusters, rng)
        found += _p_value(outcome, design, plan) < alpha
    power = found / studies
    return Simulated(power, math.sqrt(power * (1 - power) / studies), studies)


def _noise(plan: Layout, clusters: Clusters, rng: np.random.Generator) -> Floats:
    own_share = 1 - clusters.group_share - clusters.task_share
    groups = rng.normal(0, math.sqrt(clusters.group_share), plan.group.max() + 1)
    tasks = rng.normal(0, math.sqrt(clusters.task_share), plan.task.max() + 1)
    own = rng.normal(0, math.sqrt(own_share), len(plan.task))
    noise: Floats = groups[plan.group] + tasks[plan.task] + own
    return noise


def _p_value(outcome: Floats, design: Floats, plan: Layout) -> float:
    clusters = np.column_stack([plan.group, plan.task])
    fitted = OLS(outcome, design).fit(cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True)
    p_value = float(fitted.pvalues[1])
    # A variance of two clusterings can be negative in a small study, which finds nothing then.
    return p_value if math.isfinite(p_value) else 1.0
