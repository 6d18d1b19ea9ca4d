"""Websocket of a browser to a session: greeting, what may come in, what goes out.

`docs/protocol.md` describes it from the other end.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.hosting.connections import Connection
from server.hosting.hosted_session import HostError
from server.hosting.session_host import SessionHost
from server.sessions.chat import LONGEST_LINE
from server.web.direct_websocket import admit, late_s_of, listen, write_now_of
from server.web.frame_budget import PLAYING
from server.web.hosts import Hosts
from server.web.input_limits import LARGEST_MESSAGE, InputLimits
from server.web.loop_lateness import in_time
from server.web.outbox import SocketOutbox
from server.web.tokens import TokenError
from server.wire.close_codes import CloseCode
from server.wire.codecs import CODECS, SUBPROTOCOLS, Codec, WireError, codec_of
from server.wire.messages import Hello, Notice, Ping

HELLO_TIMEOUT_S = 10.0
QUIET_S = 10.0
"""Seconds of silence after which a browser is sent nothing for now; a ping breaks it."""
SILENT_S = 25.0
"""Seconds of silence after which the socket is taken for dead, whatever the network thinks: the
partner must not wait for a message that a dead line will never bring."""
SILENT_HIDDEN_S = 150.0
"""The same for a hidden page: browsers wake one as rarely as once a minute."""
LOOK_S = 2.5
"""Seconds between two looks. Silence is what passes from look to look: a process that stood still
did not listen meanwhile, and nobody is closed for that."""
SIGN_IN_LOOK_S = 1.0
"""Seconds between two looks whether an operator still may watch."""

SIGNED_OUT = "you have signed out: open it again"
"""Reason of the close for an operator whose sign-in is over."""
_TOO_FAST = "You send more than anybody can do. It is ignored; if it goes on you are disconnected."
_TOO_LONG = f"A line may have {LONGEST_LINE} characters. That one was not sent."

log = structlog.get_logger(__name__)


class Refusal(Exception):  # noqa: N818 — an outcome, not an error
    """A browser is sent away with a close code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self._code, self._reason = code, reason

    async def tell(self, socket: WebSocket) -> None:
        await socket.close(self._code, _shortened(self._reason))


async def _shake_hands(socket: WebSocket, hosts: Hosts) -> Codec | None:
    """Accept a socket of one of our pages; return its codec, or None if it was closed."""
    if not hosts.is_from_our_page(socket):
        # Before it is accepted, so that a foreign page learns nothing but a 403.
        await socket.close()
        return None
    offered: list[str] = socket.scope.get("subprotocols", [])
    known = [name for name in offered if name in SUBPROTOCOLS]
    if not known:
        await socket.accept()
        await socket.close(CloseCode.VERSION, "another version of the protocol: reload the page")
        return None
    await socket.accept(subprotocol=known[0])
    return CODECS[codec_of(known[0])]


async def _first_words(socket: WebSocket, codec: Codec) -> Hello:
    """Return the hello of an accepted socket.

    Raises Refusal, or WebSocketDisconnect when the socket is gone.
    """
    try:
        data = await in_time(lambda: _receive(socket), HELLO_TIMEOUT_S, late_s_of(socket.scope))
        hello = codec.decode_client(data) if len(data) <= LARGEST_MESSAGE else None
    except TimeoutError as error:
        raise Refusal(CloseCode.UNAUTHENTICATED, "no hello came") from error
    except WireError as error:
        raise Refusal(CloseCode.MALFORMED, str(error)) from error
    if not isinstance(hello, Hello):
        raise Refusal(CloseCode.UNAUTHENTICATED, "the first message must be a hello")
    return hello


async def greet(
    socket: WebSocket,
    hosts: Hosts,
    admit_to_session: Callable[[Codec, Hello], Awaitable[SessionSocket]],
) -> SessionSocket | None:
    """Return the socket of whoever says a good hello and is admitted; None if it was closed.

    ``admit_to_session`` raises Refusal, TokenError or HostError for somebody who may not come in.
    Raises WebSocketDisconnect when the socket is gone.
    """
    codec = await _shake_hands(socket, hosts)
    if codec is None:
        return None
    try:
        return await admit_to_session(codec, await _first_words(socket, codec))
    except Refusal as refusal:
        await refusal.tell(socket)
    except TokenError as error:
        await Refusal(CloseCode.UNAUTHENTICATED, str(error)).tell(socket)
    except HostError:
        await Refusal(CloseCode.NO_SESSION, "this session is over").tell(socket)
    return None


