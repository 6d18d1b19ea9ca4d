"""Moving things, under both rule profiles: Pick, Place and Rearrange."""

from __future__ import annotations

import pytest

from episodes.names import floor_key
from episodes.tasks import first_tasks
from episodes.worldgraph import UNKNOWN, Known
from server.skills import SUCCESS, failure
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT
from tests.server.skills.doing import PROFILES, Doing, graph_of, holding

pytestmark = pytest.mark.parametrize("profile", PROFILES)


# Pick


def test_pick_succeeds_near_and_fails_far_and_with_a_full_hand(profile: str) -> None:
    do = Doing(profile)
    first, second = do.free()[:2]
    far = do.name(do.far(do.free()))
    assert do(f"Pick[{far}]") == failure("Failed to pick! Not close enough to the object.")
    assert do(f"Navigate[{do.name(first)}]") == SUCCESS
    assert do(f"Pick[{do.name(first)}]") == SUCCESS
    assert do.ticks <= 25
    assert do.core.world.held[HUMAN] == first
    assert do(f"Pick[{do.name(second)}]") == failure(
        f"Failed to pick {do.name(second)}! The arm is currently grasping {do.name(first)}."
    )


def test_pick_what_is_shut_in_or_lost_or_fixed(profile: str) -> None:
    do = Doing(profile, first_tasks()[0])
    shut = next(h for h in do.core.world.objects if do.core.shut_in(h))
    assert do(f"Pick[{do.name(shut)}]") == failure(
        "Failed to pick! Object is in a closed furniture, you need to open the furniture first."
    )
    graph = graph_of(do.core)
    graph.objects[shut] = Known(UNKNOWN)
    assert do(f"Pick[{do.name(shut)}]", graph) == failure(
        "Failed to pick! No Furniture found for the Object."
    )
    table = do.name(do.furniture()[0])
    assert do(f"Pick[{table}]").endswith("cannot be carried")


# Place


def test_place_on_furniture_in_reach(profile: str) -> None:
    do, thing = holding(profile)
    table = do.furniture()[0]
    name = do.name(table)
    assert do(f"Navigate[{name}]") == SUCCESS
    do.phrases.clear()
    assert do(f"Place[{do.name(thing)}, on, {name}, none, none]") == SUCCESS
    assert do.ticks <= 25
    assert do.phrases == {f"Placing {do.name(thing)} on {name}"}
    assert do.core.world.supports[thing].startswith(table)


def test_place_on_the_floor_where_one_stands(profile: str) -> None:
    do, thing = holding(profile)
    room = next(r for r in do.core.simulator.scene.rooms if r.contains(do.body.position))
    floor = do.name(floor_key(room.room_id))
    assert do(f"Place[{do.name(thing)}, on, {floor}, none, none]") == SUCCESS
    assert do.core.simulator.on_floor(thing)


def test_place_fails_with_reasons(profile: str) -> None:
    do = Doing(profile)
    thing, other = do.free()[:2]
    name, far = do.name(thing), do.name(do.far(do.furniture()))
    place = f"Place[{name}, on, {far}, none, none]"
    assert do(place) == failure("Failed to place! The agent is not holding any object.")
    assert do(f"Navigate[{name}]") == SUCCESS
    assert do(f"Pick[{name}]") == SUCCESS
    far = do.name(do.far(do.furniture()))
    assert do(f"Place[{name}, on, {far}, none, none]") == failure(
        f"Failed to place! Not close enough to {far} or occluded."
    )
    room = do.name(do.core.simulator.scene.rooms[0].room_id)
    assert do(f"Place[{name}, on, {room}, none, none]") == failure(
        f"Failed to place! {room} is neither furniture nor a floor."
    )
    del other


def test_place_next_to_what_is_elsewhere(profile: str) -> None:
    do, thing = holding(profile)
    table = do.furniture()[0]
    rest = [h for h in do.core.world.objects if h != thing]
    other = max(rest, key=lambda h: do.core.simulator.gap(h, table))
    names = (do.name(thing), do.name(table), do.name(other))
    assert do(f"Navigate[{names[1]}]") == SUCCESS
    told = do(f"Place[{names[0]}, on, {names[1]}, next_to, {names[2]}]")
    assert told.startswith(failure(f"No valid placements found for entity {names[1]}."))
    assert names[2] in told


def test_placing_another_thing_than_is_held(profile: str) -> None:
    do, thing = holding(profile)
    other = next(h for h in do.core.world.objects if h != thing)
    table = do.furniture()[0]
    assert do(f"Navigate[{do.name(table)}]") == SUCCESS
    told = do(f"Place[{do.name(other)}, on, {do.name(table)}, none, none]")
    if profile == "partnr":
        # Its skill puts down what the hand holds.
        assert told == SUCCESS
        assert HUMAN not in do.core.world.held or do.core.world.held[HUMAN] is None
    else:
        assert told == failure(
            f"Failed to place! The agent is holding {do.name(thing)}, not {do.name(other)}."
        )


# Rearrange


@pytest.mark.parametrize("seat", [HUMAN, ROBOT])
def test_rearrange_out_of_what_is_closed(profile: str, seat: str) -> None:
    do = Doing(profile, first_tasks()[0], seat)
    thing = next(h for h in do.core.world.objects if do.core.shut_in(h))
    table = do.furniture()[0]
    call = f"Rearrange[{do.name(thing)}, on, {do.name(table)}, none, none]"
    assert do(call) == SUCCESS
    assert do.ticks <= 1000
    assert do.core.world.supports[thing].startswith(table)


def test_rearrange_into_what_is_closed(profile: str) -> None:
    do = Doing(profile)
    thing = min(do.free(), key=lambda h: do.core.view.template(h).box[1][1])
    cabinet = next(f for f in do.furniture("within", opening=True))
    call = f"Rearrange[{do.name(thing)}, within, {do.name(cabinet)}, none, none]"
    assert do(call) == SUCCESS
    assert do.core.simulator.within(thing) >= {cabinet}


def test_rearrange_next_to(profile: str) -> None:
    do = Doing(profile)
    table = do.furniture()[0]
    first, second = do.free()[:2]
    names = do.name(first), do.name(second), do.name(table)
    assert do(f"Rearrange[{names[0]}, on, {names[2]}, none, none]") == SUCCESS
    assert do(f"Rearrange[{names[1]}, on, {names[2]}, next_to, {names[0]}]") == SUCCESS
    assert do.core.simulator.gap(first, second) <= 0.5


def test_rearrange_fails_with_reasons(profile: str) -> None:
    do = Doing(profile)
    first, second = do.free()[:2]
    table = do.name(do.furniture()[0])
    room = do.name(do.core.simulator.scene.rooms[0].room_id)
    told = do(f"Rearrange[{do.name(first)}, on, {room}, none, none]")
    assert told == failure(f"Failed to place! {room} is neither furniture nor a floor.")
    do.lay(second, (60.0, 0.0, 60.0))
    told = do(f"Rearrange[{do.name(second)}, on, {table}, none, none]")
    assert "Possibly inaccessible" in told
    do.core.effects.pick(HUMAN, second)
    told = do(f"Rearrange[{do.name(first)}, on, {table}, none, none]")
    assert told == failure(
        f"Failed to pick {do.name(first)}! The arm is currently grasping {do.name(second)}."
    )
