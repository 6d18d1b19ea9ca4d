"""The reader of chat of the eight people."""

from __future__ import annotations

import pytest

from episodes.worldgraph import WorldGraph
from server.robots.baselines.people.requests import heard_by, understand
from tests.server.sessions.first_house_sessions import HUMAN, core_of, task


@pytest.fixture(scope="module")
def graph() -> WorldGraph:
    core = core_of(task(2))
    seats = [s.seat for s in core.spec.seats]
    found = WorldGraph(core.simulator.scene, core.simulator.catalogue, core.names, seats)
    found.observe_all(core.world)
    return found


@pytest.mark.parametrize(
    ("said", "kind", "skill"),
    [
        ("Could you wash the cup, please?", "do", "Clean"),
        ("Please put the plate on the table.", "do", "Rearrange"),
        ("put the plate on the table", "do", "Rearrange"),
        ("Can you turn on the lamp?", "do", "PowerOn"),
        ("You should open the fridge", "do", "Open"),
        ("Please look around the kitchen", "do", "Explore"),
        ("Could you step aside?", "do", "Away"),
        ("Wait!", "do", "Wait"),
        ("Where is the cup?", "where", ""),
        ("What are you doing?", "doing", ""),
        ("Are you finished?", "done", ""),
        ("What is left?", "left", ""),
        ("Who takes the plate?", "who", ""),
        ("No, that is the wrong one.", "no", ""),
        ("I put the cup on the table.", "other", ""),
        ("Thank you!", "thanks", ""),
        ("", "other", ""),
    ],
)
def test_lines_are_understood(graph: WorldGraph, said: str, kind: str, skill: str) -> None:
    line = understand(said, graph, {})
    assert (line.kind, line.skill) == (kind, skill)


def test_things_and_places_are_found(graph: WorldGraph) -> None:
    line = understand("Could you bring the plate to the table in the dining room?", graph, {})
    assert line.thing.startswith("plate")
    assert line.place.startswith("table")


def test_names_of_the_graph_are_found_too(graph: WorldGraph) -> None:
    name = graph.names.graph[next(iter(graph.objects))]
    assert understand(f"Please take {name}.", graph, {}).thing == next(iter(graph.objects))


def test_what_is_for_somebody_else_is_not_heard(graph: WorldGraph) -> None:
    assert heard_by("@robot wash the cup", HUMAN, graph) == ""
    assert heard_by("@person wash the cup", HUMAN, graph) == "wash the cup"
    assert heard_by("wash the cup", HUMAN, graph) == "wash the cup"
