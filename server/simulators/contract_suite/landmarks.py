"""Landmarks of a backend: spots, open floor, places to look from."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from episodes.poses import Pose, Vec3, compose, forward, to_world
from episodes.scene import Part, Receptacle, Template, part_pose
from episodes.world import AgentPose
from server.simulators.contract import Simulator
from server.simulators.contract_suite.backend import Backend, Spot

EDGE_M = 2e-3
STEP_S = 1 / 30


class Place:
    """A spot of a backend's scene, found in a simulator."""

    def __init__(self, sim: Simulator, spot: Spot) -> None:
        self.sim = sim
        self.handle = spot.furniture
        self.template: Template = sim.catalogue.of_handle(spot.furniture)
        self.receptacle: Receptacle = next(
            r for r in self.template.receptacles if r.name == spot.receptacle
        )

    @property
    def part(self) -> Part:
        return next(p for p in self.template.parts if p.index == self.receptacle.part)

    def open(self, share: float = 1.0) -> None:
        self.sim.set_joint(self.handle, self.part.index, share * self.part.open_value)

    def pose(self, height: float = 0.0, x: float = 0.0) -> Pose:
        """Return the pose above the surface's middle (``x`` m beside it), where it is now."""
        frame = self.sim.pose(self.handle)
        if self.receptacle.moves:
            value = self.sim.joints()[self.handle, self.part.index]
            frame = compose(frame, part_pose(self.part, value))
        cx, cy, cz = self.receptacle.center
        return Pose(to_world(frame, (cx + x, cy + height, cz)), frame.rotation)

    @property
    def height(self) -> float:
        """The height of the surface (m)."""
        return self.pose().position[1]

    def front(self, distance: float = 0.8, height: float = 1.2) -> Vec3:
        """Return an eye before the furniture's front (its -Z side)."""
        z = self.template.box.low[2]
        return to_world(
            self.sim.pose(self.handle), (self.receptacle.center[0], height, z - distance)
        )


def on_edge_or_inside(sim: Simulator, position: Vec3) -> bool:
    near = sim.nearest_walkable(position)
    return near is not None and math.dist(near, position) <= EDGE_M


def put(sim: Simulator, seat: str, point: tuple[float, float], yaw: float = 0.0) -> None:
    near = sim.nearest_walkable((point[0], 0.0, point[1]))
    assert near is not None
    sim.set_agent(seat, AgentPose(near, yaw, 0.0))


def direction(a: Vec3, b: Vec3) -> tuple[Vec3, float]:
    length = math.dist(a, b)
    return ((b[0] - a[0]) / length, (b[1] - a[1]) / length, (b[2] - a[2]) / length), length


def path_length(path: Sequence[Vec3]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(path))


def open_way(backend: Backend, sim: Simulator, length: float) -> tuple[Vec3, float]:
    """Return a point and a heading with free floor for ``length`` m, away from the edges."""
    for _, (x, z) in backend.rooms:
        start = sim.nearest_walkable((x, 0.0, z))
        assert start is not None
        for k in range(36):
            yaw = k * math.tau / 36
            fx, fz = forward(yaw)
            points = [
                (start[0] + d * fx + s * fz, start[1], start[2] + d * fz - s * fx)
                for d in (0.0, length / 4, length / 2, 3 * length / 4, length)
                for s in (-0.05, 0.05)
            ]
            if all(on_edge_or_inside(sim, p) for p in points):
                return start, yaw
    raise AssertionError(f"{backend.name}: the landmark rooms have no free metre of floor")


def place_to_look(sim: Simulator, entity: str) -> Vec3:
    """Return a walkable point some metre away from which an entity can be seen."""
    x, y, z = sim.pose(entity).position
    for distance, k in itertools.product((1.2, 1.5, 1.0, 2.0), range(24)):
        a = k * math.tau / 24
        wish = (x + distance * math.sin(a), 0.0, z + distance * math.cos(a))
        near = sim.nearest_walkable(wish)
        if near is not None and math.dist(near, wish) < 0.05:
            eye = (near[0], near[1] + 1.6, near[2])
            if sim.can_see(eye, entity):
                return near
    raise AssertionError(f"{entity} at {(x, y, z)} cannot be seen from anywhere near")
