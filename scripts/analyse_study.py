"""Confirmatory analysis of a study, from the folder of `cohabit study export` as it is.

    python scripts/analyse_study.py FOLDER

It needs `study_rows.py` and `study_plan.py` beside it, pandas, statsmodels and lifelines (the extra
`analysis`) and nothing of Cohabit's: copy all three, and change them as your plan says. For each
hypothesis of the frozen plan it fits the model that was declared to first tries by assigned
condition, and with outcomes `episodes.retry_...` to second tries that follow a failed first one,
without what the plan excludes: means per person or group (Welch's or a paired t test), a linear
mixed model with the declared random intercepts, or least squares with groups and tasks as crossed
clusters of the errors. What is of people and of no attempt, such as answers at the end, is compared
by their means. An equivalence is two one-sided tests against its bound. Primary hypotheses are
corrected as was declared; one that cannot be analysed counts with p = 1, and is told. For each pair
of levels there is a Cox regression of the time to success, stratified by task and by every other
factor, with errors that are clustered by group; where there is none, as with fewer than five
successes at a level, it says why. Least squares have the other factors as terms, named or not:
attempts go missing by condition, and what another factor does would stand in the difference.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from lifelines import CoxPHFitter
from lifelines.exceptions import ConvergenceError, ConvergenceWarning
from scipy import linalg, optimize, stats
from statsmodels.stats.multitest import multipletests
from study_plan import (
    ALL,
    Balance,
    Model,
    balance_of,
    declared_model,
    is_within_groups,
    other_factors,
    plan_of,
    study_of,
)
from study_rows import are_of_people, attempts, contrast, group_means, notes, with_outcome

LEAST_EVENTS = 5
"""Successes at each level, with fewer of which no regression of times is fitted."""
TOO_FEW = "a level has too few groups to compare"


class NotAnalysedError(Exception):
    """Error for data that a model cannot be fitted to; the text says why."""


class Estimate(NamedTuple):
    """A difference of two levels, first less second, or the logarithm of a ratio of hazards."""

    name: str
    is_primary: bool
    estimate: float
    error: float
    p: float
    n: int
    df: float = float("inf")
    model: str = ""
    p_corrected: float | None = None
    events: tuple[int, int] | None = None
    """Successes at the first and at the second level, of a regression of times."""
    left_out: int = 0
    """Groups with one of the levels alone, where only those with both are compared."""
    apart: int = 0
    """Groups with both, but never with the same levels of the other factors within groups."""
    fewer: int = 0
    """Groups that are compared on fewer conditions than planned."""
    is_equivalence: bool = False

    @property
    def is_analysed(self) -> bool:
        """Whether there is an estimate; where there is none, it counts in its family."""
        return not np.isnan(self.p)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.interval_at(0.95)

    def interval_at(self, level: float) -> tuple[float, float]:
        half = float(stats.t.ppf((1 + level) / 2, self.df)) * self.error
        return self.estimate - half, self.estimate + half


def fitted(
    rows: pd.DataFrame,
    hypothesis: dict[str, Any],
    model: Model,
    *,
    is_within: bool = False,
    balance: Balance = ALL,
) -> Estimate:
    """Fit the declared model, and test as was declared. Raises NotAnalysedError.

    ``is_within``: by the design each group has both levels, so that its means are compared;
    ``balance``: at the same levels of which other factors.
    """
    is_paired, left_out, apart, fewer = is_within and model.unit != "episode", 0, 0, 0
    if model.unit != "episode":
        rows, left_out, apart, fewer = group_means(rows, balance, is_paired=is_paired)
    if is_paired and len(rows) < 4:
        few = "one group only has both levels" if len(rows) else "no group has both levels"
        held = f" with the same {' and '.join(balance.factors)}" if apart else ""
        raise NotAnalysedError(few + held)
    if rows.groupby("x")["group_id"].nunique().reindex([0.0, 1.0]).fillna(0).min() < 2:
        raise NotAnalysedError(TOO_FEW)
    n = len(rows) // 2 if is_paired else len(rows)
    within = rows.groupby("x")["y"]
    deviation = float(np.sqrt((within.var() * (within.size() - 1)).sum() / max(1, len(rows) - 2)))
    if not deviation > 0:
        # Values that do not vary within a level have no error, and no test.
        raise NotAnalysedError("its values do not vary")
    if model.unit != "episode":
        estimate, error, df = means(rows, is_paired=is_paired)
    elif model.random:
        estimate, error, df = mixed(rows, model)
    else:
        estimate, error, df = clustered(rows, model)
    if not error > 0:
        raise NotAnalysedError("its values do not vary")
    t, bound = estimate / error, hypothesis.get("bound") or 0.0
    match hypothesis.get("direction", "two_sided"):
        case "greater":
            p = stats.t.sf(t, df)
        case "less":
            p = stats.t.cdf(t, df)
        case "equivalent":
            above = stats.t.sf((estimate + bound * deviation) / error, df)
            p = max(above, stats.t.cdf((estimate - bound * deviation) / error, df))
        case _:
            p = 2 * stats.t.sf(abs(t), df)
    is_primary = bool(hypothesis.get("is_primary", True))
    name = hypothesis["name"]
    found = Estimate(name, is_primary, estimate, error, float(p), n, df, model.name)
    found = found._replace(left_out=left_out, apart=apart, fewer=fewer)
    return found._replace(is_equivalence=hypothesis.get("direction") == "equivalent")


def means(rows: pd.DataFrame, *, is_paired: bool) -> tuple[float, float, float]:
    """Return difference, error and df of means of groups: of pairs, or by Welch's test."""
    wide = rows.pivot_table(index="group_id", columns="x", values="y")
    if is_paired:
        differences = wide[1.0] - wide[0.0]
        return float(differences.mean()), float(differences.sem()), len(wide) - 1.0
    one, other = wide[1.0].dropna(), wide[0.0].dropna()
    # Not from the statistic, which is 0 where the means are the same.
    a, b = float(one.sem()) ** 2, float(other.sem()) ** 2
    df = (a + b) ** 2 / (a**2 / (len(one) - 1) + b**2 / (len(other) - 1)) if a + b > 0 else 1.0
    return float(one.mean() - other.mean()), float(np.sqrt(a + b)), df


