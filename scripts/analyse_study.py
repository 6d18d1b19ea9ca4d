"""Confirmatory analysis of a study, from the folder of `cohabit study export` as it is.

    python scripts/analyse_study.py FOLDER

It needs pandas, statsmodels and lifelines (the extra `analysis`) and nothing of Cohabit's: copy it,
and change it as your plan says. For each hypothesis of the frozen plan it fits the model that was
declared to first tries by assigned condition, and with outcomes `episodes.retry_...` to the first
try that follows a failed one: means per person or group (Welch's or a paired t test), a linear
mixed model with the declared random intercepts, or least squares with groups and tasks as crossed
clusters of the errors. What is of people and of no attempt, such as answers at the end, is compared
by their means. An equivalence is two one-sided tests against its bound. Primary hypotheses are
corrected as was declared; one that cannot be analysed counts with p = 1, and is told. For each pair
of levels there is a Cox regression of the time to success, with errors that are clustered by group;
with fewer than five successes at a level there is none.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from lifelines import CoxPHFitter
from lifelines.exceptions import ConvergenceError, ConvergenceWarning
from scipy import stats
from statsmodels.stats.multitest import multipletests

FORMULA = re.compile(
    r"(?:two one-sided tests of )?(?P<mean>mean of )?[\w.]+"
    r"(?: per (?P<unit>person|participant|group|attempt|episode))?\s*~(?P<terms>[^~]+)",
    re.IGNORECASE,
)
"""Formulas of plans, as docs/results.md lists them."""
RANDOM = re.compile(r"\(\s*1\s*\|\s*(group|group_id|task)\s*\)")

RETRY = "retry_success"
"""Column of episodes that tries have which follow a failed one."""
KEYS = {"seats": "", "visits": "", "scores": "score_id", "responses": "question_id"}
"""Tables of outcomes beside episodes, with the column that names one in long form."""

LEAST_EVENTS = 5
"""Successes at each level, with fewer of which no regression of times is fitted."""


class Model(NamedTuple):
    """Model that a plan declares; ``problem`` says why it is another one."""

    unit: str
    """Unit of a value: participant, group or episode."""
    covariates: tuple[str, ...] = ()
    random: tuple[str, ...] = ()
    problem: str = ""

    @property
    def name(self) -> str:
        """Name of what is computed."""
        if self.unit != "episode":
            return "t test of means"
        if self.random:
            return f"mixed model with {' and '.join(f'{name}s' for name in self.random)}"
        return "least squares, clustered by group and task"


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

    @property
    def is_analysed(self) -> bool:
        """Whether there is an estimate; where there is none, it counts in its family."""
        return not np.isnan(self.p)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        half = float(stats.t.ppf(0.975, self.df)) * self.error
        return self.estimate - half, self.estimate + half


def table(folder: Path, name: str) -> pd.DataFrame:
    """Read a table of an export."""
    file = folder / "data" / f"description-{name}_data.csv"
    if not file.exists():
        raise SystemExit(
            f"{file} is not there: outcomes are exported once a study is closed, or unblinded"
        )
    # Read by the codebook, not by what values look like: a level may be called true, 1 or None.
    book = json.loads((folder / "codebook.json").read_text(encoding="utf-8"))
    columns: list[dict[str, Any]] = next(
        (of["columns"] for of in book["tables"] if of["name"] == name), []
    )
    texts = [column["name"] for column in columns if column["type"] == "text"]
    return pd.read_csv(
        file,
        dtype=dict.fromkeys(texts, str),
        keep_default_na=False,
        na_values=[""],
    )


def attempts(folder: Path) -> pd.DataFrame:
    """Return first tries of the analysis by assigned condition, with the time to success."""
    episodes = table(folder, "episodes")
    episodes = episodes[episodes["is_assigned"].eq(True) & episodes["try_index"].eq(0)]
    measures = table(folder, "measures")
    times = measures[measures["measure_id"] == "time_to_success"]
    times = times.set_index("episode_id")[["value", "is_censored"]]
    times.columns = ["time_to_success", "time_is_censored"]
    return episodes.join(times, on="episode_id")


def retries(folder: Path) -> pd.DataFrame:
    """Return tries that follow a failed one by assigned condition: a group's first at each task."""
    episodes = table(folder, "episodes")
    if RETRY not in episodes:
        raise SystemExit(f"{folder} has no columns of later tries: export it again")
    episodes = episodes[episodes["is_assigned"].eq(True) & episodes[RETRY].notna()]
    episodes = episodes.sort_values("try_index", kind="stable")
    return episodes.drop_duplicates(["group_id", "task_id"]).sort_index()


