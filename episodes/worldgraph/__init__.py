"""World graph: what an agent knows of rooms, furniture, objects and who holds them."""

from episodes.worldgraph.graph import UNKNOWN, Known, Place, WorldGraph
from episodes.worldgraph.text import describe, dump

__all__ = ["UNKNOWN", "Known", "Place", "WorldGraph", "describe", "dump"]
