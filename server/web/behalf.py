"""Middleware that notes for whose address a request works."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from server.store.turns import ON_BEHALF_OF
from server.web.addresses import address_group


class OnBehalf:
    """ASGI middleware: what a request or a socket has stored takes turns by its address."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in {"http", "websocket"}:
            host, _ = scope.get("client") or (None, 0)
            ON_BEHALF_OF.set(address_group(host))
        await self.app(scope, receive, send)
