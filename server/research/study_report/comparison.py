"""Comparison of two levels of a factor, by the model that was declared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from matchmaking.study.analysis import Hypothesis
from matchmaking.study.analysis_words import held_equal
from matchmaking.study.compared_conditions import Balance
from matchmaking.study.declared_model import ORDER, Model
from server.research.exports.tables.factors import PREFIX
from server.research.study_report.clustered_errors import Floats, fit_clustered
from server.research.study_report.crossed_effects import fit_crossed
from server.research.study_report.estimates import FEW_CLUSTERS
from server.research.study_report.export_tables import Frame
from server.research.study_report.unit_means import (
    Balanced,
    Tested,
    balanced,
    cell_means,
    paired,
    pooled,
    welch,
)

_COLUMNS = {"group": "group_id", "task": "task_id"}


class Difference(NamedTuple):
    """Difference of two levels, first less second; without an interval ``problem`` says why."""

    n: tuple[int, int]
    """Values of the first and the second level."""
    n_groups: int
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    t: float | None = None
    df: float | None = None
    p: float | None = None
    effect: float | None = None
    """Cohen's d, by the deviation of the model's unit within a level."""
    deviation: float | None = None
    problem: str = ""
    few: str = ""
    """Number of clusters or units that is so small that interval and test are rough."""
    equivalence: tuple[float, float] | None = None
    """Interval that goes with the two one-sided tests of an equivalence: of 1 - 2 alpha."""
    left_out: int = 0
    """Groups that have one of the levels alone, where only those with both are compared."""
    apart: int = 0
    """Groups that have both, but never with the same levels of the other factors within groups."""
    fewer: int = 0
    """Groups whose means are over fewer conditions than planned."""


class CannotCompareError(Exception):
    """Error for data that a model cannot be fitted to; the text says why."""


class Comparison(NamedTuple):
    """Way of comparing two levels; ``is_within``: by the design each group has both."""

    model: Model
    is_within: bool
    alpha: float
    is_share: bool = False
    """Whether values are shares, whose differences are within -1 and 1."""
    balance: Balance = Balance()
    """Other factors within groups, whose levels are held equal where means are compared."""

    @property
    def is_paired(self) -> bool:
        """Whether means of each group at both levels are compared: of those that have both."""
        return self.is_within and self.model.unit != "episode"

    @property
    def held(self) -> str:
        """Factors whose levels are held equal, for a sentence; empty: none."""
        return held_equal(self.model, self.balance)

    @property
    def test(self) -> str:
        """Name of the test, for a sentence."""
        return self.model.test(is_within=self.is_within)

    def values(self, rows: Frame) -> Frame:
        """Return values to compare, from one row for each value of an attempt.

        Of means they are those of each group at a level and levels of the other factors within.
        """
        return rows if self.model.unit == "episode" else cell_means(rows, self.balance)

    def compared(self, hypothesis: Hypothesis, rows: Frame) -> Balanced:
        """Return the means of groups at the two levels; ``rows`` are as `values` returns them."""
        rows = rows[rows["level"].isin(hypothesis.levels)]
        return balanced(rows, self.balance, is_paired=self.is_paired)

    def difference(self, hypothesis: Hypothesis, rows: Frame) -> Difference:
        """Compare the two levels; ``rows`` are as `values` returns them, with ``level``."""
        first, second = hypothesis.levels
        before = rows = rows[rows["level"].isin([first, second])]
        left_out = apart = fewer = 0
        if self.model.unit != "episode":
            rows, _, left_out, apart, fewer = self.compared(hypothesis, before)
        one, other = (rows[rows["level"] == level] for level in (first, second))
        n_groups = int(rows["group_id"].nunique())
        n = (len(one), len(other))
        base = Difference(n, n_groups, left_out=left_out, apart=apart, fewer=fewer)
        if rows.empty and before["level"].nunique() == 2:
            held = f" with the same {self.held}" if base.apart else ""
            return base._replace(problem=f"no group has values at both levels{held}")
        if one.empty or other.empty:
            one, other = (before[before["level"] == level] for level in (first, second))
            missing = first if one.empty else second
            return base._replace(problem=f"no values at {missing}")
        estimate = float(one["value"].mean() - other["value"].mean())
        if rows.groupby("level")["group_id"].nunique().min() < 2:
            why = "has both levels" if self.is_paired else "is at a level"
            why = f"one group only {why}, which says nothing about groups"
            return base._replace(estimate=estimate, problem=why)
        try:
            found = self._tested(rows, one, other, first)
        except CannotCompareError as error:
            return base._replace(problem=str(error))
        if not found.error or not found.deviation:
            return base._replace(estimate=estimate, problem="nothing varies")
        low, high = self._interval(found, self.alpha)
        is_equivalence = hypothesis.direction == "equivalent"
        return base._replace(
            estimate=found.estimate,
            low=low,
            high=high,
            t=found.estimate / found.error,
            df=found.df,
            p=p_value(hypothesis, found),
            effect=found.estimate / found.deviation,
            deviation=found.deviation,
            few=self._few(rows, one, other),
            equivalence=self._interval(found, 2 * self.alpha) if is_equivalence else None,
        )

    def _interval(self, found: Tested, alpha: float) -> tuple[float, float]:
        half = found.error * float(stats.t.ppf(1 - alpha / 2, found.df))
        low, high = found.estimate - half, found.estimate + half
        return (max(-1.0, low), min(1.0, high)) if self.is_share else (low, high)

    def _tested(self, rows: Frame, one: Frame, other: Frame, first: str) -> Tested:
        model = self.model
        if model.unit != "episode":
            return paired(one, other) if self.is_paired else welch(one, other)
        terms = self._terms(rows, first)
        design = _design(terms)
        if not _is_apart(design):
            raise CannotCompareError("the terms of the model say the same in these data")
        if not model.random:
            fit = fit_clustered(design, rows)
            estimate, error, df = fit.coefficients[1], fit.errors[1], float(fit.df)
        else:
            labels = [rows[_COLUMNS[name]] for name in model.random]
            mixed = fit_crossed(rows["value"].to_numpy(float), design, labels)
            estimate, error = mixed.coefficients[1], np.sqrt(mixed.covariance[1, 1])
            df = self._df(rows, terms)
        return Tested(float(estimate), float(error), df, pooled(one, other))

    def _terms(self, rows: Frame, first: str) -> list[Floats]:
        """Return the columns of each term beside the intercept, the factor's first.

        Raises CannotCompareError.
        """
        terms = [rows["level"].eq(first).to_numpy(float)[:, None]]
        for name in self.model.covariates:
            column = rows["order_index" if name == ORDER else PREFIX + name]
            if name == ORDER and column.isna().any():
                raise CannotCompareError("values that are of no attempt have no order")
            levels, is_added = sorted(set(column)), name in self.model.added
            if len(levels) < 2:
                if is_added:
                    continue
                raise CannotCompareError(f"{name} has one value in the data that are compared")
            if name == ORDER:
                own = column.to_numpy(float)[:, None]
            else:
                own = np.column_stack([column.eq(at).to_numpy(float) for at in levels[1:]])
            if not is_added or _is_apart(_design([*terms, own])):
                terms.append(own)
        return terms

    def _df(self, rows: Frame, terms: Sequence[Floats]) -> float:
        """Return degrees of freedom by the rule of terms between and within groups.

        What does not change within a group is tested on groups, all else on attempts, each less
        what the terms of its own kind take (Pinheiro and Bates 2000).
        """
        n, n_groups = len(rows), rows["group_id"].nunique()
        of_tasks = (rows["task_id"].nunique() - 1) * ("task" in self.model.random)
        if "group" not in self.model.random:
            return float(max(1, n - 1 - sum(term.shape[1] for term in terms) - of_tasks))
        groups = rows["group_id"].to_numpy()
        kinds = [pd.DataFrame(term).groupby(groups).nunique().max(axis=None) > 1 for term in terms]
        is_within = kinds[0]
        same = [term for term, kind in zip(terms, kinds, strict=True) if kind == is_within]
        spent = sum(term.shape[1] for term in same)
        if is_within:
            return float(max(1, n - n_groups - spent - of_tasks))
        return float(max(1, n_groups - 1 - spent))

    def _few(self, rows: Frame, one: Frame, other: Frame) -> str:
        fewest = min(one["group_id"].nunique(), other["group_id"].nunique())
        n_tasks = rows["task_id"].nunique()
        if fewest < FEW_CLUSTERS:
            return f"{fewest} groups at a level"
        is_clustered = self.model.unit == "episode" and not self.model.random
        if is_clustered and 1 < n_tasks < FEW_CLUSTERS:
            return f"{n_tasks} tasks"
        return ""


def _design(terms: Sequence[Floats]) -> Floats:
    """Return the design of a model: an intercept beside the columns of its terms."""
    return np.column_stack([np.ones(len(terms[0])), *terms])


def _is_apart(design: Floats) -> bool:
    """Tell whether no column of a design says the same as others."""
    return bool(np.linalg.matrix_rank(design) == design.shape[1])


def p_value(hypothesis: Hypothesis, found: Tested) -> float:
    """Return the p value of the declared direction; of equivalence the larger of two tests."""
    t, df = found.estimate / found.error, found.df
    match hypothesis.direction:
        case "greater":
            return float(stats.t.sf(t, df))
        case "less":
            return float(stats.t.cdf(t, df))
        case "equivalent":
            bound = (hypothesis.bound or 0.0) * found.deviation
            above = stats.t.sf((found.estimate + bound) / found.error, df)
            below = stats.t.cdf((found.estimate - bound) / found.error, df)
            return float(max(above, below))
        case _:
            return float(2 * stats.t.sf(abs(t), df))
