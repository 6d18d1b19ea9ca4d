"""A house as every session in it shares it: built once, never changed.

Sessions hold only what differs from it: where objects are and which parts are not closed.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from episodes.poses import IDENTITY, Box, Vec2, Vec3, compose
from episodes.scene import Catalogue, Furniture, Part, Room, Scene, Template, part_pose
from server.simulators.contract import SimulatorError
from server.simulators.household.paths import Paths
from server.simulators.household.shapes import (
    Block,
    Thing,
    axes_of,
    block_of,
    bounds,
    solids_of,
)
from server.simulators.household.walkable import Walkable

CELL_M = 0.5
"""Side of the cells, seen from above, by which solids are found (m)."""
MARGIN_M = 0.005
"""The largest padding of solids in a query (m)."""


class PlacedFurniture:
    """A piece of furniture where it stands, all parts closed.

    ``whole`` has its box and keypoints, ``body`` and ``parts`` its solids (``body`` is None for
    furniture that consists of parts only, a part without solids is None).
    """

    __slots__ = ("body", "furniture", "parts", "swing_m", "template", "whole")

    def __init__(self, furniture: Furniture, template: Template) -> None:
        self.furniture = furniture
        self.template = template
        handle, pose = furniture.handle, furniture.pose
        self.whole = Thing(handle, None, template.box, (), pose)
        self.body = self._thing(None)
        self.parts: tuple[Thing | None, ...] = tuple(self._thing(p.index) for p in template.parts)
        # No part goes further out than its own length (a door) or its travel (a drawer).
        sizes = [2 * math.hypot(*part.box.half_size) for part in self.parts if part is not None]
        self.swing_m = max([*sizes, *(abs(p.open_value) for p in template.parts)], default=0.0)

    def _thing(self, part: int | None) -> Thing | None:
        boxes = solids_of(self.template.solids, part)
        if not boxes:
            return None
        return Thing(self.furniture.handle, part, bounds(boxes), boxes, self.furniture.pose)

    def part(self, index: int) -> Part:
        """Return a part by its index. Raises SimulatorError when there is none."""
        parts = self.template.parts
        if 0 <= index < len(parts) and parts[index].index == index:
            return parts[index]
        for part in parts:
            if part.index == index:
                return part
        known = ", ".join(f"{p.index} ({p.name})" for p in parts) or "none"
        raise SimulatorError(f"{self.furniture.handle!r} has no part {index}; it has: {known}")

    def part_at(self, index: int, value: float) -> Thing | None:
        """Return the solids of a part at a joint value; None if it has none."""
        part = self.part(index)
        closed = self.parts[self.template.parts.index(part)]
        if closed is None:
            return None
        pose = compose(self.furniture.pose, part_pose(part, value))
        return Thing(closed.entity, index, closed.box, closed.solids, pose)


class RoomVolume:
    """The space of a room: its polygon from the floor up."""

    __slots__ = ("_edges", "_plain", "high", "low", "y0", "y1")

    def __init__(self, room: Room) -> None:
        xs, zs = [x for x, _ in room.polygon], [z for _, z in room.polygon]
        self.low: Vec2 = (min(xs), min(zs))
        self.high: Vec2 = (max(xs), max(zs))
        self.y0, self.y1 = room.floor_y, room.floor_y + room.height
        corners = {(x, z) for x in (self.low[0], self.high[0]) for z in (self.low[1], self.high[1])}
        self._plain = len(room.polygon) == 4 and set(room.polygon) == corners
        ring = room.polygon
        self._edges = tuple(
            (*a, *b) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True) if a[1] != b[1]
        )

    def contains(self, point: Vec3) -> bool:
        """Tell whether a point is in the room."""
        x, y, z = point
        if not (
            self.y0 <= y <= self.y1
            and self.low[0] <= x <= self.high[0]
            and self.low[1] <= z <= self.high[1]
        ):
            return False
        if self._plain:
            return True
        inside = False
        for ax, az, bx, bz in self._edges:
            if (az > z) != (bz > z) and x < ax + (z - az) * (bx - ax) / (bz - az):
                inside = not inside
        return inside


class ObjectShape(NamedTuple):
    """The bounds and the solids of an object template."""

    box: Box
    solids: tuple[Box, ...]


class Cell(NamedTuple):
    """Solids and walls of one cell, highest first, so that a low ray can stop early."""

    blocks: tuple[Block, ...]
    cores: tuple[Block, ...]
    """Solids of furniture as the evaluator's rays meet them."""
    hollow: tuple[Thing, ...]
    """Bodies and parts of at least two solids: what something can be within."""


