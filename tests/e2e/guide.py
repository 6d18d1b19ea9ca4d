"""A player who knows the house: where to stand, how to get there, where to put things.

It works on the same files as the server, with the same simulator, but apart from it: what it says
has to be right in the house that the browsers see.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from episodes.bodies import BODIES, SeatKind
from episodes.dataset import Task, read_dataset
from episodes.poses import Pose, Vec3, to_world, yaw_quat
from episodes.scene import receptacle_id, split_receptacle_id
from episodes.world import AgentPose, eye_of
from server.sessions.surfaces import Surface, Surfaces
from server.simulators.household import HouseholdSimulator, HouseLibrary

Waypoint = tuple[float, float]
"""The x and z of a point on the floor (m)."""

# Less than the rules' 2 m, because walking stops a little before or after a waypoint.
COMFORTABLE_M = 1.55
NEAREST_M = 0.6


class Guide:
    """A guide to one task in its house."""

    def __init__(self, data_dir: Path, task_id: str) -> None:
        tasks = {e.task_id: e for e in read_dataset(data_dir / "tasks" / "first.json.gz")}
        self.task: Task = tasks[task_id]
        self.sim = HouseholdSimulator(HouseLibrary(data_dir))
        self.sim.reset(self.task, {"guide": BODIES["human"]}, seed=0)
        self._surfaces = Surfaces(self.sim.scene, self.sim.catalogue)

    def handle(self, class_name: str) -> str:
        """Return the object of a class that the task's goals name (else any object of it)."""
        goals = str([p.args for p in self.task.evaluation_propositions])
        found = [h for h in self.sim.objects() if h.startswith(f"{class_name}_")]
        return sorted(found, key=lambda h: h not in goals)[0]

    def goal_furniture(self, proposition: int = 0) -> str:
        """Return the (first) furniture that a proposition names."""
        return str(self.task.evaluation_propositions[proposition].args["receptacle_handles"][0])

    def support(self, handle: str) -> tuple[str, str]:
        """Return the furniture and the receptacle on which an object starts."""
        return split_receptacle_id(self.task.name_to_receptacle[handle])

    def position(self, entity: str) -> Vec3:
        return self.sim.pose(entity).position

    def part_for(self, furniture: str, receptacle: str) -> int | None:
        """Return the part to open to reach a receptacle; None when nothing closes it."""
        return self._surface(furniture, receptacle).receptacle.part

    def middle(self, furniture: str, receptacle: str) -> Vec3:
        """Return the middle of a receptacle, where it is now."""
        return self._surface(furniture, receptacle).point(self.sim.joints(), 0.0, 0.0)

    def front(self, furniture: str, receptacle: str) -> Vec3:
        """Return the point of a shut door or drawer front before the middle of a receptacle."""
        surface = self._surface(furniture, receptacle)
        x, y, _ = surface.receptacle.center
        return to_world(surface.furniture.pose, (x, y + 0.1, surface.template.box.low[2]))

    def parts_for(self, furniture: str, receptacle: str) -> list[int]:
        """Return the parts to open for a receptacle, the one that closes it first; or none."""
        first = self.part_for(furniture, receptacle)
        if first is None:
            return []
        parts = [p.index for p in self.sim.catalogue.of_handle(furniture).parts]
        return sorted(parts, key=lambda index: index != first)

    def learn(self, state: Mapping[str, Any]) -> None:
        """Bring the guide's house up to what a player's page shows."""
        for name, value in state["parts"].items():
            furniture, _, part = name.rpartition(":")
            template = self.sim.catalogue.of_handle(furniture)
            end = next(p.open_value for p in template.parts if p.index == int(part))
            # The page has whole millimetres and milliradians, which may lie beyond the end.
            within = max(min(0.0, end), min(max(0.0, end), value))
            self.sim.set_joint(furniture, int(part), within)
        for handle, shown in state["objects"].items():
            if shown["holder"] < 0:
                pose = Pose(tuple(shown["position"]), tuple(shown["rotation"]))
                self.sim.set_pose(handle, pose)

    def stand_for(self, target: Vec3, *entities: str, kind: SeatKind = "human") -> Waypoint:
        """Return where a body can stand within reach of a point and see all of these entities."""
        found = self.find_stand(target, *entities, kind=kind)
        if found is None:
            raise LookupError(f"no {kind} can stand near {target} and see {entities}")
        return found

    def find_stand(self, target: Vec3, *entities: str, kind: SeatKind = "human") -> Waypoint | None:
        for x, z in self._standing_places(target):
            eye = self._eye(kind, (x, z), target)
            if all(self.sim.can_see(eye, entity) for entity in entities):
                return x, z
        return None

    def path(self, start: Vec3, goal: Waypoint) -> list[Waypoint]:
        """Return the waypoints from where a player is to where it is to stand."""
        found = self.sim.find_path(start, (goal[0], start[1], goal[1]))
        if found is None:
            raise LookupError(f"no way from {start} to {goal}")
        return [(p[0], p[2]) for p in found[1:]]

    def free_spot(self, furniture: str, receptacle: str, handle: str, toward: Vec3) -> Vec3:
        """Return the point of a receptacle nearest to ``toward`` where an object fits."""
        for point in self._free_spots(furniture, receptacle, handle, toward):
            return point
        raise LookupError(f"no room for {handle} on {furniture}|{receptacle}")

    def _free_spots(
        self, furniture: str, receptacle: str, handle: str, toward: Vec3
    ) -> Iterator[Vec3]:
        for point in sorted(self._grid(furniture, receptacle), key=lambda p: math.dist(p, toward)):
            raised = (point[0], point[1] + 0.02, point[2])
            landing = self.sim.snap_down(handle, Pose(raised, yaw_quat(0.0)), {handle})
            if landing is None or landing.entity != furniture:
                continue
            if not self.sim.overlapping(handle, landing.pose, {handle}):
                yield point

    def plan_put(
        self, furniture: str, receptacle: str, handle: str, kind: SeatKind = "human"
    ) -> tuple[Waypoint, Vec3]:
        """Return where to stand and where to put an object so that it can be taken up again.

        Opens, in the guide's house, what has to be open.
        """
        part = self.part_for(furniture, receptacle)
        if part is not None:
            template = self.sim.catalogue.of_handle(furniture)
            end = next(p.open_value for p in template.parts if p.index == part)
            self.sim.set_joint(furniture, part, end)
        middle = self.middle(furniture, receptacle)
        for spot in self._free_spots(furniture, receptacle, handle, middle):
            self.sim.set_pose(handle, Pose(spot, yaw_quat(0.0)))
            try:
                return self.stand_for(spot, furniture, handle, kind=kind), spot
            except LookupError:
                continue
        raise LookupError(f"{handle} cannot be put on {furniture}|{receptacle} and seen there")

    def receptacles(self, furniture: str, kind: str) -> list[str]:
        template = self.sim.catalogue.of_handle(furniture)
        return [r.name for r in template.receptacles if r.kind == kind]

    def faucet(self) -> tuple[str, Vec3]:
        """Return the first furniture of the kitchen with a faucet, and where the faucet is."""
        scene = self.sim.scene
        kitchen = next(r for r in scene.rooms if r.class_name == "kitchen")
        for furniture in scene.furniture:
            template = self.sim.catalogue.templates[furniture.template]
            if template.faucet is not None and furniture.room_id == kitchen.room_id:
                return furniture.handle, to_world(furniture.pose, template.faucet)
        raise LookupError("no faucet in the kitchen")

    def _surface(self, furniture: str, receptacle: str) -> Surface:
        return self._surfaces.by_name[receptacle_id(furniture, receptacle)]

    def _grid(self, furniture: str, receptacle: str) -> Iterator[Vec3]:
        surface = self._surface(furniture, receptacle)
        steps = [-0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8]
        for u in steps:
            for v in steps:
                yield surface.point(self.sim.joints(), u, v)

    def _standing_places(self, target: Vec3) -> Iterator[Waypoint]:
        floor = self.sim.scene.rooms[0].floor_y
        for radius in (0.8, 1.0, 1.2, 1.4, COMFORTABLE_M, NEAREST_M):
            for step in range(24):
                angle = step * math.tau / 24
                x, z = target[0] + radius * math.sin(angle), target[2] + radius * math.cos(angle)
                near = self.sim.nearest_walkable((x, floor, z))
                if near is not None and math.hypot(near[0] - x, near[2] - z) < 0.05:
                    yield near[0], near[2]

    def _eye(self, kind: SeatKind, place: Waypoint, target: Vec3) -> Vec3:
        yaw = heading(place, (target[0], target[2]))
        floor = self.sim.scene.rooms[0].floor_y
        return eye_of(BODIES[kind], AgentPose((place[0], floor, place[1]), yaw, 0.0))


def heading(start: Waypoint, goal: Waypoint) -> float:
    """Return the yaw that faces from one point to another."""
    return math.atan2(start[0] - goal[0], start[1] - goal[1])
