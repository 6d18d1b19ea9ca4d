"""Going somewhere, under both rule profiles: Navigate and Explore."""

from __future__ import annotations

import math

import pytest

from episodes.names import floor_key
from server.skills import SUCCESS, Body, SkillRun, failure, parse
from server.skills.navigate import NEAR_M
from server.skills.standing_places import heading
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT
from tests.server.skills.doing import PROFILES, Doing, graph_of

pytestmark = pytest.mark.parametrize("profile", PROFILES)


def test_navigate_ends_near_and_facing(profile: str) -> None:
    do = Doing(profile)
    thing = do.far(do.free())
    assert do(f"Navigate[{do.name(thing)}]") == SUCCESS
    agent = do.core.world.agents[HUMAN]
    assert do.core.view.distance(HUMAN, thing) <= NEAR_M
    assert do.core.view.can_see(HUMAN, thing)
    wanted = heading(agent.position, do.core.world.objects[thing].position)
    assert abs(math.remainder(agent.yaw - wanted, math.tau)) <= 0.45
    assert do.ticks <= 600
    assert all(p.startswith("Walking in ") for p in do.phrases)
    assert do(f"Pick[{do.name(thing)}]") == SUCCESS


def test_navigate_to_furniture_rooms_and_floors(profile: str) -> None:
    do = Doing(profile)
    bench = do.far(do.furniture())
    assert do(f"Navigate[{do.name(bench)}]") == SUCCESS
    assert do.core.view.distance(HUMAN, bench) <= NEAR_M
    here = do.body.position
    for room in do.core.simulator.scene.rooms[:3]:
        key = floor_key(room.room_id) if room.contains(here) else room.room_id
        assert do(f"Navigate[{do.name(key)}]") == SUCCESS
        assert room.contains(do.body.position)


def test_navigate_tells_what_is_in_a_hand(profile: str) -> None:
    do = Doing(profile)
    thing = do.free()[0]
    name = do.name(thing)
    other = Body(ROBOT, do.core)
    assert do(f"Navigate[{name}]") == SUCCESS
    assert do(f"Pick[{name}]") == SUCCESS
    assert do(f"Navigate[{name}]") == failure("Failed! This object is already held by this agent.")
    do.body = other
    assert do(f"Navigate[{name}]") == failure("Failed! This object is held by another agent.")


def test_navigate_looks_again_while_it_walks(profile: str) -> None:
    do = Doing(profile)
    thing = do.far(do.free())
    skill = SkillRun(do.body, parse(f"Navigate[{do.name(thing)}]", "human"), graph_of(do.core))
    for _ in range(5):
        for intent in skill.intents():
            do.core.submit(HUMAN, intent)
        skill.see(do.core.step())
    do.core.effects.pick(ROBOT, thing)
    skill.intents()
    assert skill.response == failure("Failed! This object is held by another agent.")


def test_navigate_where_nobody_can_go(profile: str) -> None:
    do = Doing(profile)
    thing = do.free()[0]
    do.lay(thing, (60.0, 0.0, 60.0))
    name = do.name(thing)
    assert do(f"Navigate[{name}]") == failure(
        f"Could not find a suitable nav target for {name}. Possibly inaccessible."
    )


def test_explore_goes_to_everything_in_a_room(profile: str) -> None:
    do = Doing(profile)
    scene = do.core.simulator.scene
    room = next(r for r in scene.rooms if sum(f.room_id == r.room_id for f in scene.furniture) >= 3)
    near: set[str] = set()
    step = do.core.step

    def watch() -> object:
        tick = step()
        near.update(
            f.handle
            for f in scene.furniture
            if f.room_id == room.room_id and do.core.view.distance(HUMAN, f.handle) <= NEAR_M
        )
        return tick

    do.core.step = watch  # type: ignore[method-assign, assignment]
    assert do(f"Explore[{do.name(room.room_id)}]") == SUCCESS
    assert near == {f.handle for f in scene.furniture if f.room_id == room.room_id}


def test_explore_an_empty_room_and_no_room(profile: str) -> None:
    do = Doing(profile)
    room = do.core.simulator.scene.rooms[0]
    graph = graph_of(do.core)
    for furniture in graph.furniture_of(room.room_id)[1:]:
        del graph.rooms[furniture]
    name = do.name(room.room_id)
    told = failure(f"There is no furniture in {name} room. Explore another room.")
    assert do(f"Explore[{name}]", graph) == told
    thing = do.name(do.free()[0])
    assert "There is no furniture in" in do(f"Explore[{thing}]")
