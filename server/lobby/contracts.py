"""Contracts of the lobby with what it uses: an opener of sessions, and a store of stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from matchmaking.matches import Match
from matchmaking.tickets import State, Ticket
from server.lobby.ticket_outcomes import Outcome

Say = Callable[..., str]
"""Texts in somebody's language: the name of a message, and its values by name."""


class SessionOpener(Protocol):
    """Opener of sessions; `server.hosting.session_manager.SessionManager`."""

    def free_places(self) -> int:
        """Return how many more sessions may open now."""
        ...

    def is_paused(self) -> bool:
        """Tell whether no session opens now, however many places are free."""
        ...

    def busy_s(self) -> int:
        """Return the seconds for which the machine has no time for more, at least; 0: it has."""
        ...

    async def start(self, match: Match, seed: int, n_waiting: int) -> str:
        """Open the session of a match and return its id; it is stored then, and ready.

        The ends of its tickets are stored with it. Raises an exception where that fails, and
        nothing is stored then, nor will be; MatchRefusedError names tickets that cannot be matched.
        """
        ...


class Past(NamedTuple):
    """Past of somebody who comes to a study's lobby; of others nothing is looked up."""

    met: frozenset[str] = frozenset()
    """People with whom they have played."""
    unopened: int = 0
    """Stays for which no session could be opened, since they last had one."""


class Records(Protocol):
    """Store of stays; `server.lobby.ticket_records.TicketRecords`."""

    async def ticket_joined(self, ticket: Ticket, n_waiting: int) -> Past:
        """Store a new ticket; return the past of its participant.

        Raises an exception where that fails.
        """
        ...

    async def ticket_moved(self, ticket: Ticket) -> None:
        """Store that a ticket stands at the front, or waits no longer, or for nobody else."""
        ...

    async def live_tickets(self, now: float) -> list[Ticket]:
        """Return the tickets that were live when the last process ended.

        ``now`` is the time of the clock that theirs are to be on.
        """
        ...

    async def ticket_ended(self, ticket: Ticket, state: State) -> Outcome | None:
        """Store how a ticket ended, or return how it had ended before."""
        ...

    async def outcome_of(self, ticket_id: str) -> Outcome:
        """Return how a ticket ended that is not in the lobby."""
        ...
