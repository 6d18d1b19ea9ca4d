"""The Simulator contract on habitat-sim.

Runs where habitat-sim can be imported: in a session worker under another interpreter. Nothing is
simulated dynamically: poses are set, and Bullet and the navigation mesh are asked. What was set is
kept here as well, because habitat-sim rounds it to single precision.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from episodes.bodies import Body
from episodes.dataset import Task
from episodes.evaluation import geometry
from episodes.poses import Box, Pose, Vec2, Vec3
from episodes.scene import Catalogue, Scene, Template
from episodes.world import AgentPose
from server.simulators.contract import Landing, RayHit, Simulator, SimulatorError
from server.simulators.habitat import contacts, engine, relations, sight
from server.simulators.habitat.dataset import HabitatDataset
from server.simulators.habitat.house import LoadedHouse
from server.simulators.household.house import PlacedFurniture
from server.simulators.household.initial_state import free_place, objects_of, part_of_link
from server.simulators.household.rays import enters, normal_at
from server.simulators.household.walkable import Walkable

NEAR_M = 0.01
"""Distance beside the mesh from which a body that is put there is brought back to it (m)."""
SAME_M = 1e-4
"""Distance to the mesh below which a point is on it (m): its numbers are single precision."""
_NOBODY: Final[AbstractSet[str]] = frozenset()


class HabitatSimulator:
    """A session's house on habitat-sim; `server.simulators.contract` says what methods mean."""

    name = "habitat"
    version = engine.VERSION

    def __init__(self, dataset: HabitatDataset) -> None:
        self._dataset = dataset
        self._loaded: LoadedHouse | None = None
        self._scene: Scene | None = None
        self._templates: dict[str, Template] = {}
        self._poses: dict[str, Pose] = {}
        self._stale: set[str] = set()
        self._joints: dict[tuple[str, int], float] = {}
        self._bodies: dict[str, Body] = {}
        self._agents: dict[str, AgentPose] = {}

    @property
    def house(self) -> LoadedHouse:
        """The house with everything where it was put."""
        if self._loaded is None:
            raise SimulatorError("no episode is loaded: call reset first")
        for handle in self._stale:
            self._loaded.move(handle, self._poses[handle])
        self._stale.clear()
        return self._loaded

    @property
    def scene(self) -> Scene:
        """The scene, its walkable area the outline of habitat-sim's navigation mesh."""
        if self._scene is None:
            raise SimulatorError("no episode is loaded: call reset first")
        return self._scene

    @property
    def plan(self) -> Scene:
        return self.house.scene

    @property
    def catalogue(self) -> Catalogue:
        return self.house.catalogue

    def reset(self, task: Task, bodies: Mapping[str, Body], seed: int) -> None:
        objects = _objects_of(task, self._dataset.catalogue)
        house = self._load(task.scene_id)
        house.clear()
        self._templates, self._poses, self._stale = {}, {}, set()
        for handle, template, pose in objects:
            house.add(handle, template, pose)
            self._templates[handle], self._poses[handle] = template, pose
        self._joints = {
            (handle, part.index): 0.0
            for handle, piece in house.pieces.items()
            for part in piece.template.parts
        }
        for furniture, links in task.ao_states.items():
            for link, value in links.items():
                self.set_joint(furniture, _part_index(house, furniture, link), value)
        self._bodies = dict(bodies)
        self._agents = self._start_poses(house, task, seed)

    def _load(self, scene_id: str) -> LoadedHouse:
        if self._loaded is not None and self._loaded.scene.scene_id == scene_id:
            return self._loaded
        scene = self._dataset.scene(scene_id)
        self.close()
        self._loaded = LoadedHouse(self._dataset, scene_id)
        walkable = self._loaded.navigation.polygons
        self._scene = msgspec.structs.replace(scene, walkable=walkable)
        return self._loaded

    def _start_poses(self, house: LoadedHouse, task: Task, seed: int) -> dict[str, AgentPose]:
        given = task.info.get("start_poses") or {}
        rng = random.Random(seed)
        # Starts are drawn on the plan, so that a seed means the same place everywhere.
        area = Walkable(house.scene.walkable[:1])
        agents: dict[str, AgentPose] = {}
        taken: list[Vec2] = []
        for seat in self._bodies:
            if seat in given:
                x, _, z, yaw = (float(v) for v in given[seat])
            else:
                x, z = free_place(area, rng, taken)
                yaw = rng.uniform(-math.pi, math.pi)
            position = house.navigation.nearest((x, house.floor_y, z))
            taken.append((position[0], position[2]))
            agents[seat] = AgentPose(position, yaw, 0.0)
        return agents

    def objects(self) -> Mapping[str, Pose]:
        return MappingProxyType(self._poses)

    def joints(self) -> Mapping[tuple[str, int], float]:
        return MappingProxyType(self._joints)

    # Bodies

    def agent(self, seat: str) -> AgentPose:
        return self._agents[seat]

    def set_agent(self, seat: str, pose: AgentPose) -> None:
        if seat not in self._bodies:
            raise KeyError(f"no body has the seat {seat!r}")
        x, y, z = pose.position
        near = self.house.navigation.nearest_anywhere(pose.position)
        beside = math.inf if near is None else math.dist((near[0], near[2]), (x, z))
        if near is None or beside > NEAR_M:
            raise SimulatorError(f"{seat!r} cannot stand at ({x:.3f}, {z:.3f}): not walkable")
        if beside > SAME_M:
            pose = AgentPose((near[0], y, near[2]), pose.yaw, pose.pitch)
        self._agents[seat] = pose

    def drive(
        self, seat: str, forward: float, strafe: float, turn: float, pitch: float, dt: float
    ) -> AgentPose:
        (x, y, z), yaw, _ = self._agents[seat]
        if turn:
            yaw = math.remainder(yaw + turn * dt, math.tau)
        if forward or strafe:
            assert self._loaded is not None
            s, c = math.sin(yaw), math.cos(yaw)
            by = ((strafe * c - forward * s) * dt, (-forward * c - strafe * s) * dt)
            x, z = self._loaded.navigation.step((x, z), by)
        pose = self._agents[seat] = AgentPose((x, y, z), yaw, pitch)
        return pose

    # Walkable area

    def nearest_walkable(self, point: Vec3) -> Vec3 | None:
        return self.house.navigation.nearest(point)

    def find_path(self, start: Vec3, goal: Vec3) -> Sequence[Vec3] | None:
        return self.house.navigation.path(start, goal)

    # Seeing and touching

    def cast_ray(
        self,
        origin: Vec3,
        direction: Vec3,
        max_distance: float = 100.0,
        ignore: AbstractSet[str] = _NOBODY,
    ) -> RayHit | None:
        best: RayHit | None = None
        nearest = max_distance
        house = self.house
        for thing, distance, normal in itertools.chain(
            house.ray_candidates(origin, direction, max_distance),
            house.ray_candidates(origin, direction, max_distance, 0.0),
        ):
            if thing is None:
                if distance < nearest:
                    nearest = distance
                    best = RayHit(None, None, _along(origin, direction, distance), normal, distance)
            elif thing.entity not in ignore:
                for block in thing.blocks:
                    entry = enters(block, origin, direction)
                    if entry is not None and entry <= nearest:
                        nearest = entry
                        at = _along(origin, direction, entry)
                        face = normal_at(block, at)
                        best = RayHit(thing.entity, thing.part, at, face, entry)
        return best

    def can_see(self, eye: Vec3, entity: str, ignore: AbstractSet[str] = _NOBODY) -> bool:
        self.pose(entity)
        return sight.can_see(self.house, eye, entity, ignore)

    def seen(self, seat: str) -> frozenset[str]:
        return sight.seen(self.house, self._bodies[seat], self._agents[seat])

    def overlapping(
        self, handle: str, pose: Pose, ignore: AbstractSet[str] = _NOBODY
    ) -> Sequence[str]:
        return contacts.overlapping(self.house, handle, pose, ignore)

    def snap_down(
        self, handle: str, pose: Pose, ignore: AbstractSet[str] = _NOBODY
    ) -> Landing | None:
        return contacts.snap_down(self.house, handle, pose, ignore)

    # Changing

    def set_pose(self, handle: str, pose: Pose) -> None:
        if handle not in self._poses:
            raise KeyError(f"no object {handle!r}")
        # Most poses of something carried are replaced before anybody asks.
        self._poses[handle] = pose
        self._stale.add(handle)

    def set_joint(self, furniture: str, part: int, value: float) -> None:
        house = self.house
        if furniture not in house.pieces:
            raise SimulatorError(f"scene {house.scene.scene_id!r} has no furniture {furniture!r}")
        template_part = house.pieces[furniture].part(part)
        low, high = min(0.0, template_part.open_value), max(0.0, template_part.open_value)
        if not low - 1e-6 <= value <= high + 1e-6:
            raise SimulatorError(
                f"part {part} of {furniture!r} moves between {low} and {high}, not to {value}"
            )
        house.set_joint(furniture, part, value)
        self._joints[furniture, part] = value

    # Geometry of entities

    def pose(self, entity: str) -> Pose:
        pose = self._poses.get(entity)
        if pose is not None:
            return pose
        return self._furniture(entity).furniture.pose

    def box(self, entity: str) -> Box:
        template = self._templates.get(entity)
        return self._furniture(entity).template.box if template is None else template.box

    def _furniture(self, entity: str) -> PlacedFurniture:
        try:
            return self.house.pieces[entity]
        except KeyError:
            raise KeyError(f"no object or furniture {entity!r}") from None

    def above(self, entity: str) -> frozenset[str]:
        return relations.above(self.house, entity, self.box(entity), self.pose(entity))

    def within(self, entity: str) -> frozenset[str]:
        return relations.within(self.house, entity, self.box(entity), self.pose(entity))

    def in_room(self, entity: str, room_id: str) -> bool:
        region = self.house.regions[room_id]
        points = geometry.keypoints(self.box(entity), self.pose(entity))
        return geometry.is_in_region(points, lambda p: bool(region.contains(engine.vector(p))))

    def on_floor(self, entity: str) -> bool:
        box, pose = self.box(entity), self.pose(entity)
        centre = geometry.keypoints(box, pose)[0]
        return geometry.is_on_floor(box, pose, self.house.navigation.nearest(centre))

    def gap(self, a: str, b: str) -> float:
        return geometry.gap(self.box(a), self.pose(a), self.box(b), self.pose(b))

    def close(self) -> None:
        loaded, self._loaded, self._scene = self._loaded, None, None
        self._agents, self._bodies = {}, {}
        self._poses, self._templates, self._joints, self._stale = {}, {}, {}, set()
        if loaded is not None:
            loaded.close()


def habitat(folder: Path) -> Simulator:
    """Return a simulator of the houses in an exported data set."""
    return HabitatSimulator(HabitatDataset(folder))


def _along(origin: Vec3, direction: Vec3, distance: float) -> Vec3:
    return (
        origin[0] + distance * direction[0],
        origin[1] + distance * direction[1],
        origin[2] + distance * direction[2],
    )


def _objects_of(task: Task, catalogue: Catalogue) -> list[tuple[str, Template, Pose]]:
    objects = []
    for handle, name, pose in objects_of(task):
        template = catalogue.templates.get(name)
        if template is None or template.kind != "object":
            raise SimulatorError(f"the exported data set has no object template {name!r}")
        objects.append((handle, template, pose))
    return objects


def _part_index(house: LoadedHouse, furniture: str, link: str) -> int:
    """Return a part by the name of its link in ``ao_states``: the part's name, or the link's."""
    if furniture not in house.pieces:
        raise SimulatorError(f"scene {house.scene.scene_id!r} has no furniture {furniture!r}")
    return part_of_link(house.pieces[furniture].template.parts, furniture, link)
