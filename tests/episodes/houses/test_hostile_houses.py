"""Houses and catalogues of other people: no file outside their folder is named, nobody hangs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from episodes.houses.files import (
    HouseError,
    catalogue_file,
    digest_of,
    list_scenes,
    read_catalogue,
    read_scene,
    scene_file,
)
from episodes.scene import Template
from server.simulators.contract import SimulatorError
from server.simulators.habitat.dataset import HabitatDataset

OUTSIDE = ("../../secret_key", "/etc/passwd", "houses/../../x", "a\0b", "")


@pytest.fixture
def data(houses_dir: Path, tmp_path: Path) -> Path:
    for file in (catalogue_file(houses_dir), *houses_dir.glob("houses/*/scene.json")):
        copy = tmp_path / file.relative_to(houses_dir)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    return tmp_path


def rewrite(file: Path, **changes: Any) -> dict[str, Any]:
    """Return the content of a file, with fields of its scene changed and written."""
    content: dict[str, Any] = msgspec.json.decode(file.read_bytes())
    content.get("scene", {}).update(changes)
    file.write_bytes(msgspec.json.encode(content))
    return content


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_stage_outside_the_folder_is_refused(data: Path, path: str) -> None:
    (scene_id,) = list_scenes(data)
    assert read_scene(data, scene_id).stage_asset
    rewrite(scene_file(data, scene_id), stage_asset=path)
    with pytest.raises(HouseError, match=r"stage_asset: expected a path below"):
        read_scene(data, scene_id)


@pytest.mark.parametrize("path", OUTSIDE[:-1])
def test_a_model_outside_the_folder_is_refused(data: Path, path: str) -> None:
    file = catalogue_file(data)
    content = rewrite(file)
    templates = content["catalogue"]["templates"]
    next(iter(templates.values()))["asset"] = path
    # A digest is no signature either.
    typed = msgspec.convert(templates, dict[str, Template])
    content["catalogue"]["digest"] = digest_of(typed)
    file.write_bytes(msgspec.json.encode(content))
    with pytest.raises(HouseError, match=r"asset: expected a path below"):
        read_catalogue(data)


@pytest.mark.parametrize("scene_id", ["../x", "/etc/passwd", "a\0b", "..", "a/b"])
def test_an_id_that_is_a_path_is_refused(data: Path, scene_id: str) -> None:
    with pytest.raises(HouseError, match="expected a scene id"):
        read_scene(data, scene_id)
    with pytest.raises(SimulatorError, match="expected the id of a house"):
        HabitatDataset(data).scene(scene_id)


def test_files_that_would_hang_or_fill_the_memory(data: Path) -> None:
    (scene_id,) = list_scenes(data)
    file = scene_file(data, scene_id)
    for content, reason in (
        (b"[" * 100_000, "nested too deeply|Expected `object`"),
        (b'{"scene":' + b"[" * 100_000, "nested too deeply|Expected `object`"),
        (b'{"x":' + b"[" * 100_000, "nested too deeply"),
        (b'{"format":' + b"9" * 100_000 + b"}", "out of range"),
        (b"\x1f\x8bx", "is gzip data that ends too early"),
    ):
        file.write_bytes(content)
        with pytest.raises(HouseError, match=reason):
            read_scene(data, scene_id)
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(HouseError, match="got a pipe"):
        read_scene(data, scene_id)
