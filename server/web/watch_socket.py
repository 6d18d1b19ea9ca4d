"""Websocket of somebody who watches a session.

It is sent what both players see, and nothing that is for one of them alone. What it says changes
nothing. It ends with the sign-in of the operator whose page it is.
"""

from __future__ import annotations

import contextlib
from functools import partial

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.hosting.hosted_session import HostError
from server.web.application_state import Sockets
from server.web.session_socket import SIGNED_OUT, Refusal, SessionSocket, first_words, shake_hands
from server.web.tokens import TokenError
from server.wire.close_codes import CloseCode

router = APIRouter()


@router.websocket("/ws/watch")
async def watch(socket: WebSocket, sockets: Sockets) -> None:
    """Serve a watcher's socket from the handshake to its end."""
    codec = await shake_hands(socket, sockets.hosts)
    if codec is None:
        return
    with contextlib.suppress(WebSocketDisconnect):
        try:
            hello = await first_words(socket, codec)
            session_id, sign_in = sockets.tokens.read_watch(hello.token)
            may_stay = partial(sockets.operators.lasts, sign_in)
            if not may_stay():
                raise Refusal(CloseCode.UNAUTHENTICATED, SIGNED_OUT)
            if sockets.is_full(session_id):
                raise Refusal(CloseCode.REFUSED, "no more can watch this session")
            watcher = SessionSocket(
                socket, sockets.host, session_id, None, codec, hello.tab, may_stay
            )
            watcher.join()
        except Refusal as refusal:
            await refusal.tell(socket)
        except TokenError as error:
            await Refusal(CloseCode.UNAUTHENTICATED, str(error)).tell(socket)
        except HostError:
            await Refusal(CloseCode.NO_SESSION, "this session is over").tell(socket)
        else:
            await watcher.run()
