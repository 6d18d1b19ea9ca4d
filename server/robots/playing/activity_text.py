"""Words for what a body is doing, as its partner reads them: labels instead of names."""

from __future__ import annotations

from episodes.names import Names
from episodes.visible_text import visible_line
from episodes.worldgraph import WorldGraph
from server.skills import Call

LONGEST_NAME = 40
"""Characters of a name that nothing has; those of things are shorter."""


def in_words(call: Call, names: Names, graph: WorldGraph) -> str:
    """Tell what a call does: ``walking to the kitchen``.

    Names that are not known stay, as far as they can be read: anybody may have written them.
    """

    def label(name: str) -> str:
        key = graph.find(name)
        if key is not None:
            return names.labels.get(key, name)
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        return visible_line(short)

    return call.phrased("doing", label)
