"""Losses of recordings: what people were shown and nothing has kept, counted and said."""

from __future__ import annotations

import structlog

from server.sessions.spec import TICK_RATE, TICK_S
from server.wire.messages import Notice

NOTICED_TICKS = 3 * TICK_RATE // 2
"""Least ticks that players are told of: the death of a process always costs up to a second."""

log = structlog.get_logger(__name__)


class Losses:
    """Count of what was lost since the start of this process."""

    def __init__(self) -> None:
        self._sessions: set[str] = set()
        self._ticks = 0

    def count(self, session_id: str, ticks: int) -> None:
        """Count ticks of a session that were played and then lost, and say so in the log."""
        if ticks > 0:
            self._sessions.add(session_id)
            self._ticks += ticks
            log.error("session.lost", session=session_id, lost_s=round(ticks * TICK_S, 1))

    def count_salvaged(self, session_id: str, ticks: int) -> None:
        """Count what the log of a closed session lacks, unless it was counted when it was lost."""
        if session_id not in self._sessions:
            self.count(session_id, ticks)

    @property
    def sessions(self) -> int:
        return len(self._sessions)

    @property
    def seconds(self) -> float:
        return self._ticks * TICK_S


def unrecorded_problem(sessions: int, seconds: float) -> str:
    """Return what operators are told while sessions cannot be recorded."""
    return (
        f"{sessions} sessions cannot be recorded now: {seconds:.0f} s of play are in no log yet, "
        "and are lost if a process dies; see the server's log"
    )


def loss_notice(ticks: int) -> Notice | None:
    """Return what players are told when a session goes on from before; None for a moment."""
    if ticks < NOTICED_TICKS:
        return None
    seconds = round(ticks * TICK_S)
    return Notice(
        "lost",
        f"It goes on, but the last {seconds} seconds could not be saved: "
        "everything is as it was before them.",
    )
