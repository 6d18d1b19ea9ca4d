"""The contract of `server.simulators.base.Simulator`, as tests that every backend runs.

A backend subclasses `SimulatorContract` and overrides the fixture ``backend``. Only the protocol
and the landmarks of `Backend` are used. Tolerances: poses as the backend states; speeds 5 %;
places on the walkable area 2 mm; ways and distances 1 cm.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from episodes.poses import IDENTITY, Pose, Vec3, compose, forward, to_local, to_world, yaw_quat
from episodes.scene import Part, Receptacle, Template, part_pose
from episodes.world import AgentPose
from server.simulators.base import Simulator, SimulatorError
from tests.server.simulators.backends import Backend, Spot

EDGE_M = 2e-3
STEP_S = 1 / 30


class Place:
    """A spot of a backend's scene, looked up."""

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
        """Above the surface's middle (``x`` m beside it), where it is now."""
        frame = self.sim.pose(self.handle)
        if self.receptacle.moves:
            value = self.sim.joints()[self.handle, self.part.index]
            frame = compose(frame, part_pose(self.part, value))
        cx, cy, cz = self.receptacle.center
        return Pose(to_world(frame, (cx + x, cy + height, cz)), frame.rotation)

    @property
    def height(self) -> float:
        """The height of the surface."""
        return self.pose().position[1]

    def front(self, distance: float = 0.8, height: float = 1.2) -> Vec3:
        """An eye before the furniture's front (its -Z side)."""
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


