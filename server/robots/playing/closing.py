"""The end of a seat's part: everybody else has finished, and it only waits."""

from __future__ import annotations

from server.robots.playing.knowledge import Knowledge
from server.robots.policy import Decision, Do, Pause
from server.sessions.spec import TICK_RATE
from server.skills import Call

LOOKING = frozenset({"Navigate", "Explore", "Wait"})
"""Skills that change nothing: with an empty hand they may have lost their purpose."""


class Closing:
    """Watch over a seat beside partners who have all finished, or left.

    Nothing that it waits for will happen any more: a person who has finished sits there and waits
    for it. What it still does it may bring to an end.
    """

    def __init__(self, most_s: float | None) -> None:
        self._most = None if most_s is None else round(most_s * TICK_RATE)
        self._is_on = False
        self._idle_since: int | None = None
        """Tick from which it has only paused or waited, beside partners who have finished."""

    def begins(self, knows: Knowledge) -> bool:
        """Tell whether the last partner has finished just now."""
        was_on = self._is_on
        self._is_on = self._most is not None and knows.are_others_done
        if not self._is_on:
            self._idle_since = None
        return self._is_on and not was_on

    def note(self, decision: Decision, tick: int) -> None:
        """Take note of a decision: it goes on waiting, or does something."""
        waits = isinstance(decision, Pause) or (
            isinstance(decision, Do)
            and isinstance(decision.call, Call)
            and decision.call.name == "Wait"
        )
        if not waits or not self._is_on:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = tick

    @property
    def due(self) -> int | None:
        """Tick at which its waiting is over and it has finished; None: it may wait."""
        if self._idle_since is None or self._most is None:
            return None
        return self._idle_since + self._most
