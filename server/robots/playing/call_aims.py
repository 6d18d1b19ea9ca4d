"""Aims of policies: what a body is about to do, from the skill call that runs."""

from __future__ import annotations

from episodes.worldgraph import WorldGraph
from server.sessions.aim import Aim, AimVerb
from server.skills import Call

_VERBS: dict[str, AimVerb] = {
    "Navigate": "go",
    "Explore": "look",
    "Pick": "pick",
    "Place": "place",
    "Rearrange": "place",
    "Open": "open",
    "Close": "close",
    "Clean": "clean",
    "Fill": "fill",
    "Pour": "fill",
    "PowerOn": "power",
    "PowerOff": "power",
}
_PUTTING = ("Place", "Rearrange")


def call_aim(call: Call, graph: WorldGraph, words: str, why: str) -> Aim:
    """Return the aim of a call; ``words`` say what is done. Unknown names are left out."""
    keys = [graph.find(name) or "" for name in call.arguments]
    thing = keys[0] if keys else ""
    place = keys[2] if call.name in _PUTTING and len(keys) > 2 else thing
    return Aim(_VERBS.get(call.name, "wait"), words, thing, place.removeprefix("floor|"), why)
