"""A breaker that stops calls of a server that does not answer. It has no clock of its own.

Closed: all calls pass, and faults in a row are counted. Open: none does, for a while. Half-open:
one call passes; its success closes the breaker, its fault opens it for twice as long.
"""

from __future__ import annotations

from typing import Literal

BreakerState = Literal["closed", "open", "half-open"]


class Breaker:
    """The breaker of one server. All times are in seconds of one clock, the caller's."""

    def __init__(
        self, faults_to_open: int = 5, open_s: float = 5.0, longest_open_s: float = 60.0
    ) -> None:
        if faults_to_open < 1 or not 0 < open_s <= longest_open_s:
            raise ValueError("expected faults_to_open >= 1 and 0 < open_s <= longest_open_s")
        self._faults_to_open = faults_to_open
        self._first_open_s = open_s
        self._longest_open_s = longest_open_s
        self._faults = 0
        self._open_s = open_s
        self._open_until: float | None = None
        self._is_probing = False

    def state(self, now: float) -> BreakerState:
        if self._open_until is None:
            return "closed"
        return "open" if now < self._open_until else "half-open"

    def wait_s(self, now: float) -> float:
        """Return the seconds until a call may pass, as far as time alone decides."""
        return max(0.0, (self._open_until or now) - now)

    def admits(self, now: float) -> bool:
        """Tell whether a call may be made now.

        True must be followed by `succeeded`, `failed` or `abandoned`.
        """
        state = self.state(now)
        if state == "closed":
            return True
        if state == "open" or self._is_probing:
            return False
        self._is_probing = True
        return True

    def succeeded(self) -> None:
        """Note that the server answered, be it with a refusal."""
        self._faults = 0
        self._open_s = self._first_open_s
        self._open_until = None
        self._is_probing = False

    def failed(self, now: float) -> None:
        """Note that there was no connection, no answer in time, or a fault of the server's."""
        if self._open_until is None:
            self._faults += 1
            if self._faults >= self._faults_to_open:
                self._open_until = now + self._open_s
        elif self._is_probing:
            self._is_probing = False
            self._open_s = min(2 * self._open_s, self._longest_open_s)
            self._open_until = now + self._open_s
        # Else: a call from before the breaker opened; it tells nothing new.

    def abandoned(self) -> None:
        """Note that the call was cancelled, which says nothing about the server."""
        self._is_probing = False
