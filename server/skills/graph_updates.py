"""Updates of a planner's graphs after a call that succeeded (PARTNR 3.2)."""

from __future__ import annotations

from episodes.worldgraph import WorldGraph
from server.skills.call import Call
from server.skills.registry import PLACING


def learn(graph: WorldGraph, seat: str, call: Call) -> None:
    """Edit a graph after ``seat`` succeeded with a call.

    Names that the graph does not have change nothing. Both agents' graphs are told, or under
    asymmetry those that may know.
    """
    thing = graph.find(call.thing)
    if thing is None:
        return
    if call.name == "Pick":
        graph.picked(thing, seat)
    elif call.skill.arguments == PLACING:
        furniture = graph.find(call.place)
        if furniture in graph.rooms:
            graph.placed(thing, furniture)
    elif call.skill.changes is not None:
        graph.changed(thing, *call.skill.changes)
