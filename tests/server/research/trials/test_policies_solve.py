"""Every policy solves generated tasks of all types with a model that plans well."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from server.simulators.household import HouseLibrary
from tests.benchmarks import standing
from tests.benchmarks.robots import (
    MAY_FAIL,
    PARTNER,
    POLICIES,
    SHORT,
    play,
    table,
    write_library,
)
from tests.server.sessions.first_house_sessions import simulator, task

pytestmark = pytest.mark.processes

BY_MODEL = [name for name in POLICIES if name not in ("expert", "random")]
IN_TRIALS = ("cohab", "react", "finetuned", "helper", "llamar", "react:partnr-tools")
TASKS = 20
HOURS_S = 3600


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("traces") / "traces.json"
    write_library(path)
    return path


def test_the_time_of_an_episode_goes_by_with_skills_thinking_and_waiting(houses_dir: Path) -> None:
    means = standing.play(
        task(2), HouseLibrary(houses_dir), "helper", "scripted", latency_s=1.0, hints=True
    )
    assert means["solved"]
    assert means["thinking"] >= means["asked"] - means["early"] >= 1
    ticks = means["skills"] + means["thinking"] + means["waiting"]
    assert 0.9 * means["lasts"] < ticks <= means["lasts"]


@pytest.mark.parametrize("policy", ["react:partnr-centralised", "finetuned"])
def test_policies_solve_a_task(policy: str) -> None:
    played = play(task(4), simulator, policy)
    assert played.success, played.why
    assert played.task_type == "heterogeneous"
    assert played.calls >= 1
    assert played.tokens > 0
    assert 0.0 < played.own_s / played.calls < 0.1
    (heading, line) = table([played])
    assert "own ms/call" in heading
    assert re.search(r"1 of 1 ", line)


def test_the_table_tells_of_a_policy_that_fails() -> None:
    solved = play(task(2), simulator, "expert")
    lost = solved._replace(success=False, percent=0.5)
    _, line = table([solved, lost])
    assert "1 of 2" in line
    assert "75%" in line


@pytest.fixture(scope="module")
def twenty(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Make an environment with a data directory of twenty tasks."""
    env = {**os.environ, "COHABIT_DATA_DIR": str(tmp_path_factory.mktemp("twenty"))}
    _run(env, "-m", "server.cli", "houses", "build", "--first")
    _run(env, "-m", "server.cli", "tasks", "build", "validation", "--count", str(TASKS))
    return env


def _run(env: dict[str, str], *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=Path(__file__).parents[4], env=env, stdout=subprocess.PIPE, text=True, check=True,
        timeout=HOURS_S,
    ).stdout  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("policy", BY_MODEL)
def test_every_policy_solves_the_first_tasks(policy: str, library: Path) -> None:
    """All four types, in the first house."""
    name = policy.format(library=library)
    lost = [n for n in (1, 2, 3, 4, 5, 6) if not play(task(n), simulator, name).success]
    assert len(lost) <= (policy in SHORT), lost


@pytest.mark.long
def test_every_policy_solves_twenty_generated_tasks(twenty: dict[str, str]) -> None:
    told = _run(twenty, "tests/benchmarks/robots.py", "--data-dir", twenty["COHABIT_DATA_DIR"])
    print(told)
    assert "of 4 types" in told
    solved = dict(re.findall(r"^(\S+) +(\d+) of 20", told, re.M))
    assert len(solved) == len(POLICIES)
    least = {name: TASKS * 3 // 5 if name in SHORT else TASKS for name in solved}
    assert {n: s for n, s in solved.items() if n not in MAY_FAIL and int(s) < least[n]} == {}


@pytest.mark.long
def test_every_policy_solves_them_in_a_trial_with_a_model_server(
    twenty: dict[str, str], tmp_path: Path
) -> None:
    served = [sys.executable, "-m", "tests.model_double", "tests.robot_doubles.served:answers"]
    with subprocess.Popen(served, env=twenty, stdout=subprocess.PIPE, text=True) as double:
        assert double.stdout is not None
        env = twenty | dict([double.stdout.readline().strip().split("=", 1)])
        robots = [word for name in IN_TRIALS for word in ("--robot", name)]
        told = _run(
            env, "-m", "server.cli", "trial", str(tmp_path / "trial"), *robots,
            "--partner", PARTNER, "--tasks", "validation", "--latency-s", "1",
            "--by-type", "--output", "json",
        )  # fmt: skip
        double.terminate()
    print(told)
    lines = json.loads(told[told.index("[\n") :])
    assert {line["robot"] for line in lines} == set(IN_TRIALS)
    assert sum(line["episodes"] for line in lines if not line["task_type"]) == TASKS * len(
        IN_TRIALS
    )
    assert {line["values"]["success"]["mean"] for line in lines} == {1.0}
    assert {line["values"]["parsed %"]["mean"] for line in lines} == {100.0}
