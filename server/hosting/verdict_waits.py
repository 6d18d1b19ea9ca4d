"""Waits of readers for verdicts that are on their way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class VerdictWaits:
    """Waits for verdicts; each reader has its own, which ends with its reading."""

    def __init__(self) -> None:
        self._waits: dict[str, set[asyncio.Event]] = {}

    @contextmanager
    def arrival(self, episode_id: str) -> Iterator[asyncio.Event]:
        """Give what is set when the verdict of an episode is stored from now on.

        Whoever reads the episode within the block, and finds no verdict, misses none.
        """
        arrived = asyncio.Event()
        waits = self._waits.setdefault(episode_id, set())
        waits.add(arrived)
        try:
            yield arrived
        finally:
            waits.discard(arrived)
            if not waits and self._waits.get(episode_id) is waits:
                del self._waits[episode_id]

    def tell(self, episode_id: str) -> None:
        """End all waits for the verdict of an episode: it is stored."""
        for arrived in self._waits.get(episode_id, ()):
            arrived.set()
