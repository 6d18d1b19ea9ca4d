"""The input timeout: nobody walks on whose messages stopped coming.

A browser repeats what it drives ten times a second while it moves. One that is stuck (a stalled
network, a frozen tab) keeps its connection for a while; its body must not go on.
"""

from __future__ import annotations

from server.sessions.intents import Drive
from server.sessions.spec import TICK_RATE

SILENCE_TICKS = round(0.7 * TICK_RATE)
"""The silence after which a body is stopped: seven repeats, which a lost packet does not use up."""


class InputTimeout:
    """A memory of when each moving seat last said so, in ticks."""

    def __init__(self) -> None:
        self._told_at: dict[str, int] = {}

    def hear(self, seat: str, drive: Drive, tick: int) -> None:
        """Note a drive that has come in."""
        if drive.forward or drive.strafe:
            self._told_at[seat] = tick
        else:
            self._told_at.pop(seat, None)

    def stuck(self, tick: int) -> list[str]:
        """Return the seats to stop now; each is named once."""
        if not self._told_at:
            return []
        found = [s for s, at in self._told_at.items() if tick - at >= SILENCE_TICKS]
        for seat in found:
            del self._told_at[seat]
        return found
