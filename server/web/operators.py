"""Who may read what is for operators alone: figures, and what is wrong in detail."""

from __future__ import annotations

import hmac

from starlette.requests import HTTPConnection

from server.web.context import site_of

_LOCAL = frozenset({"127.0.0.1", "::1"})
_PROXIED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


def is_operator(request: HTTPConnection) -> bool:
    """Whoever has the token; where none is set, whoever asks from this machine, past no proxy."""
    token = site_of(request).settings.metrics_token
    if token:
        given = request.headers.get("authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {token}".encode())
    is_local = request.client is not None and request.client.host in _LOCAL
    return is_local and not any(name in request.headers for name in _PROXIED)
