"""Seats of sessions, and the sockets that play in them."""

from __future__ import annotations

from server.web.session_socket import SessionSocket


class SeatTaken(Exception):  # noqa: N818 — an outcome, not an error
    """Error for a seat in which another tab plays."""


class Seats:
    """Sockets that play, by seat. One per application."""

    def __init__(self) -> None:
        self._players: dict[tuple[str, str | None], SessionSocket] = {}

    def sit(self, player: SessionSocket, take_over: bool) -> SessionSocket | None:
        """Take a seat and return the socket that has to leave it. Raises SeatTaken."""
        key = (player.session_id, player.seat_id)
        other = self._players.get(key)
        if other is not None and other.tab != player.tab and not take_over:
            raise SeatTaken
        self._players[key] = player
        return other

    def leave(self, player: SessionSocket) -> None:
        key = (player.session_id, player.seat_id)
        if self._players.get(key) is player:
            del self._players[key]
