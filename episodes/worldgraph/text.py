"""Text of a world graph, in the words that PARTNR's planners read."""

from __future__ import annotations

from collections.abc import Mapping

from episodes.bodies import SeatKind
from episodes.worldgraph.graph import Known, Place, WorldGraph

FEWEST_NUMBERED = 3
"""Number of bodies from which "the other agent" would not say which."""


def describe(
    graph: WorldGraph,
    seat: str | None,
    *,
    states: bool = False,
    holders: Mapping[str, str] | None = None,
) -> str:
    """Describe furniture, faucets and objects to ``seat``; None: to one planner of all agents.

    ``holders`` names other bodies by seat, where the reader knows them by names and not by numbers.
    """
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
    named = holders or {}
    for handle, known in graph.objects.items():
        told = _states(known.states) if states else ""
        lines.append(f"{names[handle]}: {_where(graph, known, seat, named)}{told}")
    if not graph.objects:
        lines.append("No objects found yet")
    return "\n".join(lines)


BODIES = {"robot": "SpotRobot", "human": "Human"}


def dump(graph: WorldGraph) -> str:
    """Return the graph as a tree, a tab per level: house, rooms, furniture, objects, agents."""
    names = graph.names.graph
    lines = ["House: house"]
    for room in graph.scene.rooms:
        lines.append(f"\tRoom: {names[room.room_id]}")
        for furniture in graph.furniture_of(room.room_id):
            told = _states(graph.furniture_states.get(furniture, ()))
            lines.append(f"\t\tFurniture: {names[furniture]}{told}")
            lines += [
                f"\t\t\tObject: {names[handle]}{_states(known.states)}"
                for handle, known in graph.objects.items()
                if known.place == Place("furniture", furniture)
            ]
        for seat, where in graph.agents.items():
            if where == room.room_id:
                lines += _agent(graph, seat, 2)
    for seat, where in graph.agents.items():
        if not where:
            lines += _agent(graph, seat, 1)
    lost = [h for h, known in graph.objects.items() if known.place.kind == "unknown"]
    if lost:
        lines.append("\tRoom: unknown_room")
        lines += [f"\t\tObject: {names[h]}{_states(graph.objects[h].states)}" for h in lost]
    return "\n".join(lines)


def _agent(graph: WorldGraph, seat: str, depth: int) -> list[str]:
    names, tabs = graph.names.graph, "\t" * depth
    number, kind = _agents(graph).get(seat, (len(graph.seats), "human"))
    lines = [f"{tabs}{BODIES[kind]}: agent_{number}"]
    held = graph.held(seat)
    if held is not None:
        lines.append(f"{tabs}\tObject: {names[held]}{_states(graph.objects[held].states)}")
    return lines


def _agents(graph: WorldGraph) -> dict[str, tuple[int, SeatKind]]:
    """Return the number and the kind of every agent, by seat id."""
    return {seat.seat_id: (number, seat.kind) for number, seat in enumerate(graph.seats)}


def _where(graph: WorldGraph, known: Known, seat: str | None, holders: Mapping[str, str]) -> str:
    kind, key = known.place
    if kind == "furniture":
        names = graph.names.graph
        return f"{names[key]} in {names[graph.rooms[key]]}"
    if kind == "agent":
        if key == seat:
            return "held by the agent"
        if key in holders:
            return f"held by {holders[key]}"
        agents = _agents(graph)
        if seat is None and key in agents:
            number, body = agents[key]
            return f"held by Agent {number} ({body.capitalize()})"
        if seat is None:
            return f"held by {key}"
        if len(agents) < FEWEST_NUMBERED or key not in agents:
            return "held by the other agent"
        return f"held by agent_{agents[key][0]}"
    return "unknown in an unknown room"


def _states(states: tuple[tuple[str, bool], ...]) -> str:
    if not states:
        return ""
    told = ", ".join(f"{name.removeprefix('is_')}: {value}" for name, value in states)
    return f". States: {told}"
