"""Connection of a browser: uvicorn's, with limits for what comes before a page is made.

A head must come whole, in time and of a sensible size. Then it waits for its turn (`RequestGate`),
and only then it is parsed and answered. Nothing that comes in between is looked at.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import h11
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

from server.web.closing_transport import note_lost, with_deadline
from server.web.connection_limits import Place
from server.web.counted_parser import CountedParser
from server.web.direct_websocket import DirectWebSocketProtocol
from server.web.refusal_pages import (
    HEAD_TOO_LARGE,
    MALFORMED,
    TOO_LARGE,
    TOO_MANY,
    TOO_SLOW,
    RefusalPage,
)
from server.web.request_gate import RequestGate
from server.web.request_heads import END, RequestHead, has_bare_end, read_head
from server.web.stall_timer import StallTimer

HEAD_S = 10.0
"""Seconds in which the head of a request has to come, from the beginning of its connection or its
first byte."""
STALL_S = 30.0
"""Seconds in which the other end has to take what waits of an answer before more is written."""
LARGEST_HEAD = 16 * 1024
MOST_FIELDS = 100
"""Lines of a head; parsing costs by the line."""
MOST_PIECES = 64
"""Pieces in which a head may come."""
MOST_CHUNK_LINES = 256
"""Lines of a body that comes in chunks: sizes, what is between them, and trailers."""
MOST_UNREAD = 16 * 1024
"""Bytes that wait to be parsed before no more are read; the others stay with their sender."""
PROXY_IDLE_S = 90
"""Seconds for which a proxy may keep a connection for the next visitor's request."""


class BoundedFlow(FlowControl):
    """Flow that is read on only where little of it waits to be parsed.

    Uvicorn reads on for each answer, and what has come after its request is never less for it.
    """

    def __init__(self, transport: asyncio.Transport, parser: CountedParser) -> None:
        super().__init__(transport)
        self._parser = parser

    def resume_reading(self) -> None:
        if self._parser.unread_bytes <= MOST_UNREAD:
            super().resume_reading()


