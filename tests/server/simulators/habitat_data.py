"""Exported data sets for tests, and one process that has them loaded."""

from __future__ import annotations

import atexit
import json
import struct
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from msgspec.structs import replace

from episodes.catalogue import asset, catalogue
from episodes.houses import DEFAULT_SEED, generate_house
from episodes.houses.stage import stage_model
from episodes.poses import Box
from episodes.scene import Catalogue, Scene, Template
from episodes.tasks import generate_tasks
from server.simulators.contract_suite import two_rooms
from server.simulators.habitat.export import Source, export, export_tasks, glb
from server.simulators.habitat.export.files import stage_boxes
from server.simulators.habitat.export.links import link_name
from server.simulators.habitat.interpreter import VARIABLE, habitat_python
from tests.server.simulators.habitat_process import HabitatProcess

needs_habitat = pytest.mark.skipif(
    habitat_python() is None,
    reason=f"no interpreter with habitat-sim is known: `cohabit habitat use PYTHON`, or {VARIABLE}",
)


def interpreter() -> Path:
    python = habitat_python()
    assert python is not None, "tests that need habitat-sim are marked with needs_habitat"
    return python


@cache
def process() -> HabitatProcess:
    """Return one process for all tests of a run."""
    running = HabitatProcess(interpreter())
    atexit.register(running.close)
    return running


@cache
def _folder() -> Path:
    made = tempfile.TemporaryDirectory(prefix="cohabit-habitat-")
    atexit.register(made.cleanup)
    return Path(made.name)


@cache
def exported_house() -> Path:
    """Export the default house and its tasks; return the folder."""
    folder = _folder() / "house"
    source = house_source()
    export([source], folder)
    scenes = {source.scene.scene_id: source.scene}
    tasks = generate_tasks(source.scene, source.catalogue)
    export_tasks(tasks, scenes, source.catalogue, folder)
    return folder


@cache
def house_source() -> Source:
    shapes = catalogue()
    house = generate_house(DEFAULT_SEED, shapes)

    def model(path: str) -> bytes:
        if path == house.scene.stage_asset:
            return stage_model(house, shapes).glb()
        return asset(PurePosixPath(path).stem)

    return Source(house.scene, shapes, model)


@cache
def exported_rooms() -> Path:
    """Export the flat written by hand; return the folder."""
    folder = _folder() / "rooms"
    export([rooms_source()], folder)
    return folder


def rooms_source() -> Source:
    """Return the flat written by hand, drawn as its solids."""
    shapes = Catalogue(
        {
            name: replace(template, asset=f"catalogue/{name}.glb")
            for name, template in two_rooms.CATALOGUE.templates.items()
        },
        two_rooms.CATALOGUE.digest,
    )
    scene = replace(two_rooms.SCENE, stage_asset="houses/two_rooms/stage.glb")

    def model(path: str) -> bytes:
        if path == scene.stage_asset:
            return drawn({"floor": _stage_without_ceiling(scene)})
        return drawn(_nodes(shapes.templates[PurePosixPath(path).stem]))

    return Source(scene, shapes, model)


def _stage_without_ceiling(scene: Scene) -> Sequence[Box]:
    return stage_boxes(scene)[:-1]


def _nodes(template: Template) -> dict[str, Sequence[Box]]:
    nodes: dict[str, list[Box]] = {}
    for solid in template.solids:
        nodes.setdefault(link_name(solid.part), []).append(solid.box)
    return dict(nodes)


def drawn(nodes: dict[str, Sequence[Box]]) -> bytes:
    """Return a model whose named nodes are boxes, as the generator's models have named nodes."""
    tree, buffer = glb.read(glb.boxes([box for boxes in nodes.values() for box in boxes]))
    start = 0
    for name, boxes in nodes.items():
        children = list(range(start, start + len(boxes)))
        tree["nodes"].append({"name": name, "children": children})
        start += len(boxes)
    tree["scenes"] = [{"nodes": list(range(start, len(tree["nodes"])))}]
    return glb.write(tree, buffer)


def lengths(data: bytes) -> tuple[int, int]:
    """Return the length that a glTF binary states, and its own."""
    return struct.unpack_from("<I", data, 8)[0], len(data)


def read_json(file: Path) -> Any:
    return json.loads(file.read_bytes())
