"""Losses of recordings: what people were shown and nothing has kept, counted and said."""

from __future__ import annotations

import structlog

from server.sessions.play_count import NO_PLAY, PlayCount
from server.sessions.spec import TICK_RATE, TICK_S
from server.wire.messages import Notice

NOTICED_TICKS = 3 * TICK_RATE // 2
"""Least ticks that players are told of: the death of a process always costs up to a second."""

log = structlog.get_logger(__name__)


class Losses:
    """Count of what was lost since the start of this process."""

    def __init__(self) -> None:
        self._lost: dict[str, PlayCount] = {}
        self._at_the_end: dict[str, PlayCount] = {}
        """Play after the end of the logs of sessions that ended, which has been counted."""

    def count(self, session_id: str, lost: PlayCount) -> None:
        """Count what was played of a session and then lost, and say so in the log."""
        if any(lost):
            self._lost[session_id] = self.of(session_id).plus(lost)
            lost_s = round(lost.ticks * TICK_S, 1)
            log.error("session.lost", session=session_id, lost_s=lost_s, lost_events=lost.events)

    def count_at_the_end(self, session_id: str, lost: PlayCount) -> None:
        """Count what the log of a session lacks after its end, when that has come.

        The worker says it, and whoever reads the log again for a result: what both say counts once.
        What was lost before, and the session went on, is counted besides.
        """
        counted = self._at_the_end.get(session_id, NO_PLAY)
        if any(lost.after(counted)):
            self._at_the_end[session_id] = counted.at_least(lost)
            self.count(session_id, lost.after(counted))

    def of(self, session_id: str) -> PlayCount:
        """Return what was lost of a session."""
        return self._lost.get(session_id, NO_PLAY)

    @property
    def sessions(self) -> int:
        return len(self._lost)

    @property
    def seconds(self) -> float:
        return sum(lost.ticks for lost in self._lost.values()) * TICK_S

    @property
    def events(self) -> int:
        return sum(lost.events for lost in self._lost.values())


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


BROKEN = Notice("server", "This home broke and cannot go on.")
"""Notice of a session that broke, until it is known what is saved of it."""


def broken_notice(recorded_ticks: int, lost_ticks: int) -> Notice:
    """Return what players are told of a session that broke, once its log has been read."""
    if recorded_ticks == 0:
        saved = "What you did in it could not be saved."
    elif lost_ticks < NOTICED_TICKS:
        saved = "What you did is saved."
    else:
        seconds = round(lost_ticks * TICK_S)
        saved = f"What you did is saved, but for the last {seconds} seconds."
    return Notice(BROKEN.code, f"{BROKEN.text} {saved}")
