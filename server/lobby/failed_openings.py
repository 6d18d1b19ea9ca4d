"""Openings of sessions that failed, and what becomes of those who waited for them."""

from __future__ import annotations

from collections import Counter

from matchmaking.tickets import State, Ticket
from server.lobby.ticket_outcomes import COULD_NOT_OPEN, NEVER_OPENED, Closed

FIRST_RETRY_S = 1.0
"""Time (s) after which one is tried again."""
MOST_ATTEMPTS = 3
"""Openings that may fail for one stay."""
MOST_STAYS = 3
"""Stays of one person without a session after which it is a failure of ours, in a study."""


class FailedOpenings:
    """Openings that failed, by ticket.

    They are forgotten when the server stops: what kept sessions from opening may have gone with
    it. The stays that ended so are stored.
    """

    def __init__(self) -> None:
        self._attempts: Counter[str] = Counter()

    def note(self, ticket_id: str) -> None:
        """Note that an opening failed for a ticket."""
        self._attempts[ticket_id] += 1

    def given_up(self, ticket: Ticket | None) -> Ticket | None:
        """Return a ticket for which it was tried often enough; None for any other."""
        if ticket is None or self._attempts[ticket.ticket_id] < MOST_ATTEMPTS:
            return None
        return ticket

    def forget(self, ticket_id: str) -> None:
        """Forget a ticket that is no longer waited for."""
        self._attempts.pop(ticket_id, None)


def ending_of(ticket: Ticket, is_late: bool) -> tuple[Closed, State]:
    """Return how the stay of a ticket ends for which it was tried often enough.

    People may join again, but in a study not for ever: neither with ``is_late``, as they have
    waited as long as it lets anybody wait, nor when `MOST_STAYS` ended so without a session
    between.
    """
    if ticket.study is not None and (is_late or ticket.unopened + 1 >= MOST_STAYS):
        return NEVER_OPENED, State.NOT_OPENED
    return COULD_NOT_OPEN, State.UNOPENED
