"""Comparisons of a trial: over all tasks, paired, corrected, and told with what they rest on."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from episodes.metrics import Row, clopper_pearson, student_t
from episodes.metrics.comparison import holm
from episodes.teams import Team
from server.cli.main import app
from server.research.trials.comparisons import MEASURES, comparisons_of
from server.research.trials.plan import MOST_TICKS, TrialError, pair_of
from server.research.trials.run_figures import SUCCESS, RunFigures
from server.research.trials.table import Columns, Line, Value, line_of
from server.research.trials.table_output import notes_of, tables_of, to_csv, to_json

ALONE, COHAB, REACT = "nobody", "cohab", "react"
PEOPLE = ("scripted:slow", "scripted:passive")


def run(task: int, ticks: int | None, repetition: int = 0, size: int = 3) -> RunFigures:
    """Return a run of a task, three to a house; None: not solved, and given up after ten ticks."""
    until = float(MOST_TICKS if ticks is None else ticks)
    episode = f"epi_{task}_{repetition}"
    rows = [Row("", episode, str(task), 0, "", "", *SUCCESS, float(ticks is not None))]
    return RunFigures(str(task), repetition, f"house_{task // size}", rows, until, until)


def played(ticks: dict[str, int | None]) -> dict[Team, list[RunFigures]]:
    return {
        pair_of(robot, person): [run(task, ticks[robot]) for task in range(36)]
        for person in PEOPLE
        for robot in ticks
    }


def test_each_robot_is_compared_with_the_first_beside_the_same_person() -> None:
    found = comparisons_of(played({ALONE: 3000, COHAB: 2000, REACT: 2500}))
    assert set(found) == {pair_of(r, p) for r in (COHAB, REACT) for p in PEOPLE}
    one = found[pair_of(COHAB, PEOPLE[0])]["until finished"]
    assert (one.found.mean, one.found.tasks, one.found.houses) == (-1000.0, 36, 12)
    assert one.family == 4
    assert one.corrected == pytest.approx(4 * one.found.p)
    ps = [found[team]["until finished"].found.p for team in found]
    assert [found[team]["until finished"].corrected for team in found] == holm(ps)


def test_another_robot_can_be_the_one_that_others_are_compared_with() -> None:
    among = played({ALONE: 3000, COHAB: 2000})
    found = comparisons_of(among, against=COHAB)
    assert {str(team.members[0].occupant) for team in found} == {ALONE}
    with pytest.raises(TrialError, match="--against react: no such robot in this trial; it has"):
        comparisons_of(among, against=REACT)


def test_who_gives_up_early_is_not_the_faster_one() -> None:
    """An attempt that ends unsolved counts as the full limit, though it took ten ticks."""
    (one, _) = comparisons_of(played({COHAB: 5000, REACT: None})).values()
    assert one["until finished"].found.mean == MOST_TICKS - 5000
    assert one["success"].found.mean == -1.0


def test_notes_say_when_figures_are_rough() -> None:
    few = {team: runs[:12] for team, runs in played({ALONE: 3000, COHAB: 2000}).items()}
    for among, is_rough in ((few, True), (played({ALONE: 3000, COHAB: 2000}), False)):
        compared = comparisons_of(among)
        lines = [
            Line(team, 12, {}, "", compared.get(team), 4 if is_rough else 12) for team in among
        ]
        told = " ".join(notes_of(lines, MOST_TICKS))
        assert ("Rough: of fewer than ten houses" in told) is is_rough
        assert "have houses as units" in told
        assert "counts as 20000 ticks" in told
        assert "corrects for 2 comparisons within each measure" in told


def test_one_robot_is_told_what_its_intervals_are() -> None:
    """Notes without a comparison, too, tell the unit and that they are rough, and nothing of p."""
    lines = [Line(pair_of(COHAB, PEOPLE[0]), 12, {}, houses=4)]
    told = " ".join(notes_of(lines, MOST_TICKS))
    assert "have houses as units" in told
    assert "Rough: of fewer than ten houses (4 here)" in told
    assert "no p is" not in told


def test_power_is_of_the_test_that_is_printed() -> None:
    """Six houses and four comparisons: no corrected p is below 0.125, and nothing is found."""
    teams = played({ALONE: 3000, COHAB: 2000, REACT: 2500})
    rng = np.random.default_rng(4)
    noisy = {
        team: [
            run(n, round(r.until_finished + rng.normal(0, 50)), size=6) for n, r in enumerate(runs)
        ]
        for team, runs in teams.items()
    }
    for compared in comparisons_of(noisy).values():
        one = compared["until finished"]
        assert (one.found.houses, one.family) == (6, 4)
        assert one.corrected >= 4 * 2 / 2**6
        assert one.houses_needed == 8
        assert one.detectable is None


def test_means_have_houses_as_units() -> None:
    """Thirty-six tasks of six houses, alike in each, are six; all solved is not beyond doubt."""
    runs = [run(n, 1000 + 500 * (n // 6), size=6) for n in range(36)]
    line = line_of(pair_of(COHAB, PEOPLE[0]), runs, Columns.partnr, MOST_TICKS)
    until = line.values["until finished"]
    assert (until.tasks, until.houses, line.houses) == (36, 6, 6)
    assert until.interval == pytest.approx(student_t([1000 + 500 * n for n in range(6)]))
    assert line.values["success"].interval == clopper_pearson(6, 6)


def test_notes_say_what_was_tuned_on_what() -> None:
    people = ("scripted:slow", "person-talking")
    # The first house is of train, the other is not.
    lines = [Line(pair_of(COHAB, p), 1, {}, house_ids=("house_0003", "house_0068")) for p in people]
    told = " ".join(notes_of(lines, MOST_TICKS))
    assert "cohab was tuned beside scripted:slow, scripted:erring" in told
    assert (
        "on 30 tasks of houses of train. Of the partners here, tuned beside: scripted:slow" in told
    )
    assert "unseen: person-talking; of 2 houses here 1 are of train." in told
    assert "tuned" not in " ".join(notes_of([Line(pair_of(REACT, "scripted"), 1, {})], MOST_TICKS))
    rows = list(csv.DictReader(io.StringIO(to_csv([_valued(line) for line in lines]))))
    assert [(r["tuned_beside"], r["unseen"], r["tuned_houses"]) for r in rows] == [
        ("scripted:slow", "", "1"),
        ("", "person-talking", "1"),
    ]
    for found, line in zip(json.loads(to_json(lines)), rows, strict=True):
        assert found["unseen"] == line["unseen"]


def _valued(line: Line) -> Line:
    return line._replace(values={"success": Value(1.0, None, 1)})


def test_what_an_option_changes_is_tuned_all_the_same() -> None:
    lines = [Line(pair_of("cohab:shows=0", "scripted:slow,pause_s=4"), 1, {})]
    told = " ".join(notes_of(lines, MOST_TICKS))
    assert "cohab:shows=0 was tuned beside" in told
    assert "tuned beside: none; unseen: scripted:slow,pause_s=4." in told


DOUBLES = "double of doubles served 1a2b with wrong_goal=0.2, from None, with None tokens"
REAL = "Qwen/Qwen3-8B of vllm, from Qwen/Qwen3-8B, with 40960 tokens"


@pytest.mark.parametrize(
    ("answered", "short", "note"),
    [
        (
            DOUBLES,
            "Of doubles, not of a language model: doubles served 1a2b with wrong_goal=0.2",
            "A table of doubles: model calls were answered by doubles served 1a2b with "
            "wrong_goal=0.2. It compares policies, and says nothing about language models.",
        ),
        (
            REAL,
            "Model: Qwen/Qwen3-8B, served by vllm",
            "Model calls were answered by Qwen/Qwen3-8B, served by vllm.",
        ),
        ("", "", ""),
    ],
)
def test_every_part_of_a_table_says_who_answered(answered: str, short: str, note: str) -> None:
    teams = played({ALONE: 3000, COHAB: 2000})
    compared = comparisons_of(teams)
    lines = [
        line_of(team, runs, Columns.partnr, MOST_TICKS)._replace(
            comparisons=compared.get(team), answered_by=answered
        )
        for team, runs in teams.items()
    ]
    tables = list(tables_of(lines))
    assert len(tables) > len(MEASURES)
    assert {str(table.caption or "") for table in tables} == {short}
    assert (notes_of(lines, MOST_TICKS)[0] == note) is bool(note)
    assert {r["model_calls"] for r in csv.DictReader(io.StringIO(to_csv(lines)))} == {short}
    assert {line["model_calls"] for line in json.loads(to_json(lines))} == {short}


def test_the_command_compares_pairs(houses_dir: Path, tmp_path: Path) -> None:
    options = ["--robot", ALONE, "--robot", "expert", "--partner", "scripted:slow", "--count", "2"]
    made = CliRunner().invoke(
        app,
        ["trial", str(tmp_path / "t"), *options, "--processes", "1", "--output", "json"],
        env={"COHABIT_DATA_DIR": str(houses_dir)},
    )
    assert made.exit_code == 0, made.output
    alone, expert = json.loads(made.stdout)
    assert set(expert["differences"]) == set(MEASURES)
    less = expert["values"]["until success"]["mean"] - alone["values"]["until success"]["mean"]
    assert expert["differences"]["until success"]["mean"] == pytest.approx(less)
    assert less < 0
    assert expert["values"]["robot's share"]["mean"] > 0
    told = CliRunner().invoke(
        app,
        ["trial", str(tmp_path / "t"), "--against", "expert"],
        env={"COHABIT_DATA_DIR": str(houses_dir), "COLUMNS": "80"},
    )
    assert "Rough: of fewer than ten houses (1 here)" in " ".join(told.output.split())
