"""Confirmatory analysis of a study, from the folder of `cohabit study export` as it is.

    python scripts/analyse_study.py FOLDER

It needs pandas and statsmodels (the extra `analysis`) and nothing of Cohabit's: copy it, and
change it as your plan says. For each hypothesis of the frozen plan it fits a linear mixed model
with groups and tasks as crossed random effects, first tries by assigned condition, and for each
pair of levels a Cox regression of the time to success with errors that are clustered by group. An
equivalence is two one-sided tests against its bound. Primary hypotheses are corrected by Holm's
method.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy.stats import norm
from statsmodels.duration.hazard_regression import PHReg
from statsmodels.stats.multitest import multipletests

Z = 1.959964
"""Standard errors from a mean to the end of its 95 % interval."""


class Estimate(NamedTuple):
    """A difference of two levels, first less second, or the logarithm of a ratio of hazards."""

    name: str
    is_primary: bool
    estimate: float
    error: float
    p: float
    n: int
    p_corrected: float | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.estimate - Z * self.error, self.estimate + Z * self.error


def table(folder: Path, name: str) -> pd.DataFrame:
    """Read a table of an export."""
    file = folder / "data" / f"description-{name}_data.csv"
    if not file.exists():
        raise SystemExit(
            f"{file} is not there: outcomes are exported once a study is closed, or unblinded"
        )
    return pd.read_csv(file)


def attempts(folder: Path) -> pd.DataFrame:
    """Return first tries of the analysis by assigned condition, with the time to success."""
    episodes = table(folder, "episodes")
    episodes = episodes[episodes["is_assigned"].eq(True) & episodes["try_index"].eq(0)]
    measures = table(folder, "measures")
    times = measures[measures["measure_id"] == "time_to_success"]
    times = times.set_index("episode_id")[["value", "is_censored"]]
    times.columns = ["time_to_success", "time_is_censored"]
    return episodes.join(times, on="episode_id")


def with_outcome(folder: Path, episodes: pd.DataFrame, outcome: str) -> pd.DataFrame:
    """Return attempts with the column ``y``; ``outcome`` is as a study file names it.

    Answers after an episode are of that attempt. Raises KeyError for what is of no attempt.
    """
    name, _, column = outcome.partition(".")
    if name == "episodes":
        return episodes.assign(y=episodes[column].astype(float)).dropna(subset=["y"])
    if name not in ("scores", "responses"):
        raise KeyError(outcome)
    rows = table(folder, name)
    rows = rows[rows["score_id" if name == "scores" else "question_id"] == column]
    rows = rows.assign(y=pd.to_numeric(rows["value"], errors="coerce")).dropna(subset=["y"])
    found = episodes.merge(rows[["episode_id", "y"]], on="episode_id")
    if found.empty:
        raise KeyError(outcome)
    return found


def contrast(rows: pd.DataFrame, hypothesis: dict[str, Any]) -> pd.DataFrame:
    """Return the rows of two levels, with ``x`` 1 at the first and 0 at the second."""
    first, second = hypothesis["levels"]
    level = rows[f"f_{hypothesis['factor']}"]
    kept = rows[level.isin([first, second])]
    return kept.assign(x=(level[kept.index] == first).astype(float))


def mixed(rows: pd.DataFrame, hypothesis: dict[str, Any]) -> Estimate:
    """Fit the linear mixed model with crossed random effects, and test as was declared."""
    within = rows.groupby("x")["y"]
    deviation = float(np.sqrt((within.var() * (within.size() - 1)).sum() / (len(rows) - 2)))
    # In standard deviations, so that the optimiser's tolerances fit whatever the unit is.
    scaled = rows.assign(y=rows["y"] / deviation)
    parts = {"group": "0 + C(group_id)", "task": "0 + C(task_id)"}
    whole = np.ones(len(rows))
    model = smf.mixedlm("y ~ x", scaled, groups=whole, re_formula="0", vc_formula=parts)
    fit = model.fit(reml=True, method=["lbfgs", "powell"])
    if not fit.converged:
        print(f"{hypothesis['name']}: the model did not converge: do not report its interval")
    estimate, error = float(fit.params["x"]) * deviation, float(fit.bse["x"]) * deviation
    match hypothesis.get("direction", "two_sided"):
        case "greater":
            p = norm.sf(estimate / error)
        case "less":
            p = norm.cdf(estimate / error)
        case "equivalent":
            bound = hypothesis["bound"] * deviation
            p = max(norm.sf((estimate + bound) / error), norm.cdf((estimate - bound) / error))
        case _:
            p = 2 * norm.sf(abs(estimate / error))
    is_primary = bool(hypothesis.get("is_primary", True))
    return Estimate(hypothesis["name"], is_primary, estimate, error, float(p), len(rows))


def survival(rows: pd.DataFrame, name: str) -> Estimate:
    """Fit a Cox regression of the time to success, each task with a hazard of its own."""
    rows = rows.dropna(subset=["time_to_success"])
    status = (~rows["time_is_censored"].astype(bool)).astype(int)
    model = PHReg(rows["time_to_success"], rows[["x"]], status=status, strata=rows["task_id"])
    fit = model.fit(groups=rows["group_id"])
    estimate, error = float(fit.params[0]), float(fit.bse[0])
    p = float(2 * norm.sf(abs(estimate / error)))
    return Estimate(name, False, estimate, error, p, len(rows))


def analyse(folder: Path) -> tuple[list[Estimate], list[Estimate]]:
    """Return the estimates of the declared hypotheses, and those of the time to success."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    plan = manifest["study"].get("analysis")
    if plan is None:
        raise SystemExit("the study declared no analysis: there is no hypothesis to test")
    episodes = attempts(folder)
    declared: list[Estimate] = []
    times: list[Estimate] = []
    for hypothesis in plan["hypotheses"]:
        first, second = hypothesis["levels"]
        name = f"{hypothesis['factor']}: {first} against {second}"
        try:
            rows = contrast(with_outcome(folder, episodes, hypothesis["outcome"]), hypothesis)
            declared.append(mixed(rows, hypothesis))
        except KeyError:
            print(f"{hypothesis['name']}: {hypothesis['outcome']} is of no attempt: not analysed")
        if all(name != found.name for found in times):
            times.append(survival(contrast(episodes, hypothesis), name))
    primary = [found for found in declared if found.is_primary]
    corrected = multipletests([found.p for found in primary], method="holm")[1] if primary else []
    family = [
        found._replace(p_corrected=float(p)) for found, p in zip(primary, corrected, strict=True)
    ]
    return family + [found for found in declared if not found.is_primary], times


def main() -> None:
    """Print the analysis."""
    if len(sys.argv) != 2:
        raise SystemExit("expected one folder: python scripts/analyse_study.py FOLDER")
    declared, times = analyse(Path(sys.argv[1]))
    for title, found in (
        ("differences, mixed model with groups and tasks as crossed random effects", declared),
        ("time to success, logarithm of the ratio of hazards (exploratory)", times),
    ):
        print(title)
        for one in found:
            low, high = one.interval
            family = "" if one.p_corrected is None else f", corrected {one.p_corrected:.4f}"
            rank = "primary" if one.is_primary else "secondary"
            print(
                f"  {one.name} ({rank}): {one.estimate:.3f} [{low:.3f}, {high:.3f}], "
                f"p = {one.p:.4f}{family}, n = {one.n}"
            )


if __name__ == "__main__":
    main()
