"""`cohabit houses list`: the houses that there are."""

from __future__ import annotations

from collections import Counter

from episodes.houses.files import (
    HouseError,
    list_scenes,
    read_scene,
)
from episodes.houses.splits import split_of
from episodes.houses.walkable_area import as_shape
from episodes.scene import Scene
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import echo, failed


def list_houses(data_dir: DataDir = DATA_DIR) -> None:
    """List the houses, each with its split, its size and its rooms."""
    scene_ids = list_scenes(data_dir)
    if not scene_ids:
        echo(f"no houses in {data_dir}; `cohabit houses build` makes them")
    try:
        for scene_id in scene_ids:
            echo(_line(read_scene(data_dir, scene_id)))
    except HouseError as error:
        raise failed(error) from error


def _line(scene: Scene) -> str:
    area = sum(float(as_shape(p).area) for p in scene.walkable)
    rooms = Counter(room.class_name.replace("_", " ") for room in scene.rooms)
    named = ", ".join(name if n == 1 else f"{n} {name}s" for name, n in sorted(rooms.items()))
    return (
        f"{scene.scene_id}  {split_of(scene.seed):10}  {len(scene.rooms):2} rooms  "
        f"{len(scene.furniture):2} furniture  {area:3.0f} m² to walk on  {named}"
    )