def terms_of(rows: pd.DataFrame, model: Model) -> list[np.ndarray]:
    """Return the columns of each term beside the intercept, the factor's first.

    Raises NotAnalysedError where a term says nothing, or the same as others.
    """
    terms = [rows[["x"]].to_numpy(float)]
    for name in model.covariates:
        values = rows["order_index" if name == "order" else f"f_{name}"]
        if name == "order" and values.isna().any():
            raise NotAnalysedError("values that are of no attempt have no order")
        if values.nunique() < 2:
            raise NotAnalysedError(f"{name} has one value in the data that are compared")
        columns = values.to_frame() if name == "order" else pd.get_dummies(values).iloc[:, 1:]
        terms.append(columns.to_numpy(float))
    design = np.column_stack([np.ones(len(rows)), *terms])
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise NotAnalysedError("the terms of the model say the same in these data")
    return terms


def mixed(rows: pd.DataFrame, model: Model) -> tuple[float, float, float]:
    """Return difference, error and df of a mixed model with the declared random intercepts.

    It is fitted by restricted likelihood, of which only the ratios of standard deviations are
    searched. statsmodels often stops elsewhere where a variance is near zero.
    """
    terms = terms_of(rows, model)
    design = np.column_stack([np.ones(len(rows)), *terms])
    data, (n, p) = np.column_stack([design, rows["y"].to_numpy(float)]), design.shape
    shared = [pd.get_dummies(rows[f"{name}_id"], dtype=float).to_numpy() for name in model.random]
    sizes, columns = [part.shape[1] for part in shared], np.hstack(shared)
    inner, sums, products = columns.T @ columns, columns.T @ data, data.T @ data

    def moments(ratios: Any) -> tuple[Any, Any, float, float]:
        """Return products under a covariance, coefficients, variance, and the criterion."""
        scale = np.repeat(ratios, sizes)[:, None]
        factor = linalg.cho_factor(np.eye(len(inner)) + scale * inner * scale.T, lower=True)
        left = scale * sums
        found = products - left.T @ linalg.cho_solve(factor, left)
        coefficients = linalg.solve(found[:p, :p], found[:p, p], assume_a="pos")
        variance = max(float(found[p, p] - found[:p, p] @ coefficients), 1e-300) / (n - p)
        determinants = 2 * np.log(np.diag(factor[0])).sum() + np.linalg.slogdet(found[:p, :p])[1]
        return found, coefficients, variance, float((n - p) * np.log(variance) + determinants)

    best = min(
        (
            optimize.minimize(
                lambda ratios: moments(ratios)[3],
                np.full(len(sizes), start),
                method="L-BFGS-B",
                bounds=[(0.0, 30.0)] * len(sizes),
            )
            for start in (0.1, 0.7)
        ),
        key=lambda result: float(result.fun),
    )
    found, coefficients, variance, _ = moments(best.x)
    error = np.sqrt(variance * linalg.inv(found[:p, :p])[1, 1])
    return float(coefficients[1]), float(error), max(1.0, df_of(rows, model, terms))


