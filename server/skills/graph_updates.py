"""What a planner's graphs learn from a call that succeeded (PARTNR 3.2)."""

from __future__ import annotations

from episodes.worldgraph import WorldGraph
from server.skills.call import Call
from server.skills.registry import PLACING

STATE_CHANGES = {
    "Clean": ("is_clean", True),
    "Fill": ("is_filled", True),
    "Pour": ("is_filled", True),
    "PowerOn": ("is_powered_on", True),
    "PowerOff": ("is_powered_on", False),
}
"""The state of its first argument that a call brings about."""


def learn(graph: WorldGraph, seat: str, call: Call) -> None:
    """Edit a graph after ``seat`` succeeded with a call; names that the graph does not have
    change nothing. Told to both agents' graphs, or under asymmetry to those that may know.
    """
    if not call.arguments:
        return
    thing = graph.find(call.arguments[0])
    if thing is None:
        return
    name = call.skill.name
    if name == "Pick":
        graph.picked(thing, seat)
    elif call.skill.arguments == PLACING:
        furniture = graph.find(call.arguments[2])
        if furniture in graph.rooms:
            graph.placed(thing, furniture)
    elif name in STATE_CHANGES:
        graph.changed(thing, *STATE_CHANGES[name])
