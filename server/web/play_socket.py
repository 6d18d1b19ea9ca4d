"""Websocket of a player: who may sit where.

`docs/protocol.md` describes it from the other end.
"""

from __future__ import annotations

import contextlib

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.hosting.hosted_session import HostError
from server.web.application_state import Sockets
from server.web.seats import SeatTaken
from server.web.session_socket import Refusal, SessionSocket, first_words, shake_hands
from server.web.session_sockets import SessionSockets
from server.web.tokens import TokenError
from server.wire.close_codes import CloseCode
from server.wire.codecs import Codec
from server.wire.messages import Hello

router = APIRouter()


@router.websocket("/ws/play")
async def play(socket: WebSocket, sockets: Sockets) -> None:
    """Serve a player's socket from the handshake to its end."""
    codec = await shake_hands(socket, sockets.hosts)
    if codec is None:
        return
    with contextlib.suppress(WebSocketDisconnect):
        try:
            hello = await first_words(socket, codec)
            player = _admit(socket, codec, hello, sockets)
        except Refusal as refusal:
            await refusal.tell(socket)
            return
        try:
            with sockets.pages.socket(player.session_id):
                await player.run()
        finally:
            sockets.seats.leave(player)


def _admit(socket: WebSocket, codec: Codec, hello: Hello, sockets: SessionSockets) -> SessionSocket:
    """Return the player who says hello, joined to the session.

    Raises Refusal for somebody who may not sit there.
    """
    try:
        claim = sockets.tokens.read_seat(hello.token)
        seat_is_there = claim.seat_id in sockets.host.seats(claim.session_id)
    except TokenError as error:
        raise Refusal(CloseCode.UNAUTHENTICATED, str(error)) from error
    except HostError as error:
        raise Refusal(CloseCode.NO_SESSION, "this session is over") from error
    if not seat_is_there:
        raise Refusal(CloseCode.REFUSED, "nobody sits there in this session")
    player = SessionSocket(socket, sockets.host, claim.session_id, claim.seat_id, codec, hello.tab)
    try:
        other = sockets.seats.sit(player, hello.take_over)
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
