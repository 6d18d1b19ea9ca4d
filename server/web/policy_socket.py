"""Websocket ``/ws/policy`` of programs that play seats: `server.robots.remote` over Starlette.

`docs/policies/remote.md` describes it from the other end.
"""

from __future__ import annotations

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.robots.remote.connection import LineClosedError, serve
from server.web.application_state import AppState
from server.web.direct_websocket import admit, heartbeat, never_unanswered
from server.web.frame_budget import PLAYING

router = APIRouter()

PING_S = 5.0
"""Seconds between the answer to a ping of a policy and the next one."""


class _StarletteLine:
    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self.unanswered_s = never_unanswered

    def admit(self) -> None:
        """Let it send as one that plays does, and see from now on whether it is awake."""
        admit(self._socket.scope, PLAYING)
        self.unanswered_s = heartbeat(self._socket.scope, PING_S)

    async def receive(self) -> str | bytes:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise LineClosedError
        data: bytes | None = message.get("bytes")
        return data if data is not None else str(message.get("text") or "")

    async def send(self, text: str) -> None:
        try:
            await self._socket.send_text(text)
        except (WebSocketDisconnect, OSError, RuntimeError) as error:
            # RuntimeError is what Starlette raises for a send on a socket that has just closed.
            raise LineClosedError from error

    async def close(self, code: int, reason: str) -> None:
        try:
            await self._socket.close(code, reason)
        except (WebSocketDisconnect, OSError, RuntimeError) as error:
            raise LineClosedError from error


@router.websocket("/ws/policy")
async def policy(socket: WebSocket, state: AppState) -> None:
    """Serve a policy's socket from the handshake to its end."""
    if "origin" in socket.headers:
        # A page of a browser: none plays this way, and a foreign one learns nothing.
        await socket.close()
        return
    await socket.accept()
    line = _StarletteLine(socket)
    await serve(line, state.host.switchboard, state.tokens.read_policy, on_hello=line.admit)
