"""Files of houses: round trips, skipping what is current, and errors that say what to do."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from episodes.catalogue import catalogue
from episodes.houses import generate_house
from episodes.houses.files import (
    HouseError,
    build_house,
    catalogue_file,
    catalogue_is_current,
    house_is_current,
    list_scenes,
    read_catalogue,
    read_scene,
    scene_file,
    write_asset,
    write_bytes,
    write_catalogue,
    write_house,
)
from server.cli.houses import app

SHAPES = catalogue()
RUN = CliRunner()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    result = RUN.invoke(app, ["build", "--first", "--data-dir", str(data)])
    assert result.exit_code == 0, result.output
    return data


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    house = generate_house(18, SHAPES)
    write_catalogue(tmp_path, SHAPES)
    write_house(tmp_path, house, SHAPES)
    assert read_catalogue(tmp_path) == SHAPES
    assert read_scene(tmp_path, house.scene.scene_id) == house.scene
    assert list_scenes(tmp_path) == ["house_0018"]
    assert (tmp_path / house.scene.stage_asset).read_bytes()[:4] == b"glTF"


def test_a_current_house_is_not_built_again(tmp_path: Path) -> None:
    assert build_house(tmp_path, 18, SHAPES)
    before = scene_file(tmp_path, "house_0018").stat().st_mtime_ns
    assert not build_house(tmp_path, 18, SHAPES)
    assert scene_file(tmp_path, "house_0018").stat().st_mtime_ns == before


def test_a_house_of_another_generator_is_built_again(tmp_path: Path) -> None:
    build_house(tmp_path, 18, SHAPES)
    file = scene_file(tmp_path, "house_0018")
    stored = json.loads(file.read_text())
    stored["generator"] += 1
    file.write_text(json.dumps(stored))
    assert not house_is_current(tmp_path, 18, SHAPES)
    assert build_house(tmp_path, 18, SHAPES)
    assert house_is_current(tmp_path, 18, SHAPES)


def test_a_house_without_its_stage_is_built_again(tmp_path: Path) -> None:
    build_house(tmp_path, 18, SHAPES)
    (tmp_path / "houses" / "house_0018" / "stage.glb").unlink()
    assert not house_is_current(tmp_path, 18, SHAPES)


def test_a_catalogue_without_an_asset_is_not_current(tmp_path: Path) -> None:
    write_catalogue(tmp_path, SHAPES)
    assert not catalogue_is_current(tmp_path, SHAPES)
    for name in SHAPES.templates:
        write_bytes(tmp_path / SHAPES.templates[name].asset, b"")
    write_asset(tmp_path, SHAPES, "cup_1")
    assert catalogue_is_current(tmp_path, SHAPES)


def test_a_missing_file_says_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(HouseError, match=r"no such file.*cohabit houses build"):
        read_scene(tmp_path, "house_0003")


def test_a_malformed_file_says_where(tmp_path: Path) -> None:
    build_house(tmp_path, 18, SHAPES)
    file = scene_file(tmp_path, "house_0018")
    stored = json.loads(file.read_text())
    stored["scene"]["rooms"][1]["height"] = "high"
    file.write_text(json.dumps(stored))
    with pytest.raises(HouseError) as caught:
        read_scene(tmp_path, "house_0018")
    assert caught.value.path == ".scene.rooms[1].height"
    assert str(file) in str(caught.value)


def test_half_a_file_is_refused(tmp_path: Path) -> None:
    write_catalogue(tmp_path, SHAPES)
    file = catalogue_file(tmp_path)
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(HouseError, match=r"catalogue.json"):
        read_catalogue(tmp_path)


def test_a_changed_catalogue_is_refused(tmp_path: Path) -> None:
    write_catalogue(tmp_path, SHAPES)
    file = catalogue_file(tmp_path)
    file.write_text(file.read_text().replace('"class_name":"cup"', '"class_name":"mug"'))
    with pytest.raises(HouseError, match=r"digest"):
        read_catalogue(tmp_path)


def test_another_format_is_refused(tmp_path: Path) -> None:
    build_house(tmp_path, 18, SHAPES)
    file = scene_file(tmp_path, "house_0018")
    stored = json.loads(file.read_text())
    stored["format"] = 99
    file.write_text(json.dumps(stored))
    with pytest.raises(HouseError, match=r"at .format: expected 1, got 99"):
        read_scene(tmp_path, "house_0018")


@pytest.mark.parametrize("scene_id", ["../secrets", "a/b", "", ".."])
def test_a_scene_id_is_not_a_path(tmp_path: Path, scene_id: str) -> None:
    with pytest.raises(HouseError):
        read_scene(tmp_path, scene_id)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    write_bytes(file, b"old")
    with pytest.raises(TypeError):
        write_bytes(file, "text")  # type: ignore[arg-type]
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_the_command_builds_lists_and_checks(built: Path) -> None:
    assert (built / "tasks" / "first.json.gz").is_file()
    again = RUN.invoke(app, ["build", "--first", "--data-dir", str(built)])
    assert "everything is current" in again.output
    assert "house_0003" in RUN.invoke(app, ["list", "--data-dir", str(built)]).output
    checked = RUN.invoke(app, ["check", "--data-dir", str(built)])
    assert checked.exit_code == 0, checked.output
    assert "1 houses, 8 tasks, 0 problems" in checked.output


def test_one_house_with_its_catalogue_is_small(built: Path) -> None:
    scene = read_scene(built, "house_0003")
    used = {f.template for f in scene.furniture}
    size = (built / scene.stage_asset).stat().st_size
    size += sum((built / SHAPES.templates[name].asset).stat().st_size for name in used)
    assert size < 2_000_000


def test_the_command_fails_where_nothing_is(tmp_path: Path) -> None:
    result = RUN.invoke(app, ["check", "--data-dir", str(tmp_path)])
    assert result.exit_code == 1
    listed = RUN.invoke(app, ["list", "--data-dir", str(tmp_path)])
    assert "cohabit houses build" in listed.output


def test_a_house_of_another_catalogue_is_refused(tmp_path: Path) -> None:
    write_catalogue(tmp_path, SHAPES)
    build_house(tmp_path, 18, SHAPES)
    file = scene_file(tmp_path, "house_0018")
    file.write_text(file.read_text().replace(SHAPES.digest, "0" * 64, 1))
    with pytest.raises(HouseError, match=r"at \.catalogue_digest.*cohabit houses build"):
        read_scene(tmp_path, "house_0018")


@pytest.mark.processes
def test_a_killed_build_leaves_whole_houses_and_goes_on(houses_dir: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(houses_dir, data)
    command = [sys.executable, "-m", "server.cli", "houses", "build", "--houses", "3"]
    command += ["--data-dir", str(data)]
    building = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    while len(list_scenes(data)) < 2 and building.poll() is None:
        time.sleep(0.01)
    os.killpg(building.pid, signal.SIGKILL)
    building.wait()
    there = list_scenes(data)
    assert len(there) >= 2
    for scene_id in there:
        assert (data / read_scene(data, scene_id).stage_asset).read_bytes()[:4] == b"glTF"
    before = {s: scene_file(data, s).stat().st_mtime_ns for s in there}
    subprocess.run(command, check=True, capture_output=True)
    assert list_scenes(data) == ["house_0000", "house_0001", "house_0002", "house_0003"]
    assert before == {s: scene_file(data, s).stat().st_mtime_ns for s in there}
