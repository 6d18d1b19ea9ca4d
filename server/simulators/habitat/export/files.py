"""The files of an exported data set.

    cohabit.scene_dataset_config.json   the data set
    stages/ objects/ furniture/         configs, drawn and collision meshes
    urdf/<template>/                    furniture with parts, one mesh per link
    scenes/ semantics/ scene_filter_files/
    navmeshes/settings.json             what a navigation mesh is to be computed with
    agents/                             plain bodies
    tasks/<name>.json.gz                tasks in PARTNR's format
    cohabit/                            the scene and the catalogue as Cohabit knows them

The same house gives the same bytes. Solids become one convex shape each, so that rays and
contacts meet what they meet in the household simulator.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from episodes.bodies import BODIES
from episodes.dataset import Task, write_dataset
from episodes.poses import Box
from episodes.scene import Catalogue, Scene, Template
from server.simulators.habitat import dataset as layout
from server.simulators.habitat.export import configs, glb
from server.simulators.habitat.export.links import body_urdf, furniture_urdf, link_name

_DRAWN_STAGE = frozenset({"floor", "walls", "trim", "windows", "decor", "ceiling"})
"""Nodes of the stage that are exported.

Not ``outside``: a lawn around the house would be a larger island than any house.
"""
_SLAB_M = 0.1

File = tuple[str, bytes]


class ExportError(Exception):
    """A house cannot be exported: which file, and why."""


Model = Callable[[str], bytes]


class Source(NamedTuple):
    """A house to export: a scene, its catalogue, and how to get a drawn model."""

    scene: Scene
    catalogue: Catalogue
    model: Model
    """Function that returns the glTF binary at a path below the asset root."""


def dataset_files(sources: Sequence[Source]) -> Iterator[File]:
    """Make every file but the tasks, as (path, content), of houses of one catalogue.

    What houses share comes once, before them.
    """
    used = {furniture.template for source in sources for furniture in source.scene.furniture}
    yield from _shared(sources[0].catalogue, sources[0].model, used)
    for source in sources:
        yield from _house(source)


def _shared(catalogue: Catalogue, model: Model, used: set[str]) -> Iterator[File]:
    """Make what all houses have in common: objects, furniture, bodies, settings."""
    yield layout.CONFIG, _json(configs.dataset_config())
    yield layout.NAVMESH_SETTINGS, _json(configs.NAVMESH)
    yield "semantics/semantic_lexicon.json", _json(configs.lexicon(catalogue))
    numbers = configs.class_ids(catalogue)
    for name, template in sorted(catalogue.templates.items()):
        if template.kind == "furniture" and name not in used:
            continue
        number = numbers[template.class_name]
        yield from (_articulated if template.parts else _rigid)(model, template, number)
    for kind, body in sorted(BODIES.items()):
        yield f"agents/{kind}.urdf", body_urdf(body).encode()
        yield f"agents/{kind}.ao_config.json", _json(configs.body_config(kind))
    yield layout.CATALOGUE, msgspec.json.encode(catalogue)


def _house(source: Source) -> Iterator[File]:
    scene, catalogue = source.scene, source.catalogue
    yield from _stage(source)
    yield (
        f"scenes/{scene.scene_id}.scene_instance.json",
        _json(configs.scene_instance(scene, catalogue)),
    )
    yield (
        f"semantics/scenes/{scene.scene_id}.semantic_config.json",
        _json(configs.semantic_config(scene)),
    )
    yield (
        f"scene_filter_files/{scene.scene_id}.rec_filter.json",
        _json(configs.receptacle_filter(scene, catalogue)),
    )
    # The scene comes last: one that is there has everything it needs.
    yield layout.scene_file(scene.scene_id), msgspec.json.encode(scene)


def _stage(source: Source) -> Iterator[File]:
    scene = source.scene
    drawn = glb.only_nodes(source.model(scene.stage_asset), _DRAWN_STAGE)
    if drawn is None:
        raise ExportError(f"{scene.stage_asset}: the stage draws neither floor nor walls")
    path = f"stages/{scene.scene_id}"
    yield f"{path}.stage_config.json", _json(configs.stage_config(scene))
    yield f"{path}.glb", drawn
    yield f"{path}.collision.glb", glb.boxes(stage_boxes(scene))


def stage_boxes(scene: Scene) -> list[Box]:
    """Return the walls, a slab under the house whose top is the floor, and one for its ceiling."""
    boxes = [wall.box for wall in scene.walls]
    points = [p for room in scene.rooms for p in room.polygon]
    x0, x1 = min(x for x, _ in points) - 0.5, max(x for x, _ in points) + 0.5
    z0, z1 = min(z for _, z in points) - 0.5, max(z for _, z in points) + 0.5
    floor = min(room.floor_y for room in scene.rooms)
    top = max(room.floor_y + room.height for room in scene.rooms)
    boxes.append(Box((x0, floor - _SLAB_M, z0), (x1, floor, z1)))
    boxes.append(Box((x0, top, z0), (x1, top + _SLAB_M, z1)))
    return boxes


def _rigid(model: Model, template: Template, number: int) -> Iterator[File]:
    folder = "objects" if template.kind == "object" else "furniture"
    path = f"{folder}/{template.name}"
    drawn = _node(model, template, None)
    if drawn is None:
        raise ExportError(f"{template.asset}: nothing is drawn of {template.name!r}")
    yield f"{path}.object_config.json", _json(configs.rigid_config(template, number))
    yield f"{path}.glb", drawn
    yield f"{path}.collision.glb", glb.boxes([solid.box for solid in template.solids])


def _articulated(model: Model, template: Template, number: int) -> Iterator[File]:
    path = f"urdf/{template.name}"
    meshes: dict[int | None, str] = {}
    for part in (None, *(p.index for p in template.parts)):
        drawn = _node(model, template, part)
        if drawn is not None:
            meshes[part] = f"{link_name(part)}.glb"
            yield f"{path}/{meshes[part]}", drawn
    yield f"{path}/{template.name}.urdf", furniture_urdf(template, meshes).encode()
    yield (
        f"{path}/{template.name}.ao_config.json",
        _json(configs.articulated_config(template, number)),
    )


def _node(model: Model, template: Template, part: int | None) -> bytes | None:
    # The nodes of states (dirt, water, light) stay out: Habitat cannot show and hide them.
    return glb.only_nodes(model(template.asset), {link_name(part)})


def task_of(task: Task, scene: Scene, catalogue: Catalogue, folder: str) -> Task:
    """Return a task as habitat-lab loads it: with its data set, links by Habitat's names."""
    return msgspec.structs.replace(
        task,
        scene_dataset_config=f"{folder}/{layout.CONFIG}",
        additional_obj_config_paths=[f"{folder}/objects"],
        ao_states=configs.link_states(task.ao_states, scene, catalogue),
    )


def export(sources: Sequence[Source], target: Path) -> int:
    """Write houses of one catalogue; return how many files they have.

    More of them may go to the same folder later. Raises ExportError or OSError.
    """
    count = 0
    path = ""
    try:
        for path, data in dataset_files(sources):
            _write(target / path, data)
            count += 1
    except glb.GlbError as error:
        raise ExportError(
            f"the model after {path or 'the first file'} is broken: {error}"
        ) from error
    return count


def export_tasks(
    tasks: Sequence[Task],
    scenes: Mapping[str, Scene],
    catalogue: Catalogue,
    target: Path,
    name: str = "first",
) -> Path:
    """Write tasks of exported houses; return the file. Raises ExportError or OSError."""
    file = target / "tasks" / f"{name}.json.gz"
    rows = []
    for task in tasks:
        scene = scenes.get(task.scene_id)
        if scene is None:
            raise ExportError(f"task {task.task_id}: its house {task.scene_id} is not there")
        rows.append(task_of(task, scene, catalogue, target.name))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_dataset(file, rows)
    return file


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _write(file: Path, data: bytes) -> None:
    if file.is_file() and file.read_bytes() == data:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
