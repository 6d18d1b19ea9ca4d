"""Turns of newcomers: of the forms that one cookie comes with, only one makes a participant.

Who presses a button twice sends two forms before the first answer comes. Without this they would
be two participants, in two sessions.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class Newcomers:
    """Cookies whose participant is being looked up or made."""

    def __init__(self) -> None:
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._turns)

    @asynccontextmanager
    async def turn(self, fingerprint: str | None) -> AsyncIterator[None]:
        """Take the turn of a cookie; forms without one wait for nobody."""
        turn = asyncio.Lock()
        if fingerprint is not None:
            turn = self._turns.setdefault(fingerprint, turn)
        async with turn:
            yield
