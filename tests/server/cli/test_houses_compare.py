"""`cohabit houses compare`: one house, a table of several, two simulators side by side."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from episodes.dataset import Task
from episodes.houses import first_house
from episodes.houses.files import read_scene
from episodes.scene import Scene
from episodes.tasks import first_tasks
from server.cli.houses import compare as houses_compare
from server.cli.main import app
from server.research.house_comparison import exported_houses
from server.research.house_comparison.exported_houses import (
    ExportedError,
    check_export,
    measure_exported,
)
from server.research.house_comparison.measures import Measures, mean, measure
from server.research.house_comparison.tables import differences, table
from server.simulators.household import HouseholdSimulator, HouseLibrary
from tests.server.simulators.habitat_data import needs_habitat

RUN = CliRunner()
HOUSE = "house_0003"


def measured(tasks: Sequence[Task]) -> Measures:
    scene, shapes = first_house()
    return measure(HouseholdSimulator(HouseLibrary.of(shapes, [scene])), scene.scene_id, tasks)


def test_a_house_and_its_tasks_are_measured() -> None:
    scene, shapes = first_house()
    found = measured(first_tasks())
    assert found.rooms == len(scene.rooms)
    assert found.tasks == 8
    # What rays find closed is what the catalogue says is behind a door or in a drawer.
    behind = [
        receptacle.part is not None
        for furniture in scene.furniture
        for receptacle in shapes.templates[furniture.template].receptacles
    ]
    assert found.closed == pytest.approx(sum(behind) / len(behind))
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


def test_without_tasks_there_is_nothing_of_tasks() -> None:
    found = measured([])
    assert (found.tasks, found.task_way_m, found.clutter, found.starts_m) == (0, None, None, None)


def test_a_mean_leaves_out_what_was_not_measured() -> None:
    one = Measures(6, 40, 40.0, 0.5, 8.0, 0, None, None, None)
    other = one._replace(rooms=8, tasks=3, starts_m=4.0)
    assert mean([one, other]) == one._replace(rooms=7, tasks=1.5, starts_m=4.0)


def test_the_table_has_a_line_per_house_and_split(houses_dir: Path) -> None:
    done = RUN.invoke(app, ["houses", "compare", "--data-dir", str(houses_dir)])
    assert done.exit_code == 0, done.output
    lines = [line.split("  ")[0].strip() for line in done.output.splitlines()]
    assert lines == ["house", HOUSE, "train (1)", "all (1)"]


@pytest.mark.parametrize("arguments", [[], ["--tasks", "no_such_set"]])
def test_nothing_to_compare_is_an_error(tmp_path: Path, arguments: list[str]) -> None:
    done = RUN.invoke(app, ["houses", "compare", "--data-dir", str(tmp_path), *arguments])
    assert done.exit_code == 1
    assert "cohabit houses build" in done.output


# Two simulators

ONE = Measures(6, 40, 40.0, 0.5, 8.0, 4, 6.0, 3.0, None)


def test_differences_are_per_cent_but_points_of_shares() -> None:
    theirs = {
        "a": ONE._replace(walkable_m2=42.0, closed=0.49, way_m=8.0),
        "b": ONE._replace(walkable_m2=39.0, closed=0.5, way_m=None),
    }
    lines = differences({"a": ONE, "b": ONE}, theirs)
    assert [line.split() for line in lines[1:4]] == [
        ["walkable", "m²", "+1.2", "%", "+5.0", "%", "a"],
        ["closed", "-0.5", "points", "-1.0", "points", "a"],
        ["way", "m", "+0.0", "%", "+0.0", "%", "a"],
    ]
    assert not any(line.startswith("starts") for line in lines)
    assert table([(("x", "y"), ONE)], ["house", "simulator"])[1].split()[-1] == "-"


def export(data: Path, folder: Path, *more: str) -> None:
    command = ["houses", "export", "--habitat", str(folder), "--data-dir", str(data), *more]
    done = RUN.invoke(app, command)
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="module")
def both(houses_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Make a data directory and its export, tasks also under another name."""
    data = tmp_path_factory.mktemp("compare") / "data"
    shutil.copytree(houses_dir, data)
    shutil.copy(data / "tasks/first.json.gz", data / "tasks/some.json.gz")
    export(data, data / "habitat", "--tasks", "some")
    return data, data / "habitat"


