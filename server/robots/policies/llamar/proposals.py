"""Sentences that ``llamar`` says to its partner."""

from __future__ import annotations

from episodes.worldgraph import WorldGraph
from server.skills.call import Call

_RELATIONS = {"within": "in"}


def proposal(call: Call, graph: WorldGraph) -> str:
    """Phrase a call of the partner's as a question: ``Could you wash the cup 2?``."""

    def label(name: str) -> str:
        key = graph.find(name)
        return _RELATIONS.get(name, name) if key is None else graph.names.labels.get(key, name)

    return f"Could you {call.phrased('asking', label)}?"
