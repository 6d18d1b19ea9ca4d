"""`cohabit preflight` on real servers: all is well, visitors leave nothing, and another server."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.research.studies.ready_studies import begun_like
from tests.conftest import StartServer

pytestmark = pytest.mark.processes

CHECKS = [
    "database",
    "keys",
    "server",
    "operators",
    "study",
    "houses",
    "simulators",
    "models",
    "codes",
    "consent",
    "disk",
    "clock",
    "notices",
    "address",
    "visitors",
]


def command(data_dir: Path, port: int, *arguments: str, **more: str) -> tuple[int, str]:
    """Run a command with the settings of a server, and return its status and what it prints."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("COHABIT_")}
    env |= {"COHABIT_DATA_DIR": str(data_dir), "COHABIT_PORT": str(port), **more}
    done = subprocess.run(
        [sys.executable, "-m", "server.cli", *arguments],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def results_of(data_dir: Path, port: int, name: str, **more: str) -> dict[str, dict[str, Any]]:
    """Return the results of a preflight by the names of its checks."""
    _, printed = command(data_dir, port, "preflight", name, "--json", **more)
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    return {line["check"]: line for line in lines}


def opened(data_dir: Path, folder: Path, team: str) -> str:
    """Open a study of one condition, as its researcher has made it; return its name."""
    text = begun_like("homes", "explanation")
    head, _, rest = text.partition("factors:\n")
    _, _, tasks = rest.partition("\ntasks:\n")
    cells = f"cells:\n  - {{name: one, team: '{team}', target: 20}}\n\ntasks:\n"
    lines = "treatment: {profile: cohabit, explained: after_each_try}\n"
    head = head.replace(lines, "privileged: [expert]\n")
    text = head + cells + tasks
    analysis, pay = text.index("analysis:\n"), text.index("pay:  ")
    text = text[:analysis] + text[pay:]
    for old, new in (
        ("purpose: confirmatory", "purpose: exploratory"),
        ("study@example.org", "study@uni-nowhere.edu"),
        ("DONE-4711", "OWN-1"),
    ):
        text = text.replace(old, new)
    file = folder / "homes.yaml"
    file.write_text(text)
    status, said = command(data_dir, 8000, "study", "open", str(file))
    assert status == 0, said
    return "homes"


def rows(data_dir: Path) -> dict[str, int]:
    """Return how many rows each table of the database has."""
    with sqlite3.connect(data_dir / "cohabit.db") as db:
        names = [n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {n: db.execute(f"SELECT count(*) FROM {n}").fetchone()[0] for n in names}


@pytest.mark.parametrize(
    "team",
    ["pair", pytest.param("human=person,robot=expert", marks=pytest.mark.long)],
    ids=["pair", "robot"],
)
def test_all_is_well_on_a_server_that_runs_and_visitors_leave_nothing(
    team: str, data_dir: Path, tmp_path: Path, start_server: StartServer
) -> None:
    name = opened(data_dir, tmp_path, team)
    server = start_server()
    before, keys = rows(data_dir), set((data_dir.parent / "data-keys").iterdir())
    results = results_of(data_dir, server.port, name)
    assert list(results) == CHECKS
    assert {r["check"]: r["found"] for r in results.values() if r["level"] == "fail"} == {}
    assert "from the link to the session and left" in results["visitors"]["found"], results
    assert ("2 visitors" if team == "pair" else "one visitor") in results["visitors"]["found"]
    after = rows(data_dir)
    assert after.pop("operator_acts") == before.pop("operator_acts") + 1
    assert after == before
    assert set((data_dir.parent / "data-keys").iterdir()) == keys
    recordings = data_dir / "recordings"
    assert [f for f in recordings.rglob("ses_*") if f.is_file()] == []


@pytest.mark.long
def test_another_server_with_the_same_key_behind_the_address(
    data_dir: Path, tmp_path: Path, start_server: StartServer
) -> None:
    ours = start_server()
    copied = tmp_path / "copied"
    shutil.copytree(data_dir, copied, ignore=shutil.ignore_patterns("cohabit.db*", "owner"))
    other = start_server(data_dir=copied)
    public = {"COHABIT_PUBLIC_URL": other.url, "COHABIT_METRICS_TOKEN": "a token of our own here"}
    address = results_of(data_dir, ours.port, "", **public)["address"]
    assert address["level"] == "fail"
    assert "leads to another server with the same key" in address["found"]
