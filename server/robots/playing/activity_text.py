"""What a body is doing, in the words of its partner: labels instead of names."""

from __future__ import annotations

from collections.abc import Callable

from episodes.names import Names
from episodes.worldgraph import WorldGraph
from server.skills import Call, parse

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

    def label(name: str) -> str:
        key = graph.find(name)
        return name if key is None else names.labels.get(key, name)

    return _in_words(call, label)


def words_of(text: str, label: Callable[[str], str]) -> str:
    """The same of a call as a planner writes it; ``label`` is asked for each name in it.

    Raises CallError for what is no call.
    """
    # A person's skills are all there are.
    return _in_words(parse(text, "human"), label)


def _in_words(call: Call, label: Callable[[str], str]) -> str:
    return _WORDS[call.skill.name].format(*map(label, call.arguments))
