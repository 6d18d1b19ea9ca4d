"""Attempts in the shape of habitat-hitl, read as PARTNR's scripts read them."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from episodes.evaluation.hitl_metrics import study_metrics
from tests.server.cli.test_study_runs import ok, refused
from tests.server.research.exports.made_data import KEY, OF, Made, close_study, make

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    made = asyncio.run(make(tmp_path_factory.mktemp("study")))
    key = made.database_file.parent / "secret_key"
    key.write_text("".join(f"{number:x}" for number in range(16)) * 2 + KEY)
    key.chmod(0o600)
    return made


def read(file: Path) -> Any:
    return json.loads(gzip.decompress(file.read_bytes()))


def test_D6_attempts_have_the_shape_that_the_scripts_read(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COHABIT_DATA_DIR", str(made.database_file.parent))
    target, again = tmp_path / "hitl", tmp_path / "again"
    assert "is open, and these files are outcomes" in refused(
        "export-hitl", OF.name, "--out", target
    )
    asyncio.run(close_study(made))
    told = ok("export-hitl", OF.name, "--out", target)
    # Of the second attempt there is no log, and the other group has withdrawn.
    assert "attempts by condition: pair 1" in told
    assert "left out: epi_2" in told
    assert sorted(str(f.relative_to(target)) for f in target.rglob("*") if f.is_file()) == [
        "README.md",
        "pair/raw/ses_one/epi_1.json.gz",
        "pair/raw/ses_one/session.json.gz",
    ]
    ok("export-hitl", OF.name, "--out", again)
    name = "pair/raw/ses_one/epi_1.json.gz"
    assert (target / name).read_bytes() == (again / name).read_bytes()

    session = read(target / "pair/raw/ses_one/session.json.gz")
    assert float(session["session"]["start_timestamp"]) > 0
    found = read(target / name)
    users = [user["connection_record"]["user_id"] for user in found["users"]]
    assert len(set(users)) == 2
    assert all(user.isdigit() for user in users)
    episode, metrics, frames = found["episode"], found["metrics"], found["frames"]
    assert episode["finished"] is True
    assert episode["episode_info"]["is_tutorial"] is False
    assert metrics["task_percent_complete"] == frames[-1]["task_percent_complete"] == 1.0
    assert metrics["task_explanation"] == ""
    assert len(frames) == metrics["num_steps"] + 1
    acted = [frame for frame in frames if frame]
    assert 0 < len(acted) < len(frames), "frames in which nothing happened are empty"
    assert acted[-1]["t"] == pytest.approx(metrics["num_steps"] / 30)
    # The person of the human's body did it all.
    scores = study_metrics(frames)
    assert (scores.ratio_agent_0, scores.ratio_agent_1) == (0.0, 1.0)