def with_outcome(folder: Path, episodes: pd.DataFrame, outcome: str) -> pd.DataFrame:
    """Return rows with the column ``y``; ``outcome`` is as a study file names it.

    Answers after an episode are of that attempt. What is of people, such as answers at the end, has
    an empty task (`are_of_people`). Raises KeyError where there are no values.
    """
    name, _, column = outcome.partition(".")
    if name == "episodes":
        if column.startswith("retry_"):
            episodes = retries(folder)
        return episodes.assign(y=episodes[column].astype(float)).dropna(subset=["y"])
    if name not in KEYS:
        raise KeyError(outcome)
    rows = table(folder, name)
    if key := KEYS[name]:
        rows, column = rows[rows[key] == column], "value"
    rows = rows.assign(y=pd.to_numeric(rows[column], errors="coerce")).dropna(subset=["y"])
    if "episode_id" not in rows:
        rows = rows.assign(episode_id=np.nan)
    of_attempts = episodes.merge(rows[["episode_id", "y"]].dropna(), on="episode_id")
    people = table(folder, "participants")
    people = people[people["is_assigned"].eq(True)].assign(task_id="")
    alone = rows.loc[rows["episode_id"].isna(), ["participant_id", "y"]]
    of_people = people.merge(alone, on="participant_id")
    parts = [part for part in (of_attempts, of_people) if len(part)]
    if not parts:
        raise KeyError(outcome)
    return pd.concat(parts, ignore_index=True)


def are_of_people(rows: pd.DataFrame) -> bool:
    """Tell whether values are of people and of no attempt."""
    return bool(rows["task_id"].eq("").all())


def contrast(rows: pd.DataFrame, hypothesis: dict[str, Any]) -> pd.DataFrame:
    """Return the rows of two levels, with ``x`` 1 at the first and 0 at the second."""
    first, second = hypothesis["levels"]
    level = rows[f"f_{hypothesis['factor']}"]
    kept = rows[level.isin([first, second])]
    return kept.assign(x=(level[kept.index] == first).astype(float))


def declared_model(plan: dict[str, Any], hypothesis: dict[str, Any]) -> Model:
    """Return the model that a plan declares; one that is not known is least squares on attempts."""
    text = str(plan["model"])
    found = FORMULA.fullmatch(text.strip().rstrip("."))
    if found is None:
        return Model("episode", problem=f"{text!r} is no formula that is known here")
    terms = [term.strip() for term in found["terms"].split("+")]
    random = tuple(m[1].removesuffix("_id") for t in terms if (m := RANDOM.fullmatch(t)))
    fixed = [term for term in terms if not RANDOM.fullmatch(term)]
    if hypothesis["factor"] not in fixed or any("(" in term for term in fixed):
        return Model("episode", problem=f"{text!r} has other terms than are known here")
    units = {"person": "participant", "attempt": "episode"}
    named = (found["unit"] or "").lower()
    unit = units.get(named, named) or ("episode" if random else plan.get("unit", "episode"))
    covariates = tuple(term for term in fixed if term != hypothesis["factor"])
    if unit != "episode" and (random or covariates):
        return Model("episode", problem=f"{text!r} has means of a unit with other terms")
    return Model(unit, covariates, random)


