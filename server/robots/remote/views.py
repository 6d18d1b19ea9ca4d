"""A seat's view as plain data, for programs that know nothing of ours."""

from __future__ import annotations

from typing import Any

import msgspec

from episodes.worldgraph import Place, WorldGraph, describe
from server.robots.policy import PolicyView
from server.sessions.spec import TICK_S

MOST_PAST = 50
"""Most calls, acts of others and lines of chat in a view, the latest: each view is logged whole."""


def plain(view: PolicyView) -> dict[str, Any]:
    """Return a view as an object for JSON: names instead of handles, metres, ticks of 1/30 s."""
    graph = view.graph
    held = graph.held(view.seat)
    return {
        "seat": view.seat,
        "body": view.kind,
        "tick": view.tick,
        "seconds": round(view.tick * TICK_S, 2),
        "instruction": view.instruction,
        "position": _point(view.position),
        "room": view.room,
        "holding": None if held is None else graph.names.graph[held],
        "doing": None if view.doing is None else str(view.doing),
        "overtaken": view.overtaken,
        "tools": [
            {
                "name": tool.name,
                "arguments": list(tool.arguments),
                "does": tool.does,
                "example": tool.example,
            }
            for tool in view.tools
        ],
        "world": describe(graph, view.seat, states=True),
        "rooms": [
            {
                "name": graph.names.graph[room.room_id],
                "furniture": [graph.names.graph[f] for f in graph.furniture_of(room.room_id)],
            }
            for room in graph.scene.rooms
        ],
        "objects": [_object(graph, handle) for handle in graph.objects],
        "partners": [
            {
                "seat": partner.seat,
                "name": partner.name,
                "body": partner.kind,
                "position": None if partner.position is None else _point(partner.position),
                "room": graph.names.graph.get(graph.agents.get(partner.seat, ""), ""),
                "finished": partner.finished,
                "left": partner.left,
            }
            for partner in view.partners
        ],
        "history": [
            {"call": past.text, "response": past.response, "began": past.began, "ended": past.ended}
            for past in view.history[-MOST_PAST:]
        ],
        "acts": [
            {"tick": act.tick, "seat": act.seat, "call": act.text}
            for act in view.partner_acts[-MOST_PAST:]
        ],
        "chat": [
            {"tick": line.tick, "seat": line.seat, "text": line.text}
            for line in view.chat[-MOST_PAST:]
        ],
    }


def as_json(view: PolicyView) -> bytes:
    return msgspec.json.encode(plain(view))


def _point(position: tuple[float, ...]) -> list[float]:
    return [round(float(each), 3) for each in position]


def _object(graph: WorldGraph, handle: str) -> dict[str, Any]:
    known = graph.objects[handle]
    place: Place = known.place
    name = graph.names.graph
    return {
        "name": name[handle],
        "on": name.get(place.key) if place.kind == "furniture" else None,
        "room": name.get(graph.rooms.get(place.key, "")) if place.kind == "furniture" else None,
        "held_by": place.key if place.kind == "agent" else None,
        "states": dict(known.states),
    }
