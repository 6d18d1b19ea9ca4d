"""Ranking of examples by likeness to what was said: by words (BM25), by embeddings, or not at all.

HELPER-X embeds and takes the nearest by Euclidean distance; the words need no server.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from server.robots.policies.helper.memory import DOMAINS, Domain, Memories, Memory
from server.robots.policies.shared.retrieval import Embed, Library, SolvedTrace, WordSimilarity


class Ranking(Protocol):
    """Ranking of texts by how like they are to another one."""

    async def distances(self, query: str, keys: Sequence[str]) -> list[float]:
        """Return the distance of each key, by position; smaller is nearer."""
        ...

    async def to_kinds(self, query: str, kinds: Sequence[str]) -> list[float]:
        """Return the distance to a few long texts, each of which stands for a kind of text."""
        ...


class WordRanking:
    """Ranking by BM25 over the given texts; words that all have in common count for little."""

    async def distances(self, query: str, keys: Sequence[str]) -> list[float]:
        known = WordSimilarity(
            Library([SolvedTrace(name="", instruction=k, text="") for k in keys])
        )
        return [-known.score(query, number) for number in range(len(keys))]

    async def to_kinds(self, query: str, kinds: Sequence[str]) -> list[float]:
        """Return the angle between weighted counts as the distance to each kind.

        Words that a kind always has and the query has not speak against it, which BM25 does not
        know.
        """
        counts = [_counted(kind) for kind in kinds]
        in_how_many = Counter(word for counted in counts for word in counted)

        def vector(counted: Counter[str]) -> dict[str, float]:
            return {
                word: (1 + math.log(times)) * math.log(1 + len(kinds) / in_how_many[word])
                for word, times in counted.items()
                if in_how_many[word]
            }

        wanted = vector(_counted(query))
        return [-_cosine(wanted, vector(counted)) for counted in counts]


class EmbeddingRanking:
    """Ranking by Euclidean distance of a server's vectors; each text is embedded once."""

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

    async def to_kinds(self, query: str, kinds: Sequence[str]) -> list[float]:
        return await self.distances(query, kinds)


class PositionRanking(WordRanking):
    """Ranking by position: the ablation without retrieval of examples."""

    async def distances(self, query: str, keys: Sequence[str]) -> list[float]:
        return [float(number) for number in range(len(keys))]


class Recalled(NamedTuple):
    """Retrieved examples, the nearest first, each with its distance."""

    examples: tuple[Memory, ...]
    distances: tuple[float, ...]

    @property
    def names(self) -> str:
        return " ".join(record.name for record in self.examples)


async def nearest(ranking: Ranking, query: str, among: Sequence[Memory], count: int) -> Recalled:
    """Return the ``count`` nearest of some examples; the first of equals."""
    if not count or not among:
        return Recalled((), ())
    distances = await ranking.distances(query, [record.key for record in among])
    order = sorted(range(len(among)), key=lambda n: (distances[n], n))[:count]
    return Recalled(tuple(among[n] for n in order), tuple(distances[n] for n in order))


async def nearest_domain(
    ranking: Ranking, query: str, memories: Memories, templates: dict[Domain, str]
) -> Domain:
    """Return the domain whose template with all its examples is nearest: prompt retrieval."""
    keys = [
        "\n".join([templates[domain], *(r.key for r in memories.plans(domain))])
        for domain in DOMAINS
    ]
    distances = await ranking.to_kinds(query, keys)
    return DOMAINS[min(range(len(DOMAINS)), key=lambda n: (distances[n], n))]


def _counted(text: str) -> Counter[str]:
    return Counter(re.findall("[a-z]+", text.lower()))


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    lengths = math.hypot(*one.values()) * math.hypot(*other.values())
    product = math.fsum(x * other[word] for word, x in one.items() if word in other)
    return product / lengths if lengths else 0.0
