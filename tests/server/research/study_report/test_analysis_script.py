"""The analysis script: from an export as it is to the effects that its data were made with."""

from __future__ import annotations

from pathlib import Path

import pytest
from analyse_study import Estimate, analyse
from msgspec.structs import replace

from matchmaking.study.analysis import Hypothesis
from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic

EFFECTS = Effects(
    log_hazard={"none": -7.0, "verdict": -6.8, "partnr": -6.4, "ours": -5.8},
    load={"none": 1.0, "verdict": 0.0, "partnr": 0.0, "ours": -1.0},
)
PER_ITEM = 5.0
"""Points of the score of task load, from 0 to 100, for a point of its items."""


def hypothesis(name: str, first: str, second: str, outcome: str, **more: object) -> Hypothesis:
    levels = (first, second)
    made = Hypothesis(name=name, text=name, factor="explanation", levels=levels, outcome=outcome)
    return replace(made, **more)


@pytest.mark.long
def test_known_effects_are_recovered(tmp_path: Path) -> None:
    study = read_study(ready_text("explanation")).study
    assert study.analysis is not None
    load = "scores.nasa_tlx_raw"
    plan = replace(
        study.analysis,
        hypotheses=(
            hypothesis("succeeds", "ours", "verdict", "episodes.success", direction="greater"),
            hypothesis("load", "ours", "none", load),
            hypothesis("alike", "partnr", "verdict", load, direction="equivalent", bound=0.5),
            hypothesis("unlike", "ours", "none", load, direction="equivalent", bound=0.3),
            hypothesis("later", "ours", "partnr", "episodes.success", is_primary=False),
        ),
    )
    target = tmp_path / "data"
    write_synthetic(target, replace(study, analysis=plan), EFFECTS, groups_each=40, n_tasks=12)
    declared, times = analyse(target)
    found = {one.name: one for one in declared}
    assert list(found) == ["succeeds", "load", "alike", "unlike", "later"]

    def holds(one: Estimate, truth: float) -> None:
        low, high = one.interval
        assert low < truth < high, one

    holds(found["load"], -2 * PER_ITEM)
    holds(found["alike"], 0.0)
    corrected = {name: one.p_corrected for name, one in found.items()}
    assert corrected.pop("later") is None
    assert all(p is not None for p in corrected.values())
    assert [name for name, p in corrected.items() if p is not None and p < 0.05] == [
        "succeeds",
        "load",
        "alike",
    ]
    hazards = {one.name: one for one in times}
    holds(hazards["explanation: ours against verdict"], 1.0)
    holds(hazards["explanation: ours against partnr"], 0.6)
    holds(hazards["explanation: partnr against verdict"], 0.4)