class SessionSocket:
    """Socket of a browser from its hello on: in a seat, or (``seat_id`` None) watching.

    Messages of a watcher are checked like anybody's, and the session ignores them.
    """

    def __init__(
        self,
        socket: WebSocket,
        host: SessionHost,
        session_id: str,
        seat_id: str | None,
        codec: Codec,
        tab: str,
        may_stay: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self.tab = tab
        self._may_stay = may_stay
        self.session_id, self.seat_id = session_id, seat_id
        self._socket = socket
        self._host = host
        self._codec = codec
        self._limits = InputLimits(time.monotonic())
        self._late_s = late_s_of(socket.scope)
        self._quiet_s = 0.0
        """Seconds for which nothing was heard, by looks."""
        self._is_hidden = False
        self._connection: Connection | None = None
        self.outbox = SocketOutbox(
            self._send,
            self._close,
            on_behind=lambda: self._set_behind(True),
            on_drained=lambda: self._set_behind(False),
            write_now=write_now_of(socket.scope),
        )

    def join(self) -> None:
        """Become a connection of the session. Raises HostError if it is not open."""
        self._connection = self._host.connect(
            self.session_id, self.seat_id, self._codec.name, self.outbox
        )

    async def run(self) -> None:
        """Relay until either side ends it."""
        assert self._connection is not None
        writer = asyncio.create_task(self.outbox.run(), name="play writer")
        reader = asyncio.create_task(self._read(), name="play reader")
        sentry = asyncio.create_task(self._keep_watch(), name="play sentry")
        tasks = [writer, reader, sentry]
        if self._may_stay is not None:
            signed_in = self._keep_signed_in(self._may_stay)
            tasks.append(asyncio.create_task(signed_in, name="play sign-in"))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self.outbox.ending is not None and not writer.done():
                # The last words: but only for somebody who still reads.
                await asyncio.wait((writer,), timeout=2.0)
        finally:
            self._host.disconnect(self._connection)
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for error in results:
            if isinstance(error, Exception) and not _is_disconnect(error):
                raise error

    async def _send(self, payload: bytes, binary: bool) -> None:
        # Not through Starlette's helpers: this is done a hundred thousand times a minute.
        message: dict[str, Any] = {"type": "websocket.send"}
        if binary:
            message["bytes"] = payload
        else:
            message["text"] = payload.decode()
        await self._socket.send(message)

    async def _close(self, code: int, reason: str) -> None:
        await self._socket.close(code, reason)

    def _set_behind(self, behind: bool) -> None:
        if self._connection is not None:
            self._host.set_behind(self._connection, behind)

    async def _keep_watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._quiet_s += LOOK_S
            if self._quiet_s > (SILENT_HIDDEN_S if self._is_hidden else SILENT_S):
                self.outbox.close(CloseCode.TRY_AGAIN, "you have been silent for too long")
                return
            self.outbox.hold_back(self._quiet_s > QUIET_S)

    async def _keep_signed_in(self, may_stay: Callable[[], Awaitable[bool]]) -> None:
        """Close the socket of an operator when the sign-in is over, whoever has ended it."""
        while await may_stay():  # noqa: ASYNC110 — a command may end it, which sets no event here
            await asyncio.sleep(SIGN_IN_LOOK_S)
        self.outbox.close(CloseCode.UNAUTHENTICATED, SIGNED_OUT)

    async def _read(self) -> None:
        admit(self._socket.scope, PLAYING)
        listen(self._socket.scope, self._hear)
        while self.outbox.ending is None:
            self._hear(await _receive(self._socket))

    def _hear(self, data: bytes | str) -> None:
        """Take in a message of the browser."""
        if self._connection is None or self.outbox.ending is not None:
            return
        now = time.monotonic()
        if self._quiet_s > QUIET_S:
            self.outbox.hold_back(False)
        self._quiet_s = 0.0
        if len(data) > LARGEST_MESSAGE:
            self.outbox.close(CloseCode.OVER_LIMIT, f"over {LARGEST_MESSAGE} bytes in a message")
            return
        try:
            message = self._codec.decode_client(data)
        except WireError as error:
            self.outbox.close(CloseCode.MALFORMED, _shortened(str(error)))
            return
        if isinstance(message, Hello):
            self.outbox.close(CloseCode.MALFORMED, "you have said hello already")
            return
        match self._limits.judge(message, now, self._late_s(now)):
            case "pass":
                if isinstance(message, Ping):
                    self._is_hidden = message.hidden
                self._connection.hear(now, self._is_hidden)
                if self._codec.binary and isinstance(data, bytes):
                    payload = data
                else:
                    payload = msgspec.msgpack.encode(message)
                self._host.receive(self._connection, payload)
            case "warn_rate":
                self._connection.tell(Notice("rate", _TOO_FAST))
            case "warn_text":
                self._connection.tell(Notice("text_too_long", _TOO_LONG))
            case "close":
                log.warning("play.flood", session=self.session_id)
                self.outbox.close(CloseCode.OVER_LIMIT, "too many messages")


async def _receive(socket: WebSocket) -> bytes | str:
    """Return the next message. Raises WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005), message.get("reason"))
    data: bytes | str | None = message.get("bytes")
    return data if data is not None else str(message.get("text") or "")


def _shortened(reason: str) -> str:
    """Shorten a close reason to the 123 bytes that it may have."""
    return reason.encode()[:123].decode(errors="ignore")


def _is_disconnect(error: BaseException) -> bool:
    # What uvicorn raises for a send after the end; Starlette turns some into its own.
    return isinstance(error, WebSocketDisconnect | OSError | RuntimeError)
