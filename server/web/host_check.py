"""Middleware that answers only to the hosts of `server.web.hosts`."""

from __future__ import annotations

from http import HTTPStatus

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.web.hosts import Hosts, host_of, local_address
from server.web.pages import Pages

ANY_HOST = frozenset({"/healthz", "/readyz"})
"""Paths for load balancers, which ask for an address of their own or for no host at all."""
_FIGURES = "/metrics"


class HostCheck:
    """ASGI middleware in front of pages and sockets.

    A host of somebody else is told 421 (RFC 9110, section 15.5.20); none, two, or something that is
    no host, 400 (RFC 9112, section 3.2).
    """

    def __init__(self, app: ASGIApp, *, hosts: Hosts, pages: Pages) -> None:
        self.app = app
        self._hosts, self._pages = hosts, pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] in {"http", "websocket"} else None
        if refusal is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await refusal(scope, receive, send)
        elif "websocket.http.response" in scope.get("extensions", {}):
            answer = PlainTextResponse("the Host is not one of this server", refusal.status_code)
            await answer(scope, receive, send)
        else:
            closing: Message = {"type": "websocket.close"}
            await send(closing)

    def _refusal(self, scope: Scope) -> Response | None:
        path, host = scope["path"], host_of(scope)
        if scope["type"] == "http" and (path in ANY_HOST or _asks_for_figures(scope)):
            return None
        # With a whole address for a path (a request to a proxy) it is that address that counts.
        if host is None or not path.startswith("/"):
            return self._pages.misdirected(HTTPStatus.BAD_REQUEST)
        if not self._hosts.allows(host, local_address(scope)):
            return self._pages.misdirected(HTTPStatus.MISDIRECTED_REQUEST, host.name)
        return None


def _asks_for_figures(scope: Scope) -> bool:
    """Tell whether a scraper asks with a token, which the page itself looks at."""
    return scope["path"] == _FIGURES and any(
        name == b"authorization" for name, _ in scope["headers"]
    )
