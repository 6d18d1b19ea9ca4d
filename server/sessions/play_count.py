"""Amounts of play: ticks, and the acts and lines of chat that people saw in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from server.sessions.events import Did, Event, Said


class PlayCount(NamedTuple):
    """An amount of play: of a session up to some tick, or of what was lost of it."""

    ticks: int = 0
    events: int = 0
    """Number of acts and lines of chat."""

    def after(self, earlier: PlayCount) -> PlayCount:
        """Return what was played beyond ``earlier``."""
        return PlayCount(max(self.ticks - earlier.ticks, 0), max(self.events - earlier.events, 0))

    def at_least(self, other: PlayCount) -> PlayCount:
        """Return the larger of both numbers of ticks, and of events."""
        return PlayCount(max(self.ticks, other.ticks), max(self.events, other.events))

    def plus(self, other: PlayCount) -> PlayCount:
        """Return the sum of both."""
        return PlayCount(self.ticks + other.ticks, self.events + other.events)


NO_PLAY = PlayCount()


def seen_events(events: Iterable[Event]) -> int:
    """Return how many of some events are acts or lines of chat, which people notice."""
    return sum(isinstance(event, Did | Said) for event in events)
