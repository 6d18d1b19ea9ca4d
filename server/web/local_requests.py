"""Requests of a browser on this machine, told from those that something hands on.

A proxy or tunnel on this machine connects from loopback too, and may write a loopback ``Host``.
Each names itself in its own way (``X-Forwarded-For``, ``Via``, ``CF-Ray``, ``Fly-Client-IP``,
``Tailscale-User-Login``, …), so the rule is the other way round: a request is local if it has
nothing that a browser, curl or Prometheus would not send by itself.
"""

from __future__ import annotations

from starlette.requests import HTTPConnection

from server.web.addresses import is_loopback, peer_of
from server.web.hosts import host_of, read_origin

_ORDINARY = frozenset(
    [
        "accept",
        "accept-charset",
        "accept-encoding",
        "accept-language",
        "cache-control",
        "connection",
        "content-length",
        "content-type",
        "cookie",
        "device-memory",
        "dnt",
        "downlink",
        "dpr",
        "ect",
        "host",
        "if-match",
        "if-modified-since",
        "if-none-match",
        "if-range",
        "if-unmodified-since",
        "keep-alive",
        "origin",
        "pragma",
        "priority",
        "purpose",
        "range",
        "referer",
        "rtt",
        "save-data",
        "te",
        "upgrade-insecure-requests",
        "user-agent",
        "viewport-width",
        "width",
        "x-prometheus-scrape-timeout-seconds",
    ]
)
"""Headers that browsers and scrapers send by themselves; beside them, those that begin with
``sec-``, which no script can set."""


def is_local(connection: HTTPConnection) -> bool:
    """Tell whether a request comes straight from a program on this machine.

    A proxy that writes a loopback ``Host``, speaks HTTP/1.1 with connections that stay open, and
    adds nothing cannot be told from a browser; a foreign ``Origin`` or ``Referer`` may still.
    """
    scope, headers = connection.scope, connection.headers
    host = host_of(scope)
    return (
        is_loopback(peer_of(connection))
        and host is not None
        and host.is_loopback
        # Plain proxies (nginx by default) speak HTTP/1.0 or close each connection.
        and scope.get("http_version") != "1.0"
        and all(value.lower() == "keep-alive" for value in headers.getlist("connection"))
        and all(name in _ORDINARY or name.startswith("sec-") for name in headers)
        # A link on another site is no wish of the person at this machine.
        and "cross-site" not in headers.getlist("sec-fetch-site")
        and all(map(_is_loopback_page, headers.getlist("origin") + headers.getlist("referer")))
    )


def _is_loopback_page(url: str) -> bool:
    """Tell whether a page is of this machine."""
    scheme, _, rest = url.partition("://")
    page = read_origin(f"{scheme}://{rest.partition('/')[0]}")
    return page is not None and page.is_loopback
