"""The shares of those who have left, have finished or are away for long, and who gets them.

Who is away for a moment keeps their share. Nobody who is not there is given anything.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from server.sessions.core import SessionCore
from server.sessions.spec import TICK_RATE

AWAY_S = 45.0
"""Seconds for which somebody is away before others take what is theirs."""

Reason = Literal["left", "finished", "away"]


class Inherited(NamedTuple):
    """The things of somebody who does not see to them any more, and who has each now."""

    seat: str
    reason: Reason
    heirs: dict[str, str | None]
    """New owners, by thing; None: nobody here can."""


def there(core: SessionCore) -> list[str]:
    """Return the seats whose occupants have not left for good."""
    return [s for s in core.state.occupied() if core.seats[s].presence != "gone"]


def is_away(core: SessionCore, seat: str) -> bool:
    """Tell whether somebody is not there now, and may come back."""
    return core.seats[seat].presence in ("away", "reconnecting", "loading")


class Absences:
    """The reasons for which seats do not see to their shares, as time goes by."""

    def __init__(self) -> None:
        self._since: dict[str, int] = {}
        """Ticks since which seats are away."""
        self._finished: set[str] = set()

    def reasons(self, core: SessionCore, programs: list[str]) -> dict[str, Reason]:
        """Return why seats do not see to what they have; a finish counts when it is new.

        ``programs`` finish by themselves, and take that back when they are given something.
        """
        found: dict[str, Reason] = {}
        for seat in core.state.occupied():
            seated = core.seats[seat]
            if is_away(core, seat):
                since = self._since.setdefault(seat, core.tick)
            else:
                self._since.pop(seat, None)
                since = core.tick
            if seated.presence == "gone":
                found[seat] = "left"
            elif seated.finished and seat not in programs:
                if seat not in self._finished:
                    found[seat] = "finished"
                self._finished.add(seat)
            elif core.tick - since >= AWAY_S * TICK_RATE:
                found[seat] = "away"
            if not seated.finished:
                self._finished.discard(seat)
        return found
