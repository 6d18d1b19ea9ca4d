"""The graph in the words that PARTNR's planners read."""

from __future__ import annotations

from episodes.seats import PAIR
from episodes.worldgraph.graph import Known, WorldGraph

CENTRALIZED = {
    seat.seat_id: f"Agent {number} ({seat.kind.capitalize()})" for number, seat in enumerate(PAIR)
}


def describe(graph: WorldGraph, seat: str | None, *, states: bool = False) -> str:
    """Furniture, faucets and objects, told to ``seat``; None: to one planner of both agents."""
    names = graph.names.graph
    lines = ["Furniture:"]
    for room in graph.scene.rooms:
        things = ", ".join(names[f] for f in graph.furniture_of(room.room_id))
        lines.append(f"{names[room.room_id]}: {things}")
    lines.append("")
    if graph.faucets:
        faucets = ", ".join(names[f] for f in graph.faucets)
        lines.append(f"The following furnitures have a faucet: {faucets}")
    lines.append("Objects:")
    lines += [
        f"{names[handle]}: {_where(graph, known, seat)}{_states(known) if states else ''}"
        for handle, known in graph.objects.items()
    ]
    if not graph.objects:
        lines.append("No objects found yet")
    return "\n".join(lines)


def _where(graph: WorldGraph, known: Known, seat: str | None) -> str:
    kind, key = known.place
    if kind == "furniture":
        names = graph.names.graph
        return f"{names[key]} in {names[graph.rooms[key]]}"
    if kind == "agent":
        if seat is None:
            return f"held by {CENTRALIZED.get(key, key)}"
        return "held by the agent" if key == seat else "held by the other agent"
    return "unknown in an unknown room"


def _states(known: Known) -> str:
    if not known.states:
        return ""
    told = ", ".join(f"{name.removeprefix('is_')}: {value}" for name, value in known.states)
    return f". States: {told}"
