"""Words for what a body is doing, as its partner reads them: labels instead of names."""

from __future__ import annotations

from episodes.names import Names
from episodes.worldgraph import WorldGraph
from server.skills import Call


def in_words(call: Call, names: Names, graph: WorldGraph) -> str:
    """Tell what a call does: ``walking to the kitchen``. Names that are not known stay."""

    def label(name: str) -> str:
        key = graph.find(name)
        return name if key is None else names.labels.get(key, name)

    return call.phrased("doing", label)
