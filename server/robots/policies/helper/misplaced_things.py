"""Things that seem to be out of place.

HELPER has a list from TIDEE's detector, which looks at pictures; here it is the catalogue's table
of where things are usual, over what the seat has seen.
"""

from __future__ import annotations

import re

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.worldgraph import WorldGraph
from server.robots.policies.helper.name_binding import class_in

MOST_LISTED = 20


def out_of_place(graph: WorldGraph) -> list[str]:
    """Return the keys of things that lie where such things are not usual."""
    rooms = {room.room_id: room.class_name for room in graph.scene.rooms}
    found = []
    for key, known in graph.objects.items():
        row = OBJECT_CLASSES.get(class_in(graph, key))
        at = known.place.key
        if row is None or known.place.kind != "furniture" or at not in graph.rooms:
            continue
        if class_in(graph, at) not in row.furniture_in(rooms[graph.rooms[at]]):
            found.append(key)
    return found


def seldom_here(graph: WorldGraph) -> str:
    """Describe the misplaced things in a line of a prompt; empty where there are none."""
    names = graph.names.graph
    found = out_of_place(graph)[:MOST_LISTED]
    return f"Seldom kept where they are: {', '.join(names[k] for k in found)}" if found else ""


def rooms_to_see(graph: WorldGraph, instruction: str) -> list[str]:
    """Return the ids of rooms to see before a plan, where nobody says what is to be tidied.

    Somebody wants these rooms tidied without saying what is out of place there. Empty where things
    are named.
    """
    said = instruction.lower()
    if any(_has(said, word) for row in OBJECT_CLASSES.values() for word in (row.noun, row.plural)):
        return []
    return [r.room_id for r in graph.scene.rooms if _has(said, r.class_name.replace("_", " "))]


def _has(said: str, words: str) -> bool:
    return re.search(rf"\b{re.escape(words)}\b", said) is not None
