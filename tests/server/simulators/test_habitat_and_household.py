"""Both simulators beside each other: the same questions in a house with hundreds of things.

And the same tasks.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import pytest
from msgspec.structs import replace

from episodes.bodies import BODIES
from episodes.dataset import Task
from episodes.houses.walkable_area import as_shape
from episodes.poses import Pose, Quat, Vec3, yaw_quat
from episodes.tasks import first_tasks
from episodes.teams import Team
from episodes.world import AgentPose
from server.robots.baselines.expert import experts
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore
from server.sessions.spec import Ending, EpisodeSpec, SessionSpec
from server.simulators.contract import Simulator
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import simulator as household
from tests.server.simulators.either_simulator import habitat
from tests.server.simulators.full_house import full_house
from tests.server.simulators.habitat_data import exported_house, needs_habitat, process

pytestmark = [pytest.mark.habitat, needs_habitat]

HUMAN = "human_0"
FOR_ROBOTS = (1, 2, 3, 6)
"""Numbers of tasks that robots can do alone."""
BODIES_BY_SEAT = {"robot_0": BODIES["robot"], HUMAN: BODIES["human"]}


class Both(NamedTuple):
    """A house on both simulators, in the same state."""

    household: Simulator
    habitat: Simulator

    @property
    def objects(self) -> list[str]:
        return list(self.household.objects())

    @property
    def entities(self) -> list[str]:
        return self.objects + [f.handle for f in self.household.scene.furniture]


def any_rotation(rng: random.Random) -> Quat:
    q = [rng.gauss(0, 1) for _ in range(4)]
    n = math.hypot(*q)
    return (q[0] / n, q[1] / n, q[2] / n, q[3] / n)


@pytest.fixture(scope="module")
def both() -> Both:
    """Return the house with some objects tilted and some parts open."""
    house, episode = full_house()
    library = HouseLibrary.of(house.catalogue, [house.scene])
    sims = Both(HouseholdSimulator(library), cast(Simulator, process().simulator(exported_house())))
    for sim in sims:
        sim.reset(episode, BODIES_BY_SEAT, 1)
    rng = random.Random(11)
    for furniture, index in list(sims.household.joints())[::3]:
        template = sims.household.catalogue.of_handle(furniture)
        value = template.parts[index].open_value * rng.choice([1.0, 0.4])
        for sim in sims:
            sim.set_joint(furniture, index, value)
    for handle in rng.sample(sims.objects, 60):
        (x, y, z), _ = sims.household.pose(handle)
        pose = Pose((x, y + 0.05, z), any_rotation(rng))
        for sim in sims:
            sim.set_pose(handle, pose)
    return sims


def test_geometry_is_the_same(both: Both) -> None:
    a, b = both
    for entity in both.entities:
        assert a.above(entity) == b.above(entity), entity
        assert a.within(entity) == b.within(entity), entity
        for room in a.scene.rooms:
            assert a.in_room(entity, room.room_id) == b.in_room(entity, room.room_id)
    assert all(a.on_floor(h) == b.on_floor(h) for h in both.objects)
    rng = random.Random(1)
    for _ in range(300):
        one, other = rng.sample(both.entities, 2)
        assert a.gap(one, other) == pytest.approx(b.gap(one, other), abs=1e-9)


def _beside(rng: random.Random, both: Both, among: Sequence[str], low: float, high: float) -> Pose:
    x, y, z = both.household.pose(rng.choice(among)).position
    position = (x + rng.uniform(-0.2, 0.2), y + rng.uniform(low, high), z + rng.uniform(-0.2, 0.2))
    return Pose(position, yaw_quat(rng.uniform(-math.pi, math.pi)))


def test_overlaps_are_the_same(both: Both) -> None:
    """Overlaps agree, except where something is within a hair of the 5 mm that count."""
    rng = random.Random(2)
    differ = []
    for _ in range(300):
        handle, pose = rng.choice(both.objects), _beside(rng, both, both.objects, -0.05, 0.2)
        one = list(both.household.overlapping(handle, pose))
        if one != list(both.habitat.overlapping(handle, pose)):
            differ.append((handle, pose))
    assert len(differ) <= 3, differ


def test_things_come_to_rest_at_the_same_place(both: Both) -> None:
    """Things lowered from clear space come to rest alike; among tilted things a few differ."""
    rng = random.Random(3)
    tried = differ = 0
    while tried < 120:
        handle, pose = rng.choice(both.objects), _beside(rng, both, both.entities, 0.05, 1.0)
        if both.household.overlapping(handle, pose):
            continue
        one, other = both.household.snap_down(handle, pose), both.habitat.snap_down(handle, pose)
        assert (one is None) == (other is None)
        if one is None or other is None:
            continue
        tried += 1
        differ += math.dist(one.pose.position, other.pose.position) > 2e-3
    assert differ <= 0.02 * tried


def test_rays_meet_the_same(both: Both) -> None:
    """Rays meet the same, except where one grazes an edge."""
    rng = random.Random(4)
    differ = 0
    for _ in range(300):
        eye = (rng.uniform(-6, 6), rng.uniform(0.2, 2.2), rng.uniform(-4.5, 4.5))
        v = [rng.gauss(0, 1), -abs(rng.gauss(0, 0.5)), rng.gauss(0, 1)]
        n = math.hypot(*v)
        way: Vec3 = (v[0] / n, v[1] / n, v[2] / n)
        one, other = both.household.cast_ray(eye, way), both.habitat.cast_ray(eye, way)
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            same = (one.entity, one.part) == (other.entity, other.part)
            differ += not same or math.dist(one.point, other.point) > 1e-3
    assert differ <= 3


def test_the_same_is_seen(both: Both) -> None:
    rng = random.Random(5)
    saw = differ = 0
    for _ in range(40):
        wish = (rng.uniform(-6, 6), 0.0, rng.uniform(-4.5, 4.5))
        near = both.habitat.nearest_walkable(wish)
        assert near is not None
        # Eyes are on both walkable areas, which differ by some centimetres at their edges.
        inside = both.household.nearest_walkable(near)
        if inside is None or math.dist(inside, near) > 1e-3:
            continue
        agent = AgentPose(near, rng.uniform(-math.pi, math.pi), -0.2)
        views = []
        for sim in both:
            sim.set_agent(HUMAN, agent)
            views.append(sim.seen(HUMAN))
        differ += len(views[0] ^ views[1])
        saw += len(views[0])
    # Where a line grazes something, Bullet is exact to about a centimetre.
    assert saw > 300
    assert differ <= 0.05 * saw


def test_bodies_start_at_the_same_places(both: Both) -> None:
    _, episode = full_house()
    for seed in range(20):
        for sim in both:
            sim.reset(episode, BODIES_BY_SEAT, seed)
        for seat in BODIES_BY_SEAT:
            one, other = both.household.agent(seat), both.habitat.agent(seat)
            # The navigation mesh is made of cells of 2.5 cm.
            assert math.dist(one.position, other.position) <= 0.1
            assert one.yaw == other.yaw


@pytest.mark.parametrize("seed", range(10))
def test_five_bodies_start_at_the_same_places(seed: int) -> None:
    """Each further body gets the place that the plan has for it, in a room of its own."""
    task = replace(first_tasks()[1], info={})
    starts = []
    for make in (household, habitat):
        spec = SessionSpec.of("ses_1", Team.parse("5human"), seed)
        core = SessionCore(spec, EpisodeSpec("epi_1", "first", task.task_id), task, make())
        starts.append(core.world.agents)
    ours, theirs = starts
    for seat, agent in ours.items():
        assert math.dist(agent.position, theirs[seat].position) <= 0.1, seat
        assert agent.yaw == theirs[seat].yaw


def test_walkable_area_is_about_the_same() -> None:
    _, episode = full_house()
    library = HouseLibrary.of(full_house()[0].catalogue, [full_house()[0].scene])
    sims = (HouseholdSimulator(library), process().simulator(exported_house()))
    areas = []
    for sim in sims:
        sim.reset(episode, BODIES_BY_SEAT, 1)
        areas.append(sim.scene.walkable)
    ours, theirs = (as_shape(polygons[0]) for polygons in areas)
    assert theirs.area == pytest.approx(ours.area, rel=0.05)
    # A body gets nowhere much nearer to anything than it is wide.
    assert theirs.difference(ours.buffer(0.25)).area == pytest.approx(0.0, abs=1e-3)


def test_ways_are_about_as_long(both: Both) -> None:
    rng = random.Random(6)
    points: list[Vec3] = []
    while len(points) < 16:
        near = both.household.nearest_walkable((rng.uniform(-6, 6), 0.0, rng.uniform(-4.5, 4.5)))
        assert near is not None
        points.append(near)
    ratios = []
    for a, b in itertools.combinations(points, 2):
        one, other = both.household.find_path(a, b), both.habitat.find_path(a, b)
        assert one is not None
        assert other is not None
        if _length(one) > 1.0:
            ratios.append(_length(other) / _length(one))
    assert 0.98 <= sum(ratios) / len(ratios) <= 1.02
    assert max(ratios) <= 1.15


def _length(path: Sequence[Vec3]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(path))


class Played(NamedTuple):
    core: SessionCore
    order: list[int]
    """The propositions in the order in which they came to hold for good."""
    failures: list[Any]


def _solve(simulator: Simulator, task: Task) -> Played:
    """Let two experts solve one task."""
    spec = EpisodeSpec("epi_1", "first", task.task_id)
    core = SessionCore(SessionSpec.pair("ses_1", 1), spec, task, simulator)
    players = experts(core)
    since: dict[int, int] = {}

    def watch(tick: Any) -> None:
        # A proposition may hold for a moment while a thing is carried; that need not count.
        since.update((p.index, tick.tick) for p in tick.propositions if p.holds)

    run(core, players, 6000, watch=watch)
    order = sorted(since, key=lambda index: (since[index], index))
    return Played(core, order, [p.failure for p in players if p.failure is not None])


@pytest.mark.parametrize("number", range(1, 7))
def test_a_task_is_solved_the_same_way(number: int) -> None:
    episode = first_tasks()[number - 1]
    house = full_house()[0]
    library = HouseLibrary.of(house.catalogue, [house.scene])
    one = _solve(HouseholdSimulator(library), episode)
    other = _solve(cast(Simulator, process().simulator(exported_house())), episode)
    for played in (one, other):
        assert played.failures == []
    first, second = one.core.result().verdict, other.core.result().verdict
    assert first.success
    assert second.success
    assert first.percent_complete == second.percent_complete == 1.0
    assert [p.by_seat for p in first.propositions] == [p.by_seat for p in second.propositions]
    assert one.order == other.order
    assert one.core.world.supports == other.core.world.supports
    assert one.core.world.states == other.core.world.states
    for handle, pose in one.core.world.objects.items():
        assert math.dist(pose.position, other.core.world.objects[handle].position) <= 0.01, handle


def _of_experts(simulator: Simulator, task: Task, count: int) -> SessionCore:
    """Let so many experts, who share out the work and block each other, play a task to its end."""
    team = Team.parse(",".join(["robot=expert"] * count))
    spec = SessionSpec.of("ses_1", team, 1, profile="cohabit@2", ending=Ending(), finish_wait_s=0.0)
    core = SessionCore(spec, EpisodeSpec("epi_1", "first", task.task_id), task, simulator)
    company: dict[str, Any] = {}
    unused: Any = None
    players = [
        make_player(name, seat, PlayerOptions(unused, company=company))
        for seat, name in team.policies.items()
    ]
    assert run(core, players, 20_000) is not None
    return core


@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.parametrize("number", FOR_ROBOTS)
def test_a_team_does_a_task_on_both(number: int, count: int) -> None:
    task = first_tasks()[number - 1]
    one, other = (_of_experts(make(), task, count) for make in (household, habitat))
    ours, theirs = one.result().verdict, other.result().verdict
    assert ours.success
    assert theirs.success
    assert ours.percent_complete == theirs.percent_complete
    assert one.world.states == other.world.states
    assert one.world.supports == other.world.supports