class HttpConnection(H11Protocol):
    """HTTP protocol for uvicorn; each connection has a place among those that there may be."""

    def __init__(self, gate: RequestGate, place: Place, **options: Any) -> None:
        super().__init__(**options)
        self.conn = self._parser = CountedParser(LARGEST_HEAD + len(END))
        self._gate, self._place = gate, place
        self._visitor = place.peer
        """Sender of the last request."""
        gate.hold(place, self)
        if place.peer.kind == "proxy":
            self.timeout_keep_alive = PROXY_IDLE_S
        self._asks = False
        """Whether a request waits for its turn."""
        self._has_begun = False
        self._is_chunked = False
        self._is_partial = False
        """Whether the body of the request has not come whole."""
        self._pieces = self._chunk_lines = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._stall = StallTimer(self.loop, STALL_S)

    # The connection

    @property
    def unread_bytes(self) -> int:
        """Bytes that have come and wait to be parsed."""
        return self._parser.unread_bytes

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        transport = with_deadline(transport, self.loop)
        super().connection_made(transport)
        self.flow = BoundedFlow(transport, self._parser)
        if self._place.is_open:
            self._expect_head()
        else:
            transport.abort()

    def eof_received(self) -> None:
        # Asyncio would close its own transport, and nothing bounds how long that takes.
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        note_lost(self.transport)
        self._give_back()
        self._stop_timers()
        super().connection_lost(exc)

    def evict(self) -> None:
        # Before it is made there is nothing to close yet.
        if self.transport is not None:
            self.transport.abort()

    def _give_back(self) -> None:
        self._gate.leave(self._place, self)

    def _stop_timers(self) -> None:
        self._stall.stop()
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stall.start(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stall.stop()

    # Requests

    def data_received(self, data: bytes) -> None:
        if self._is_chunked:
            self._chunk_lines += data.count(b"\n")
            if self._has_begun and self._chunk_lines > MOST_CHUNK_LINES:
                self._end_in(TOO_LARGE)
                return
        super().data_received(data)
        if self.unread_bytes > MOST_UNREAD:
            self.flow.pause_reading()

    def handle_events(self) -> None:
        if self._has_begun or self.conn.their_state is not h11.IDLE:
            self._parse()
        elif not self._asks:
            self._take_head()

    def _parse(self) -> None:
        """Parse what has come of a request; when it is whole, its place is left alone."""
        super().handle_events()
        if self._is_partial and self.conn.their_state is not h11.SEND_BODY:
            self._is_partial = False
            self._gate.connections.busy(self._place)

    def _take_head(self) -> None:
        """Ask for a turn if a whole head is there."""
        data, _ = self.conn.trailing_data
        if not data:
            return
        end = data.find(END)
        self._pieces += 1
        size = len(data) if end < 0 else end
        lines = data.count(b"\n", 0, size)
        if size > LARGEST_HEAD or lines > MOST_FIELDS or self._pieces > MOST_PIECES:
            self._refuse(HEAD_TOO_LARGE)
        elif end < 0:
            # The parser would take lines for whole that are none here.
            if has_bare_end(data):
                self._refuse(MALFORMED)
            else:
                self._expect_head()
        elif (head := read_head(data[:end])) is None:
            self._refuse(MALFORMED)
        elif head.refusal is not None:
            self._refuse(head.refusal)
        else:
            self._ask(head, data[end + len(END) :])

    def _expect_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_S, self._head_is_late)

    def _head_is_late(self) -> None:
        self._deadline = None
        if self._gate.lateness.late_s(self._gate.now()):
            # It may have come while nothing was read here.
            self._expect_head()
        elif self._pieces:
            self._refuse(TOO_SLOW)
        else:
            self.transport.abort()

    def _ask(self, head: RequestHead, rest: bytes) -> None:
        self._visitor = self._gate.visitor(self._place, head)
        wait_s = self._gate.ask(self._visitor, self)
        if wait_s:
            self._refuse(TOO_MANY, wait_s)
            return
        self._asks, self._pieces = True, 0
        self._is_chunked, self._chunk_lines = head.is_chunked, rest.count(b"\n")
        self._stop_timers()
        self._unset_keepalive_if_required()
        self._is_partial = not head.is_whole_with(rest)
        if self._is_partial:
            self._gate.connections.begins(self._place, self._gate.now())
        else:
            self._gate.connections.busy(self._place)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Give the connection over; a proxy's counts with its visitor from now on.

        Only a websocket ends with its connection: any other goes back to the proxy, which keeps it
        for the requests of others. Until it has said hello it may have to make room.
        """
        self._is_partial = False
        if self.unread_bytes:
            # Who talks before being answered speaks no protocol that is spoken here.
            self.transport.abort()
            return
        counted = self._place.peer
        if counted.kind == "proxy" and self._visitor.kind == "address":
            counted = self._visitor
            self._gate.connections.busy(self._place)
            if not self._gate.move(self._place, counted):
                self._refuse(TOO_MANY, 1.0)
                return
        self._gate.connections.begins(self._place, self._gate.now())
        self.ws_protocol_class = partial(  # type: ignore[assignment]
            DirectWebSocketProtocol,
            address=self._gate.address_of(counted),
            late_s=self._gate.lateness.late_s,
            on_hello=partial(self._gate.connections.busy, self._place),
            # It takes the connection over, and the place with it.
            on_lost=self._give_back,
        )
        super().handle_websocket_upgrade(event)
        # A circle would keep the connection, and all that it has read, until the next collection.
        self.ws_protocol_class = None

    def begin(self) -> None:
        self._asks, self._has_begun = False, True
        if self._is_chunked and self._chunk_lines > MOST_CHUNK_LINES:
            self._end_in(TOO_LARGE)
            return
        self._parse()

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser does not take."""
        self._end_in(TOO_LARGE if self._parser.has_too_many_chunks else MALFORMED)

    def on_response_complete(self) -> None:
        self._has_begun = self._is_chunked = self._is_partial = False
        self._gate.done(self)
        if self.conn.their_state not in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED):
            # It was answered before it had sent everything.
            self.transport.close()
        if not self.transport.is_closing():
            self._gate.connections.waits(self._place, self._gate.now())
        super().on_response_complete()

    def _refuse(self, refusal: RefusalPage, retry_after_s: float = 0.0) -> None:
        """Answer without parsing anything, and close."""
        self._stop_timers()
        self.transport.write(refusal.whole(retry_after_s))
        self.transport.close()

    def _end_in(self, refusal: RefusalPage) -> None:
        """Refuse a request that may have been handed on already."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started:
                self.transport.abort()
                return
        self._refuse(refusal)
