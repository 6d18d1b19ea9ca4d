"""Trials of teams: their plans, what is refused, and one of three bodies from start to table."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from episodes.dataset import Proposition, read_dataset
from episodes.rules import profile_named
from episodes.tasks.team_fit import task_problem
from episodes.teams import Team
from server.cli.main import app
from server.recording.recordings import read_recording
from server.recording.replay import fold_all
from server.recording.rescoring import score_recording
from server.recording.traces import trace_of
from server.research.trials.plan import (
    MOST_TICKS,
    Run,
    Trial,
    TrialError,
    check,
    doable,
    fill,
    pair_of,
    runs_of,
)
from server.research.trials.run_figures import RunFigures, figures_of
from server.research.trials.runs import Place, play
from server.research.trials.table import (
    UNTIL,
    Columns,
    table_of,
)
from server.research.trials.table_output import tables_of, to_csv, to_json
from server.research.trials.trial_folder import begun_in

pytestmark = pytest.mark.processes

THREE = "human=scripted,robot=expert,robot=expert"
TRIAL = Trial(teams=(THREE,), dataset="tasks/first.json.gz", tasks=("2",), latency_s=0.0)


def test_recordings_of_pairs_keep_their_names() -> None:
    assert Run(pair_of("expert", "scripted"), "2", 0).key == "9012ef390cca7e5ec458"
    assert Run(pair_of("nobody", "scripted:slow"), "17", 3).key == "3d189915a5c81f136684"
    assert Run(Team.parse("human=scripted,robot=expert"), "2", 0).key == "9012ef390cca7e5ec458"
    keys = {Run(Team.parse(team), "2", 0).key for team in (THREE, "robot=expert", "human=expert")}
    assert len(keys) == 3


def test_trials_of_two_seeds_have_episodes_of_their_own() -> None:
    one = msgspec.structs.replace(TRIAL, seed=1)
    keys = {run.key for trial in (TRIAL, one) for run in runs_of(trial)}
    assert len(keys) == 2
    # Those that were begun before there was `ending` keep the names of their recordings.
    earlier = [msgspec.structs.replace(t, end_on_success=True) for t in (TRIAL, one)]
    assert len({run.key for trial in earlier for run in runs_of(trial)}) == 1


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"max_ticks": 0}, "expected max_ticks from 1 to 2592000, a day, got 0"),
        ({"max_ticks": 10**9}, "expected max_ticks from 1 to"),
        (
            {"latency_s": float("nan")},
            "expected a latency_s of 0 or more seconds, or none, got nan",
        ),
        ({"latency_s": float("inf")}, "got inf"),
        ({"latency_s": -1.0}, "got -1"),
        ({"repetitions": 0}, "expected one repetition or more, got 0"),
        ({"seed": 2**70}, "expected a seed of at most 63 bits"),
    ],
)
def test_numbers_out_of_range_are_refused_as_options_and_in_a_file(
    changed: dict[str, Any], told: str, tmp_path: Path
) -> None:
    with pytest.raises(TrialError, match=told):
        msgspec.structs.replace(TRIAL, **changed)
    if changed.get("seed") is None and changed.get("latency_s", 0.0) in (0.0, -1.0):
        (tmp_path / "trial.json").write_bytes(
            msgspec.json.encode({**msgspec.to_builtins(TRIAL), **changed})
        )
        with pytest.raises(TrialError, match=told):
            begun_in(tmp_path, "")


def test_a_trial_of_pairs_is_read_as_it_was_kept() -> None:
    kept = (
        b'{"robots":["expert"],"partners":["scripted"],"dataset":"tasks/first.json.gz",'
        b'"tasks":["2"],"repetitions":1,"seed":0,"profile":"cohabit","simulator":"household",'
        b'"max_ticks":20000,"latency_s":null,"end_on_success":true,"model":""}'
    )
    trial = msgspec.json.decode(kept, type=Trial)
    assert msgspec.json.encode(trial) == kept
    assert [str(team) for team in trial.all_teams()] == ["human=scripted,robot=expert"]


def test_open_bodies_are_filled_with_each_policy() -> None:
    teams = ("1robot", "2robot", "human=policy,robot=policy")
    assert fill(teams, ("expert", "random"), ("scripted",)) == (
        "robot=expert",
        "robot=random",
        "robot=expert,robot=expert",
        "robot=random,robot=random",
        "human=scripted,robot=expert",
        "human=scripted,robot=random",
    )
    assert fill((THREE,), (), ()) == (THREE,)


@pytest.mark.parametrize(
    ("team", "robots", "partners", "told"),
    [
        ("trio", (), (), "no team has the short name 'trio'"),
        ("2robot", (), (), "2robot is open as to its robot bodies: name a policy, --robot"),
        ("human=policy", (), (), "is open as to its human bodies: name a policy, --partner"),
        (THREE, ("random",), (), "no team has an open robot body for --robot random: write robot="),
        ("robot=expert,robot=policy", ("expert", "expert"), (), "is named twice"),
        (",".join(["robot=policy"] * 6), ("expert",), (), "5 bodies at most, this one has 6"),
    ],
)
def test_what_fills_no_team_is_told(
    team: str, robots: tuple[str, ...], partners: tuple[str, ...], told: str
) -> None:
    with pytest.raises(TrialError, match=told):
        fill((team,), robots, partners)


def test_a_team_that_is_named_twice_is_told() -> None:
    with pytest.raises(TrialError, match="robot=expert,robot=expert is named twice: as 2robot and"):
        fill(("2robot", "robot=expert,robot=expert"), ("expert",), ())


@pytest.mark.parametrize(
    ("team", "told"),
    [
        ("human+2robot", "has people, and a trial has none: name a policy for each body"),
        (
            "3robot",
            "3robot does not say which policy plays 3 of its bodies: name one for each, as in "
            "robot=expert,robot=expert,robot=expert",
        ),
        ("robot=unicorn,robot=expert", "no policy 'unicorn'"),
        (
            "human=scripted,robot=finetuned,robot=expert",
            "finetuned plays in teams of 2 bodies at most, and .* has 3",
        ),
        (
            "robot=react:partnr-centralised,robot=expert",
            "is one mind for all bodies of a team: it does not play beside expert; name it",
        ),
        ("robot=react:partnr-centralised", "one mind .*, 2 at least: it does not play alone"),
        (
            "robot=finetuned,robot=finetuned",
            "beside a body of the other kind only, since its model",
        ),
    ],
)
def test_a_team_that_cannot_play_is_told(team: str, told: str) -> None:
    with pytest.raises(TrialError, match=told):
        check(msgspec.structs.replace(TRIAL, teams=(team,)), ["2"])


def test_runs_of_a_task_are_neighbours() -> None:
    trial = msgspec.structs.replace(TRIAL, teams=(THREE, "robot=expert"), tasks=("2", "4"))
    assert [(str(run.team), run.task_id) for run in runs_of(trial)] == [
        (THREE, "2"), ("robot=expert", "2"), (THREE, "4"), ("robot=expert", "4"),
    ]  # fmt: skip


def test_states_need_a_body_that_can_change_them(houses_dir: Path) -> None:
    task = next(iter(read_dataset(houses_dir / TRIAL.dataset)))
    profile = profile_named("cohabit")
    handle = next(iter(task.name_to_receptacle))
    clean = Proposition("is_clean", {"object_handles": [handle], "number": 1})
    dirty = msgspec.structs.replace(
        task, evaluation_propositions=[clean], object_states={"is_clean": {handle: False}}
    )
    robots = Team.parse("robot=expert,robot=expert")
    assert task_problem(robots, dirty, profile) == (
        f"task {task.task_id} cannot be done by robot=expert,robot=expert: is_clean takes a "
        "human body, and there is none"
    )
    assert task_problem(Team.parse("human=nobody,robot=expert"), dirty, profile)
    assert not task_problem(Team.parse("pair"), dirty, profile)
    holds = msgspec.structs.replace(
        dirty, task_id="clean", object_states={"is_clean": {handle: True}}
    )
    assert not task_problem(robots, holds, profile)
    trial = msgspec.structs.replace(TRIAL, teams=(str(robots),))
    assert doable(trial, [dirty, holds]) == [holds]
    with pytest.raises(TrialError, match=r"no task of .* is left: task .* cannot be done by"):
        doable(trial, [dirty])


def test_three_bodies_play_from_start_to_table(houses_dir: Path, tmp_path: Path) -> None:
    place, (run,) = Place(houses_dir, tmp_path), runs_of(TRIAL)
    done = play(place, TRIAL, run)
    assert done.success
    (recording,) = read_recording(place.recording(run))
    result = recording.result
    assert result is not None
    scored = score_recording(recording)
    assert scored.comparable
    assert scored.differences() == []
    replayed = fold_all(recording.header, recording.lines)
    assert replayed.state.world.digest() == result.state_digest
    assert str(recording.header.spec.team) == THREE
    lines = table_of([(run, place.recording(run)), (run, place.recording(run))])
    (row, *_) = csv.DictReader(io.StringIO(to_csv(lines)))
    assert row["team"] == THREE
    assert "robot" not in row
    (line,) = json.loads(to_json(lines))
    assert (line["team"], line["episodes"]) == (THREE, 2)
    assert "robot" not in line
    (of_llamar,) = table_of([(run, place.recording(run))], columns=Columns.llamar)
    assert list(of_llamar.values) == ["success", "TR", "C", "B", "acts", "steps", *UNTIL]
    assert of_llamar.values["success"].mean == of_llamar.values["TR"].mean == 1
    assert of_llamar.values["steps"].mean == line["values"]["steps"]["mean"]
    parts = [[str(c.header) for c in t.columns] for t in tables_of([of_llamar], Columns.llamar)]
    assert parts == [
        ["team", "n", "success", "TR", "C", "B"],
        ["team", "n", "acts", "steps"],
        ["team", "n", "until\nfinished", "until\nsuccess"],
    ]


def test_teams_are_compared_with_the_first_on_the_same_tasks(
    houses_dir: Path, tmp_path: Path
) -> None:
    place = Place(houses_dir, tmp_path)
    teams = ("robot=expert", "robot=expert,robot=expert")
    trial = Trial(dataset="tasks/first.json.gz", tasks=("1", "2"), teams=teams, latency_s=0.0)
    done = {(str(run.team), run.task_id): play(place, trial, run) for run in runs_of(trial)}
    assert all(one.success for one in done.values())
    lines = table_of([(run, place.recording(run)) for run in runs_of(trial)])
    assert lines[0].comparisons is None
    assert lines[1].comparisons is not None
    more = [done[teams[1], task].ticks - done[teams[0], task].ticks for task in ("1", "2")]
    found = lines[1].comparisons["until finished"].found
    assert (found.mean, found.interval, found.tasks, found.houses) == (sum(more) / 2, None, 2, 1)
    assert lines[1].comparisons["success"].found.mean == 0
    rows = list(csv.DictReader(io.StringIO(to_csv(lines))))
    (row,) = [r for r in rows if r["column"] == "until finished, more than the first"]
    assert (row["team"], float(row["mean"])) == (teams[1], sum(more) / 2)
    first, second = json.loads(to_json(lines))
    assert "differences" not in first
    assert second["differences"]["until finished"]["mean"] == sum(more) / 2
    assert second["differences"]["until finished"]["houses"] == 1
    told = [table.title for table in tables_of(lines)]
    assert [str(title).partition(" than")[0] for title in told[-4:]] == [
        "More success", "More until finished", "More until success", "More extraneous",
    ]  # fmt: skip


def test_length_is_read_from_the_calls_of_policies(houses_dir: Path, tmp_path: Path) -> None:
    place = Place(houses_dir, tmp_path)
    team = "robot=random,robot=random"
    trial = Trial(dataset="tasks/first.json.gz", tasks=("2",), teams=(team,), latency_s=0.0)
    (run,) = runs_of(trial)
    play(place, trial, run)
    # Each makes twenty calls, which is none too many, and achieves nothing in particular.
    (line,) = table_of([(run, place.recording(run))], columns=Columns.llamar)
    assert (line.values["L"].mean, line.values["SR"].mean) == (30, line.values["success"].mean)
    trace = trace_of(read_recording(place.recording(run))[0])
    assert [seat.calls for seat in trace.seats] == [20, 20]


def test_lengths_of_teams_are_compared_at_what_all_have(
    houses_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The larger team has a body that calls nothing at the second task."""
    place = Place(houses_dir, tmp_path)
    teams = ("robot=random", "robot=random,robot=random")
    trial = Trial(dataset="tasks/first.json.gz", tasks=("2",), teams=teams, latency_s=0.0)
    known = {}
    for run in runs_of(trial):
        play(place, trial, run)
        known[run] = figures_of(run, place.recording(run), MOST_TICKS)

    def made_up(run: Run, *_: object) -> RunFigures:
        first = known[msgspec.structs.replace(run, task_id="2")]
        is_silent = run.task_id == "3" and len(run.team.seats) == 2
        rows = [
            row._replace(task_id=run.task_id, episode_id=row.episode_id + run.task_id)
            for row in first.rows
            if not (is_silent and row.reading == "in_time")
        ]
        return first._replace(task_id=run.task_id, rows=rows)

    monkeypatch.setattr("server.research.trials.table.figures_of", made_up)
    both = [
        (msgspec.structs.replace(run, task_id=task), tmp_path)
        for run in known
        for task in ("2", "3")
    ]
    lines = table_of(both, columns=Columns.llamar)
    assert [line.values["SR in common"].tasks for line in lines] == [1, 1]
    assert [line.values["SR"].tasks for line in lines] == [2, 1]
    assert [line.values["L in common"].tasks for line in lines] == [1, 1]
    parts = [[str(c.header) for c in t.columns] for t in tables_of(lines, Columns.llamar)]
    assert ["team", "n", "with\ncalls", "SR\nin\ncommon", "L\nin\ncommon"] in parts


def test_the_command_takes_teams_and_leaves_out_what_they_cannot_do(
    houses_dir: Path, tmp_path: Path
) -> None:
    def trial(*options: str) -> tuple[int, str, str]:
        made = CliRunner().invoke(
            app,
            ["trial", str(tmp_path / "trial"), "--processes", "1", "--output", "csv", *options],
            env={"COHABIT_DATA_DIR": str(houses_dir), "COLUMNS": "200"},
        )
        return made.exit_code, made.stdout, made.stderr

    code, _, told = trial("--team", "human+robot", "--robot", "expert")
    assert code == 1
    assert "has people, and a trial has none" in told
    code, table, told = trial("--team", "2robot", "--robot", "expert", "--count", "1")
    assert code == 0, told
    assert "tasks are left out: not all of these teams can do them" in told
    assert {row["team"] for row in csv.DictReader(io.StringIO(table))} == {
        "robot=expert,robot=expert"
    }
    assert trial()[0] == 0
    code, _, told = trial("--team", "2robot", "--robot", "random", "--count", "900", "--seed", "2")
    assert "900 tasks were asked for, and these are " in told
