"""Websocket of somebody who watches a session.

It is sent what both players see, and nothing that is for one of them alone. What it says changes
nothing. It ends with the sign-in of the operator whose page it is.
"""

from __future__ import annotations

import contextlib
from functools import partial

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.store import DatabaseError
from server.web.application_state import Sockets
from server.web.operator_access import Operators
from server.web.session_socket import SIGNED_OUT, Refusal, SessionSocket, greet
from server.web.session_sockets import SessionSockets
from server.wire.close_codes import CloseCode
from server.wire.codecs import Codec
from server.wire.messages import Hello

router = APIRouter()


@router.websocket("/ws/watch")
async def watch(socket: WebSocket, sockets: Sockets) -> None:
    """Serve a watcher's socket from the handshake to its end."""
    with contextlib.suppress(WebSocketDisconnect):
        watcher = await greet(socket, sockets.hosts, partial(_admit, socket, sockets))
        if watcher is not None:
            with sockets.watching.watching(watcher.session_id):
                await watcher.run()


async def _admit(
    socket: WebSocket, sockets: SessionSockets, codec: Codec, hello: Hello
) -> SessionSocket:
    """Return the watcher who says hello, joined to the session.

    Raises Refusal, TokenError or HostError for somebody who may not watch.
    """
    session_id, sign_in = sockets.tokens.read_watch(hello.token)
    try:
        lasts = await sockets.operators.lasts(sign_in)
    except DatabaseError as error:
        raise Refusal(CloseCode.TRY_AGAIN, "the database does not answer") from error
    if not lasts:
        raise Refusal(CloseCode.UNAUTHENTICATED, SIGNED_OUT)
    may_stay = partial(_may_stay, sockets.operators, sign_in)
    if sockets.is_full(session_id):
        raise Refusal(CloseCode.REFUSED, "no more can watch this session")
    watcher = SessionSocket(socket, sockets.host, session_id, None, codec, hello.tab, may_stay)
    watcher.join()
    return watcher


async def _may_stay(operators: Operators, sign_in: str) -> bool:
    """Tell whether a watcher may go on; while the database is away nobody can be removed either."""
    try:
        return await operators.lasts(sign_in)
    except DatabaseError:
        return True
