"""Starts of bodies: a pair's as ever, further ones in rooms of their own, apart, in any house."""

from __future__ import annotations

import hashlib
import itertools
import math
import random

import msgspec
import pytest

from episodes.bodies import BODIES
from episodes.houses import first_house
from episodes.houses.body_starts import APART_M, floors_of, further_start
from episodes.houses.splits import HOUSES
from episodes.houses.walkable_area import contains
from episodes.seats import HUMAN, ROBOT, Seat
from server.sessions.core import SessionCore
from server.sessions.spec import SeatSpec, SessionSpec
from server.sessions.starts import start_apart
from server.simulators.contract import SimulatorError
from server.simulators.household import HouseholdSimulator, HouseLibrary
from tests.server.sessions.first_house_sessions import core_of, episode_spec, simulator, task

FIVE = (*(Seat(f"robot_{n}", "robot") for n in range(3)), HUMAN, Seat("human_1", "human"))


def of_seats(*seats: Seat, seed: int = 1, number: int = 2, **changes: object) -> SessionCore:
    """Return a core with the bodies given, in the first house."""
    chosen = msgspec.structs.replace(task(number), **changes)
    spec = SessionSpec("ses_1", tuple(SeatSpec(seat, True) for seat in seats), seed)
    return SessionCore(spec, episode_spec(chosen), chosen, simulator())


def poses_of_pairs() -> bytes:
    """Return where bodies start in two first tasks, with and without poses of its own."""
    found = []
    for number in (2, 5):
        for given in (task(number), msgspec.structs.replace(task(number), info={})):
            for solo in (False, True):
                agents = core_of(given, solo=solo).world.agents
                found.append([(seat, *pose) for seat, pose in agents.items()])
    return msgspec.json.encode(found)


def test_a_pair_starts_where_it_did() -> None:
    digest = hashlib.sha256(poses_of_pairs()).hexdigest()
    assert digest == "44ddac0dc7c4ae00e0543a7eeb8c5b6abffcee9e85189779dfaef4a9106a5633"


@pytest.mark.parametrize("seats", [FIVE[:2], FIVE[:3], (ROBOT, *FIVE[3:]), FIVE])
def test_further_bodies_start_apart_and_a_pair_stays(seats: tuple[Seat, ...]) -> None:
    pair = core_of().world.agents
    agents = of_seats(*seats).world.agents
    for seat in {s.seat_id for s in seats} & pair.keys():
        assert agents[seat] == pair[seat]
    places = [(p.position[0], p.position[2]) for p in agents.values()]
    assert all(contains(first_house().scene.walkable[:1], place) for place in places)
    assert all(math.dist(a, b) > APART_M - 0.01 for a, b in itertools.combinations(places, 2))


def test_who_else_is_there_moves_nobody_who_came_before() -> None:
    three, five = of_seats(*FIVE[:3]).world.agents, of_seats(*FIVE[:3], FIVE[4]).world.agents
    assert {s: five[s] for s in three} == dict(three)


def test_the_seed_and_the_seat_decide_where_further_bodies_start() -> None:
    first = of_seats(*FIVE).world.agents
    assert of_seats(*FIVE).world.agents == first
    again = of_seats(*FIVE, seed=2).world.agents
    assert all(again[s.seat_id] != first[s.seat_id] for s in (FIVE[1], FIVE[2], FIVE[4]))
    assert first["robot_1"].position != first["robot_2"].position


def test_a_pose_that_the_task_names_is_kept() -> None:
    named = task(2).info["start_poses"]["human_0"]
    poses = {"robot_1": named}
    agents = of_seats(*FIVE, info={"start_poses": poses}).world.agents
    x, _, z = agents["robot_1"].position
    assert math.dist((x, z), (named[0], named[2])) < 1e-3


def test_a_house_too_small_says_so() -> None:
    scene, catalogue = first_house()
    outer = ((0.0, 0.0), (1.3, 0.0), (1.3, 1.3), (0.0, 1.3))
    room = msgspec.structs.replace(scene.rooms[0], polygon=outer)
    area = msgspec.structs.replace(scene.walkable[0], outer=outer, holes=())
    small = msgspec.structs.replace(scene, rooms=(room,), walkable=(area,), furniture=(), digest="")
    bare = msgspec.structs.replace(task(2), rigid_objs=[], name_to_receptacle={}, info={})
    household = HouseholdSimulator(HouseLibrary.of(catalogue, [small]))
    household.reset(bare, {s.seat_id: BODIES[s.kind] for s in FIVE}, 1)
    with pytest.raises(SimulatorError, match="too small for 5 bodies"):
        start_apart(household, bare, [s.seat_id for s in FIVE], 1)


@pytest.mark.parametrize(
    "seed",
    [pytest.param(n, marks=[] if n in (3, 25) else [pytest.mark.long]) for n in range(HOUSES)],
)
def test_five_bodies_fit_each_house(seed: int) -> None:
    """Three that come to where a pair is find a room each, wherever the pair may be."""
    scene = first_house(seed).scene
    floors = floors_of(scene)
    for attempt in range(5):
        rng = random.Random(attempt)
        places: list[tuple[float, float]] = []
        for _ in FIVE:
            x, y, z, _yaw = further_start(floors, places, rng)
            assert y == 0.0
            places.append((x, z))
        assert all(contains(scene.walkable[:1], place) for place in places)
        assert all(math.dist(a, b) > APART_M - 0.01 for a, b in itertools.combinations(places, 2))
        rooms = [scene.room_around((x, 0.0, z)) for x, z in places]
        assert len({r and r.room_id for r in rooms}) == min(len(FIVE), len(floors))
