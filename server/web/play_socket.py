"""Websocket of a player: who may sit where.

`docs/protocol.md` describes it from the other end.
"""

from __future__ import annotations

import contextlib
from functools import partial

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.web.application_state import Sockets
from server.web.seats import SeatTaken
from server.web.session_socket import Refusal, SessionSocket, greet
from server.web.session_sockets import SessionSockets
from server.wire.close_codes import CloseCode
from server.wire.codecs import Codec
from server.wire.messages import Hello

router = APIRouter()


@router.websocket("/ws/play")
async def play(socket: WebSocket, sockets: Sockets) -> None:
    """Serve a player's socket from the handshake to its end."""
    with contextlib.suppress(WebSocketDisconnect):
        player = await greet(socket, sockets.hosts, partial(_admit, socket, sockets))
        if player is None:
            return
        try:
            with sockets.pages.socket(player.session_id, player.seat_id or ""):
                await player.run()
        finally:
            sockets.seats.leave(player)


async def _admit(
    socket: WebSocket, sockets: SessionSockets, codec: Codec, hello: Hello
) -> SessionSocket:
    """Return the player who says hello, joined to the session.

    Raises Refusal, TokenError or HostError for somebody who may not sit there.
    """
    claim = sockets.tokens.read_seat(hello.token)
    if claim.seat_id not in sockets.host.seats(claim.session_id):
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
