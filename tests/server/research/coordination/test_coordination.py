"""Coordination: matched differences of people and policies, with known answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.main import app
from server.research.coordination.attempts import PERSON, Attempt, Reading, Source, values_of
from server.research.coordination.lines import CoordinationError, coordination_of
from server.research.coordination.output import notes_of, to_csv
from server.research.trials.plan import Trial, runs_of
from server.research.trials.runs import Place, play
from server.research.trials.trial_folder import keep
from tests.server.research.exports.made_data import close_study, exported, make

TWO, MIXED, ALONE = (PERSON, PERSON), (PERSON, "cohab"), ("cohab",)


def attempt(
    occupants: tuple[str, ...], task: int, time_s: float | None, seed: int = 7, digest: str = "a"
) -> Attempt:
    """Return an attempt; ``time_s`` None: not solved, and given up after ten seconds."""
    return Attempt(
        occupants,
        str(task),
        f"house_{task // 2}",
        digest,
        seed,
        {"success": float(time_s is not None)},
        10.0 if time_s is None else time_s,
        time_s is not None,
    )


def source(name: str, attempts: Sequence[Attempt], pace: str = "live") -> Source:
    return Source(name, attempts, {"pace": pace}, 600.0)


def test_differences_are_matched_by_task_and_seed_and_who_gives_up_counts_as_the_limit() -> None:
    people = [attempt(TWO, task, 100.0) for task in range(12)]
    # Another seed is another start, and in no pair where there are pairs of one seed.
    mixed = [attempt(MIXED, task, 160.0) for task in range(11)] + [attempt(MIXED, 11, None)]
    mixed += [attempt(MIXED, 0, 500.0, seed=8)]
    found = coordination_of([source("study one", [*mixed, *people])])
    assert [(line.kind, line.team) for line in found.lines] == [
        ("person+person", "person + person"),
        ("person+policy", "person + cohab"),
    ]
    base, line = found.lines
    assert (base.differences, found.base) == ({}, "person + person (study one)")
    time = line.differences["time to success s"]
    assert time.matched_by == "task and seed"
    assert time.compared.found.mean == pytest.approx((11 * 60 + 500) / 12)
    assert time.compared.family == 1
    assert line.differences["success"].compared.found.mean == pytest.approx(-1 / 12)
    assert line.means["time to success s"].mean == pytest.approx(
        ((160 + 500) / 2 + 1600 + 600) / 12
    )
    notes = " ".join(notes_of(found, [source("study one", [])]))
    assert "was not solved within 600 s" in notes
    assert "Rough: of fewer than 10 houses" in notes
    assert "Between sources" not in notes
    assert to_csv(found).count("\n") == 1 + 2 * 2


def test_a_study_and_a_trial_are_matched_by_task_and_what_differs_is_said() -> None:
    live = source("study one", [attempt(TWO, task, 100.0) for task in range(3)])
    trial = source(
        "trial two",
        [attempt(ALONE, task, 130.0, seed=0) for task in range(3)]
        + [attempt(ALONE, 1, 1.0, digest="b")],
        pace="unpaced",
    )
    other = source("trial three", [attempt(("expert",), 8, 1.0)])
    found = coordination_of([live, trial, other], limit_s=120.0)
    _, alone, expert = found.lines
    assert (alone.kind, alone.differences["success"].matched_by) == ("policy alone", "task")
    assert alone.differences["time to success s"].compared.found.mean == 20.0, "later than 120 s"
    notes = " ".join(notes_of(found, [live, trial, other]))
    assert "teams differ in more than who played: pace" in notes
    assert "bodies began at other places" in notes
    assert expert.differences == {}
    assert "No task in common with person + person (study one): expert alone" in notes
    assert found.other_houses == 1
    assert "1 attempts are left out: their house is another one" in notes
    assert coordination_of([live, trial], against="cohab").base == "cohab alone (trial two)"
    with pytest.raises(CoordinationError, match="--against react: no such team; there are person"):
        coordination_of([live], against="react")
    with pytest.raises(CoordinationError, match="no attempt with a verdict"):
        coordination_of([source("study one", [])])


def test_values_are_the_measures_of_exports() -> None:
    readings = [
        Reading("idle", "human_0", 2.0),
        Reading("idle", "robot_0", 4.0),
        Reading("concurrent_activity", "", 0.25),
        Reading("extraneous_effort", "", None),
        Reading("talk_lines", "human_0", 3.0),
    ]
    assert values_of(readings, True, 1.0, 10.0) == {
        "success": 1.0,
        "percent complete": 1.0,
        "concurrent activity": 0.25,
        "idle share": pytest.approx(0.3),
    }


@pytest.mark.processes
def test_one_command_makes_the_table_of_an_export(tmp_path: Path) -> None:
    made = asyncio.run(make(tmp_path / "made"))
    asyncio.run(close_study(made))
    exported(made, tmp_path / "data")
    command = ["study", "coordination", str(tmp_path / "data"), "--limit-s", "600"]
    found = CliRunner().invoke(app, [*command, "--output", "json"])
    assert found.exit_code == 0, (found.output, found.exception)
    told = json.loads(found.stdout)
    assert {(row["source"], row["kind"], row["team"]) for row in told["rows"]} == {
        ("study partners", "person+person", "person + person")
    }
    (study,) = told["sources"]
    assert study["left_out"] == {"no log of it can be read": 1}
    empty = CliRunner().invoke(app, ["study", "coordination", str(tmp_path)])
    assert "cannot be read as an export" in str(empty.exception)


# Long: it plays a trial, and the test of one source runs the same command.
@pytest.mark.long
@pytest.mark.processes
def test_one_command_compares_the_export_of_a_study_with_a_trial(
    tmp_path: Path, houses_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COHABIT_DATA_DIR", str(houses_dir))
    made = asyncio.run(make(tmp_path / "made"))
    asyncio.run(close_study(made))
    exported(made, tmp_path / "data")
    folder = tmp_path / "trial"
    wanted = Trial(
        robots=("nobody",),
        partners=("scripted",),
        dataset="tasks/first.json.gz",
        tasks=("2",),
        latency_s=0.5,
    )
    (run,) = runs_of(wanted)
    keep(folder, wanted)
    assert play(Place(houses_dir, folder), wanted, run).success
    command = ["study", "coordination", str(tmp_path / "data"), str(folder)]
    found = CliRunner().invoke(app, [*command, "--output", "json"])
    assert found.exit_code == 0, (found.output, found.exception)
    told = json.loads(found.stdout)
    assert {(row["source"], row["kind"], row["team"]) for row in told["rows"]} == {
        ("study partners", "person+person", "person + person"),
        ("trial trial", "policy alone", "scripted alone"),
    }
    study, trial = told["sources"]
    assert study["left_out"] == {"no log of it can be read": 1}
    assert "40 ms round trip" in study["circumstances"]["latency"]
    assert trial["circumstances"]["latency"] == "each decision is charged 0.5 s; no network"
    shown = CliRunner().invoke(app, command).stdout
    assert "≠" in shown
    assert "no effect of the partner alone" in " ".join(shown.split())
