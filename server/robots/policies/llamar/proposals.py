"""What ``llamar`` says to its partner, in words."""

from __future__ import annotations

from episodes.worldgraph import WorldGraph
from server.skills.call import parse

_ASKS = {
    "Navigate": "go to the {0}",
    "Explore": "look around the {0}",
    "Pick": "take the {0}",
    "Place": "put the {0} {1} the {2}",
    "Rearrange": "put the {0} {1} the {2}",
    "Open": "open the {0}",
    "Close": "close the {0}",
    "Wait": "wait a moment",
    "Clean": "wash the {0}",
    "Fill": "fill the {0} with water",
    "Pour": "pour water into the {0}",
    "PowerOn": "switch on the {0}",
    "PowerOff": "switch off the {0}",
}
_RELATIONS = {"within": "in"}


def proposal(call: str, graph: WorldGraph) -> str:
    """A call of the partner's as a sentence: ``Could you wash the cup 2?``

    Raises CallError for what is no call.
    """
    # A person's skills are all there are.
    wanted = parse(call, "human")

    def label(name: str) -> str:
        key = graph.find(name)
        return _RELATIONS.get(name, name) if key is None else graph.names.labels.get(key, name)

    return f"Could you {_ASKS[wanted.skill.name].format(*map(label, wanted.arguments))}?"
