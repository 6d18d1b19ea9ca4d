"""The websocket of a player: who may sit where.

`docs/protocol.md` describes it from the other end.
"""

from __future__ import annotations

import contextlib
from typing import Any

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.hosting.hosted_session import HostError
from server.hosting.session_host import SessionHost
from server.web.session_socket import Refusal, SessionSocket, first_words, shake_hands
from server.web.tokens import TokenError, Tokens
from server.wire.close_codes import CloseCode
from server.wire.codecs import Codec
from server.wire.messages import Hello

router = APIRouter()


class SeatTaken(Exception):  # noqa: N818 — an outcome, not an error
    """Another tab plays in this seat."""


class Seats:
    """Which socket plays in which seat. One per application."""

    def __init__(self) -> None:
        self._players: dict[tuple[str, str | None], SessionSocket] = {}

    def sit(self, player: SessionSocket, take_over: bool) -> SessionSocket | None:
        """Take a seat; returns who has to leave it. Raises SeatTaken."""
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


@router.websocket("/ws/play")
async def play(socket: WebSocket) -> None:
    """From the handshake to the end of a player's socket."""
    state = socket.app.state
    codec = await shake_hands(socket, state.settings)
    if codec is None:
        return
    with contextlib.suppress(WebSocketDisconnect):
        try:
            hello = await first_words(socket, codec)
            player = _admit(socket, codec, hello, state.host, state.tokens, _seats_of(state))
        except Refusal as refusal:
            await refusal.tell(socket)
            return
        try:
            await player.run()
        finally:
            _seats_of(state).leave(player)


def _admit(
    socket: WebSocket,
    codec: Codec,
    hello: Hello,
    host: SessionHost,
    tokens: Tokens,
    seats: Seats,
) -> SessionSocket:
    """The player who says hello, joined to the session. Raises Refusal for who may not sit."""
    try:
        claim = tokens.read_seat(hello.token)
        seat_is_there = claim.seat_id in host.seats(claim.session_id)
    except TokenError as error:
        raise Refusal(CloseCode.UNAUTHENTICATED, str(error)) from error
    except HostError as error:
        raise Refusal(CloseCode.NO_SESSION, "this session is over") from error
    if not seat_is_there:
        raise Refusal(CloseCode.REFUSED, "nobody sits there in this session")
    player = SessionSocket(socket, host, claim.session_id, claim.seat_id, codec, hello.tab)
    try:
        other = seats.sit(player, hello.take_over)
    except SeatTaken as error:
        raise Refusal(CloseCode.OTHER_TAB, "you play in another tab") from error
    # The new one joins before the old one leaves, so that nobody sees the seat empty.
    player.join()
    if other is not None:
        if other.tab == player.tab:
            other.outbox.close(CloseCode.DONE, "this tab has connected again")
        else:
            other.outbox.close(CloseCode.OTHER_TAB, "you play in another tab now")
    return player


def _seats_of(state: Any) -> Seats:
    seats: Seats | None = getattr(state, "play_seats", None)
    if seats is None:
        seats = state.play_seats = Seats()
    return seats
