"""Tests of what all skills share, under both rule profiles: names, caps, and what graphs learn."""

from __future__ import annotations

import pytest

from episodes.worldgraph import WorldGraph
from server.skills import SKILLS, TOO_LONG, Call, failure, learn, parse
from tests.server.sessions.first_house_sessions import HUMAN
from tests.server.skills.doing import PROFILES, Doing, graph_of

pytestmark = pytest.mark.parametrize("profile", PROFILES)


def test_names_that_are_not_there(profile: str) -> None:
    do = Doing(profile)
    assert do("Pick[unicorn_7]") == failure(
        "Node with name unicorn_7 not present in the graph. "
        "Explore to find it first, or use the exact name of something that is known."
    )
    name = do.name(do.free()[0])
    stem = name.rsplit("_", 1)[0]
    told = do(f"Navigate[{stem}_999]")
    assert f"Node with name {stem}_999 not present in the graph. Use an exact name" in told
    unseen = WorldGraph(do.core.simulator.scene, do.core.simulator.catalogue, do.core.names)
    assert "not present in the graph" in do(f"Pick[{name}]", unseen)


def test_every_cap_ends_a_skill(profile: str) -> None:
    do = Doing(profile)
    name = do.name(do.far(do.free()))
    table = do.name(do.far(do.furniture()))
    room = do.name(do.core.simulator.scene.rooms[-1].room_id)
    for text in (
        f"Navigate[{name}]",
        f"Explore[{room}]",
        f"Rearrange[{name}, on, {table}, none, none]",
    ):
        call = parse(text, "human")
        short = Call(call.skill._replace(cap=4), call.arguments)
        assert do.run(short) == failure(TOO_LONG)
        assert do.ticks == 4
    caps = {s.name: s.cap for s in SKILLS.values()}
    assert (caps["Navigate"], caps["Explore"], caps["Rearrange"], caps["Pick"], caps["Open"]) == (
        600, 2400, 1000, 25, 10,
    )  # fmt: skip


def test_what_graphs_learn_from_success(profile: str) -> None:
    do = Doing(profile)
    graph = graph_of(do.core)
    thing, table = do.free()[0], do.furniture()[0]
    name, on = do.name(thing), do.name(table)
    learn(graph, HUMAN, parse(f"Pick[{name}]", "human"))
    assert graph.held(HUMAN) == thing
    learn(graph, HUMAN, parse(f"Place[{name}, on, {on}, none, none]", "human"))
    assert graph.objects[thing].place.key == table
    learn(graph, HUMAN, parse(f"Clean[{name}]", "human"))
    assert ("is_clean", True) in graph.objects[thing].states
    before = dict(graph.objects)
    learn(graph, HUMAN, parse("Wait", "human"))
    learn(graph, HUMAN, parse("Pick[unicorn_1]", "human"))
    assert graph.objects == before
