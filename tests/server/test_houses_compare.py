"""`cohabit houses compare`: measures of one house, and the table of several."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from episodes.houses import first_house
from episodes.tasks import first_tasks
from server.cli import app
from server.houses_compare import Measures, mean, measure

RUN = CliRunner()


def test_a_house_and_its_tasks_are_measured() -> None:
    scene, shapes = first_house()
    found = measure(scene, shapes, first_tasks())
    assert found.rooms == len(scene.rooms)
    assert found.tasks == 6
    assert 0.2 < found.closed < 0.8
    widest = max(x for r in scene.rooms for x, _ in r.polygon) - min(
        x for r in scene.rooms for x, _ in r.polygon
    )
    for way in (found.way_m, found.task_way_m, found.starts_m):
        assert way is not None
        assert 0 < way < 3 * widest
    # Three to six things are strewn about beside those that a task is about.
    assert found.clutter is not None
    assert 3 <= found.clutter <= 6


def test_a_mean_leaves_out_what_was_not_measured() -> None:
    one = Measures(6, 40, 40.0, 0.5, 8.0, 0, None, None, None)
    other = one._replace(rooms=8, tasks=3, starts_m=4.0)
    assert mean([one, other]) == one._replace(rooms=7, tasks=1.5, starts_m=4.0)


def test_the_table_has_a_line_per_house_and_split(houses_dir: Path) -> None:
    done = RUN.invoke(app, ["houses", "compare", "--data-dir", str(houses_dir)])
    assert done.exit_code == 0, done.output
    lines = [line.split("  ")[0].strip() for line in done.output.splitlines()]
    assert lines == ["house", "house_0003", "train (1)", "all (1)"]


@pytest.mark.parametrize("arguments", [[], ["--tasks", "no_such_set"]])
def test_nothing_to_compare_is_an_error(tmp_path: Path, arguments: list[str]) -> None:
    done = RUN.invoke(app, ["houses", "compare", "--data-dir", str(tmp_path), *arguments])
    assert done.exit_code == 1
    assert "cohabit houses build" in done.output
