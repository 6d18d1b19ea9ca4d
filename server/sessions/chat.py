"""Limits of a session's chat: one line of readable text, and not too often."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable

from episodes.visible_text import KEPT, is_control, is_invisible, with_few_marks
from server.sessions.spec import TICK_RATE

LONGEST_LINE = 500
"""The longest line, in characters. Browsers are told it; a policy's longer line is cut off."""
MOST_LINES = 10
WITHIN_TICKS = 10 * TICK_RATE
"""The time in which a seat may say `MOST_LINES` lines."""


def spoken(text: str) -> str:
    """Return a line as it is told: without control characters or anything invisible.

    Spaces are single, and letters have few marks. Empty: there is nothing to tell.
    """
    shown = (_shown(c) for c in text)
    line = with_few_marks(" ".join("".join(shown).split()))
    if KEPT.issuperset(line.replace(" ", "")):
        return ""
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1].rstrip()}…"


def _shown(char: str) -> str:
    if is_control(char):
        return " "
    return "" if is_invisible(char) else char


class HiddenWords:
    """Words of which nobody is shown more than stars; the log has what was written."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        # The longest first, so that none is hidden in part only.
        known = sorted((" ".join(word.split()) for word in words), key=len, reverse=True)
        either = "|".join(re.escape(word) for word in known)
        self._pattern = re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE) if known else None

    def starred(self, line: str) -> str:
        """Return a line with a star for each letter of the words that are hidden."""
        if self._pattern is None:
            return line
        return self._pattern.sub(lambda found: re.sub(r"\S", "*", found[0]), line)


class ChatLimit:
    """A counter of each seat's lines.

    It is no part of the session's state: what was refused has not been said.
    """

    def __init__(self) -> None:
        self._said: dict[str, deque[int]] = defaultdict(lambda: deque(maxlen=MOST_LINES))

    def admits(self, seat: str, tick: int) -> bool:
        """Tell whether the seat may say a line now; if so, count it as said."""
        said = self._said[seat]
        if len(said) == MOST_LINES and tick - said[0] < WITHIN_TICKS:
            return False
        said.append(tick)
        return True
