"""Gate of the web process: which connections and requests come in, and when a request begins.

The event loop that answers pages also sends the frames of those who play. However many requests
come at once, it begins a handful of them between two frames, in turn by address. A request that
waits for something (a form for its session, a file for a slow reader) keeps nobody from beginning
for long: it costs little while it waits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, Protocol

import structlog
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from server.fair_queue import FairQueue
from server.log_throttle import LogThrottle
from server.settings import Settings
from server.web.addresses import address_group, is_loopback
from server.web.connection_limits import ConnectionLimits, Entry, Peer, Place
from server.web.frame_budget import STRANGERS
from server.web.loop_lateness import Lateness
from server.web.request_heads import RequestHead
from server.web.token_buckets import Rate, TokenBuckets

AT_ONCE = 8
"""Requests that begin between two frames."""
HOLD_S = 0.05
"""Seconds after which a request that is not done keeps no other from beginning."""

log = structlog.get_logger(__name__)


class Connection(Protocol):
    """A connection, with at most one request whose head has come whole."""

    def begin(self) -> None:
        """Read the request and have it answered."""
        ...

    def evict(self) -> None:
        """End at once: the place has been given to somebody else."""
        ...


class StrangerAddress:
    """Address of strangers behind websockets, with the frames that all of them send together."""

    def __init__(self, group: str, frames: TokenBuckets, connections: ConnectionLimits) -> None:
        self._group, self._frames, self._connections = group, frames, connections

    def take_frame(self, now: float) -> bool:
        return self._frames.take(self._group, now)

    def punish(self, now: float) -> None:
        self._connections.punish(self._group, now)


class RequestGate:
    """Limits that all connections of a server share."""

    def __init__(
        self, settings: Settings, connections: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.now = clock
        self.connections = ConnectionLimits(connections, settings.connections_per_address)
        self._requests = TokenBuckets(
            Rate(settings.requests_per_address / 60, settings.requests_per_address)
        )
        self._frames = TokenBuckets(STRANGERS)
        self.lateness = Lateness()
        self._queue: FairQueue[Connection] = FairQueue(
            AT_ONCE, HOLD_S, self.connections.per_address
        )
        self._proxies = (
            ProxyHeadersMiddleware(_nobody, settings.proxy_ips).trusted_hosts
            if settings.proxy_ips
            else None
        )
        self._exempts_loopback = settings.exempt_loopback
        self.peer = lru_cache(4096)(self._peer)
        self._connected: dict[Place, Connection] = {}
        self._is_scheduled = False
        self._timer: asyncio.TimerHandle | None = None
        self._throttle = LogThrottle(clock)

    def _peer(self, host: str | None) -> Peer:
        """Return how connections from an address are counted."""
        if self._proxies is not None and host in self._proxies:
            return Peer(address_group(host), "proxy")
        if self._exempts_loopback and is_loopback(host):
            return Peer(address_group(host), "exempt")
        return Peer(address_group(host), "address")

    def enter(self, peer: Peer) -> Place | None:
        """Return a place for a new connection; None if there is none for it."""
        entry = self.connections.admit(peer, self.now())
        if entry is None:
            self._note("connection")
            return None
        self._make_room(entry)
        return entry.place

    def move(self, place: Place, visitor: Peer) -> bool:
        """Count a proxy's connection with a visitor; tell whether the visitor may have another."""
        entry = self.connections.move(place, visitor.group, self.now())
        if entry is None:
            self._note("connection")
            return False
        self._make_room(entry)
        return True

    def _make_room(self, entry: Entry) -> None:
        evicted = None if entry.evicted is None else self._connected.pop(entry.evicted, None)
        if evicted is not None:
            evicted.evict()

    def hold(self, place: Place, connection: Connection) -> None:
        """Note which connection has a place."""
        self._connected[place] = connection

    def leave(self, place: Place, connection: Connection) -> None:
        """Take back the place of a connection that is gone, and its turn."""
        self.done(connection)
        self._connected.pop(place, None)
        self.connections.close(place)

    def visitor(self, place: Place, head: RequestHead) -> Peer:
        """Return whose request this is: that of the peer, or of whom a proxy names."""
        if place.peer.kind != "proxy" or self._proxies is None:
            return place.peer
        named = b", ".join(head.all(b"x-forwarded-for")).decode("latin1")
        host = self._proxies.get_trusted_client_address(named)[0] if named.strip() else ""
        if not host or host in self._proxies:
            return place.peer
        return Peer(address_group(host), "address")

    def address_of(self, visitor: Peer) -> StrangerAddress | None:
        """Return what a visitor's websocket counts towards until it has said hello."""
        if visitor.kind != "address":
            return None
        return StrangerAddress(visitor.group, self._frames, self.connections)

    def ask(self, visitor: Peer, connection: Connection) -> float:
        """Put a connection's request in line, to begin soon; return 0.

        If its visitor has asked for too much, return the seconds to wait before asking again.
        """
        if visitor.kind == "address" and not self._requests.take(visitor.group, self.now()):
            self._note("request")
            return max(1.0, self._requests.wait_s(visitor.group, self.now()))
        if not self._queue.ask(visitor.group, connection):
            self._note("request")
            return 1.0
        self._schedule()
        return 0.0

    def done(self, connection: Connection) -> None:
        """Take a request out: it has been answered, or nobody waits for it."""
        self._queue.done(connection)
        if len(self._queue):
            self._schedule()

    def _note(self, refused: Literal["connection", "request"]) -> None:
        """Count a refusal, and tell operators of it once a minute."""
        count = self._throttle.count(refused)
        if count:
            log.warning("server.refused", what=refused, count=count)

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._begin)

    def _begin(self) -> None:
        self._is_scheduled = False
        while (connection := self._queue.begin(self.now())) is not None:
            connection.begin()
        due_at = self._queue.due_at()
        if due_at is not None and self._timer is None:
            wait_s = max(0.0, due_at - self.now())
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._on_time)

    def _on_time(self) -> None:
        self._timer = None
        self._begin()


async def _nobody(_scope: object, _receive: object, _send: object) -> None:
    """Stand for an application where one is expected and never called."""
