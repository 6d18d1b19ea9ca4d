"""Backups under compose: the documented lines, as far as they can be run without an engine."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store import Database
from tests.postgres_server import PostgresServer
from tests.test_docker import APP, COMPOSE, ROOT, environment_of_compose

pytestmark = pytest.mark.processes

PAGE = (ROOT / "docs" / "deployment.md").read_text()
PART = PAGE.split("## Backup and restoration", 1)[1].split("\n## ", 1)[0]
LINES = [line.removeprefix("$ ") for line in PART.splitlines() if line.startswith("$ ")]
MOUNT = "/backups"


@pytest.fixture
def postgres() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        yield server


def runs() -> list[list[str]]:
    """Return what the documented lines run in a container of the service."""
    found = []
    for line in LINES:
        match shlex.split(line):
            case ["docker", "compose", "-f", file, "run", "--rm", "-T", "-v", mount, service, *run]:
                assert (ROOT / file).exists()
                assert (mount, service) == (f"$PWD/backups:{MOUNT}", "cohabit")
                assert service in COMPOSE["services"]
                found.append(run)
    return found


def test_the_folder_for_backups_belongs_to_the_user_of_the_image() -> None:
    (user,) = re.findall(r"--uid (\d+)", " ".join(i.text for i in APP.all("RUN")))
    assert f"sudo install -d -m 700 -o {user} backups" in LINES
    assert [words[1] for words in runs()] == ["backup", "restore"]


async def test_the_documented_lines_back_up_and_restore(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """Run them with the settings that compose gives the container."""
    database = Database(postgres.url)
    await database.upgrade()
    engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.exec_driver_sql("CREATE DATABASE elsewhere")
    await database.close()
    backups, here, there = (tmp_path / name for name in ("backups", "here", "there"))
    for folder in (backups, here, there):
        folder.mkdir()
    (here / "secret_key").write_text("k" * 64)
    places = [(here, postgres.url), (there, postgres.url.replace("/postgres", "/elsewhere"))]
    for (data_dir, url), words in zip(places, runs(), strict=True):
        made = [str(path) for path in backups.iterdir()]
        # The stamp in the documented name is of another day.
        named = [made[0] if w.endswith(".tar") else w.replace(MOUNT, str(backups)) for w in words]
        env = {
            **APP.environment(),
            **environment_of_compose(),
            "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
            "PYTHONPATH": str(ROOT),
            "COHABIT_DATA_DIR": str(data_dir),
            "COHABIT_DATABASE_URL": url,
        }
        done = await asyncio.to_thread(
            subprocess.run, named, env=env, capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"cohabit-main-[\dTZ-]+\.tar", Path(made[0]).name)
    restored = Database(places[1][1])
    await restored.check()
    await restored.close()
    assert (there / "secret_key").read_text() == "k" * 64
