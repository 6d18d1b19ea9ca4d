"""The world graph: its text, what partial observability lets in, and updates after actions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.names import floor_key, name_things
from episodes.poses import IDENTITY, Box, Pose
from episodes.scene import Catalogue, Furniture, Room, Scene, Template
from episodes.seats import PAIR, Seat
from episodes.world import WorldState
from episodes.worldgraph import UNKNOWN, Place, WorldGraph, describe, dump

ME, OTHER = "robot_0", "human_0"
CUP, BOOK, LAMP, PLATE = "cup_1_:0000", "book_1_:0000", "lamp_1_:0000", "plate_1_:0000"
OBJECTS = (CUP, BOOK, LAMP, PLATE)
SINK, TABLE, BED = "counter_1_:0000", "table_1_:0000", "bed_1_:0000"
BOX = Box((-0.1, 0.0, -0.1), (0.1, 0.2, 0.1))


def _graph(seats: Sequence[Seat] = PAIR) -> WorldGraph:
    kinds = {SINK: "counter", TABLE: "table", BED: "bed"}
    templates = {
        f"{k}_1": Template(f"{k}_1", k, "furniture", BOX, (), faucet=(0.0, 1.0, 0.0))
        if k == "counter"
        else Template(f"{k}_1", k, "furniture", BOX, ())
        for k in kinds.values()
    } | {
        f"{k}_1": Template(f"{k}_1", k, "object", BOX, ()) for k in ("cup", "book", "lamp", "plate")
    }
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    rooms = (
        Room("kitchen.001", "kitchen", square, 0.0, 2.5),
        Room("bedroom.001", "bedroom", tuple((x + 4.0, z) for x, z in square), 0.0, 2.5),
    )
    places = {SINK: rooms[0], TABLE: rooms[0], BED: rooms[1]}
    at = Pose((1.0, 0.0, 1.0), IDENTITY)
    furniture = tuple(Furniture(h, f"{kinds[h]}_1", r.room_id, at) for h, r in places.items())
    scene = Scene("s", 0, 1, rooms, (), furniture, (), "")
    catalogue = Catalogue(templates, "")
    return WorldGraph(scene, catalogue, name_things(scene, catalogue, OBJECTS), seats)


def _world() -> WorldState:
    world = WorldState({})
    world.objects = {h: Pose((5.0, 0.0, 1.0), IDENTITY) for h in OBJECTS}
    world.supports = {CUP: f"{TABLE}|top", PLATE: "floor"}
    world.states = {(CUP, "is_clean"): False, (CUP, "is_filled"): False}
    world.holders = {BOOK: ME, LAMP: OTHER}
    world.held = {ME: BOOK, OTHER: LAMP}
    return world


HOUSE_TEXT = """Furniture:
kitchen_1: floor_kitchen_1, counter_2, table_3
bedroom_1: floor_bedroom_1, bed_4

The following furnitures have a faucet: counter_2
Objects:
"""


def test_text() -> None:
    graph = _graph()
    assert describe(graph, ME) == HOUSE_TEXT + "No objects found yet"
    graph.observe_all(_world())
    assert describe(graph, ME, states=True) == HOUSE_TEXT + (
        "cup_0: table_3 in kitchen_1. States: clean: False, filled: False\n"
        "book_1: held by the agent\n"
        "lamp_2: held by the other agent\n"
        "plate_3: floor_bedroom_1 in bedroom_1"
    )
    central = describe(graph, None)
    assert "book_1: held by Agent 0 (Robot)\nlamp_2: held by Agent 1 (Human)" in central
    assert "cup_0: table_3 in kitchen_1\n" in central


def test_of_three_or_more_agents_each_has_its_number() -> None:
    robots = [Seat("robot_0", "robot"), Seat("robot_1", "robot")]
    graph, world = _graph([*robots, Seat("human_0", "human")]), _world()
    world.holders, world.held = {LAMP: "robot_1"}, {"robot_1": LAMP}
    graph.observe_all(world)
    assert "lamp_2: held by agent_1\n" in describe(graph, "human_0")
    assert "lamp_2: held by the agent\n" in describe(graph, "robot_1")
    assert "lamp_2: held by Agent 1 (Robot)\n" in describe(graph, None)
    for number, seat in enumerate(("robot_0", "robot_1", "human_0")):
        graph.agents = {seat: ""}
        assert f"\t{'Human' if number == 2 else 'SpotRobot'}: agent_{number}" in dump(graph)


def test_two_robots_are_a_pair_and_speak_of_the_other() -> None:
    graph, world = _graph([Seat("robot_0", "robot"), Seat("robot_1", "robot")]), _world()
    world.holders, world.held = {LAMP: "robot_1"}, {"robot_1": LAMP}
    graph.observe_all(world)
    assert "lamp_2: held by the other agent\n" in describe(graph, "robot_0")
    assert "lamp_2: held by Agent 1 (Robot)\n" in describe(graph, None)


def test_a_stack_is_where_its_lowest_thing_is() -> None:
    graph, world = _graph(), _world()
    world.supports[PLATE] = CUP
    graph.observe_all(world)
    assert graph.objects[PLATE].place == Place("furniture", TABLE)
    world.supports |= {CUP: PLATE}
    graph.observe_all(world)
    assert graph.objects[PLATE].place == UNKNOWN


def test_asymmetry_is_who_watches() -> None:
    graph, world = _graph(), _world()
    seen = {ME: {CUP, TABLE}, OTHER: {PLATE}}
    graph.observe_views(world, seen, [ME])
    assert set(graph.objects) == {CUP, BOOK}
    graph.observe_views(world, seen, [ME, OTHER])
    assert set(graph.objects) == set(OBJECTS)


def test_updates_after_actions() -> None:
    graph = _graph()
    graph.observe(_world(), [CUP])
    graph.picked(CUP, ME)
    assert graph.held(ME) == CUP
    graph.placed(CUP, floor_key("bedroom.001"))
    graph.changed(CUP, "is_filled", True)
    assert "cup_0: floor_bedroom_1 in bedroom_1. States: clean: False, filled: True" in describe(
        graph, ME, states=True
    )
    with pytest.raises(KeyError):
        graph.placed(CUP, "nowhere")


def test_a_hand_is_believed_to_hold_one_thing() -> None:
    graph = _graph()
    graph.picked(CUP, OTHER)
    graph.picked(BOOK, OTHER)
    assert graph.held(OTHER) == BOOK
    assert "cup_0: unknown in an unknown room" in describe(graph, ME)


def test_what_was_not_found_cannot_be_named() -> None:
    graph = _graph()
    assert graph.find("table_3") == TABLE
    assert graph.find("floor_kitchen_1") == floor_key("kitchen.001")
    assert graph.find("cup_0") is None
    graph.observe(_world(), [CUP])
    assert graph.find("cup_0") == CUP


@given(st.lists(st.frozensets(st.sampled_from((*OBJECTS, TABLE, BED)))))
def test_partial_graph_knows_what_was_seen_and_agrees_with_the_full_one(
    views: list[frozenset[str]],
) -> None:
    full, partial, world = _graph(), _graph(), _world()
    full.observe_all(world)
    for view in views:
        partial.observe(world, view)
    assert set(partial.objects) == frozenset[str]().union(*views) & set(OBJECTS)
    assert all(full.objects[h] == known for h, known in partial.objects.items())