def fitted(rows: pd.DataFrame, hypothesis: dict[str, Any], model: Model) -> Estimate:
    """Fit the declared model, and test as was declared."""
    if model.unit != "episode":
        # Those who played together are one unit.
        rows = rows.groupby(["group_id", "x"], as_index=False)["y"].mean()
    within = rows.groupby("x")["y"]
    deviation = float(np.sqrt((within.var() * (within.size() - 1)).sum() / (len(rows) - 2)))
    if not deviation > 0:
        # Values that do not vary within a level have no error, and no test.
        estimate, error, df = float("nan"), float("nan"), 1.0
    elif model.unit != "episode":
        estimate, error, df = means(rows)
    elif model.random:
        estimate, error, df = mixed(rows, model, deviation)
    else:
        estimate, error, df = clustered(rows, model)
    error = error if error > 0 else float("nan")
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
    return Estimate(name, is_primary, estimate, error, float(p), len(rows), df, model.name)


def means(rows: pd.DataFrame) -> tuple[float, float, float]:
    """Return difference, error and df of means: paired where each group has both levels."""
    wide = rows.pivot_table(index="group_id", columns="x", values="y")
    both = wide.dropna()
    if len(both) == len(wide):
        differences = both[1.0] - both[0.0]
        return float(differences.mean()), float(differences.sem()), len(both) - 1.0
    one, other = wide[1.0].dropna(), wide[0.0].dropna()
    # Not from the statistic, which is 0 where the means are the same.
    a, b = float(one.sem()) ** 2, float(other.sem()) ** 2
    df = (a + b) ** 2 / (a**2 / (len(one) - 1) + b**2 / (len(other) - 1)) if a + b > 0 else 1.0
    return float(one.mean() - other.mean()), float(np.sqrt(a + b)), df


def mixed(rows: pd.DataFrame, model: Model, deviation: float) -> tuple[float, float, float]:
    """Return difference, error and df of a mixed model with the declared random intercepts."""
    # In standard deviations, so that the optimiser's tolerances fit whatever the unit is.
    scaled = rows.assign(y=rows["y"] / deviation)
    parts = {name: f"0 + C({name}_id)" for name in model.random}
    whole = np.ones(len(rows))
    fit = smf.mixedlm(formula(model), scaled, groups=whole, re_formula="0", vc_formula=parts).fit(
        reml=True, method=["lbfgs", "powell"]
    )
    if not fit.converged:
        print("a mixed model did not converge: do not report its interval")
    n_groups = rows["group_id"].nunique()
    tasks = rows["task_id"].nunique() - 1 if "task" in model.random else 0
    df = len(rows) - len(fit.fe_params) - tasks
    if "group" in model.random:
        is_between = (rows.groupby("group_id")["x"].nunique() == 1).all()
        df = n_groups - 2 if is_between else df - n_groups + 1
    return float(fit.params["x"]) * deviation, float(fit.bse["x"]) * deviation, max(1.0, df)


def clustered(rows: pd.DataFrame, model: Model) -> tuple[float, float, float]:
    """Return difference, error and df of least squares with groups and tasks as clusters."""
    codes = np.column_stack([rows[name].factorize()[0] for name in ("group_id", "task_id")])
    # Tasks of which there is one only are no clusters.
    several = [column for column in codes.T if len(set(column)) > 1]
    kwds = {"groups": np.column_stack(several), "df_correction": False}
    fit = smf.ols(formula(model), rows).fit(cov_type="cluster", cov_kwds=kwds)
    df = min(len(set(column)) for column in several) - 1
    return float(fit.params["x"]), float(fit.bse["x"]), float(df)


def formula(model: Model) -> str:
    """Return a model's fixed part: the two levels that are compared, and covariates."""
    names = ["order_index" if name == "order" else f"C(f_{name})" for name in model.covariates]
    return " + ".join(["y ~ x", *names])