def df_of(rows: pd.DataFrame, model: Model, terms: list[np.ndarray]) -> float:
    """Return degrees of freedom: what does not change within groups is tested on groups."""
    n, n_groups, groups = len(rows), rows["group_id"].nunique(), rows["group_id"].to_numpy()
    tasks = rows["task_id"].nunique() - 1 if "task" in model.random else 0
    if "group" not in model.random:
        return float(n - 1 - sum(term.shape[1] for term in terms) - tasks)
    kinds = [pd.DataFrame(term).groupby(groups).nunique().to_numpy().max() > 1 for term in terms]
    # Each kind of terms takes its own.
    spent = sum(t.shape[1] for t, kind in zip(terms, kinds, strict=True) if kind == kinds[0])
    return float(n - n_groups - spent - tasks if kinds[0] else n_groups - 1 - spent)


def clustered(rows: pd.DataFrame, model: Model) -> tuple[float, float, float]:
    """Return difference, error and df of least squares with groups and tasks as clusters.

    The errors are those of Cameron, Gelbach and Miller (2011), and never narrower than with one of
    both alone.
    """
    design = np.column_stack([np.ones(len(rows)), *terms_of(rows, model)])
    values, inverse = rows["y"].to_numpy(float), np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ values
    scores = design * (values - design @ coefficients)[:, None]

    def variance(labels: pd.Series) -> float:
        sums = pd.DataFrame(scores).groupby(labels.to_numpy()).sum().to_numpy()
        if len(sums) < 2:
            return 0.0
        whole = inverse @ (sums.T @ sums) @ inverse
        return float(len(sums) / (len(sums) - 1) * whole[1, 1])

    groups, tasks = variance(rows["group_id"]), variance(rows["task_id"])
    both = variance(rows["group_id"] + "\0" + rows["task_id"])
    error = float(np.sqrt(max(groups, tasks, groups + tasks - both)))
    counts = [rows[name].nunique() for name in ("group_id", "task_id")]
    # A task that is the only one is no cluster.
    return float(coefficients[1]), error, min(n for n in counts if n > 1) - 1.0


def survival(rows: pd.DataFrame, name: str, others: Sequence[str] = ()) -> Estimate:
    """Fit a Cox regression of the time to success, stratified by task and by other factors.

    A hazard of its own for each says nothing of how another factor acts, which a term would. Tells
    why where there are few successes, or nothing to compare them with, or no fit.
    """
    rows = rows.dropna(subset=["time_to_success"])
    rows = rows.assign(succeeded=~rows["time_is_censored"].astype(bool))
    first, second = (int(rows.loc[rows["x"] == x, "succeeded"].sum()) for x in (1.0, 0.0))
    told = f"{first} and {second} successes with a time"
    if min(first, second) < LEAST_EVENTS:
        return not_analysed(name, f"{told}, of {LEAST_EVENTS} that each level needs")
    strata = ["task_id", *(f"f_{other}" for other in others)]
    by = " and ".join(["task", *others])
    if not has_rivals(rows, strata):
        return not_analysed(name, f"{told}, but at no {by} while both levels were trying")
    columns = ["time_to_success", "succeeded", "x", *strata, "group_id"]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", ConvergenceWarning)
            fit = CoxPHFitter().fit(
                rows[columns],
                duration_col="time_to_success",
                event_col="succeeded",
                strata=strata,
                cluster_col="group_id",
            )
    except (ConvergenceWarning, ConvergenceError):
        why = f"{told}, but the fit does not converge, as where levels separate them"
        return not_analysed(name, why)
    found = fit.summary.loc["x"]
    estimate, error, p = (float(found[of]) for of in ("coef", "se(coef)", "p"))
    events, model = (first, second), f"Cox, stratified by {by}"
    return Estimate(name, False, estimate, error, p, len(rows), model=model, events=events)


def has_rivals(rows: pd.DataFrame, strata: Sequence[str] = ("task_id",)) -> bool:
    """Tell whether a success came while attempts of its stratum were going on at both levels.

    Where none did, each stratum has one level among those that could succeed: hazards of their own
    take all that times say.
    """
    for _, own in rows.groupby(list(strata)):
        last = own.groupby("x")["time_to_success"].max()
        if len(last) == 2 and own.loc[own["succeeded"], "time_to_success"].min() <= last.min():
            return True
    return False


def not_analysed(name: str, why: str, *, is_primary: bool = False) -> Estimate:
    """Return what stands for an estimate that there is not, and say why."""
    print(f"{name}: {why}: not analysed")
    nan = float("nan")
    return Estimate(name, is_primary, nan, nan, nan, 0, model="not analysed")