def compared(data: Path, folder: Path, tasks: str = "some") -> tuple[int, str]:
    command = ["houses", "compare", "--data-dir", str(data), "--habitat", str(folder)]
    done = RUN.invoke(app, [*command, "--tasks", tasks])
    return done.exit_code, done.output


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exported_houses, "habitat_python", lambda: Path(sys.executable))


@pytest.mark.processes
def test_without_habitat_sim_it_says_how_to_name_one(
    both: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exported_houses, "habitat_python", lambda: None)
    code, text = compared(*both)
    assert code == 1
    assert "no interpreter with habitat-sim is known" in text
    assert "cohabit habitat use PYTHON" in text


def test_what_is_not_exported_or_is_another_house_says_what_to_run(
    both: tuple[Path, Path], tmp_path: Path, known: None
) -> None:
    data, folder = both
    code, text = compared(data, tmp_path)
    assert (code, "cohabit houses export --habitat" in text) == (1, True)
    with pytest.raises(ExportedError, match=r"first\.json\.gz is missing; run: .*--tasks first"):
        check_export(folder, [read_scene(data, HOUSE)], "first")
    other: Scene = replace(read_scene(data, HOUSE), digest="another")
    with pytest.raises(ExportedError, match=r"holds another house_0003.*; run: cohabit"):
        check_export(folder, [other], "some")


def test_both_simulators_stand_beside_each_other(
    both: tuple[Path, Path], known: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        houses_compare, "measure_exported", lambda *_: [ONE._replace(walkable_m2=1.0)]
    )
    code, text = compared(*both)
    assert code == 0, text
    lines = [line.split() for line in text.splitlines()]
    assert [line[:2] for line in lines[1:3]] == [[HOUSE, "household"], ["Habitat", "6.0"]]
    assert ["walkable", "m²", "-97.9", "%", "-97.9", "%", HOUSE] in lines


def interpreter(folder: Path, body: str) -> Path:
    """Write a program that is started in place of an interpreter with habitat-sim."""
    file = folder / "python"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return file


def test_a_process_that_ends_early_is_named_with_its_house(tmp_path: Path) -> None:
    line = "[6,40,40.0,0.5,8.0,4,6.0,3.0,null]"
    told: list[tuple[int, int]] = []
    python = interpreter(tmp_path, f"echo '{line}'; echo no mesh >&2; kill -ABRT $$")
    with pytest.raises(ExportedError, match="status -6 at house_2: no mesh"):
        measure_exported(
            python, tmp_path, "some", ["house_1", "house_2"], lambda *done: told.append(done)
        )
    assert told == [(1, 2)]
    whole = interpreter(tmp_path, f"echo '{line}'")
    assert measure_exported(whole, tmp_path, "some", ["house_1"]) == [ONE]
    with pytest.raises(ExportedError, match="cannot be started"):
        measure_exported(tmp_path / "none", tmp_path, "some", ["house_1"])


def test_an_interpreter_without_habitat_sim_says_so(both: tuple[Path, Path]) -> None:
    with pytest.raises(ExportedError, match="habitat_sim"):
        measure_exported(Path(sys.executable), both[1], "some", [HOUSE])


@pytest.mark.habitat
@needs_habitat
def test_habitat_sim_sees_about_the_same_house(both: tuple[Path, Path]) -> None:
    data, folder = both
    python = check_export(folder, [read_scene(data, HOUSE)], "some")
    (found,) = measure_exported(python, folder, "some", [HOUSE])
    ours = measured(first_tasks())
    assert (found.rooms, found.furniture, found.tasks) == (ours.rooms, ours.furniture, 8)
    assert (found.closed, found.clutter) == (ours.closed, ours.clutter)
    assert found.walkable_m2 == pytest.approx(ours.walkable_m2, rel=0.05)
    assert found.way_m == pytest.approx(ours.way_m, rel=0.02)
    assert found.task_way_m == pytest.approx(ours.task_way_m, rel=0.02)
    assert found.starts_m == pytest.approx(ours.starts_m, rel=0.02)
