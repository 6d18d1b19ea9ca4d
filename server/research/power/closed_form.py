"""Power and sample sizes in closed form.

Effects are Cohen's d: the difference of means in standard deviations of an episode within a
condition. Sample sizes are episodes in each of two conditions of the same size.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

from statsmodels.stats.power import NormalIndPower, TTestIndPower, TTestPower
from statsmodels.stats.proportion import proportion_effectsize

from server.research.power.clusters import Clusters


class Goal(NamedTuple):
    """Error rates that a sample size is to keep: of the first kind, and the power."""

    alpha: float = 0.05
    power: float = 0.8
    is_one_sided: bool = False
    """Whether the test is one-sided, with all of alpha at the side of the effect."""

    @property
    def sides(self) -> str:
        """Sides of the test, in words."""
        return "one-sided" if self.is_one_sided else "two-sided"

    @property
    def alternative(self) -> str:
        """Alternative of the test, as statsmodels names it; effects are taken as positive."""
        return "larger" if self.is_one_sided else "two-sided"


class Needed(NamedTuple):
    """Episodes needed in each condition; infinite where no number is enough."""

    independent: float
    """Episodes of different people at tasks of their own."""
    clustered: float
    """Episodes of groups that play several, at tasks that are others in each condition."""
    paired: float
    """Episodes of different people, the same tasks in both conditions, compared task by task."""
    paired_and_clustered: float
    """Episodes of groups that play several, the same tasks in both conditions."""


def independent_n(effect: float, goal: Goal) -> float:
    """Return the size for independent episodes and a t-test. Raises ValueError: no effect."""
    _check(effect, goal)
    return float(
        TTestIndPower().solve_power(
            effect_size=abs(effect),
            alpha=goal.alpha,
            power=goal.power,
            alternative=goal.alternative,
        )
    )


def paired_n(effect: float, correlation: float, goal: Goal) -> float:
    """Return the number of pairs for a paired t-test; d is that of single episodes."""
    _check(effect, goal)
    of_differences = abs(effect) / math.sqrt(2 * (1 - correlation))
    return float(
        TTestPower().solve_power(
            effect_size=of_differences,
            alpha=goal.alpha,
            power=goal.power,
            alternative=goal.alternative,
        )
    )


def needed(effect: float, clusters: Clusters, goal: Goal) -> Needed:
    """Return the sizes without and with clusters and pairs.

    A design effect multiplies the independent size: 1 + (m - 1) r for groups of m episodes whose
    intraclass correlation is r (Kish, Survey Sampling, 1965), and in the same way for tasks. Tasks
    that both conditions have cancel out of the difference.
    """
    alone = independent_n(effect, goal)
    by_group = (clusters.episodes_per_group - 1) * clusters.group_share
    # n = alone (1 + by_group + (n / tasks - 1) task_share), solved for n.
    room = 1 - alone * clusters.task_share / clusters.tasks
    clustered = alone * (1 + by_group - clusters.task_share) / room if room > 0 else math.inf
    paired = paired_n(effect, clusters.task_share, goal)
    inflation = 1 + by_group / (1 - clusters.task_share)
    return Needed(alone, max(alone, clustered), paired, paired * inflation)


def power_of(effect: float, per_condition: float, goal: Goal) -> float:
    """Return the power of a t-test with so many independent episodes in each condition."""
    power = TTestIndPower().power(
        effect_size=effect, nobs1=per_condition, alpha=goal.alpha, alternative=goal.alternative
    )
    return float(power)


def detected(per_condition: float, goal: Goal) -> float:
    """Return the effect (d) that so many independent episodes in each condition detect."""
    solved = TTestIndPower().solve_power(
        effect_size=None,
        nobs1=per_condition,
        alpha=goal.alpha,
        power=goal.power,
        alternative=goal.alternative,
    )
    return float(solved)


def proportions_n(first: float, second: float, goal: Goal) -> float:
    """Return the size for two success rates, by the arcsine transformation (Cohen, 1988)."""
    effect = float(proportion_effectsize(first, second))
    _check(effect, goal)
    return float(
        NormalIndPower().solve_power(
            effect_size=abs(effect),
            alpha=goal.alpha,
            power=goal.power,
            alternative=goal.alternative,
        )
    )


def equivalence_n(bound: float, goal: Goal) -> float:
    """Return the size for two one-sided tests within ±``bound`` (d) where there is no difference.

    2 (z(1 - alpha) + z(1 - beta / 2))² / bound² (Julious, Statistics in Medicine 23:1921, 2004).
    Each test is at ``alpha``, which is the usual 5 % of a 90 % interval.
    """
    _check(bound, goal)
    z = NormalDist().inv_cdf
    return 2 * (z(1 - goal.alpha) + z(1 - (1 - goal.power) / 2)) ** 2 / bound**2


def _check(effect: float, goal: Goal) -> None:
    if not effect or not math.isfinite(effect):
        raise ValueError(f"expected an effect other than 0, got {effect:g}")
    if not 0 < goal.alpha < 1 or not goal.alpha < goal.power < 1:
        raise ValueError(
            f"expected alpha between 0 and 1 and a power between alpha and 1, got {goal.alpha:g} "
            f"and {goal.power:g}"
        )
