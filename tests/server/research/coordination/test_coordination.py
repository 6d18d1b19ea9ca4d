"""Coordination: matched differences of people and policies, with known answers."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from server.cli.main import app
from server.research.coordination.attempts import PERSON, Attempt, Reading, Source, values_of
from server.research.coordination.lines import CoordinationError, coordination_of
from server.research.coordination.output import notes_of, to_csv
from server.research.coordination.trial_attempts import trial_source
from tests.server.research.exports.made_data import OF, close_study, exported, make, url

LIMITED = replace(OF, tasks=replace(OF.tasks, limit_s=400.0))
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


# Long: it plays a trial. Exports' own tests run the same command on an export alone.
@pytest.mark.long
@pytest.mark.processes
def test_one_command_compares_a_study_with_a_trial_on_its_very_tasks_and_seeds(
    tmp_path: Path, houses_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = asyncio.run(make(tmp_path / "made", LIMITED))
    asyncio.run(close_study(made, LIMITED))
    exported(made, tmp_path / "data")
    monkeypatch.setenv("COHABIT_DATA_DIR", str(houses_dir))
    monkeypatch.setenv("COHABIT_DATABASE_URL", url(made.database_file))
    folder = tmp_path / "trial"
    team = ["--robot", "nobody", "--partner", "scripted", "--latency-s", "0.5"]
    begun = ["trial", str(folder), "--study", OF.name, *team, "--count", "1", "--processes", "1"]
    played = CliRunner().invoke(app, begun)
    assert played.exit_code == 0, (played.output, played.exception)
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
    assert trial["circumstances"]["ending"].endswith("limit: 400 s")
    with (tmp_path / "data/data/description-episodes_data.csv").open(newline="") as stream:
        seeds = {row["task_id"]: int(row["seed"]) for row in csv.DictReader(stream)}
    (one,) = trial_source(folder, houses_dir).attempts
    assert one.seed == seeds[one.task_id], "so that it is matched by task and seed"
    shown = CliRunner().invoke(app, command).stdout
    assert "≠" in shown
    assert "no effect of the partner alone" in " ".join(shown.split())
