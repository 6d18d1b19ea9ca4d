"""Who may read what is for operators alone: figures, what is wrong in detail, running sessions."""

from __future__ import annotations

import hmac

from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.hosting.session_host import SessionHost
from server.settings import Settings
from server.web.context import site_of
from server.web.tokens import OPERATOR_TOKEN_AGE_S

_LOCAL = frozenset({"127.0.0.1", "::1"})
_PROXIED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
_COOKIE = "cohabit_operator"


def is_operator(request: HTTPConnection) -> bool:
    """Whoever has the token, as a bearer or with the cookie that `remember` gives; where none is
    set, whoever asks from this machine, past no proxy."""
    site = site_of(request)
    password = site.settings.metrics_token
    if not password:
        is_local = request.client is not None and request.client.host in _LOCAL
        return is_local and not any(name in request.headers for name in _PROXIED)
    given = request.headers.get("authorization", "")
    if hmac.compare_digest(given.encode(), f"Bearer {password}".encode()):
        return True
    cookie = request.cookies.get(_COOKIE, "")
    return bool(cookie) and site.tokens.is_operator(cookie, password)


def is_full(host: SessionHost, settings: Settings, session_id: str) -> bool:
    """Whether as many watch a session as may."""
    watching = {state.session_id: state.watchers for state in host.sessions()}
    return watching.get(session_id, 0) >= settings.watchers_per_session


def knows(request: HTTPConnection, password: str) -> bool:
    """Whether this is the operators' password."""
    expected = site_of(request).settings.metrics_token
    return bool(expected) and hmac.compare_digest(password.encode(), expected.encode())


def remember(request: HTTPConnection, response: Response) -> None:
    """Give a browser the cookie of an operator."""
    site = site_of(request)
    response.set_cookie(
        _COOKIE,
        site.tokens.sign_operator(site.settings.metrics_token),
        max_age=OPERATOR_TOKEN_AGE_S,
        path="/operator",
        httponly=True,
        samesite="strict",
        secure=site.settings.is_https,
    )


def forget(response: Response) -> None:
    response.delete_cookie(_COOKIE, path="/operator")
