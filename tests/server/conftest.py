"""A data directory with a task in which players can act at once, for workers, hosts and sockets."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.load.near_task import Reach, write_near_task


@pytest.fixture(scope="module")
def play_dir(houses_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a data directory without models: nobody draws anything."""
    folder = tmp_path_factory.mktemp("play") / "data"
    shutil.copytree(houses_dir, folder, ignore=shutil.ignore_patterns("*.glb"))
    return folder


@pytest.fixture(scope="module")
def reach(play_dir: Path) -> Reach:
    """Return what is within reach in the task, which is written into ``play_dir``."""
    return write_near_task(play_dir)
