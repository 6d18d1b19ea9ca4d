"""Contract of the start: what a reset does."""

from __future__ import annotations

import itertools
import math

import pytest
from msgspec.structs import replace

from episodes.poses import IDENTITY, Pose, to_world
from server.simulators.contract import Simulator, SimulatorError
from server.simulators.contract_suite.backend import Backend, bodies_of
from server.simulators.contract_suite.landmarks import (
    EDGE_M,
    Place,
    on_edge_or_inside,
)


class StartContract:
    """Tests of resets, errors in tasks, and independence of sessions."""

    def test_nothing_before_reset(self, backend: Backend) -> None:
        with pytest.raises(SimulatorError):
            backend.make().scene  # noqa: B018
        with pytest.raises(SimulatorError):
            backend.make().plan  # noqa: B018

    def test_the_plan_is_the_scene_but_for_where_bodies_may_walk(self, sim: Simulator) -> None:
        assert replace(sim.plan, walkable=sim.scene.walkable) == sim.scene

    def test_reset_repeats(self, backend: Backend) -> None:
        a, b = backend.ready(5), backend.make()
        b.reset(backend.task, backend.bodies, 4)
        other = [b.agent(seat) for seat in backend.bodies]
        b.set_pose(backend.small, Pose((0.0, 1.0, 0.0), IDENTITY))
        b.reset(backend.task, backend.bodies, 5)
        assert [a.agent(s) for s in backend.bodies] == [b.agent(s) for s in backend.bodies]
        assert dict(a.objects()) == dict(b.objects())
        assert dict(a.joints()) == dict(b.joints())
        assert other != [b.agent(seat) for seat in backend.bodies]

    def test_unknown_scene_and_template_are_errors(self, backend: Backend) -> None:
        missing = replace(backend.task, scene_id="no_such_scene")
        with pytest.raises(SimulatorError, match="no_such_scene"):
            backend.make().reset(missing, backend.bodies, 0)
        files = [("no_such_thing.object_config.json", m) for _, m in backend.task.rigid_objs]
        with pytest.raises(SimulatorError, match="no_such_thing"):
            backend.make().reset(replace(backend.task, rigid_objs=files), backend.bodies, 0)

    def test_objects_start_where_the_episode_says(self, backend: Backend, sim: Simulator) -> None:
        assert list(sim.objects()) == list(backend.task.name_to_receptacle)
        for (handle, pose), (_, m) in zip(
            sim.objects().items(), backend.task.rigid_objs, strict=True
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
        opened = replace(backend.task, ao_states={place.handle: {place.part.name: value}})
        sim.reset(opened, backend.bodies, 1)
        assert sim.joints()[place.handle, place.part.index] == pytest.approx(value)

    @pytest.mark.parametrize("number", [1, 2, 3, 5])
    def test_bodies_start_apart_on_the_floor(self, backend: Backend, number: int) -> None:
        sim = backend.make()
        bodies = bodies_of(number)
        for seed in range(20 if number == len(backend.bodies) else 4):
            sim.reset(backend.task, bodies, seed)
            poses = [sim.agent(seat) for seat in bodies]
            assert all(on_edge_or_inside(sim, p.position) for p in poses)
            for a, b in itertools.combinations(poses, 2):
                assert math.dist(a.position, b.position) >= 1.0

    def test_bodies_start_where_the_episode_says(self, backend: Backend) -> None:
        (_, (x, z)), _ = backend.rooms
        info = {"start_poses": {"human_0": [x, 0.0, z, 0.7]}}
        sim = backend.make()
        sim.reset(replace(backend.task, info=info), backend.bodies, 3)
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
