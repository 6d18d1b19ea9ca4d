"""Uvicorn's server behind a listener of ours, with limits for what strangers may cost."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from typing import cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import STARTUP_FAILURE

from server.settings import Settings
from server.web.connection_limits import Place
from server.web.descriptors import most_connections, raise_limit
from server.web.direct_websocket import DirectWebSocketProtocol
from server.web.http_connection import HttpConnection
from server.web.listener import Listener
from server.web.loop_lateness import watch
from server.web.request_bodies import RequestBodies
from server.web.request_gate import RequestGate

GRACE_S = 8
"""Seconds that open connections may take to end when the server is told to stop."""
IDLE_S = 15
"""Seconds for which a browser's connection is kept for its next request."""
BACKLOG = 2048
"""New connections that wait with the system."""

RECEIVE_BYTES = 16 * 1024
"""Bytes that may wait with the system for one connection: nobody has much to send."""

log = logging.getLogger("uvicorn.error")


def config_for(app: ASGIApp, settings: Settings, grace_s: int = GRACE_S) -> uvicorn.Config:
    """Return how uvicorn serves ``app``."""
    return uvicorn.Config(
        RequestBodies(app),
        host=settings.host,
        port=settings.port,
        loop="auto",
        ws=DirectWebSocketProtocol,
        # Frames are small and already dense; deflate would cost more than it saves, 30 times a
        # second for every browser.
        ws_per_message_deflate=False,
        ws_max_size=64 * 1024,
        proxy_headers=bool(settings.proxy_ips),
        forwarded_allow_ips=settings.proxy_ips or None,
        # Paths hold invitation codes, which are good for joining.
        access_log=False,
        log_level="warning",
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=grace_s,
    )


class GuardedServer(uvicorn.Server):
    """Server whose connections pass `RequestGate`."""

    def __init__(self, config: uvicorn.Config, settings: Settings) -> None:
        super().__init__(config)
        connections = most_connections(settings.wanted_connections, raise_limit(), settings.workers)
        self.gate = RequestGate(settings, connections)
        self._watching: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(STARTUP_FAILURE)
        try:
            if sockets is None:
                sockets = await _bound(self.config.host, self.config.port)
            for listening in sockets:
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
                listening.listen(self.config.backlog)
                listening.setblocking(False)
        except OSError as error:
            log.error(error)
            await self.lifespan.shutdown()
            sys.exit(STARTUP_FAILURE)
        listener = Listener(self.gate, sockets, self._connection)
        self.servers = [cast(asyncio.base_events.Server, listener)]
        self._watching = asyncio.create_task(watch(self.gate.lateness), name="lateness")
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self._watching is not None:
            self._watching.cancel()

    def _connection(self, place: Place) -> HttpConnection:
        return HttpConnection(
            self.gate,
            place,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )


async def _bound(host: str, port: int) -> list[socket.socket]:
    """Return a socket for each address that ``host`` stands for.

    Raises OSError that names the one that cannot be had.
    """
    found = await asyncio.get_running_loop().getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    bound: list[socket.socket] = []
    for family, kind, protocol, _, address in dict.fromkeys(found):
        try:
            listening = socket.socket(family, kind, protocol)
        except OSError as error:
            # This system has no IPv6, say; the other addresses will do.
            log.debug("no socket for %r: %s", address, error)
            continue
        bound.append(listening)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        try:
            listening.bind(address)
        except OSError as error:
            for other in bound:
                other.close()
            raise OSError(
                error.errno, f"error while attempting to bind on address {address!r}: {error}"
            ) from None
    if not bound:
        raise OSError(f"this system cannot listen on {host!r}")
    return bound
