"""Rules on who may be in one group: each looks at two tickets, and says why they may not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from matchmaking.tickets import Ticket

PairRule = Callable[[Ticket, Ticket, float], str]
"""A rule: two tickets and the time to a reason why they cannot be together now; empty: they can."""


def objection(
    rules: Sequence[PairRule], ticket: Ticket, group: Sequence[Ticket], now: float
) -> str:
    """Return why a ticket cannot join a group; empty: it can."""
    for other in group:
        for rule in rules:
            if why := rule(ticket, other, now):
                return why
    return ""


def same_place(ticket: Ticket, other: Ticket, _now: float) -> str:
    """Return a reason where both came by links to one seat."""
    return "same_seat" if ticket.seat and ticket.seat == other.seat else ""


def no_rematch(ticket: Ticket, other: Ticket, _now: float) -> str:
    """Return a reason where the two have played together."""
    is_known = other.participant_id in ticket.met or ticket.participant_id in other.met
    return "played_together" if is_known else ""


class LatencyBound(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Bound on the time from one person to another and back (ms), which widens while they wait.

    It is the sum of both round trips to the server. Who was not measured is not held back.
    """

    most_ms: float
    widens_ms_per_s: float = 0.0
    """Milliseconds that are added for each second that the longer of the two has waited."""
    widest_ms: float | None = None
    """Bound that is never passed; nothing said: none."""

    def at(self, waited_s: float) -> float:
        """Return the bound (ms) for somebody who has waited for so long."""
        bound = self.most_ms + self.widens_ms_per_s * max(0.0, waited_s)
        return bound if self.widest_ms is None else min(bound, self.widest_ms)

    def __call__(self, ticket: Ticket, other: Ticket, now: float) -> str:
        """Return a reason where the two are too far apart for as long as they have waited."""
        if ticket.rtt_ms is None or other.rtt_ms is None:
            return ""
        bound = self.at(now - min(ticket.joined_at, other.joined_at))
        return "too_far_apart" if ticket.rtt_ms + other.rtt_ms > bound else ""
