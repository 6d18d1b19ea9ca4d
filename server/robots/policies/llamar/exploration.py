"""Exploration: where to look for what the open subtasks need (LLaMAR's Algorithm 1).

Words stand in the place of the paper's pictures.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from episodes.poses import Vec3
from episodes.worldgraph import WorldGraph
from server.robots.policies.shared.retrieval import Embed, Library, SolvedTrace, WordSimilarity
from server.robots.policy import PolicyView
from server.skills.call import Call

HEADINGS = ("north", "east", "south", "west")
"""Quarters of what is around a body; north is -Z."""


class Scores(Protocol):
    async def __call__(self, subtasks: Sequence[str], texts: Sequence[str]) -> list[float]:
        """Return the sum of each text's similarities with the subtasks."""
        ...


async def by_words(subtasks: Sequence[str], texts: Sequence[str]) -> list[float]:
    """Score texts by BM25, summed over the subtasks."""
    if not any(texts):
        return [0.0] * len(texts)
    traces = [SolvedTrace(name=str(n), instruction=t, text="") for n, t in enumerate(texts)]
    found = WordSimilarity(Library(traces, digest="headings"))
    return [math.fsum(found.score(subtask, n) for subtask in subtasks) for n, _ in enumerate(texts)]


class EmbeddingSimilarity:
    """Score by the cosine, summed over the subtasks: E_d of LLaMAR's appendix C.2."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    async def __call__(self, subtasks: Sequence[str], texts: Sequence[str]) -> list[float]:
        vectors = await self._embed([*subtasks, *texts])
        wanted, seen = vectors[: len(subtasks)], vectors[len(subtasks) :]
        return [math.fsum(_cosine(w, s) for w in wanted) for s in seen]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    product = math.hypot(*one) * math.hypot(*other)
    return math.fsum(a * b for a, b in zip(one, other, strict=True)) / product if product else 0.0


class ExplorationTarget(NamedTuple):
    """Target of an exploration: a call, what it goes to, and what it was chosen for."""

    call: Call
    goal: str
    towards: str


async def by_heading(
    view: PolicyView, subtasks: Sequence[str], visited: Collection[str], score: Scores
) -> ExplorationTarget | None:
    """Return the nearest unvisited furniture towards the heading most like the subtasks.

    Of equal headings the first is taken, and the next best one where no furniture is left.
    ``visited`` holds handles. None: all furniture has been visited.
    """
    graph, here = view.graph, view.graph.room_at(view.position)
    left: list[list[tuple[bool, float, str]]] = [[] for _ in HEADINGS]
    for furniture in graph.scene.furniture:
        if furniture.handle in visited:
            continue
        there = furniture.pose.position
        away = math.dist(view.position, there)
        # What is in the same room first: other rooms are reached through doors.
        entry = (furniture.room_id != here, away, furniture.handle)
        left[heading(view.position, there)].append(entry)
    scores = await score(subtasks, around(view))
    for n in sorted(range(len(HEADINGS)), key=lambda n: -scores[n]):
        if left[n]:
            goal = min(left[n])[2]
            return ExplorationTarget(
                Call.of("Navigate", graph.names.graph[goal]), goal, HEADINGS[n]
            )
    return None


async def by_room(
    view: PolicyView, subtasks: Sequence[str], visited: Collection[str], score: Scores
) -> ExplorationTarget | None:
    """Return the unvisited room that is most like the subtasks; of equals the nearest.

    ``visited`` holds room ids. None: all rooms have been visited.
    """
    graph = view.graph
    rooms = [room for room in graph.scene.rooms if room.room_id not in visited]
    if not rooms:
        return None
    texts = [
        " ".join(
            [_words(graph, r.room_id), *(_words(graph, f) for f in graph.furniture_of(r.room_id))]
        )
        for r in rooms
    ]
    scores = await score(subtasks, texts)
    away = [math.dist(view.position, room.middle) for room in rooms]
    best = min(range(len(rooms)), key=lambda n: (-scores[n], away[n]))
    name = graph.names.graph[rooms[best].room_id]
    skill = "Explore" if any(s.name == "Explore" for s in view.tools) else "Navigate"
    return ExplorationTarget(Call.of(skill, name), rooms[best].room_id, name)


def around(view: PolicyView) -> list[str]:
    """Describe in words what is seen towards each of the `HEADINGS`.

    These are the furniture and the known things of this room, and the rooms that lie beyond.
    """
    graph, here = view.graph, view.graph.room_at(view.position)
    seen: list[list[str]] = [[] for _ in HEADINGS]
    where = {f.handle: f.pose.position for f in graph.scene.furniture}
    for furniture in graph.scene.furniture:
        if furniture.room_id == here:
            towards = heading(view.position, where[furniture.handle])
            seen[towards].append(_words(graph, furniture.handle))
    for handle, known in graph.objects.items():
        place = known.place.key
        if place in where and graph.rooms[place] == here:
            seen[heading(view.position, where[place])].append(_words(graph, handle))
    for room in graph.scene.rooms:
        if room.room_id != here:
            seen[heading(view.position, room.middle)].append(_words(graph, room.room_id))
    return [" ".join(words) for words in seen]


def heading(here: Vec3, there: Vec3) -> int:
    """Return the index in `HEADINGS` of the quarter in which a point lies."""
    angle = math.atan2(there[0] - here[0], here[2] - there[2])
    return round(angle / (math.pi / 2)) % len(HEADINGS)


def _words(graph: WorldGraph, key: str) -> str:
    """Return the words of a name: ``living room`` for ``living_room_1``."""
    return graph.names.graph[key].rpartition("_")[0].replace("_", " ")