def survival(rows: pd.DataFrame, name: str) -> Estimate | None:
    """Fit a Cox regression of the time to success, each task with a hazard of its own.

    Returns None, and says why, where there are few successes or the fit is no use.
    """
    rows = rows.dropna(subset=["time_to_success"])
    rows = rows.assign(succeeded=~rows["time_is_censored"].astype(bool))
    first, second = (int(rows.loc[rows["x"] == x, "succeeded"].sum()) for x in (1.0, 0.0))
    told = f"{name}: {first} and {second} successes"
    if min(first, second) < LEAST_EVENTS:
        print(f"{told}, of {LEAST_EVENTS} that each level needs: no regression of times")
        return None
    columns = ["time_to_success", "succeeded", "x", "task_id", "group_id"]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", ConvergenceWarning)
            fit = CoxPHFitter().fit(
                rows[columns],
                duration_col="time_to_success",
                event_col="succeeded",
                strata=["task_id"],
                cluster_col="group_id",
            )
    except (ConvergenceWarning, ConvergenceError):
        print(f"{told}, but the fit does not converge, as where levels separate them: not told")
        return None
    found = fit.summary.loc["x"]
    estimate, error, p = (float(found[of]) for of in ("coef", "se(coef)", "p"))
    events = (first, second)
    return Estimate(name, False, estimate, error, p, len(rows), model="Cox", events=events)


def not_analysed(hypothesis: dict[str, Any], why: str) -> Estimate:
    """Return what stands for a hypothesis that cannot be analysed, and say why."""
    print(f"{hypothesis['name']}: {why}: not analysed")
    nan, is_primary = float("nan"), bool(hypothesis.get("is_primary", True))
    return Estimate(hypothesis["name"], is_primary, nan, nan, nan, 0, model="not analysed")


def difference(
    folder: Path, episodes: pd.DataFrame, plan: dict[str, Any], hypothesis: dict[str, Any]
) -> Estimate:
    """Return the estimate of a hypothesis, by the declared model."""
    try:
        rows = contrast(with_outcome(folder, episodes, hypothesis["outcome"]), hypothesis)
    except KeyError:
        return not_analysed(hypothesis, f"the export has no values of {hypothesis['outcome']}")
    if rows["x"].nunique() < 2 or rows["group_id"].nunique() < 3:
        return not_analysed(hypothesis, "too few groups to compare")
    model = declared_model(plan, hypothesis)
    if are_of_people(rows) and model.unit == "episode":
        print(
            f"{hypothesis['name']}: {hypothesis['outcome']} is of people: their means are compared"
        )
        model = Model("participant")
    if model.problem:
        print(f"{hypothesis['name']}: {model.problem}: attempts are compared instead")
    found = fitted(rows, hypothesis, model)
    return found if found.is_analysed else not_analysed(hypothesis, "its values do not vary")


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
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    plan = manifest["study"].get("analysis")
    if plan is None:
        raise SystemExit("the study declared no analysis: there is no hypothesis to test")
    episodes = attempts(folder)
    declared: list[Estimate] = []
    times: list[Estimate] = []
    seen: set[str] = set()
    for hypothesis in plan["hypotheses"]:
        first, second = hypothesis["levels"]
        name = f"{hypothesis['factor']}: {first} against {second}"
        declared.append(difference(folder, episodes, plan, hypothesis))
        if name in seen:
            continue
        seen.add(name)
        if (found := survival(contrast(episodes, hypothesis), name)) is not None:
            times.append(found)
    primary = [found for found in declared if found.is_primary]
    family = corrected(primary, plan.get("correction", "holm"))
    return family + [found for found in declared if not found.is_primary], times


def main() -> None:
    """Print the analysis."""
    if len(sys.argv) != 2:
        raise SystemExit("expected one folder: python scripts/analyse_study.py FOLDER")
    declared, times = analyse(Path(sys.argv[1]))
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


if __name__ == "__main__":
    main()
