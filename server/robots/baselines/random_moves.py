"""``random``: a policy that carries known things to random furniture (PARTNR's random planner)."""

from __future__ import annotations

import random

from server.robots.policy import Decision, Do, Finished, Policy, PolicyView
from server.skills.call import Call


class RandomMoves(Policy):
    """A policy that explores until it knows an object, then rearranges, one thing after another."""

    def __init__(self, seed: int = 0, moves: int = 20) -> None:
        """Seed its choices; after ``moves`` calls it has finished."""
        self._rng = random.Random(seed)
        self._left = moves

    async def decide(self, view: PolicyView) -> Decision:
        if self._left <= 0:
            return Finished()
        self._left -= 1
        graph, names = view.graph, view.graph.names.graph
        things = [h for h, known in graph.objects.items() if known.place.kind == "furniture"]
        if not things:
            return Do(Call.of("Explore", names[self._rng.choice(graph.scene.rooms).room_id]))
        thing, furniture = self._rng.choice(things), self._rng.choice(list(graph.rooms))
        return Do(Call.putting("Rearrange", names[thing], "on", names[furniture]))
