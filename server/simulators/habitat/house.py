"""A house in one simulator of habitat-sim, and the things that its ids stand for.

Bullet says what a ray or a body comes near to; it is exact to about a centimetre only, and a ray
that starts that near to something may miss it. Since every collision shape here is one of our
solids, what it found is measured against those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from episodes.poses import Box, Pose, Vec3
from episodes.scene import Catalogue, Scene, Template
from server.simulators.contract import SimulatorError
from server.simulators.habitat import engine
from server.simulators.habitat.dataset import HabitatDataset
from server.simulators.habitat.export.configs import rigid_handle
from server.simulators.habitat.navigation import Navigation
from server.simulators.household.house import PlacedFurniture
from server.simulators.household.shapes import Thing

BUFFER_M = 0.08
"""Distance that rays start behind their origin (m), as habitat-sim's own do by default."""

Key = tuple[str, int | None]
"""An entity and one of its parts; None is an object, or the fixed body of furniture."""


class RayCandidate(NamedTuple):
    """Candidate that a ray comes near to: a thing, or the stage at a distance."""

    thing: Thing | None
    distance: float
    normal: Vec3


class LoadedHouse:
    """A scene in habitat-sim, with the objects of one session."""

    def __init__(self, dataset: HabitatDataset, scene_id: str) -> None:
        self.scene: Scene = dataset.scene(scene_id)
        self.catalogue: Catalogue = dataset.catalogue
        self.pieces: dict[str, PlacedFurniture] = {}
        for furniture in self.scene.furniture:
            template = self.catalogue.templates[furniture.template]
            self.pieces[furniture.handle] = PlacedFurniture(furniture, template)
        self.floor_y = min(room.floor_y for room in self.scene.rooms)
        self.ceiling_y = max(room.floor_y + room.height for room in self.scene.rooms)
        self._walls = [wall.box for wall in self.scene.walls]
        self._eye: tuple[Vec3, bool] = ((0.0, 0.0, 0.0), False)
        self.sim: Any = engine.start(dataset.config, scene_id)
        try:
            self.navigation = Navigation.compute(self.sim, dataset.navmesh_settings, self.floor_y)
            self._rigid: Any = self.sim.get_rigid_object_manager()
            self._articulated: Mapping[str, Any] = dict(
                self.sim.get_articulated_object_manager().get_objects_by_handle_substring()
            )
            self.regions: dict[str, Any] = {r.id: r for r in self.sim.semantic_scene.regions}
            self._keys: dict[int, Key] = {}
            self.things: dict[Key, Thing] = {}
            for handle in self.pieces:
                self._register_furniture(handle)
        except BaseException:
            self.sim.close()
            raise
        self._objects: dict[str, Any] = {}

    def _register_furniture(self, handle: str) -> None:
        piece = self.pieces[handle]
        parts = piece.template.parts
        found = self._articulated.get(handle) if parts else self._rigid.get_object_by_handle(handle)
        if found is None:
            raise SimulatorError(
                f"{handle!r} of scene {self.scene.scene_id!r} is not in the exported data set; "
                "export the house again"
            )
        if piece.body is not None:
            self.things[handle, None] = piece.body
        self._keys[found.object_id] = (handle, None)
        if parts:
            for object_id, link in found.link_object_ids.items():
                self._keys[object_id] = (handle, link)
            for part, thing in zip(parts, piece.parts, strict=True):
                if thing is not None:
                    self.things[handle, part.index] = thing

    def close(self) -> None:
        # Nothing of the simulator may be held when it goes, or it aborts the process at exit.
        self._objects.clear()
        self._articulated, self.regions, self._rigid = {}, {}, None
        self.sim.close()

    # Changing

    def add(self, handle: str, template: Template, pose: Pose) -> None:
        """Put a new object into the house."""
        name = rigid_handle(template)
        templates = self.sim.get_object_template_manager().get_template_handles(name)
        if not templates:
            raise SimulatorError(
                f"the exported data set has no object {template.name!r}; export the house again"
            )
        made = self._rigid.add_object_by_template_handle(templates[0])
        made.motion_type = engine.habitat_sim.physics.MotionType.KINEMATIC
        made.rigid_state = engine.rigid_state(pose)
        self._objects[handle] = made
        self._keys[made.object_id] = (handle, None)
        solids = tuple(solid.box for solid in template.solids)
        self.things[handle, None] = Thing(handle, None, template.box, solids, pose)

    def clear(self) -> None:
        """Take all objects out and close all parts."""
        for handle, made in self._objects.items():
            del self._keys[made.object_id], self.things[handle, None]
            self._rigid.remove_object_by_id(made.object_id)
        self._objects.clear()
        for handle, found in self._articulated.items():
            if any(found.joint_positions):
                found.joint_positions = [0.0] * len(found.joint_positions)
                piece = self.pieces[handle]
                for part, thing in zip(piece.template.parts, piece.parts, strict=True):
                    if thing is not None:
                        self.things[handle, part.index] = thing

    def move(self, handle: str, pose: Pose) -> None:
        self._objects[handle].rigid_state = engine.rigid_state(pose)
        self.things[handle, None].move(pose)

    def set_joint(self, furniture: str, part: int, value: float) -> None:
        """Set a part's joint value (rad or m).

        Links are numbered as parts: 0 is the first part, the fixed body is -1.
        """
        found = self._articulated[furniture]
        positions = found.joint_positions
        positions[found.get_link_joint_pos_offset(part)] = value
        found.joint_positions = positions
        thing = self.pieces[furniture].part_at(part, value)
        if thing is not None:
            self.things[furniture, part] = thing

    # Asking

    def object(self, handle: str) -> Any:
        """Return an object as habitat-sim has it."""
        return self._objects[handle]

    def articulated(self, handle: str) -> Any:
        return self._articulated[handle]

    def key(self, object_id: int, link: int = -1) -> Key | None:
        """Return the object, or furniture and one of its links, that an id stands for.

        None for the stage.
        """
        key = self._keys.get(object_id)
        if key is not None and link >= 0:
            return (key[0], link)
        return key

    def ray_candidates(
        self,
        origin: Vec3,
        direction: Vec3,
        length: float,
        buffer: float = BUFFER_M,
        *,
        stage: bool = True,
    ) -> Iterator[RayCandidate]:
        """Return what a ray comes near to, each thing once, in about that order.

        With the buffer it may miss a thing that the ray starts close before, without it one
        that it starts on.
        """
        behind = (
            origin[0] - buffer * direction[0],
            origin[1] - buffer * direction[1],
            origin[2] - buffer * direction[2],
        )
        result = self.sim.cast_ray(engine.ray(behind, direction), length + buffer, 0.0)
        seen: set[int] = set()
        keys, things = self._keys, self.things
        for hit in result.hits:
            key = keys.get(hit.object_id)
            if key is None:
                if not stage:
                    continue
                distance = hit.ray_distance - buffer
                height = origin[1] + distance * direction[1]
                # The house has a ceiling in Habitat, and none in ours.
                if distance >= 0.0 and height < self.ceiling_y - 1e-3:
                    if self._is_in_wall(origin) and self._is_inside(origin, direction, distance):
                        continue
                    yield RayCandidate(None, distance, engine.point(hit.normal))
            elif hit.object_id not in seen:
                seen.add(hit.object_id)
                thing = things.get(key)
                if thing is not None:
                    yield RayCandidate(thing, 0.0, (0.0, 0.0, 0.0))

    def _is_in_wall(self, origin: Vec3) -> bool:
        # A look around asks about the same eye thousands of times.
        if self._eye[0] != origin:
            self._eye = (origin, any(_contains(wall, origin) for wall in self._walls))
        return self._eye[1]

    def _is_inside(self, origin: Vec3, direction: Vec3, distance: float) -> bool:
        """Tell whether a ray meets a wall from within: the stage is triangles, not solids."""
        before = distance - 1e-3
        x, y, z = (o + before * d for o, d in zip(origin, direction, strict=True))
        return any(_contains(wall, (x, y, z)) for wall in self._walls)


def _contains(box: Box, point: Vec3) -> bool:
    (x0, y0, z0), (x1, y1, z1) = box
    x, y, z = point
    return x0 <= x <= x1 and y0 <= y <= y1 and z0 <= z <= z1