def difference(
    folder: Path, episodes: pd.DataFrame, plan: dict[str, Any], hypothesis: dict[str, Any]
) -> Estimate:
    """Return the estimate of a hypothesis, by the declared model."""
    name, is_primary = hypothesis["name"], bool(hypothesis.get("is_primary", True))
    try:
        rows = contrast(with_outcome(folder, episodes, hypothesis["outcome"]), hypothesis)
    except KeyError:
        why = f"the export has no values of {hypothesis['outcome']}"
        return not_analysed(name, why, is_primary=is_primary)
    at_level = rows.groupby("x")["group_id"].nunique()
    if len(at_level) < 2 or at_level.min() < 2:
        return not_analysed(name, TOO_FEW, is_primary=is_primary)
    model = declared_model(plan, hypothesis)
    unknown = [c for c in model.covariates if c != "order" and f"f_{c}" not in rows]
    if unknown:
        model = Model("episode", problem=f"{', '.join(unknown)} in its model is no factor")
    if are_of_people(rows) and model.unit == "episode":
        print(f"{name}: {hypothesis['outcome']} is of people: their means are compared")
        model = Model("participant")
    if model.problem:
        print(f"{name}: {model.problem}: attempts are compared instead")
    study = study_of(folder)
    if model.unit == "episode" and not model.random:
        for added in other_factors(study, hypothesis, model.covariates):
            beside = model.with_term(added)
            try:
                terms_of(rows, beside)
            except NotAnalysedError:
                print(f"{name}: {added} tells nothing apart in the data that are compared")
            else:
                model = beside
    try:
        balance = ALL if are_of_people(rows) else balance_of(study, hypothesis)
        is_within = is_within_groups(study, hypothesis)
        return fitted(rows, hypothesis, model, is_within=is_within, balance=balance)
    except NotAnalysedError as error:
        return not_analysed(name, str(error), is_primary=is_primary)


def corrected(found: list[Estimate], method: str) -> list[Estimate]:
    """Return primary estimates with corrected p values.

    A hypothesis without an estimate counts with p = 1: the family is that of the plan.
    """
    ps = [one.p if one.is_analysed else 1.0 for one in found]
    if method != "none" and ps:
        ps = [float(p) for p in multipletests(ps, method=method)[1]]
    return [
        one._replace(p_corrected=p if one.is_analysed else None)
        for one, p in zip(found, ps, strict=True)
    ]


def analyse(folder: Path) -> tuple[list[Estimate], list[Estimate]]:
    """Return the estimates of the declared hypotheses, and those of the time to success."""
    plan = plan_of(folder)
    if not plan:
        raise SystemExit("the study declared no analysis: there is no hypothesis to test")
    study, episodes = study_of(folder), attempts(folder)
    declared, times, seen = list[Estimate](), list[Estimate](), set[str]()
    for hypothesis in plan["hypotheses"]:
        first, second = hypothesis["levels"]
        name = f"{hypothesis['factor']}: {first} against {second}"
        declared.append(difference(folder, episodes, plan, hypothesis))
        if name in seen:
            continue
        seen.add(name)
        others = other_factors(study, hypothesis)
        times.append(survival(contrast(episodes, hypothesis), name, others))
    primary = [found for found in declared if found.is_primary]
    family = corrected(primary, plan.get("correction", "holm"))
    return family + [found for found in declared if not found.is_primary], times


def main() -> None:
    """Print the analysis."""
    if len(sys.argv) != 2:
        raise SystemExit("expected one folder: python scripts/analyse_study.py FOLDER")
    folder = Path(sys.argv[1])
    declared, times = analyse(folder)
    for line in notes(folder):
        print(line)
    for title, found in (
        ("differences, by the declared model", declared),
        ("time to success, logarithm of the ratio of hazards (exploratory)", times),
    ):
        print(title)
        for one in found:
            if not one.is_analysed:
                print(f"  {one.name}: not analysed")
                continue
            low, high = one.interval
            events = "" if one.events is None else ", successes {} and {}".format(*one.events)
            family = "" if one.p_corrected is None else f", corrected {one.p_corrected:.4f}"
            rank = "primary" if one.is_primary else "secondary"
            print(
                f"  {one.name} ({rank}, {one.model}): {one.estimate:.3f} [{low:.3f}, {high:.3f}], "
                f"p = {one.p:.4f}{family}, n = {one.n}{events}"
            )
            if one.is_equivalence:
                low, high = one.interval_at(0.9)
                print(f"    90 % interval, of two one-sided tests at 5 %: [{low:.3f}, {high:.3f}]")
            for told, count in (
                ("groups with one of the levels alone, left out", one.left_out),
                ("groups with both levels, but never in the same conditions, left out", one.apart),
                ("groups compared on fewer conditions than planned", one.fewer),
            ):
                if count:
                    print(f"    {told}: {count}")


if __name__ == "__main__":
    main()
