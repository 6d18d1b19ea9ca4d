"""Declared effects of a study, as shifts of the hidden quantities that attempts are made from.

An attempt has a slowness, a difficulty, and one quantity for each further column that a hypothesis
names: standard normal where condition, group and task make no difference. The shift of a condition
is chosen so that the outcome itself differs by the declared d, in units of its sample: a d of
the logarithm of a time, say, is not one of the time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from random import Random
from statistics import NormalDist, mean, pvariance

from matchmaking.study import Study
from matchmaking.study.analysis import RESPONSES, RETRIES, SCORES, Hypothesis, Sample, Unit
from matchmaking.study.declared_model import sample_unit
from matchmaking.study.pages import Play
from server.research.rehearsal.habits import Habits

SPREAD = 0.35
"""Standard deviation of the logarithm of an attempt's duration."""
TICK_RATE = 30
SLOWNESS, DIFFICULTY = "slowness", "difficulty"
RETRY = "difficulty of a try that follows a failed one"
QUANTITIES: Mapping[str, str] = {
    "episodes.ticks": SLOWNESS,
    "episodes.duration_s": SLOWNESS,
    "episodes.success": DIFFICULTY,
    "episodes.percent_complete": DIFFICULTY,
    "episodes.retry_success": RETRY,
}
"""Hidden quantities by the columns that come from them."""
DRAWS = 2000
"""Draws from which the size of a shift is found."""
MOST = 8.0
"""Largest shift, in standard deviations; an effect that needs more is not reached."""

Measure = Callable[[float], float]


def quantity_of(column: str) -> str | None:
    """Return the hidden quantity that a column comes from; None: it is not simulated."""
    if column in QUANTITIES:
        return QUANTITIES[column]
    return column if column.startswith((RESPONSES, SCORES, RETRIES, "seats.")) else None


def ticks(slowness: float, habits: Habits) -> int:
    """Return the ticks of an attempt."""
    return round(habits.attempt_s * math.exp(SPREAD * slowness) * TICK_RATE)


def percent_complete(difficulty: float, habits: Habits, try_index: int = 0) -> float:
    """Return the share of an attempt's goals that hold; 1: it succeeds. A further try helps."""
    left = difficulty - NormalDist().inv_cdf(habits.succeeds) - 0.5 * try_index
    return 1.0 if left < 0 else round(max(0.0, 0.99 - 0.4 * left), 2)


def declared(hypothesis: Hypothesis, sample: Sample) -> float:
    """Return the d of the first level of a hypothesis against the second; 0: none is declared."""
    if not hypothesis.is_primary or hypothesis.direction == "equivalent":
        return 0.0
    if hypothesis.direction == "two_sided":
        return sample.effect
    return math.copysign(sample.effect, -1.0 if hypothesis.direction == "less" else 1.0)


def declared_shifts(study: Study, habits: Habits) -> dict[tuple[str, str], float]:
    """Return the shifts of conditions by hidden quantity and condition, those that are not 0."""
    plan = study.analysis
    if plan is None:
        return {}
    once = study.asked_once
    effects: dict[tuple[str, str], dict[str, float]] = {}
    for hypothesis in plan.hypotheses:
        quantity, d = (
            quantity_of(hypothesis.outcome),
            declared(hypothesis, plan.sample_of(hypothesis)),
        )
        if quantity is None or not d:
            continue
        if quantity in once:
            # One answer of a person is in standard deviations of people already.
            size = d
        else:
            unit = sample_unit(study, hypothesis)
            is_retried = quantity == RETRY
            units = _RetriedUnits(study, unit, habits) if is_retried else _Units(study, unit)
            size = _shift(_measure(hypothesis.outcome, habits), d, units)
        levels = effects.setdefault((quantity, hypothesis.factor), {})
        first, second = hypothesis.levels
        if first in levels:
            levels.setdefault(second, levels[first] - size)
        else:
            levels[first] = levels.setdefault(second, 0.0) + size
    found: dict[tuple[str, str], float] = {}
    for (quantity, factor), levels in effects.items():
        for cell in study.cells:
            if shift := levels.get(cell.levels.get(factor, ""), 0.0):
                found[quantity, cell.name] = found.get((quantity, cell.name), 0.0) + shift
    return found


class _Units:
    """Units of an analysis: how a mean over the attempts of one varies."""

    def __init__(self, study: Study, unit: Unit) -> None:
        assert study.analysis is not None, "effects are declared in an analysis"
        # Attempts are made with the shares of the plan's own sample, whatever a hypothesis has.
        sample, play = study.analysis.sample, study.page_of(Play)
        self.size = 1
        if unit != "episode" and play is not None:
            self.size = play.episodes or 1
        draws, again = Random("declared effects"), Random("second tries")
        group, task = math.sqrt(sample.group_share), math.sqrt(sample.task_share)
        own = math.sqrt(max(0.0, 1 - sample.group_share - sample.task_share))

        def tries(common: float) -> tuple[float, float]:
            shared = common + task * draws.gauss(0, 1)
            return shared + own * draws.gauss(0, 1), shared + own * again.gauss(0, 1)

        self.draws = [
            [tries(common) for _ in range(self.size)]
            for _ in range(DRAWS)
            for common in (group * draws.gauss(0, 1),)
        ]
        """Two tries at each task of a unit, which differ in what is an attempt's own."""

    def moments(self, measure: Measure, shift: float) -> tuple[float, float]:
        """Return mean and variance of the units of a condition with a shift."""
        values = [mean(measure(x + shift) for x in unit) for unit in self.counted]
        return mean(values), pvariance(values)

    @cached_property
    def counted(self) -> list[list[float]]:
        """Quantities of the attempts of each unit that count."""
        return [[first for first, _ in unit] for unit in self.draws]


class _RetriedUnits(_Units):
    """Units by their tries that follow a failed one; those without one are none."""

    def __init__(self, study: Study, unit: Unit, habits: Habits) -> None:
        super().__init__(study, unit)
        self._habits = habits

    @cached_property
    def counted(self) -> list[list[float]]:
        failed = (
            [then for first, then in unit if percent_complete(first, self._habits) < 1.0]
            for unit in self.draws
        )
        return [unit for unit in failed if unit]


def _measure(column: str, habits: Habits) -> Measure:
    match column:
        case "episodes.ticks" | "episodes.duration_s":
            return lambda x: float(ticks(x, habits))
        case "episodes.success":
            return lambda x: float(percent_complete(x, habits) == 1.0)
        case "episodes.retry_success":
            return lambda x: float(percent_complete(x, habits, 1) == 1.0)
        case "episodes.percent_complete":
            return lambda x: percent_complete(x, habits)
        case _:
            return float


def _shift(measure: Measure, effect: float, units: _Units) -> float:
    """Return the shift at which the outcome of units differs by an effect, found by bisection."""
    usual = units.moments(measure, 0.0)

    def reached(shift: float) -> float:
        moved = units.moments(measure, shift)
        spread = math.sqrt((usual[1] + moved[1]) / 2)
        return (moved[0] - usual[0]) / spread if spread else 0.0

    # Every outcome rises with its quantity, or falls with it.
    direction = 1.0 if reached(0.5) * effect > 0 else -1.0
    low, high = 0.0, MOST
    for _ in range(24):
        middle = (low + high) / 2
        if abs(reached(direction * middle)) < abs(effect):
            low = middle
        else:
            high = middle
    return direction * low
