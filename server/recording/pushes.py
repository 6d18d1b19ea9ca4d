"""Pushes: the stretches of an episode in which a body stood in another's way, from its events."""

from __future__ import annotations

from typing import NamedTuple

from server.sessions.events import Blocked, PhaseChanged


class Pushed(NamedTuple):
    """A stretch from tick ``start`` up to tick ``end``, pushed against the body of ``by``."""

    start: int
    end: int
    by: str


class Pushes:
    """Collector of who pushed whom: from the first touch to letting go, or to passing through.

    While a body passes through others nobody is in its way, and nobody pushes in a pause.
    """

    def __init__(self) -> None:
        self._open: dict[str, tuple[int, str]] = {}
        self._found: dict[str, list[Pushed]] = {}

    def take(self, tick: int, event: object) -> None:
        """Note an event; those that tell nothing of pushes are welcome too."""
        match event:
            case PhaseChanged():
                for seat in list(self._open):
                    self._close(seat, tick)
            case Blocked(seat, by, stage):
                self._close(seat, tick)
                if stage == "pushes":
                    self._open[seat] = (tick, by)

    def _close(self, seat: str, tick: int) -> None:
        begun = self._open.pop(seat, None)
        if begun is not None:
            start, by = begun
            self._found.setdefault(seat, []).append(Pushed(start, max(start, tick), by))

    def until(self, end: int) -> dict[str, list[Pushed]]:
        """Return the pushes of each seat; those that go on are cut off at a tick."""
        for seat in list(self._open):
            self._close(seat, end)
        return self._found
