"""Presence of pages: for how long no page of a session has asked for anything.

A page asks with its requests and is there while its socket is. What becomes of a seat whose browser
is gone is the worker's attendance; this says when nobody at all follows a session any more, also
where no browser ever came, and between two tasks, when no socket is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _Pages:
    """The pages of a session."""

    __slots__ = ("asked_at", "expected_until", "had_socket", "seats")

    def __init__(self, now: float, had_socket: bool) -> None:
        self.asked_at = self.expected_until = now
        self.seats: list[str] = []
        """Seats of the pages whose sockets are there, one for each socket."""
        self.had_socket = had_socket


class PagePresence:
    """Presence of the pages of all open sessions, on a clock of the caller's choice."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._pages: dict[str, _Pages] = {}

    def begin(self, session_id: str, *, had_socket: bool = False) -> None:
        """Begin to watch for the pages of a session; ``had_socket``: one of them had a socket."""
        self._pages[session_id] = _Pages(self._clock(), had_socket)

    def forget(self, session_id: str) -> None:
        """Stop watching: the session is closed. Idempotent."""
        self._pages.pop(session_id, None)

    def ask(self, session_id: str) -> None:
        """Note that a page has asked for something."""
        pages = self._pages.get(session_id)
        if pages is not None:
            pages.asked_at = self._clock()

    def expect(self, session_id: str, seconds: float) -> None:
        """Note that a page which was there until now comes within so many seconds."""
        pages = self._pages.get(session_id)
        if pages is not None:
            pages.expected_until = self._clock() + seconds

    @contextmanager
    def socket(self, session_id: str, seat: str = "") -> Iterator[None]:
        """Count a page of a seat as there while its socket is."""
        pages = self._pages.get(session_id)
        if pages is None:
            yield
            return
        pages.seats.append(seat)
        pages.had_socket = True
        try:
            yield
        finally:
            pages.seats.remove(seat)
            pages.asked_at = self._clock()

    def seats(self, session_id: str) -> set[str]:
        """Return the seats of a session whose pages are there with a socket."""
        pages = self._pages.get(session_id)
        return set() if pages is None else set(pages.seats)

    def seconds_left(self, session_id: str, patience_s: float, return_s: float) -> float | None:
        """Return the seconds for which a session is kept without pages; None while one is there.

        These are ``patience_s`` after the last that a page has asked for; where a socket was lost,
        there are at least ``return_s`` to come back. A page that is expected is waited for.
        """
        pages = self._pages.get(session_id)
        if pages is None or pages.seats:
            return None
        wait_s = max(patience_s, return_s) if pages.had_socket else patience_s
        return max(0.0, max(pages.asked_at + wait_s, pages.expected_until) - self._clock())

    def is_abandoned(self, session_id: str, patience_s: float, return_s: float) -> bool:
        """Tell whether nobody follows a session any more, as `seconds_left` counts."""
        return self.seconds_left(session_id, patience_s, return_s) == 0
