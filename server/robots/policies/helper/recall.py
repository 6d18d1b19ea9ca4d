"""Which examples are most like what was said: by words (BM25), by embeddings, or simply the first.

HELPER-X embeds and takes the nearest by Euclidean distance; the words need no server.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from server.robots.policies.helper.memory import DOMAINS, Domain, Memories, Memory
from server.robots.policies.retrieval import ByWords, Embed, Library, SolvedTrace


class Ranks(Protocol):
    """Orders texts by how like they are to another one."""

    async def distances(self, query: str, keys: Sequence[str]) -> list[float]:
        """By position, smaller is nearer."""
        ...


class RanksByWords:
    """BM25 over what it is given; words that all have in common count for little."""

    async def distances(self, query: str, keys: Sequence[str]) -> list[float]:
        known = ByWords(Library([SolvedTrace(name="", instruction=k, text="") for k in keys]))
        return [-known.score(query, number) for number in range(len(keys))]


class RanksByEmbedding:
    """The Euclidean distance between the vectors of a server; each text is embedded once."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._vectors: dict[str, Sequence[float]] = {}

    async def distances(self, query: str, keys: Sequence[str]) -> list[float]:
        new = [text for text in dict.fromkeys((query, *keys)) if text not in self._vectors]
        if new:
            vectors = await self._embed(new)
            self._vectors |= dict(zip(new, vectors, strict=True))
        there = self._vectors[query]
        return [math.dist(there, self._vectors[key]) for key in keys]


class InOrder:
    """The first ones as they stand: the ablation without retrieval."""

    async def distances(self, query: str, keys: Sequence[str]) -> list[float]:
        return [float(number) for number in range(len(keys))]


class Recalled(NamedTuple):
    """The nearest examples first, each with its distance."""

    examples: tuple[Memory, ...]
    distances: tuple[float, ...]

    @property
    def names(self) -> str:
        return " ".join(record.name for record in self.examples)


async def nearest(ranks: Ranks, query: str, among: Sequence[Memory], count: int) -> Recalled:
    """The ``count`` nearest of some examples; the first of equals."""
    if not count or not among:
        return Recalled((), ())
    distances = await ranks.distances(query, [record.key for record in among])
    order = sorted(range(len(among)), key=lambda n: (distances[n], n))[:count]
    return Recalled(tuple(among[n] for n in order), tuple(distances[n] for n in order))


async def nearest_domain(
    ranks: Ranks, query: str, memories: Memories, templates: dict[Domain, str]
) -> Domain:
    """Prompt retrieval: the domain whose template with all its examples is nearest."""
    keys = [
        "\n".join([templates[domain], *(r.key for r in memories.plans(domain))])
        for domain in DOMAINS
    ]
    distances = await ranks.distances(query, keys)
    return DOMAINS[min(range(len(DOMAINS)), key=lambda n: (distances[n], n))]