class House:
    """A scene with everything that is derived from it."""

    def __init__(self, scene: Scene, catalogue: Catalogue) -> None:
        self.scene = scene
        self.catalogue = catalogue
        self.floor_y = min((room.floor_y for room in scene.rooms), default=0.0)
        self.rooms = {room.room_id: RoomVolume(room) for room in scene.rooms}
        self.pieces: dict[str, PlacedFurniture] = {}
        for furniture in scene.furniture:
            try:
                template = catalogue.templates[furniture.template]
            except KeyError:
                raise SimulatorError(
                    f"scene {scene.scene_id!r} has furniture {furniture.handle!r} of template "
                    f"{furniture.template!r}, which the catalogue lacks; generate both again"
                ) from None
            self.pieces[furniture.handle] = PlacedFurniture(furniture, template)
        self.walkable = Walkable(scene.walkable)
        self.island = self.walkable if len(scene.walkable) == 1 else Walkable(scene.walkable[:1])
        self.walls = self._walls()
        self._objects: dict[str, ObjectShape] = {}
        self.cells = self._cells(
            thing
            for piece in self.pieces.values()
            for thing in (piece.body, *piece.parts)
            if thing is not None
        )
        points = [p for room in scene.rooms for p in room.polygon] or [self.walkable.low]
        self.low = (min(x for x, _ in points) - 0.5, min(z for _, z in points) - 0.5)
        self.high = (max(x for x, _ in points) + 0.5, max(z for _, z in points) + 0.5)

    @cached_property
    def paths(self) -> Paths:
        """Shortest ways through the house; grows as they are asked for."""
        return Paths([Walkable([polygon]) for polygon in self.scene.walkable])

    def _walls(self) -> tuple[Block, ...]:
        axes = axes_of(IDENTITY)
        return tuple(
            block_of(wall.box, (0.0, 0.0, 0.0), axes, None, None) for wall in self.scene.walls
        )

    def _cells(self, things: Iterable[Thing]) -> dict[int, Cell]:
        blocks: dict[int, list[Block]] = {}
        cores: dict[int, list[Block]] = {}
        hollow: dict[int, list[Thing]] = {}
        for thing in things:
            if len(thing.solids) > 1:
                for key in cells_of(thing.bounds):
                    hollow.setdefault(key, []).append(thing)
            for block, core in zip(thing.blocks, thing.cores, strict=True):
                for key in cells_of(block):
                    blocks.setdefault(key, []).append(block)
                    cores.setdefault(key, []).append(core)
        for block in self.walls:
            for key in cells_of(block):
                blocks.setdefault(key, []).append(block)
        return {
            key: Cell(
                tuple(sorted(blocks.get(key, ()), key=lambda b: -b.y1)),
                tuple(sorted(cores.get(key, ()), key=lambda b: -b.y1)),
                tuple(hollow.get(key, ())),
            )
            for key in blocks.keys() | hollow.keys()
        }

    def object_shape(self, template: str) -> ObjectShape:
        """Return the shape of an object template. Raises SimulatorError when there is none."""
        shape = self._objects.get(template)
        if shape is None:
            known = self.catalogue.templates.get(template)
            if known is None or known.kind != "object":
                raise SimulatorError(
                    f"the catalogue has no object template {template!r}; was the data set "
                    "generated with another catalogue?"
                )
            shape = ObjectShape(known.box, tuple(s.box for s in known.solids))
            self._objects[template] = shape
        return shape

    def furniture(self, handle: str) -> PlacedFurniture:
        """Return a piece of furniture. Raises SimulatorError when there is none."""
        try:
            return self.pieces[handle]
        except KeyError:
            raise SimulatorError(
                f"scene {self.scene.scene_id!r} has no furniture {handle!r}"
            ) from None


