"""Perception tools of PARTNR's tools variant: a list, and a question about it."""

from __future__ import annotations

import math
from collections import defaultdict

from episodes.poses import Vec3
from episodes.worldgraph import WorldGraph
from server.robots.policy import Partner, PolicyView

STOP = "<Done>"

_TASKS = {
    "FindObjectTool": (
        "You are told all objects that are known in a home, and a question. Repeat the lines of "
        "the objects that fit the question and nothing else.",
        "cup_0 is in/on table_2 in kitchen_1.\nbook_1 is in/on shelf_7 in bedroom_1.",
        "something to read",
        "book_1 is in/on shelf_7 in bedroom_1.",
    ),
    "FindReceptacleTool": (
        "You are told the furniture of a home by its kind, and a question. Name the furniture that "
        "fits the question and its room, and nothing else.",
        "table: table_2 in kitchen_1, table_9 in bedroom_1\nsink: sink_4 in kitchen_1 (faucet)",
        "a table to eat at",
        "table_2 in kitchen_1",
    ),
    "FindRoomTool": (
        "You are told the rooms of a home, and a question. Name the rooms that fit the question "
        "and nothing else.",
        "kitchen_1\nbedroom_1\nbathroom_1",
        "where food is cooked",
        "kitchen_1",
    ),
}

NO_OBJECTS = "No objects found yet."


def prompt(tool: str, listed: str, question: str) -> str:
    """Return the prompt that stands for a tool; the model ends its answer with `STOP`."""
    job, list_shown, asked, answer = _TASKS[tool]
    return (
        f"{job} End with {STOP}.\n\n"
        f"Known:\n{list_shown}\nQuestion: {asked}\nAnswer: {answer} {STOP}\n\n"
        f"Known:\n{listed}\nQuestion: {question}\nAnswer:"
    )


def listed(tool: str, graph: WorldGraph, seat: str, position: Vec3) -> str:
    """Return the list that a tool searches for a seat; empty where nothing is known."""
    if tool == "FindObjectTool":
        return _objects(graph, seat, position)
    if tool == "FindReceptacleTool":
        return _furniture(graph)
    return "\n".join(graph.names.graph[room.room_id] for room in graph.scene.rooms)


def _objects(graph: WorldGraph, seat: str, position: Vec3) -> str:
    names = graph.names.graph
    where = {f.handle: f.pose.position for f in graph.scene.furniture}
    lines = []
    for handle, known in graph.objects.items():
        kind, key = known.place
        if kind == "furniture":
            far = math.dist(position, where[key]) if key in where else None
            away = "" if far is None else f" and {far:.2f} meters away from the agent"
            line = f"{names[handle]} is in/on {names[key]}{away} in {names[graph.rooms[key]]}."
        elif kind == "agent":
            holder = "agent" if key == seat else "other agent"
            line = f"{names[handle]} is held by the {holder}."
        else:
            line = f"{names[handle]} is somewhere unknown."
        if known.states:
            states = ", ".join(f"{n.removeprefix('is_')}: {v}" for n, v in known.states)
            line += f" It has the following states: {states}."
        lines.append(line)
    return "\n".join(lines)


def _furniture(graph: WorldGraph) -> str:
    names = graph.names.graph
    by_class: dict[str, list[str]] = defaultdict(list)
    for handle, room in graph.rooms.items():
        name = names[handle]
        faucet = " (faucet)" if handle in graph.faucets else ""
        kind = "floor" if name.startswith("floor_") else name.rpartition("_")[0]
        by_class[kind].append(f"{name} in {names[room]}{faucet}")
    return "\n".join(f"{kind}: {', '.join(things)}" for kind, things in by_class.items())


def partner(view: PolicyView) -> str:
    """Describe what the partner was seen doing, in order, and where it is and holds now.

    What is not known is left out; several partners have a line each.
    """
    if len(view.partners) > 1:
        return "\n".join(_each(view, one) for one in view.partners)
    acts, graph = view.partner_acts, view.graph
    told = [p for p in view.partners if p.position is not None]
    lines = ["Your partner has not been seen doing anything yet."]
    if acts:
        lines = [f"Your partner has done, in this order: {', '.join(act.text for act in acts)}."]
    lines += [_whereabouts(graph, p.seat) for p in told[:1]]
    return " ".join(lines)


def _each(view: PolicyView, partner: Partner) -> str:
    """Describe one of several partners."""
    acts = [act.text for act in view.partner_acts if act.seat == partner.seat]
    done = f"has done, in this order: {', '.join(acts)}." if acts else "was not seen acting yet."
    line = f"The {partner.name} {done}"
    if partner.position is not None:
        line += " " + _whereabouts(view.graph, partner.seat)
    return line


def _whereabouts(graph: WorldGraph, seat: str) -> str:
    room, held = graph.agents.get(seat), graph.held(seat)
    where = f"in {graph.names.graph[room]}" if room else "in no room"
    what = f" and holds {graph.names.graph[held]}" if held else ""
    return f"It is {where}{what} now."