class SimulatorContract:
    @pytest.fixture
    def backend(self) -> Backend:
        raise NotImplementedError

    @pytest.fixture
    def sim(self, backend: Backend) -> Simulator:
        return backend.ready()

    # Reset

    def test_nothing_before_reset(self, backend: Backend) -> None:
        with pytest.raises(SimulatorError):
            backend.make().scene  # noqa: B018

    def test_reset_repeats(self, backend: Backend) -> None:
        a, b = backend.ready(5), backend.make()
        b.reset(backend.episode, backend.bodies, 4)
        other = [b.agent(seat) for seat in backend.bodies]
        b.set_pose(backend.small, Pose((0.0, 1.0, 0.0), IDENTITY))
        b.reset(backend.episode, backend.bodies, 5)
        assert [a.agent(s) for s in backend.bodies] == [b.agent(s) for s in backend.bodies]
        assert dict(a.objects()) == dict(b.objects())
        assert dict(a.joints()) == dict(b.joints())
        assert other != [b.agent(seat) for seat in backend.bodies]

    def test_unknown_scene_and_template_are_errors(self, backend: Backend) -> None:
        missing = replace(backend.episode, scene_id="no_such_scene")
        with pytest.raises(SimulatorError, match="no_such_scene"):
            backend.make().reset(missing, backend.bodies, 0)
        files = [("no_such_thing.object_config.json", m) for _, m in backend.episode.rigid_objs]
        with pytest.raises(SimulatorError, match="no_such_thing"):
            backend.make().reset(replace(backend.episode, rigid_objs=files), backend.bodies, 0)

    def test_objects_start_where_the_episode_says(self, backend: Backend, sim: Simulator) -> None:
        assert list(sim.objects()) == list(backend.episode.name_to_receptacle)
        for (handle, pose), (_, m) in zip(
            sim.objects().items(), backend.episode.rigid_objs, strict=True
        ):
            assert sim.pose(handle) == pose
            assert math.dist(pose.position, (m[0][3], m[1][3], m[2][3])) <= backend.tolerance_m
            x = to_world(Pose((0.0, 0.0, 0.0), pose.rotation), (1.0, 0.0, 0.0))
            assert math.dist(x, (m[0][0], m[1][0], m[2][0])) <= 1e-4

    def test_parts_start_closed_or_as_the_episode_says(
        self, backend: Backend, sim: Simulator
    ) -> None:
        assert set(sim.joints().values()) <= {0.0}
        place = Place(sim, backend.drawer)
        value = place.part.open_value / 2
        opened = replace(backend.episode, ao_states={place.handle: {place.part.name: value}})
        sim.reset(opened, backend.bodies, 1)
        assert sim.joints()[place.handle, place.part.index] == pytest.approx(value)

    def test_bodies_start_apart_on_the_floor(self, backend: Backend) -> None:
        sim = backend.make()
        for seed in range(20):
            sim.reset(backend.episode, backend.bodies, seed)
            poses = [sim.agent(seat) for seat in backend.bodies]
            assert all(on_edge_or_inside(sim, p.position) for p in poses)
            for a, b in itertools.combinations(poses, 2):
                assert math.dist(a.position, b.position) >= 1.0

    def test_bodies_start_where_the_episode_says(self, backend: Backend) -> None:
        (_, (x, z)), _ = backend.rooms
        info = {"start_poses": {"human_0": [x, 0.0, z, 0.7]}}
        sim = backend.make()
        sim.reset(replace(backend.episode, info=info), backend.bodies, 3)
        agent = sim.agent("human_0")
        assert math.dist(agent.position, (x, agent.position[1], z)) <= EDGE_M
        assert agent.yaw == pytest.approx(0.7)

    def test_sessions_do_not_share_what_moves(self, backend: Backend) -> None:
        a, b = backend.ready(), backend.ready()
        before = b.pose(backend.small)
        a.set_pose(backend.small, Pose((0.5, 0.5, 0.5), IDENTITY))
        place = Place(a, backend.cupboard)
        place.open()
        assert b.pose(backend.small) == before
        assert b.joints()[place.handle, place.part.index] == 0.0

    def test_close_twice(self, sim: Simulator) -> None:
        sim.close()
        sim.close()

    # Driving

    @pytest.mark.parametrize("rate", [15, 30])
    def test_speed_does_not_depend_on_the_step_rate(self, backend: Backend, rate: int) -> None:
        sim = backend.ready()
        start, yaw = _open_way(backend, sim, 1.0)
        sim.set_agent("human_0", AgentPose(start, yaw, 0.0))
        for _ in range(round(rate * 0.6)):
            pose = sim.drive("human_0", 1.5, 0.0, 0.0, 0.0, 1 / rate)
        assert math.dist(start, pose.position) == pytest.approx(0.9, rel=0.05)
        fx, fz = forward(yaw)
        ahead = (pose.position[0] - start[0]) * fx + (pose.position[2] - start[2]) * fz
        assert ahead == pytest.approx(0.9, rel=0.05)
        assert sim.agent("human_0") == pose

    def test_turns_before_it_goes(self, backend: Backend, sim: Simulator) -> None:
        start, yaw = _open_way(backend, sim, 1.0)
        sim.set_agent("human_0", AgentPose(start, yaw - 1.0, 0.0))
        pose = sim.drive("human_0", 0.4, 0.0, 1.0, -0.3, 1.0)
        assert math.remainder(pose.yaw - yaw, math.tau) == pytest.approx(0.0, abs=1e-6)
        assert pose.pitch == -0.3
        fx, fz = forward(yaw)
        assert pose.position[0] == pytest.approx(start[0] + 0.4 * fx, abs=0.02)
        assert pose.position[2] == pytest.approx(start[2] + 0.4 * fz, abs=0.02)

    def test_strafes_to_the_right(self, backend: Backend, sim: Simulator) -> None:
        start, yaw = _open_way(backend, sim, 1.0)
        sim.set_agent("human_0", AgentPose(start, yaw + math.pi / 2, 0.0))
        pose = sim.drive("human_0", 0.0, 0.5, 0.0, 0.0, 1.0)
        fx, fz = forward(yaw)
        assert pose.position[0] == pytest.approx(start[0] + 0.5 * fx, abs=0.02)
        assert pose.position[2] == pytest.approx(start[2] + 0.5 * fz, abs=0.02)

    def test_standing_still_is_still(self, backend: Backend, sim: Simulator) -> None:
        before = sim.agent("robot_0")
        for _ in range(10):
            assert sim.drive("robot_0", 0.0, 0.0, 0.0, before.pitch, STEP_S) == before

    def test_never_leaves_the_walkable_area(self, backend: Backend) -> None:
        sim = backend.ready()
        moves = st.tuples(
            st.floats(-6, 6), st.floats(-6, 6), st.floats(-12, 12), st.sampled_from([0.01, 0.1, 5])
        )

        @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
        @given(st.integers(0, 10**6), st.lists(moves, min_size=1, max_size=12))
        def drive(seed: int, steps: list[tuple[float, float, float, float]]) -> None:
            sim.reset(backend.episode, backend.bodies, seed)
            for ahead, aside, turn, dt in steps:
                pose = sim.drive("human_0", ahead, aside, turn, 0.0, dt)
                assert on_edge_or_inside(sim, pose.position)

        drive()

    def test_a_long_step_goes_no_further_than_short_ones(self, backend: Backend) -> None:
        """No tunnelling: whatever the step, a wall is a wall."""
        sim = backend.ready()
        for seed in range(12):
            sim.reset(backend.episode, backend.bodies, seed)
            start = sim.agent("human_0")
            long = sim.drive("human_0", 4.0, 0.0, 0.0, 0.0, 3.0)
            sim.set_agent("human_0", start)
            for _ in range(180):
                short = sim.drive("human_0", 4.0, 0.0, 0.0, 0.0, 3.0 / 180)
            assert math.dist(long.position, short.position) <= 0.05

    def test_stands_still_in_a_corner(self, backend: Backend) -> None:
        """Pushing on where nothing gives does not shake the picture."""
        sim = backend.ready()
        for seed in range(8):
            sim.reset(backend.episode, backend.bodies, seed)
            for _ in range(20):
                sim.drive("human_0", 3.0, 0.0, 0.0, 0.0, 1.0)
            resting = sim.agent("human_0").position
            for _ in range(10):
                pose = sim.drive("human_0", 1.5, 0.0, 0.0, 0.0, STEP_S)
                assert math.dist(pose.position, resting) <= EDGE_M

    def test_bodies_do_not_block_each_other(self, backend: Backend, sim: Simulator) -> None:
        start, yaw = _open_way(backend, sim, 1.0)
        fx, fz = forward(yaw)
        sim.set_agent("human_0", AgentPose(start, yaw, 0.0))
        there = (start[0] + 0.4 * fx, start[1], start[2] + 0.4 * fz)
        sim.set_agent("robot_0", AgentPose(there, 0.0, 0.0))
        pose = sim.drive("human_0", 0.8, 0.0, 0.0, 0.0, 1.0)
        assert math.dist(pose.position, start) == pytest.approx(0.8, rel=0.05)

    def test_set_agent_refuses_walls(self, backend: Backend, sim: Simulator) -> None:
        x, y, z = sim.pose(backend.table.furniture).position
        with pytest.raises(SimulatorError):
            sim.set_agent("human_0", AgentPose((x + 100.0, y, z), 0.0, 0.0))
        before = sim.agent("robot_0")
        sim.set_agent("human_0", before)
        assert sim.agent("human_0") == before

    # The walkable area

    def test_nearest_walkable(self, backend: Backend, sim: Simulator) -> None:
        rng = random.Random(3)
        for _ in range(50):
            wish = (rng.uniform(-5, 15), 0.0, rng.uniform(-5, 15))
            near = sim.nearest_walkable(wish)
            assert near is not None
            assert on_edge_or_inside(sim, near)
            # Nothing walkable is nearer: neither body stands nearer than what was found.
            here = sim.agent("human_0").position
            assert math.dist(near, wish) <= math.dist(here, wish) + EDGE_M

    def test_paths_join_both_ends_over_walkable_floor(
        self, backend: Backend, sim: Simulator
    ) -> None:
        starts = [backend.rooms[0][1], backend.rooms[1][1]]
        for seed in range(5):
            sim.reset(backend.episode, backend.bodies, seed)
            starts.append((sim.agent("human_0").position[0], sim.agent("human_0").position[2]))
        for (ax, az), (bx, bz) in itertools.combinations(starts, 2):
            path = sim.find_path((ax, 0.0, az), (bx, 0.0, bz))
            back = sim.find_path((bx, 0.0, bz), (ax, 0.0, az))
            assert path is not None
            assert back is not None
            assert math.dist(path[0], (ax, path[0][1], az)) <= EDGE_M
            assert math.dist(path[-1], (bx, path[-1][1], bz)) <= EDGE_M
            length = _length(path)
            assert length >= math.dist((ax, az), (bx, bz)) - 2 * EDGE_M
            assert length == pytest.approx(_length(back), abs=0.01)
            for p, q in itertools.pairwise(path):
                for k in range(1 + int(math.dist(p, q) / 0.05)):
                    f = min(1.0, k * 0.05 / max(math.dist(p, q), 1e-9))
                    point = (p[0] + f * (q[0] - p[0]), p[1], p[2] + f * (q[2] - p[2]))
                    assert on_edge_or_inside(sim, point)

    def test_paths_are_no_longer_than_through_a_third_place(
        self, backend: Backend, sim: Simulator
    ) -> None:
        points = []
        for seed in range(4):
            sim.reset(backend.episode, backend.bodies, seed)
            points += [sim.agent(seat).position for seat in backend.bodies]
        for a, b, c in itertools.islice(itertools.permutations(points, 3), 0, 60):
            ab, bc, ac = sim.find_path(a, b), sim.find_path(b, c), sim.find_path(a, c)
            assert ab is not None
            assert bc is not None
            assert ac is not None
            assert _length(ac) <= _length(ab) + _length(bc) + 0.01

    def test_no_path_where_no_way_leads(self, backend: Backend, sim: Simulator) -> None:
        if backend.apart is None:
            pytest.skip("all of this scene is joined")
        (_, (x, z)), _ = backend.rooms
        assert sim.find_path((x, 0.0, z), (backend.apart[0], 0.0, backend.apart[1])) is None

    def test_a_body_can_walk_a_path_through_a_door(self, backend: Backend, sim: Simulator) -> None:
        (_, a), (_, b) = backend.rooms
        put(sim, "robot_0", a)
        path = sim.find_path((a[0], 0.0, a[1]), (b[0], 0.0, b[1]))
        assert path is not None
        steps = 0
        for target in path[1:]:
            while True:
                x, _, z = sim.agent("robot_0").position
                dx, dz = target[0] - x, target[2] - z
                distance = math.hypot(dx, dz)
                if distance < 0.02:
                    break
                turn = math.remainder(math.atan2(-dx, -dz) - sim.agent("robot_0").yaw, math.tau)
                speed = min(1.5, distance / STEP_S)
                sim.drive("robot_0", speed, 0.0, turn / STEP_S, 0.0, STEP_S)
                steps += 1
                assert steps < 3000
        x, _, z = sim.agent("robot_0").position
        assert math.dist((x, z), b) <= 0.05
        assert steps <= 1.1 * _length(path) / (1.5 * STEP_S) + 2 * len(path)

    # Seeing and touching

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
        start, yaw = _open_way(backend, sim, 1.0)
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
        near = _place_to_look(sim, backend.small)
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
            sim.reset(backend.episode, backend.bodies, seed)
            agent = sim.agent("human_0")
            eye = to_world(Pose(agent.position, yaw_quat(agent.yaw)), body.eye)
            for entity in sim.seen("human_0"):
                assert sim.can_see(eye, entity)
                box, pose = sim.box(entity), sim.pose(entity)
                reach = math.dist(box.low, box.high)
                assert math.dist(to_world(pose, box.center), eye) <= 10.0 + reach

    def test_what_is_plainly_in_view_is_seen(self, backend: Backend, sim: Simulator) -> None:
        """Whatever the ray to its centre meets first, well inside the view."""
        body = backend.bodies["human_0"]
        plain = 0
        for seed in range(8):
            sim.reset(backend.episode, backend.bodies, seed)
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
                    # Nothing stands between: neither do the millimetres around it.
                    between = sim.cast_ray(eye, way, length, ignore={furniture.handle})
                    if between is None:
                        plain += 1
                        assert furniture.handle in seen
        assert plain > 0

    def test_overlap(self, backend: Backend, sim: Simulator) -> None:
        table = Place(sim, backend.table)
        free = table.pose(0.002)
        for handle in (backend.small, backend.other):
            sim.set_pose(handle, Pose((0.0, 30.0, 0.0), IDENTITY))
        assert list(sim.overlapping(backend.small, free)) == []
        assert list(sim.overlapping(backend.small, table.pose(-0.002))) == []
        sunk = table.pose(-0.02)
        assert list(sim.overlapping(backend.small, sunk)) == [table.handle]
        assert list(sim.overlapping(backend.small, sunk, ignore={table.handle})) == []
        sim.set_pose(backend.other, table.pose())
        assert backend.other in sim.overlapping(backend.small, free)
        assert backend.small not in sim.overlapping(backend.small, free)
        floor = sim.agent("human_0").position
        low = Pose((floor[0], floor[1] - 0.03, floor[2]), IDENTITY)
        assert "stage" in sim.overlapping(backend.small, low)
        resting = Pose(floor, IDENTITY)
        assert "stage" not in sim.overlapping(backend.small, resting)

    def test_snap_down(self, backend: Backend, sim: Simulator) -> None:
        table = Place(sim, backend.table)
        sim.set_pose(backend.other, Pose((0.0, 30.0, 0.0), IDENTITY))
        landing = sim.snap_down(backend.small, table.pose(0.3))
        assert landing is not None
        assert landing.entity == table.handle
        assert landing.normal[1] >= 0.99
        assert math.dist(landing.pose.position, table.pose().position) <= 0.005
        sim.set_pose(backend.other, table.pose())
        on_other = sim.snap_down(backend.small, table.pose(0.4))
        assert on_other is not None
        assert on_other.entity == backend.other
        through = sim.snap_down(backend.small, table.pose(0.4), ignore={backend.other})
        assert through is not None
        assert through.entity == table.handle
        x, y, z = sim.agent("human_0").position
        floor = sim.snap_down(backend.small, Pose((x, y + 0.5, z), yaw_quat(0.5)))
        assert floor is not None
        assert floor.entity is None
        assert math.dist(floor.pose.position, (x, y, z)) <= 0.005
        assert sim.snap_down(backend.small, Pose((x + 300.0, 1.0, z), IDENTITY)) is None

    def test_snap_down_sets_upright(self, backend: Backend, sim: Simulator) -> None:
        x, y, z = sim.agent("human_0").position
        tilted = (math.sin(0.3), 0.0, 0.0, math.cos(0.3))
        landing = sim.snap_down(backend.small, Pose((x, y + 0.5, z), tilted))
        assert landing is not None
        up = to_world(Pose((0.0, 0.0, 0.0), landing.pose.rotation), (0.0, 1.0, 0.0))
        assert up[1] == pytest.approx(1.0, abs=1e-6)

    def test_snap_down_into_a_drawer(self, backend: Backend, sim: Simulator) -> None:
        place = Place(sim, backend.drawer)
        place.open()
        landing = sim.snap_down(backend.small, place.pose(0.05))
        assert landing is not None
        assert landing.entity == place.handle
        assert math.dist(landing.pose.position, place.pose().position) <= 0.01
        assert list(sim.overlapping(backend.small, landing.pose)) == []

    def test_set_joint(self, backend: Backend, sim: Simulator) -> None:
        place = Place(sim, backend.cupboard)
        place.open(0.5)
        expected = place.part.open_value / 2
        assert sim.joints()[place.handle, place.part.index] == pytest.approx(expected)
        with pytest.raises(SimulatorError):
            place.open(1.5)
        with pytest.raises(SimulatorError):
            sim.set_joint(place.handle, 99, 0.1)
        with pytest.raises(SimulatorError):
            sim.set_joint(backend.small, 0, 0.1)
        with pytest.raises(SimulatorError):
            sim.set_joint("nothing_1_:0000", 0, 0.1)

    def test_objects_inside_do_not_move_with_a_part(self, backend: Backend, sim: Simulator) -> None:
        place = Place(sim, backend.drawer)
        sim.set_pose(backend.small, place.pose())
        before = sim.pose(backend.small)
        place.open()
        assert sim.pose(backend.small) == before

    # Geometry

    def test_above_is_whatever_is_below(self, backend: Backend, sim: Simulator) -> None:
        table = Place(sim, backend.table)
        sim.set_pose(backend.other, table.pose())
        for height in (0.3, 0.5, 1.0):
            sim.set_pose(backend.small, table.pose(height))
            assert {table.handle, backend.other} <= sim.above(backend.small)
        assert backend.small not in sim.above(backend.small)
        assert table.handle in sim.above(backend.other)
        assert backend.small not in sim.above(backend.other)
        x, y, z = sim.agent("human_0").position
        sim.set_pose(backend.small, Pose((x, y, z), IDENTITY))
        assert table.handle not in sim.above(backend.small)

    def test_within(self, backend: Backend, sim: Simulator) -> None:
        table, cupboard = Place(sim, backend.table), Place(sim, backend.cupboard)
        sim.set_pose(backend.small, table.pose(0.001))
        assert sim.within(backend.small) == frozenset()
        sim.set_pose(backend.small, cupboard.pose(0.001))
        assert cupboard.handle in sim.within(backend.small)
        cupboard.open()
        assert cupboard.handle in sim.within(backend.small)
        drawer = Place(sim, backend.drawer)
        sim.set_pose(backend.small, drawer.pose(0.001))
        assert drawer.handle in sim.within(backend.small)
        drawer.open()
        sim.set_pose(backend.small, drawer.pose(0.001))
        assert drawer.handle in sim.within(backend.small)

    def test_in_room(self, backend: Backend, sim: Simulator) -> None:
        (a, (ax, az)), (b, (bx, bz)) = backend.rooms
        sim.set_pose(backend.small, Pose((ax, 0.5, az), IDENTITY))
        assert sim.in_room(backend.small, a)
        assert not sim.in_room(backend.small, b)
        sim.set_pose(backend.small, Pose((bx, 0.0, bz), IDENTITY))
        assert sim.in_room(backend.small, b)
        assert not sim.in_room(backend.small, a)
        sim.set_pose(backend.small, Pose((bx, 50.0, bz), IDENTITY))
        assert not sim.in_room(backend.small, b)
        with pytest.raises(KeyError):
            sim.in_room(backend.small, "no_room.000")

    def test_on_floor(self, backend: Backend, sim: Simulator) -> None:
        x, y, z = sim.agent("human_0").position
        sim.set_pose(backend.small, Pose((x, y, z), IDENTITY))
        assert sim.on_floor(backend.small)
        # 0.1 m of half a navmesh cell and 0.04 m of tolerance above the bottom's height.
        sim.set_pose(backend.small, Pose((x, y + 0.12, z), IDENTITY))
        assert sim.on_floor(backend.small)
        sim.set_pose(backend.small, Pose((x, y + 0.16, z), IDENTITY))
        assert not sim.on_floor(backend.small)
        sim.set_pose(backend.small, Place(sim, backend.table).pose())
        assert not sim.on_floor(backend.small)

    def test_gap(self, backend: Backend, sim: Simulator) -> None:
        (_, (x, z)), _ = backend.rooms
        a, b = sim.box(backend.small), sim.box(backend.other)
        sim.set_pose(backend.small, Pose((x, 0.5, z), IDENTITY))
        sim.set_pose(backend.other, Pose((x + 1.0, 0.5, z), IDENTITY))
        expected = 1.0 + b.center[0] - a.center[0] - a.half_size[0] - b.half_size[0]
        assert sim.gap(backend.small, backend.other) == pytest.approx(expected, abs=0.01)
        assert sim.gap(backend.other, backend.small) == pytest.approx(expected, abs=0.01)
        sim.set_pose(backend.other, Pose((x, 0.5 + a.high[1] - b.low[1] + 0.05, z), IDENTITY))
        assert sim.gap(backend.small, backend.other) == 0.0
        sim.set_pose(backend.other, Pose((x, 0.5 + a.high[1] - b.low[1] + 0.2, z), IDENTITY))
        assert sim.gap(backend.small, backend.other) == math.inf

    def test_unknown_entities(self, sim: Simulator) -> None:
        for ask in (sim.pose, sim.box, sim.above, sim.within, sim.on_floor):
            with pytest.raises(KeyError):
                ask("nothing_1_:0000")
        with pytest.raises(KeyError):
            sim.set_pose("nothing_1_:0000", Pose((0.0, 0.0, 0.0), IDENTITY))
        with pytest.raises(KeyError):
            sim.agent("nobody_0")

    def test_furniture_has_pose_and_box(self, sim: Simulator) -> None:
        for furniture in sim.scene.furniture:
            pose = sim.pose(furniture.handle)
            assert math.dist(pose.position, furniture.pose.position) <= 1e-3
            box = sim.box(furniture.handle)
            expected = sim.catalogue.templates[furniture.template].box
            assert math.dist(box.low, expected.low) <= 0.02
            assert math.dist(box.high, expected.high) <= 0.02


def _length(path: Sequence[Vec3]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(path))


def _open_way(backend: Backend, sim: Simulator, length: float) -> tuple[Vec3, float]:
    """A point and a heading with free floor for a while, a body's width from the edges."""
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


def _place_to_look(sim: Simulator, entity: str) -> Vec3:
    """A walkable point some metre away from which an entity can be seen."""
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
