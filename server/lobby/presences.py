"""Presences of tickets: which connection of which tab is the page of a stay in the lobby."""

from __future__ import annotations


class Presences:
    """Connections that are the presence of a ticket: one each, that of one tab."""

    def __init__(self) -> None:
        self._connections: dict[str, tuple[int, str]] = {}
        """Number of the connection, and its tab, by ticket."""
        self._last = 0

    def __contains__(self, ticket_id: str) -> bool:
        return ticket_id in self._connections

    def take(self, ticket_id: str, tab: str, take_over: bool) -> int | None:
        """Return the number of a new connection; None where another tab is here and stays so."""
        _, present = self._connections.get(ticket_id, (0, tab))
        if present != tab and not take_over:
            return None
        self._last += 1
        self._connections[ticket_id] = (self._last, tab)
        return self._last

    def owns(self, ticket_id: str, connection: int) -> bool:
        """Tell whether a connection still is the presence of a ticket."""
        return self._connections.get(ticket_id, (0, ""))[0] == connection

    def forget(self, ticket_id: str) -> None:
        """Forget the connection of a ticket, if it has one."""
        self._connections.pop(ticket_id, None)
