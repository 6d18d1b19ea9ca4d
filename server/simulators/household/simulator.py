"""The embedded household: a kinematic simulator of generated houses.

Exact and deterministic: what it answers depends on the task, the seed and the calls made, never on
time or on other sessions.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Final

from episodes.bodies import Body
from episodes.dataset import Task
from episodes.poses import Box, Pose, Vec2, Vec3
from episodes.scene import Catalogue, Scene
from episodes.world import AgentPose
from server.simulators.contract import Landing, RayHit, SimulatorError
from server.simulators.household import landing, overlap, rays, relations, sight
from server.simulators.household.house import House, HouseLibrary
from server.simulators.household.initial_state import free_place, objects_of, part_of_link
from server.simulators.household.space import Space
from server.simulators.household.walkable import Walkable

NEAR_M = 0.01
"""Distance outside the walkable area from which a body is brought back to its edge (m)."""
_NOBODY: Final[AbstractSet[str]] = frozenset()


class HouseholdSimulator:
    """The house of one session; `server.simulators.contract` says what the methods mean."""

    name = "household"
    version = "1"

    def __init__(self, library: HouseLibrary) -> None:
        self._library = library
        self._house_: House | None = None
        self._space_: Space | None = None
        self._bodies: dict[str, Body] = {}
        self._agents: dict[str, AgentPose] = {}

    @property
    def _house(self) -> House:
        if self._house_ is None:
            raise SimulatorError("no episode is loaded: call reset first")
        return self._house_

    @property
    def _space(self) -> Space:
        if self._space_ is None:
            raise SimulatorError("no episode is loaded: call reset first")
        return self._space_

    @property
    def scene(self) -> Scene:
        return self._house.scene

    @property
    def plan(self) -> Scene:
        return self._house.scene

    @property
    def catalogue(self) -> Catalogue:
        return self._house.catalogue

    def reset(self, task: Task, bodies: Mapping[str, Body], seed: int) -> None:
        house = self._library.house(task.scene_id)
        space = Space(house)
        for handle, template, pose in objects_of(task):
            space.add(handle, template, pose)
        for furniture, links in task.ao_states.items():
            for link, value in links.items():
                space.set_joint(
                    furniture,
                    part_of_link(house.furniture(furniture).template.parts, furniture, link),
                    value,
                )
        self._agents = _start_poses(house, task, bodies, seed)
        self._bodies = dict(bodies)
        self._house_, self._space_ = house, space

    def objects(self) -> Mapping[str, Pose]:
        return MappingProxyType(self._space.poses)

    def joints(self) -> Mapping[tuple[str, int], float]:
        return MappingProxyType(self._space.joints)

    # Bodies

    def agent(self, seat: str) -> AgentPose:
        return self._agents[seat]

    def set_agent(self, seat: str, pose: AgentPose) -> None:
        if seat not in self._bodies:
            raise KeyError(f"no body has the seat {seat!r}")
        x, y, z = pose.position
        house = self._house
        if not house.walkable.contains(x, z):
            near = house.paths.nearest(x, z)
            if near is None or math.dist(near[1], (x, z)) > NEAR_M:
                raise SimulatorError(f"{seat!r} cannot stand at ({x:.3f}, {z:.3f}): not walkable")
            pose = AgentPose((near[1][0], y, near[1][1]), pose.yaw, pose.pitch)
        self._agents[seat] = pose

    def drive(
        self, seat: str, forward: float, strafe: float, turn: float, pitch: float, dt: float
    ) -> AgentPose:
        (x, y, z), yaw, _ = self._agents[seat]
        if turn:
            yaw = math.remainder(yaw + turn * dt, math.tau)
        if forward or strafe:
            s, c = math.sin(yaw), math.cos(yaw)
            x, z = self._house.walkable.move(
                x, z, (strafe * c - forward * s) * dt, (-forward * c - strafe * s) * dt
            )
        pose = self._agents[seat] = AgentPose((x, y, z), yaw, pitch)
        return pose

    # Walkable area

    def nearest_walkable(self, point: Vec3) -> Vec3 | None:
        house = self._house
        if not house.island.edges:
            return None
        x, z = house.island.nearest(point[0], point[2])
        return (x, house.floor_y, z)

    def find_path(self, start: Vec3, goal: Vec3) -> Sequence[Vec3] | None:
        house = self._house
        way = house.paths.find((start[0], start[2]), (goal[0], goal[2]))
        return None if way is None else [(x, house.floor_y, z) for x, z in way]

    # Seeing and touching

    def cast_ray(
        self,
        origin: Vec3,
        direction: Vec3,
        max_distance: float = 100.0,
        ignore: AbstractSet[str] = _NOBODY,
    ) -> RayHit | None:
        hit = rays.first_hit(self._space, origin, direction, max_distance, ignore)
        if hit is None:
            return None
        t = hit.distance
        point = (
            origin[0] + t * direction[0],
            origin[1] + t * direction[1],
            origin[2] + t * direction[2],
        )
        if hit.block is None:
            return RayHit(None, None, point, (0.0, 1.0, 0.0), t)
        normal = rays.normal_at(hit.block, point)
        return RayHit(hit.block.entity, hit.block.part, point, normal, t)

    def can_see(self, eye: Vec3, entity: str, ignore: AbstractSet[str] = _NOBODY) -> bool:
        return sight.can_see(self._space, eye, entity, ignore)

    def seen(self, seat: str) -> frozenset[str]:
        return sight.seen(self._space, self._bodies[seat], self._agents[seat])

    def overlapping(
        self, handle: str, pose: Pose, ignore: AbstractSet[str] = _NOBODY
    ) -> Sequence[str]:
        return overlap.overlapping(self._space, handle, pose, ignore)

    def snap_down(
        self, handle: str, pose: Pose, ignore: AbstractSet[str] = _NOBODY
    ) -> Landing | None:
        return landing.snap_down(self._space, handle, pose, ignore)

    # Changing

    def set_pose(self, handle: str, pose: Pose) -> None:
        self._space.set_pose(handle, pose)

    def set_joint(self, furniture: str, part: int, value: float) -> None:
        self._space.set_joint(furniture, part, value)

    # Geometry of entities

    def pose(self, entity: str) -> Pose:
        return self._space.pose(entity)

    def box(self, entity: str) -> Box:
        return self._space.thing(entity).box

    def above(self, entity: str) -> frozenset[str]:
        return relations.above(self._space, entity)

    def within(self, entity: str) -> frozenset[str]:
        return relations.within(self._space, entity)

    def in_room(self, entity: str, room_id: str) -> bool:
        return relations.in_room(self._space, entity, self._house.rooms[room_id])

    def on_floor(self, entity: str) -> bool:
        return relations.on_floor(self._space, entity)

    def gap(self, a: str, b: str) -> float:
        return relations.gap(self._space, a, b)

    def close(self) -> None:
        self._house_ = self._space_ = None
        self._agents, self._bodies = {}, {}


def _start_poses(
    house: House, task: Task, bodies: Mapping[str, Body], seed: int
) -> dict[str, AgentPose]:
    """Return where bodies start: as the task says, else uniformly from the largest island."""
    given = task.info.get("start_poses") or {}
    rng = random.Random(seed)
    agents: dict[str, AgentPose] = {}
    taken: list[Vec2] = []
    for seat in bodies:
        if seat in given:
            x, _, z, yaw = (float(v) for v in given[seat])
            x, z = house.island.nearest(x, z)
        else:
            x, z = free_place(_island(house), rng, taken)
            yaw = rng.uniform(-math.pi, math.pi)
        taken.append((x, z))
        agents[seat] = AgentPose((x, house.floor_y, z), yaw, 0.0)
    return agents


def _island(house: House) -> Walkable:
    if not house.island.edges:
        raise SimulatorError(f"scene {house.scene.scene_id!r} has no walkable area")
    return house.island
