"""Times of open sessions: for how long each is kept, and when one that is over is closed.

Limits are of a monotonic clock.
"""

from __future__ import annotations

from collections.abc import Callable

from server.hosting.unfinished_episodes import spec_of
from server.settings import Settings
from server.store.models import SessionRow

CLOSE_DELAY_S = 20.0
"""Seconds that a session's sockets live on after its last verdict: everybody hears of it."""
STUCK_S = 300.0
"""Seconds by which an episode may outlive all its limits: then nobody is there who would end it."""


class SessionTimes:
    """Times of the sessions of one process."""

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        self._settings, self._clock = settings, clock
        self._close_at: dict[str, tuple[float, str]] = {}
        """Sessions that are over but for their farewells: when to close them, and why."""
        self._turned_at: dict[str, float] = {}
        """Times at which this process saw an episode of each session begin, or end. After a restart
        this counts anew; an episode's own limits are in its log, in ticks."""

    def turned(self, session_id: str) -> None:
        """Note that an episode of a session has begun, or ended."""
        self._turned_at[session_id] = self._clock()

    def close_after(self, session_id: str, delay_s: float, reason: str) -> None:
        """Have a session closed in a while; the first reason stays."""
        self._close_at.setdefault(session_id, (self._clock() + delay_s, reason))

    def is_closing(self, session_id: str) -> bool:
        return session_id in self._close_at

    def forget_closing(self, session_id: str) -> None:
        self._close_at.pop(session_id, None)

    def forget(self, session_id: str) -> None:
        self.forget_closing(session_id)
        self._turned_at.pop(session_id, None)

    def over(self, row: SessionRow, is_abandoned: bool) -> str | None:
        """Return why a session is to be closed now; None: it is kept."""
        now = self._clock()
        turned_at = self._turned_at.setdefault(row.session_id, now)
        if row.session_id in self._close_at:
            # The farewells are for those whose sockets are still there.
            close_at, reason = self._close_at[row.session_id]
            return reason if is_abandoned or close_at <= now else None
        if row.episodes[-1].ended_at is not None:
            kept_until = turned_at + self._settings.between_tasks_s
            return "finished" if is_abandoned or kept_until <= now else None
        # A study declares the limit of its attempts.
        declared_s = spec_of(row.episodes[-1], self._settings).time_limit_s
        play_s = declared_s or self._settings.time_limit_s
        limit_s = play_s + self._settings.loading_timeout_s + STUCK_S
        return "failed" if turned_at + limit_s <= now else None

    def kept_s(self, row: SessionRow) -> tuple[float, float]:
        """Return the seconds for which a session is kept without pages, and after a lost socket.

        The second are those that its people are waited for in a task, as a study may declare.
        """
        window_s: float = self._settings.reconnect_window_s
        if row.episodes[-1].ended_at is None:
            window_s = row.spec.get("reconnect_window_s", window_s)
        return self._settings.abandoned_s, window_s
