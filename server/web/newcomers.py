"""Newcomers: participants so new that their browser may not have its cookie yet.

Who presses a button twice sends two forms before the first answer comes. Without this they would
be two participants, in two sessions.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

KEPT_S = 60.0
"""Seconds for which a newcomer is known by the form; the cookie has come long before."""
MOST = 10_000


@dataclass
class Newcomer:
    """Browser that has sent a form, and who it is found to be."""

    since: float
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    identity: tuple[str, str] | None = None
    """Participant, and the secret of the cookie."""


class Newcomers:
    """Browsers that have sent a form lately, by the random value that their forms bear."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._known: OrderedDict[str, Newcomer] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    @asynccontextmanager
    async def turn(self, nonce: str) -> AsyncIterator[Newcomer]:
        """Take a browser's turn: its forms are looked at one after the other."""
        now = self._clock()
        self._forget(now)
        newcomer = self._known.setdefault(nonce, Newcomer(now))
        async with newcomer.turn:
            yield newcomer

    def _forget(self, now: float) -> None:
        while self._known:
            oldest = next(iter(self._known.values()))
            if len(self._known) < MOST and oldest.since + KEPT_S > now:
                return
            self._known.popitem(last=False)
