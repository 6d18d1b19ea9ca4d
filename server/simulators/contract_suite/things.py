"""Contract of things: overlap, landing, joints and the evaluator's primitives."""

from __future__ import annotations

import math

import pytest

from episodes.poses import IDENTITY, Pose, to_world, yaw_quat
from server.simulators.contract import Simulator, SimulatorError
from server.simulators.contract_suite.backend import Backend
from server.simulators.contract_suite.landmarks import (
    Place,
)


class ThingContract:
    """Tests of objects and parts, and of the geometry that the evaluator asks for."""

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
