"""Error rates of the tests that study reports compute, on data in the manner of a ready study.

    python -m tests.benchmarks.report_tests GROUPS EFFECT [RUNS]

GROUPS people at each of two levels do four of eight tasks each; EFFECT is the difference of their
log odds of success, 0 for none. It prints the share of runs in which each model finds p < 0.05,
one-sided.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd

from matchmaking.study.analysis import Hypothesis
from matchmaking.study.declared_model import CLUSTERED, Model
from server.research.study_report.comparison import Comparison

MODELS = {
    "means per person": Model("participant"),
    "mixed model": Model("episode", random=("group", "task")),
    "clustered": CLUSTERED,
}
HYPOTHESIS = Hypothesis(
    name="h",
    text="more",
    factor="f",
    levels=("a", "b"),
    outcome="episodes.success",
    direction="greater",
)


def study(groups: int, effect: float, rng: np.random.Generator) -> pd.DataFrame:
    """Return one made study: a row for each attempt."""
    tasks, rows = rng.normal(0, 0.3, 8), []
    for level in "ab":
        for group in range(groups):
            luck = rng.normal(0, 0.4)
            for task in rng.choice(8, 4, replace=False):
                odds = 0.3 + luck + tasks[task] + effect * (level == "a")
                success = float(rng.random() < 1 / (1 + np.exp(-odds)))
                rows.append((level, level, f"{level}{group}", f"t{task}", 0, success))
    names = ["condition", "level", "group_id", "task_id", "order_index", "value"]
    return pd.DataFrame(rows, columns=names)


def main() -> None:
    """Print the rates."""
    groups, effect = int(sys.argv[1]), float(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    rng = np.random.default_rng(1)
    found = dict.fromkeys(MODELS, 0)
    for _ in range(runs):
        rows = study(groups, effect, rng)
        for name, model in MODELS.items():
            comparison = Comparison(model, is_within=False, alpha=0.05)
            p = comparison.difference(HYPOTHESIS, comparison.values(rows)).p
            found[name] += p is not None and p < 0.05
    for name, count in found.items():
        print(f"{name}: {count / runs:.3f} of {runs}")


if __name__ == "__main__":
    main()
