"""`cohabit trial`: pairs of policies on tasks, recorded, resumed, and told in a table."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace
from rich.console import Console
from typer.testing import CliRunner, Result

from episodes.metrics import Interval, Paired, compare
from server.cli.main import app
from server.recording.recordings import read_recording
from server.research.trials.comparisons import MEASURES, Compared
from server.research.trials.plan import Run, Start, Trial, TrialError, check, pair_of, runs_of
from server.research.trials.run_figures import CALLS, _shared_starts
from server.research.trials.runs import Place, play, play_all
from server.research.trials.table import COLUMNS, IN_COMMON, UNTIL, Columns, Line, Value, table_of
from server.research.trials.table_output import CALL_PARTS, PARTS, tables_of
from server.robots.models.model_server import ModelServer
from server.sessions.policy_records import CallRecord
from tests.live_server import free_port
from tests.model_double import ModelDouble, Reply

pytestmark = pytest.mark.processes

NOBODY = "nobody"
TRIAL = Trial(
    robots=("expert", NOBODY), partners=("scripted:passive",), dataset="tasks/first.json.gz",
    tasks=("2", "4"), latency_s=0.0,
)  # fmt: skip


def test_every_pair_meets_every_task_once() -> None:
    runs = runs_of(TRIAL)
    assert len(runs) == 4
    assert len({r.key for r in runs}) == 4
    assert {(str(r.team.members[0].occupant), r.task_id) for r in runs} == {
        ("expert", "2"), ("expert", "4"), (NOBODY, "2"), (NOBODY, "4"),
    }  # fmt: skip


def test_the_starts_of_a_study_are_played_with_its_seeds_each_as_often_as_repeated() -> None:
    starts = (Start("2", 7), Start("4", 8), Start("2", 9))
    runs = runs_of(replace(TRIAL, robots=(NOBODY,), starts=starts, repetitions=2))
    assert [(run.task_id, run.start, run.repetition) for run in runs] == [
        ("2", 7, 0), ("2", 7, 1), ("2", 9, 2), ("2", 9, 3), ("4", 8, 0), ("4", 8, 1),
    ]  # fmt: skip
    keys = {run.key for run in runs}
    others = (Start("2", 1), Start("4", 2), Start("2", 3))
    assert len(keys) == 6
    assert keys.isdisjoint(
        run.key for run in runs_of(replace(TRIAL, robots=(NOBODY,), starts=others, repetitions=2))
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"robots": ("unicorn",)}, "no policy 'unicorn'"),
        ({"robots": ()}, "at least one of robots"),
        ({"partners": (NOBODY,)}, "somebody who plays, this one has nobody"),
        ({"tasks": ("2", "99")}, "has no task 99"),
        ({"robots": ("react:partnr-centralised",)}, "does not play beside scripted:passive; name"),
        ({"partners": ("react:partnr-centralised",), "robots": (NOBODY,)}, "does not play alone"),
        ({"tasks": ("2", "2")}, "names something twice"),
    ],
)
def test_a_trial_that_cannot_be_run_is_told(change: dict[str, tuple[str, ...]], told: str) -> None:
    with pytest.raises(TrialError, match=told):
        check(replace(TRIAL, **change), ["1", "2", "4"])


def test_one_mind_for_both_seats_is_named_for_both() -> None:
    both = ("react:partnr-centralised",)
    check(replace(TRIAL, robots=both, partners=both), TRIAL.tasks)


def test_runs_are_recorded_and_what_is_there_is_not_played_again(
    houses_dir: Path, tmp_path: Path
) -> None:
    place = Place(houses_dir, tmp_path)
    runs = runs_of(TRIAL)
    done = list(play_all(place, TRIAL, runs, processes=1))
    assert [d.problem for d in done] == [""] * 4
    assert list(play_all(place, TRIAL, runs, processes=1)) == []
    lines = table_of((r, place.recording(r)) for r in runs)
    assert [(str(line.team.members[0].occupant), line.episodes) for line in lines] == [
        ("expert", 2),
        (NOBODY, 2),
    ]
    expert, alone = lines
    assert expert.values["success"].mean == 1.0
    # A passive person does what only people can, and no more.
    assert alone.values["percent complete"].mean < 1.0
    assert "planning cycles" not in expert.values
    header = read_recording(place.recording(runs[0]))[0].header
    assert {s.policy for s in header.spec.seats} == {"expert", "scripted:passive"}


def test_the_same_run_comes_to_the_same_end(houses_dir: Path, tmp_path: Path) -> None:
    run = Run(pair_of("random", "scripted"), "2", 0)
    ends = set()
    for name in ("a", "b"):
        place = Place(houses_dir, tmp_path / name)
        play(place, TRIAL, run)
        result = read_recording(place.recording(run))[0].result
        assert result is not None
        ends.add((result.ticks, result.state_digest))
    assert len(ends) == 1


def test_repetitions_differ(houses_dir: Path, tmp_path: Path) -> None:
    place = Place(houses_dir, tmp_path)
    runs = [Run(pair_of(NOBODY, "scripted:erring"), "2", n) for n in range(3)]
    assert len({play(place, TRIAL, run).ticks for run in runs}) > 1


def test_a_run_that_breaks_is_told_and_the_others_go_on(houses_dir: Path, tmp_path: Path) -> None:
    place = Place(houses_dir, tmp_path)
    runs = [Run(pair_of(robot, "scripted"), "2", 0) for robot in ("react", "expert")]
    broken, fine = play_all(place, TRIAL, runs, processes=1)
    assert "needs a model server" in broken.problem
    assert fine.success
    assert not place.recording(runs[0]).exists()


def _trial(folder: Path, data_dir: Path, *options: str, **env: str) -> Result:
    return CliRunner().invoke(
        app,
        ["trial", str(folder), *options],
        env={"COHABIT_DATA_DIR": str(data_dir), "COLUMNS": "80", **env},
    )


def test_the_command_goes_on_and_refuses_another_trial(houses_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "trial"
    options = ("--robot", "expert", "--partner", "scripted", "--count", "1", "--processes", "1")
    first = _trial(folder, houses_dir, *options)
    assert first.exit_code == 0, first.output
    assert "offloading" in first.output
    again = _trial(folder, houses_dir)
    assert again.exit_code == 0, again.output
    assert "expert" in again.output
    other = _trial(folder, houses_dir, "--robot", "random", "--count", "1")
    assert other.exit_code == 1
    assert "another trial" in other.output
    wrong = _trial(tmp_path / "x", houses_dir, "--robot", "unicorn")
    assert wrong.exit_code == 1
    assert "no policy 'unicorn'" in wrong.output


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(signal.SIGKILL, id="killed"),
        pytest.param(signal.SIGINT, id="interrupted", marks=pytest.mark.long),
    ],
)
def test_what_was_killed_goes_on(end: signal.Signals, houses_dir: Path, tmp_path: Path) -> None:
    """Kill the process in the middle, with all that it has started.

    What it had finished stays, what it was at is played anew.
    """
    folder = tmp_path / "trial"
    env = {**os.environ, "COHABIT_DATA_DIR": str(houses_dir), "CI": "1"}
    command = [sys.executable, "-m", "server.cli", "trial", str(folder)]
    options = ["--robot", "expert", "--robot", "random", "--partner", "scripted"]
    first = subprocess.Popen(
        [*command, *options, "--count", "2", "--repetitions", "2", "--processes", "2"],
        env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    recordings = folder / "recordings"
    while not list(recordings.glob("*.jsonl")):
        assert first.poll() is None
        time.sleep(0.02)
    children = psutil.Process(first.pid).children(recursive=True)
    first.send_signal(end)
    assert first.wait(20) != 0
    gone, left = psutil.wait_procs(children, timeout=20)
    assert len(gone) >= 2
    assert not left
    there = {p.name: p.stat().st_mtime_ns for p in recordings.glob("*.jsonl")}
    runs = 2 * 2 * 2
    assert 0 < len(there) < runs
    # What a process that is no more has left, and what one still writes: workers end after their
    # parent.
    dead, alive = recordings / f"ses_x.{first.pid}.part", recordings / f"ses_x.{os.getpid()}.part"
    for unfinished in (dead, alive):
        unfinished.write_bytes(b"half")
    result = _trial(folder, houses_dir, "--processes", "1")
    assert result.exit_code == 0, result.output
    after = {p.name: p.stat().st_mtime_ns for p in recordings.glob("*.jsonl")}
    assert len(after) == runs
    assert {name: after[name] for name in there} == there
    assert (dead.exists(), alive.exists()) == (False, True)


def test_models_are_not_mixed(houses_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "trial"
    options = ("--robot", "expert", "--count", "1", "--processes", "1")
    assert _trial(folder, houses_dir, *options).exit_code == 0
    env = {"COHABIT_DATA_DIR": str(houses_dir), "COHABIT_MODEL_NAME": "another"}
    again = CliRunner().invoke(app, ["trial", str(folder)], env=env)
    assert again.exit_code == 1
    assert "would mix two models" in again.output


def test_the_table_tells_what_calls_cost(houses_dir: Path, tmp_path: Path) -> None:
    place, run = Place(houses_dir, tmp_path), Run(pair_of("react", "scripted:passive"), "2", 0)
    wait = "Thought: I wait.\nWait[]\n"
    done = "Thought: That is all.\nDone[]\n"
    with ModelDouble(lambda asked: Reply(wait if asked.number < 2 else done)) as double:
        play(place._replace(server=ModelServer(double.url)), TRIAL, run)
        asked = [a.prompt for a in double.asked]
    (line,) = table_of([(run, place.recording(run))])
    assert line.values["planning cycles"].mean == len(asked) == 4
    assert line.values["parsed %"].mean == 100.0
    assert line.values["stale %"].mean == 0.0
    assert 80.0 < line.values["shared start %"].mean <= 100.0
    assert line.values["tokens per call"].mean > 100
    # This server tells nothing of its cache.
    assert "cached %" not in line.values


def test_a_server_that_is_down_is_told_before_anything_is_played(
    houses_dir: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "trial"
    options = ("--robot", "expert", "--robot", "react", "--count", "1", "--processes", "1")
    down = f"http://127.0.0.1:{free_port()}/v1"
    for env, told in (
        ({}, "react needs a model server: set COHABIT_MODEL_URL"),
        ({"COHABIT_MODEL_URL": down}, "react needs the model server of COHABIT_MODEL_URL, which"),
    ):
        result = _trial(folder, houses_dir, *options, **env)
        assert result.exit_code == 1
        assert told in result.output
        assert not folder.exists()
    with ModelDouble(models=("big",)) as double:
        for extra, env in (
            ("react:generation.model=tidy", {}),
            ("llamar:models.actor=tidy", {"COHABIT_MODEL_NAME": "big"}),
            ("react", {"COHABIT_MODEL_NAME": "tidy"}),
        ):
            result = _trial(folder, houses_dir, "--robot", extra, "--count", "1",
                            **env, COHABIT_MODEL_URL=double.url)  # fmt: skip
            assert "asks for the model tidy" in result.output, result.output
            assert "it has: big" in result.output
        assert not double.asked


def test_what_is_told_of_names_with_brackets_is_told_whole(
    houses_dir: Path, tmp_path: Path
) -> None:
    name = "react:[/hints]=[red]"
    told = _trial(tmp_path / "x", houses_dir, "--robot", name)
    assert told.exit_code == 1
    assert "[/hints]" in told.output


def test_what_else_a_policy_lacks_is_told_first(houses_dir: Path, tmp_path: Path) -> None:
    with ModelDouble() as double:
        url = {"COHABIT_MODEL_URL": double.url}
        result = _trial(tmp_path / "x", houses_dir, "--robot", "react-rag", "--count", "1", **url)
    assert result.exit_code == 1
    assert "react-rag needs traces" in result.output
    result = _trial(tmp_path / "x", houses_dir, "--robot", "ghost:recording=none.jsonl")
    assert result.exit_code == 1
    assert "none.jsonl" in result.output


def test_a_house_that_is_not_there_is_told_first(houses_dir: Path, tmp_path: Path) -> None:
    shutil.copytree(houses_dir / "tasks", tmp_path / "tasks")
    result = _trial(tmp_path / "x", tmp_path, "--robot", "expert", "--count", "2")
    assert result.exit_code == 1
    words = " ".join(result.output.split())
    assert "scene.json" in words
    assert "`cohabit houses build`" in words
    assert not (tmp_path / "x").exists()


def test_a_run_whose_server_goes_away_is_no_result(houses_dir: Path, tmp_path: Path) -> None:
    runs = [
        Run(pair_of("react:partnr-decentralised", "scripted:passive"), task, 0)
        for task in ("2", "4")
    ]
    with ModelDouble(Reply("down", status=500)) as double:
        place = Place(houses_dir, tmp_path, ModelServer(double.url))
        failed = list(play_all(place, TRIAL, runs, processes=1))
    assert [d.problem.partition(": http")[0] for d in failed] == [
        "the model server is not there"
    ] * 2
    assert not list((tmp_path / "recordings").iterdir())


def test_the_output_for_programs_is_all_there_is_on_standard_output(
    houses_dir: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "trial"
    options = ("--robot", "expert", "--count", "2", "--processes", "1")
    made = _trial(folder, houses_dir, *options, "--output", "json", "--by-type")
    (all_, *by_type) = json.loads(made.stdout)
    assert (all_["robot"], all_["task_type"], all_["episodes"]) == ("expert", "", 2)
    assert all_["values"]["success"]["mean"] == 1.0
    assert sum(line["episodes"] for line in by_type) == 2
    assert all(line["task_type"] for line in by_type)
    rows = list(csv.DictReader(io.StringIO(_trial(folder, houses_dir, "--output", "csv").stdout)))
    steps = next(row for row in rows if row["column"] == "steps")
    assert float(steps["mean"]) == all_["values"]["steps"]["mean"]
    assert steps["low"] == ""


@pytest.mark.parametrize("columns", Columns)
def test_the_table_fits_a_narrow_terminal(columns: Columns) -> None:
    headings = (*(column.heading for column in COLUMNS[columns]), *UNTIL, *CALLS)
    if columns is Columns.llamar:
        headings += tuple(IN_COMMON)
    value = Value(12345.0, Interval(10000.0, 23456.0), 20, 1234.5)
    found = compare([Paired(str(n), f"h{n % 6}", 10_000.0 + n % 5, 20_000.0) for n in range(30)])
    compared = dict.fromkeys(MEASURES, Compared(found, 0.0123, 24))
    lines = [
        Line(
            pair_of(robot, "scripted:contrary"),
            100,
            dict.fromkeys(headings, value),
            kind,
            None if kind else compared,
        )
        for robot in ("react:partnr-decentralised,observability=full", "cohab")
        for kind in ("", "constraint_free")
    ]
    console = Console(width=80, record=True, file=io.StringIO())
    for table in tables_of(lines, columns):
        console.print(table)
    text = console.export_text()
    assert max(len(line) for line in text.splitlines()) <= 80
    # Nothing is broken or left out but names, which go on in the next line.
    assert text.count("10000..23456") == len(lines) * len(headings)
    assert all(word in text for heading in headings for word in heading.split())
    assert text.count("±1234") == len(lines) * len(headings)
    assert text.count("constraint") == 2 * len((*PARTS[columns], *CALL_PARTS))
    assert text.count("0.012") == 2 * len(MEASURES)


def test_the_start_that_prompts_share_is_that_of_their_kind() -> None:
    def call(purpose: str, prompt: str, seat: str = "robot_0") -> CallRecord:
        return CallRecord(
            purpose=purpose, model="m", prompt=prompt, prompt_sha256="", completion="",
            parameters={}, seat=seat,
        )  # fmt: skip

    calls = [
        call("planner", "pp"), call("actor", "aa"), call("planner", "pppp"), call("actor", "aaa1"),
        call("actor", "aaa1", "human_0"),
    ]  # fmt: skip
    assert list(_shared_starts(calls)) == [None, None, 0.5, 0.5, None]
