"""Whole servers whose sessions play a task in which players can act at once."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.live_server import LiveServer, choose_tasks
from tests.load.near_task import NEAR, Reach, write_near_task
from tests.server.faults.small_disks import SmallDisk, mount
from tests.server.web.doubles import write_client


class NearServer(LiveServer):
    """A server with this one task, and what is within reach in it."""

    reach: Reach


@pytest.fixture
def data(houses_dir: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    shutil.copytree(houses_dir, folder, ignore=shutil.ignore_patterns("*.glb"))
    return folder


@pytest.fixture
def small_disk() -> Iterator[SmallDisk]:
    """Return a function that mounts a file system of 2 MB for the recordings alone."""
    mounted: list[Path] = []

    def at(folder: Path) -> Path:
        mounted.append(mount(folder))
        return folder

    yield at
    for folder in mounted:
        subprocess.run(["umount", "-l", str(folder)], check=True)


StartNearServer = Callable[..., NearServer]


@pytest.fixture
def near_server(houses_dir: Path, tmp_path: Path) -> Iterator[StartNearServer]:
    """Return a function that starts `cohabit serve`; keyword arguments are settings."""
    running: list[NearServer] = []

    def start(**options: object) -> NearServer:
        folder = tmp_path / "data"
        shutil.copytree(houses_dir, folder, ignore=shutil.ignore_patterns("*.glb"))
        reach = write_near_task(folder)
        choose_tasks(folder, NEAR)
        write_client(tmp_path / "client")
        options = {"late_limit_ms": 0, **options}
        server = NearServer(folder, client_dir=tmp_path / "client", **options)
        server.reach = reach
        running.append(server)
        server.start()
        return server

    yield start
    for server in running:
        server.stop()
