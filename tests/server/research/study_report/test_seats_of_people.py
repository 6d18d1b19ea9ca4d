"""Outcomes and rules of seats: those of people, and one value for each attempt."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pandas as pd
import pytest
from analyse_study import analyse
from msgspec.structs import replace

from matchmaking.study.analysis import Exclusion
from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from server.research.study_report.exclusions import without_excluded
from server.research.study_report.export_tables import read_export
from server.research.study_report.findings import findings_of
from tests.server.research.study_report.r_here import lacking_r
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic
from tests.server.research.study_report.test_within_subjects import by_hand

KINDS = ("none", "verdict", "partnr", "ours")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export of attempts with two people and a policy that does nothing."""
    study = read_study(ready_text("explanation")).study
    assert study.analysis is not None
    only = replace(
        study.analysis.hypotheses[0], outcome="seats.idle_s", levels=("ours", "none"),
        direction="two_sided",
    )  # fmt: skip
    rule = Exclusion(column="seats.idle_s", relation=">", value=5000, reason="Nobody was there.")
    plan = replace(
        study.analysis, unit="episode", model="idle_s ~ explanation", hypotheses=(only,),
        exclusions=(rule,),
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("seats") / "data"
    effects = Effects(dict.fromkeys(KINDS, -6.5), dict.fromkeys(KINDS, 0.0))
    write_synthetic(folder, replace(study, analysis=plan), effects, groups_each=12, n_tasks=6)
    rows = by_hand(folder, "seats")
    other = rows.assign(seat="human_1", idle_s=(rows["idle_s"].astype(float) ** 0.5).astype(str))
    policy = rows.assign(seat="robot_0", participant_id="", policy="expert", idle_s="9000.0")
    every = pd.concat([rows, other, policy])
    every.to_csv(folder / "data" / "description-seats_data.csv", index=False)
    return folder


def known(made: Path) -> tuple[float, int]:
    """Return the difference of means of attempts, and how many there are."""
    seats = by_hand(made, "seats").query("participant_id != ''")
    values = seats["idle_s"].astype(float).groupby(seats["episode_id"]).mean()
    rows = by_hand(made, "episodes").query("is_assigned == 'true'")
    y = rows["episode_id"].map(values)
    ours, none = (y[rows["condition"] == condition] for condition in ("ours", "none"))
    return float(ours.mean() - none.mean()), len(ours) + len(none)


def test_seats_of_policies_are_in_no_outcome_and_no_rule(made: Path) -> None:
    difference, n = known(made)
    export = read_export(made)
    kept, (excluded,) = without_excluded(export)
    assert excluded.attempts == 0
    (told,) = findings_of(export, kept, 0.05)
    assert told.main.estimate == pytest.approx(difference)
    assert sum(told.main.n) == n
    (found,) = analyse(made)[0]
    assert found.estimate == pytest.approx(difference)
    assert found.n == n
    assert (found.error, found.p) == pytest.approx(
        (float(told.main.estimate or 0) / float(told.main.t or 1), told.main.p)
    )


def test_in_r_too(made: Path) -> None:
    if why := lacking_r():
        pytest.skip(why)
    command = ["Rscript", "scripts/analyse_study.R", str(made)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    line = done.stdout.splitlines()[1].split("\t")
    difference, n = known(made)
    assert float(line[3]) == pytest.approx(difference, rel=1e-6)
    assert int(line[-1]) == n
    assert "seats.idle_s > 5000: 0 attempts" in done.stderr
