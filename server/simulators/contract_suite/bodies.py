"""Contract of bodies and the walkable area."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes.poses import forward
from episodes.world import AgentPose
from server.simulators.contract import Simulator, SimulatorError
from server.simulators.contract_suite.backend import Backend, bodies_of
from server.simulators.contract_suite.landmarks import (
    EDGE_M,
    STEP_S,
    on_edge_or_inside,
    open_way,
    path_length,
    put,
)


class BodyContract:
    """Tests of bodies: how they move, where they may be, which ways they find."""

    @pytest.mark.parametrize("rate", [15, 30])
    def test_speed_does_not_depend_on_the_step_rate(self, backend: Backend, rate: int) -> None:
        sim = backend.ready()
        start, yaw = open_way(backend, sim, 1.0)
        sim.set_agent("human_0", AgentPose(start, yaw, 0.0))
        for _ in range(round(rate * 0.6)):
            pose = sim.drive("human_0", 1.5, 0.0, 0.0, 0.0, 1 / rate)
        assert math.dist(start, pose.position) == pytest.approx(0.9, rel=0.05)
        fx, fz = forward(yaw)
        ahead = (pose.position[0] - start[0]) * fx + (pose.position[2] - start[2]) * fz
        assert ahead == pytest.approx(0.9, rel=0.05)
        assert sim.agent("human_0") == pose

    def test_turns_before_it_goes(self, backend: Backend, sim: Simulator) -> None:
        start, yaw = open_way(backend, sim, 1.0)
        sim.set_agent("human_0", AgentPose(start, yaw - 1.0, 0.0))
        pose = sim.drive("human_0", 0.4, 0.0, 1.0, -0.3, 1.0)
        assert math.remainder(pose.yaw - yaw, math.tau) == pytest.approx(0.0, abs=1e-6)
        assert pose.pitch == -0.3
        fx, fz = forward(yaw)
        assert pose.position[0] == pytest.approx(start[0] + 0.4 * fx, abs=0.02)
        assert pose.position[2] == pytest.approx(start[2] + 0.4 * fz, abs=0.02)

    def test_strafes_to_the_right(self, backend: Backend, sim: Simulator) -> None:
        start, yaw = open_way(backend, sim, 1.0)
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
            sim.reset(backend.task, backend.bodies, seed)
            for ahead, aside, turn, dt in steps:
                pose = sim.drive("human_0", ahead, aside, turn, 0.0, dt)
                assert on_edge_or_inside(sim, pose.position)

        drive()

    def test_a_long_step_goes_no_further_than_short_ones(self, backend: Backend) -> None:
        """A wall is a wall whatever the step: nothing tunnels through."""
        sim = backend.ready()
        for seed in range(12):
            sim.reset(backend.task, backend.bodies, seed)
            start = sim.agent("human_0")
            long = sim.drive("human_0", 4.0, 0.0, 0.0, 0.0, 3.0)
            sim.set_agent("human_0", start)
            for _ in range(180):
                short = sim.drive("human_0", 4.0, 0.0, 0.0, 0.0, 3.0 / 180)
            assert math.dist(long.position, short.position) <= 0.05

    def test_stands_still_in_a_corner(self, backend: Backend) -> None:
        """A body that pushes on where nothing gives does not shake the picture."""
        sim = backend.ready()
        for seed in range(8):
            sim.reset(backend.task, backend.bodies, seed)
            for _ in range(20):
                sim.drive("human_0", 3.0, 0.0, 0.0, 0.0, 1.0)
            resting = sim.agent("human_0").position
            for _ in range(10):
                pose = sim.drive("human_0", 1.5, 0.0, 0.0, 0.0, STEP_S)
                assert math.dist(pose.position, resting) <= EDGE_M

    @pytest.mark.parametrize("number", [1, 2, 3, 5])
    def test_each_of_several_bodies_moves_alone(self, backend: Backend, number: int) -> None:
        sim = backend.make()
        bodies = bodies_of(number)
        sim.reset(backend.task, bodies, 1)
        for seat in bodies:
            before = {other: sim.agent(other) for other in bodies}
            sim.drive(seat, 0.0, 0.0, 1.0, 0.0, 0.5)
            after = {other: sim.agent(other) for other in bodies}
            assert [other for other in bodies if after[other] != before[other]] == [seat]

    def test_bodies_do_not_block_each_other(self, backend: Backend, sim: Simulator) -> None:
        start, yaw = open_way(backend, sim, 1.0)
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

    def test_nearest_walkable(self, backend: Backend, sim: Simulator) -> None:
        rng = random.Random(3)
        for _ in range(50):
            wish = (rng.uniform(-5, 15), 0.0, rng.uniform(-5, 15))
            near = sim.nearest_walkable(wish)
            assert near is not None
            assert on_edge_or_inside(sim, near)
            # Nothing walkable is nearer: no body stands nearer than the point that was found.
            here = sim.agent("human_0").position
            assert math.dist(near, wish) <= math.dist(here, wish) + EDGE_M

    def test_paths_join_both_ends_over_walkable_floor(
        self, backend: Backend, sim: Simulator
    ) -> None:
        starts = [backend.rooms[0][1], backend.rooms[1][1]]
        for seed in range(5):
            sim.reset(backend.task, backend.bodies, seed)
            starts.append((sim.agent("human_0").position[0], sim.agent("human_0").position[2]))
        for (ax, az), (bx, bz) in itertools.combinations(starts, 2):
            path = sim.find_path((ax, 0.0, az), (bx, 0.0, bz))
            back = sim.find_path((bx, 0.0, bz), (ax, 0.0, az))
            assert path is not None
            assert back is not None
            assert math.dist(path[0], (ax, path[0][1], az)) <= EDGE_M
            assert math.dist(path[-1], (bx, path[-1][1], bz)) <= EDGE_M
            length = path_length(path)
            assert length >= math.dist((ax, az), (bx, bz)) - 2 * EDGE_M
            assert length == pytest.approx(path_length(back), abs=0.01)
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
            sim.reset(backend.task, backend.bodies, seed)
            points += [sim.agent(seat).position for seat in backend.bodies]
        for a, b, c in itertools.islice(itertools.permutations(points, 3), 0, 60):
            ab, bc, ac = sim.find_path(a, b), sim.find_path(b, c), sim.find_path(a, c)
            assert ab is not None
            assert bc is not None
            assert ac is not None
            assert path_length(ac) <= path_length(ab) + path_length(bc) + 0.01

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
        assert steps <= 1.1 * path_length(path) / (1.5 * STEP_S) + 2 * len(path)
