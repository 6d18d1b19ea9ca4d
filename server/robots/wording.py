"""What a body is doing, in the words of its partner: labels instead of names."""

from __future__ import annotations

from episodes.names import Names
from episodes.worldgraph import WorldGraph
from server.skills import Call

_WORDS = {
    "Navigate": "walking to the {0}",
    "Explore": "looking around the {0}",
    "Pick": "picking up the {0}",
    "Place": "putting down the {0}",
    "Rearrange": "taking the {0} to the {2}",
    "Open": "opening the {0}",
    "Close": "closing the {0}",
    "Wait": "waiting",
    "Clean": "washing the {0}",
    "Fill": "filling the {0}",
    "Pour": "pouring into the {0}",
    "PowerOn": "switching on the {0}",
    "PowerOff": "switching off the {0}",
}


def in_words(call: Call, names: Names, graph: WorldGraph) -> str:
    """``walking to the kitchen``. A name that is not known is left as it is."""
    labels = []
    for name in call.arguments:
        key = graph.find(name)
        labels.append(name if key is None else names.labels.get(key, name))
    return _WORDS[call.skill.name].format(*labels)
