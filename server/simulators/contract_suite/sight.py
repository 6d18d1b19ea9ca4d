"""Contract of sight: rays, and what is seen."""

from __future__ import annotations

import math

import pytest

from episodes.poses import Pose, forward, to_local, to_world, yaw_quat
from episodes.world import AgentPose
from server.simulators.contract import Simulator
from server.simulators.contract_suite.backend import Backend
from server.simulators.contract_suite.landmarks import (
    Place,
    direction,
    open_way,
    place_to_look,
)


class SightContract:
    """Tests of rays, occlusion and a body's view."""

    def test_ray_meets_the_first_thing(self, backend: Backend, sim: Simulator) -> None:
        table = Place(sim, backend.table)
        sim.set_pose(backend.small, table.pose())
        x, y, z = table.pose().position
        eye = (x, y + 0.8, z)
        down = (0.0, -1.0, 0.0)
        box = sim.box(backend.small)
        first = sim.cast_ray(eye, down)
        assert first is not None
        assert first.entity == backend.small
        assert first.part is None
        # A container is entered at its bottom, a solid thing at its top.
        assert 0.8 - box.high[1] - 0.01 <= first.distance <= 0.8
        second = sim.cast_ray(eye, down, ignore={backend.small})
        assert second is not None
        assert second.entity == table.handle
        assert second.distance == pytest.approx(0.8, abs=0.01)
        assert second.normal[1] == pytest.approx(1.0, abs=0.01)
        assert math.dist(second.point, (x, y, z)) <= 0.01
        third = sim.cast_ray(eye, down, ignore={backend.small, table.handle})
        assert third is not None
        assert third.entity is None
        assert third.point[1] == pytest.approx(sim.scene.rooms[0].floor_y, abs=0.01)
        assert sim.cast_ray(eye, down, max_distance=0.3) is None

    def test_ray_tells_the_part(self, backend: Backend, sim: Simulator) -> None:
        for spot in (backend.cupboard, backend.drawer):
            place = Place(sim, spot)
            target = place.pose(0.05).position
            front = place.front(0.5, height=place.height + 0.05)
            way, length = direction(front, target)
            hit = sim.cast_ray(front, way, length)
            assert hit is not None
            assert (hit.entity, hit.part) == (place.handle, place.part.index)
            assert sum(n * w for n, w in zip(hit.normal, way, strict=True)) < 0

    def test_bodies_are_transparent(self, backend: Backend, sim: Simulator) -> None:
        start, yaw = open_way(backend, sim, 1.0)
        fx, fz = forward(yaw)
        there = (start[0] + 0.5 * fx, start[1], start[2] + 0.5 * fz)
        sim.set_agent("robot_0", AgentPose(there, 0.0, 0.0))
        hit = sim.cast_ray((start[0], 0.4, start[2]), (fx, 0.0, fz), 0.9)
        assert hit is None or hit.distance > 0.75

    def test_a_closed_door_hides_what_is_behind(self, backend: Backend, sim: Simulator) -> None:
        place = Place(sim, backend.cupboard)
        sim.set_pose(backend.small, place.pose(0.001))
        eye = place.front(0.9, height=place.height + 0.3)
        assert not sim.can_see(eye, backend.small)
        assert sim.can_see(eye, place.handle)
        assert sim.can_see(eye, backend.small, ignore={place.handle})
        place.open()
        assert sim.can_see(eye, backend.small)
        sim.set_joint(place.handle, place.part.index, 0.0)
        assert not sim.can_see(eye, backend.small)

    def test_a_closed_drawer_hides_what_is_inside(self, backend: Backend, sim: Simulator) -> None:
        place = Place(sim, backend.drawer)
        sim.set_pose(backend.small, place.pose(0.001))
        eye = place.front(0.7, height=1.5)
        assert not sim.can_see(eye, backend.small)
        place.open()
        sim.set_pose(backend.small, place.pose(0.001))
        assert sim.can_see(eye, backend.small)

    def test_walls_hide(self, backend: Backend, sim: Simulator) -> None:
        sim.set_pose(backend.small, Place(sim, backend.table).pose(0.001))
        room = next(f.room_id for f in sim.scene.furniture if f.handle == backend.table.furniture)
        rooms = {r.room_id: r for r in sim.scene.rooms}
        xs = [x for x, _ in rooms[room].polygon]
        outside = (min(xs) - 30.0, 1.2, sim.pose(backend.small).position[2])
        assert not sim.can_see(outside, backend.small)

    def test_seen_is_what_is_before_the_eyes(self, backend: Backend, sim: Simulator) -> None:
        table = Place(sim, backend.table)
        sim.set_pose(backend.small, table.pose(0.001))
        x, _, z = table.pose().position
        near = place_to_look(sim, backend.small)
        yaw = math.atan2(near[0] - x, near[2] - z)
        sim.set_agent("human_0", AgentPose(near, yaw, -0.4))
        ahead = sim.seen("human_0")
        assert backend.small in ahead
        assert table.handle in ahead
        sim.set_agent("human_0", AgentPose(near, yaw + math.pi, -0.4))
        assert backend.small not in sim.seen("human_0")
        sim.set_agent("human_0", AgentPose(near, yaw + math.radians(70), -0.4))
        assert backend.small not in sim.seen("human_0")
        sim.set_agent("human_0", AgentPose(near, yaw, 1.2))
        assert backend.small not in sim.seen("human_0")

    def test_seen_can_be_seen(self, backend: Backend, sim: Simulator) -> None:
        body = backend.bodies["human_0"]
        for seed in range(4):
            sim.reset(backend.task, backend.bodies, seed)
            agent = sim.agent("human_0")
            eye = to_world(Pose(agent.position, yaw_quat(agent.yaw)), body.eye)
            for entity in sim.seen("human_0"):
                assert sim.can_see(eye, entity)
                box, pose = sim.box(entity), sim.pose(entity)
                reach = math.dist(box.low, box.high)
                assert math.dist(to_world(pose, box.center), eye) <= 10.0 + reach

    def test_what_is_plainly_in_view_is_seen(self, backend: Backend, sim: Simulator) -> None:
        """A thing well inside the view is seen, whatever the ray to its centre meets first."""
        body = backend.bodies["human_0"]
        plain = 0
        for seed in range(8):
            sim.reset(backend.task, backend.bodies, seed)
            agent = sim.agent("human_0")
            at = Pose(agent.position, yaw_quat(agent.yaw))
            eye = to_world(at, body.eye)
            seen = sim.seen("human_0")
            for furniture in sim.scene.furniture:
                center = to_world(sim.pose(furniture.handle), sim.box(furniture.handle).center)
                x, y, z = to_local(at, center)
                x, y, z = x - body.eye[0], y - body.eye[1], z - body.eye[2]
                inside = z < 0 and abs(x) < -0.8 * z and abs(y) < -0.55 * z
                if not inside or math.dist(center, eye) > 9.0:
                    continue
                way, length = direction(eye, center)
                hit = sim.cast_ray(eye, way, length)
                if hit is not None and hit.entity == furniture.handle:
                    # Nothing stands between, within some millimetres around the line.
                    between = sim.cast_ray(eye, way, length, ignore={furniture.handle})
                    if between is None:
                        plain += 1
                        assert furniture.handle in seen
        assert plain > 0
