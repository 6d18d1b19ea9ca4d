"""A data directory whose house is exported for habitat-sim too."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.simulators.habitat_data import exported_house


@pytest.fixture(scope="module")
def habitat_dir(play_dir: Path) -> Iterator[Path]:
    """Return the data directory of the other tests, with the house exported in it."""
    link = play_dir / "habitat"
    shutil.copytree(exported_house(), link)
    yield play_dir
    shutil.rmtree(link)
