"""What may be said in a session's chat: one line of readable text, and not too often."""

from __future__ import annotations

import unicodedata
from collections import defaultdict, deque

from server.sessions.spec import TICK_RATE

LONGEST_LINE = 500
"""In characters. Browsers are told so; what a policy says beyond is cut off."""
MOST_LINES = 10
WITHIN_TICKS = 10 * TICK_RATE
"""A seat says at most so many lines in so long a time."""

_KEPT = frozenset("\u200c\u200d\u200e\u200f\u061c")
"""Joiners and marks of direction: scripts need them, and they change nothing beyond their line.
Overrides and embeddings of direction, invisible letters and the like hide or feign text."""


def spoken(text: str) -> str:
    """A line as it is told: without control characters, without what cannot be seen, with single
    spaces. Empty: there is nothing to tell."""
    shown = (_shown(c) for c in text)
    line = " ".join("".join(shown).split())
    if _KEPT.issuperset(line.replace(" ", "")):
        return ""
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1].rstrip()}…"


def _shown(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category in ("Cf", "Cs") and char not in _KEPT else char


class ChatLimit:
    """Counts the lines of each seat. It is no part of the session's state: what was refused has
    not been said."""

    def __init__(self) -> None:
        self._said: dict[str, deque[int]] = defaultdict(lambda: deque(maxlen=MOST_LINES))

    def admits(self, seat: str, tick: int) -> bool:
        """Whether the seat may say a line now; if so, it has."""
        said = self._said[seat]
        if len(said) == MOST_LINES and tick - said[0] < WITHIN_TICKS:
            return False
        said.append(tick)
        return True
