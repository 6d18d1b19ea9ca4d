"""Example retrieval: a frozen library of solved tasks, and the one most like an instruction."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from episodes.bounded_files import (
    LARGEST_DOCUMENT,
    UnreadableError,
    decode_document,
    read_file,
)
from server.robots.policy_spec import RobotError

VERSION = 1
_K1, _B = 1.5, 0.75
"""BM25's usual constants."""


class NoLibraryError(RobotError):
    """Error for a library of traces that is missing or cannot be read; the message says why."""


class Example(NamedTuple):
    """A solved task as the model is shown it."""

    name: str
    text: str
    library: str
    """Hash of the library that holds the example."""


class SolvedTrace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Record of how a seat solved a task: its thoughts, calls and responses, as text."""

    name: str
    """Task id."""
    instruction: str
    text: str


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    version: int
    traces: tuple[SolvedTrace, ...]


class Library:
    """Immutable collection of traces; ``digest`` identifies it."""

    def __init__(self, traces: Sequence[SolvedTrace], digest: str = "") -> None:
        self.traces = tuple(traces)
        self.digest = digest or hashlib.sha256(self._encoded()).hexdigest()

    def _encoded(self) -> bytes:
        return msgspec.json.format(
            msgspec.json.encode(_File(version=VERSION, traces=self.traces)), indent=1
        )

    @classmethod
    def read(cls, path: Path) -> Library:
        """Read a library from a file. Raises NoLibraryError."""
        try:
            data = read_file(path, LARGEST_DOCUMENT)
            file = decode_document(path, data, msgspec.json.Decoder(_File))
        except OSError as error:
            raise NoLibraryError(f"{path}: {error.strerror or error}") from error
        except UnreadableError as error:
            raise NoLibraryError(f"{path} is not a library of traces: {error.reason}") from error
        if file.version != VERSION:
            raise NoLibraryError(f"{path} has version {file.version}, this reads {VERSION}")
        if not file.traces:
            raise NoLibraryError(f"{path} has no traces")
        return cls(file.traces, hashlib.sha256(data).hexdigest())

    def write(self, path: Path) -> None:
        """Write the library to a new file. Raises FileExistsError.

        A library is never overwritten, because logs name it by its hash.
        """
        with path.open("xb") as file:
            file.write(self._encoded())

    def example(self, number: int) -> Example:
        trace = self.traces[number]
        text = f"Task: {trace.instruction}\n{trace.text}"
        return Example(trace.name, text, self.digest)


class Similarity(Protocol):
    async def most_similar(self, instruction: str) -> Example: ...


class WordSimilarity:
    """Similarity by BM25 over the words of the instructions; of equals the first wins."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._counts = [Counter(_words(t.instruction)) for t in library.traces]
        self._mean = sum(map(Counter.total, self._counts)) / len(self._counts)
        in_how_many = Counter(word for counts in self._counts for word in counts)
        n = len(self._counts)
        self._weight = {
            word: math.log(1 + (n - count + 0.5) / (count + 0.5))
            for word, count in in_how_many.items()
        }

    def score(self, instruction: str, number: int) -> float:
        counts = self._counts[number]
        norm = _K1 * (1 - _B + _B * counts.total() / self._mean)
        return sum(
            self._weight[word] * counts[word] * (_K1 + 1) / (counts[word] + norm)
            for word in set(_words(instruction))
            if counts[word]
        )

    async def most_similar(self, instruction: str) -> Example:
        among = range(len(self._counts))
        return self._library.example(max(among, key=lambda n: self.score(instruction, n)))


Embed = Callable[[Sequence[str]], Awaitable[Sequence[Sequence[float]]]]
"""Function that returns the vectors of some texts, in their order."""


class EmbeddingSimilarity:
    """Similarity by the dot product of unit vectors; the largest wins."""

    def __init__(self, library: Library, embed: Embed) -> None:
        self._library = library
        self._embed = embed
        self._vectors: list[list[float]] | None = None

    async def most_similar(self, instruction: str) -> Example:
        if self._vectors is None:
            texts = [trace.instruction for trace in self._library.traces]
            self._vectors = [_unit(vector) for vector in await self._embed(texts)]
        (raw,) = await self._embed([instruction])
        wanted = _unit(raw)
        products = [sum(a * b for a, b in zip(wanted, v, strict=True)) for v in self._vectors]
        return self._library.example(max(range(len(products)), key=products.__getitem__))


@lru_cache(4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z]+", text.lower()))


def _unit(vector: Sequence[float]) -> list[float]:
    length = math.hypot(*vector)
    if not length:
        raise ValueError("an embedding is zero")
    return [x / length for x in vector]