def cells_of(bounds: Sequence[Any]) -> list[int]:
    """Return the cells that bounds (or a block) touch, with the margin that queries may add."""
    m = MARGIN_M
    return cells_between(bounds[0] - m, bounds[2] - m, bounds[3] + m, bounds[5] + m)


def cells_between(x0: float, z0: float, x1: float, z1: float) -> list[int]:
    """Return the cells that a rectangle touches; a cell's key is ``(ix << 16) + iz``."""
    ix0, ix1 = int(x0 // CELL_M), int(x1 // CELL_M)
    iz0, iz1 = int(z0 // CELL_M), int(z1 // CELL_M)
    if ix0 == ix1 and iz0 == iz1:
        return [(ix0 << 16) + iz0]
    return [(ix << 16) + iz for ix in range(ix0, ix1 + 1) for iz in range(iz0, iz1 + 1)]


class HouseLibrary:
    """Houses by scene id, built when first asked for and kept.

    They come either from a data directory (``catalogue/catalogue.json``, ``houses/<scene
    id>/scene.json``) or, with `of`, from values in memory. Safe to use from several threads.
    """

    def __init__(
        self,
        data_dir: Path | None,
        keep: int = 64,
        *,
        catalogue: Catalogue | None = None,
        scenes: Iterable[Scene] = (),
    ) -> None:
        """Keep up to ``keep`` houses: of a data directory, or of a catalogue and its scenes."""
        self._data_dir = data_dir
        self._keep = keep
        self._scenes: Mapping[str, Scene] = {scene.scene_id: scene for scene in scenes}
        self._catalogue = catalogue
        self._houses: OrderedDict[str, tuple[object, House]] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def of(cls, catalogue: Catalogue, scenes: Iterable[Scene]) -> HouseLibrary:
        """Return a library of scenes in memory."""
        return cls(None, catalogue=catalogue, scenes=scenes)

    def house(self, scene_id: str) -> House:
        """Return the house of a scene. Raises SimulatorError when the scene is not there."""
        with self._lock:
            if self._data_dir is None:
                return self._kept(scene_id, None)
            path = self._data_dir / "houses" / scene_id / "scene.json"
            try:
                stat = path.stat()
            except OSError:
                raise SimulatorError(
                    f"no scene {scene_id!r}: {path} is missing; generate the houses of the data set"
                ) from None
            return self._kept(scene_id, (stat.st_mtime_ns, stat.st_size))

    def _kept(self, scene_id: str, stamp: object) -> House:
        kept = self._houses.get(scene_id)
        if kept is None or kept[0] != stamp:
            kept = (stamp, House(self._scene(scene_id), self._load_catalogue()))
            self._houses[scene_id] = kept
            while len(self._houses) > self._keep:
                self._houses.popitem(last=False)
        self._houses.move_to_end(scene_id)
        return kept[1]

    def _scene(self, scene_id: str) -> Scene:
        if self._data_dir is None:
            try:
                return self._scenes[scene_id]
            except KeyError:
                known = ", ".join(sorted(self._scenes)) or "none"
                raise SimulatorError(f"no scene {scene_id!r}; there are: {known}") from None
        # Imported late: the generator's files bring trimesh, which a worker needs for nothing else.
        from episodes.houses.files import HouseError, read_scene

        try:
            return read_scene(self._data_dir, scene_id)
        except HouseError as error:
            raise SimulatorError(str(error)) from error

    def _load_catalogue(self) -> Catalogue:
        if self._catalogue is None:
            assert self._data_dir is not None
            from episodes.houses.files import HouseError, read_catalogue

            try:
                self._catalogue = read_catalogue(self._data_dir)
            except HouseError as error:
                raise SimulatorError(str(error)) from error
        return self._catalogue
