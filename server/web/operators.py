"""Operators: who may read figures, problems in detail, and running sessions."""

from __future__ import annotations

import hmac

from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.web.application_state import state_of
from server.web.tokens import OPERATOR_TOKEN_AGE_S

_LOCAL = frozenset({"127.0.0.1", "::1"})
_PROXIED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
_COOKIE = "cohabit_operator"


def is_operator(request: HTTPConnection) -> bool:
    """Tell whether a request comes from an operator.

    That is who has the token, as a bearer or with the cookie that `remember` gives; where none is
    set, who asks from this machine, past no proxy.
    """
    state = state_of(request)
    password = state.settings.metrics_token
    if not password:
        is_local = request.client is not None and request.client.host in _LOCAL
        return is_local and not any(name in request.headers for name in _PROXIED)
    given = request.headers.get("authorization", "")
    if hmac.compare_digest(given.encode(), f"Bearer {password}".encode()):
        return True
    cookie = request.cookies.get(_COOKIE, "")
    return bool(cookie) and state.tokens.is_operator(cookie, password)


def knows(request: HTTPConnection, password: str) -> bool:
    """Tell whether ``password`` is the operators'."""
    expected = state_of(request).settings.metrics_token
    return bool(expected) and hmac.compare_digest(password.encode(), expected.encode())


def remember(request: HTTPConnection, response: Response) -> None:
    """Give a browser the cookie of an operator."""
    state = state_of(request)
    response.set_cookie(
        _COOKIE,
        state.tokens.sign_operator(state.settings.metrics_token),
        max_age=OPERATOR_TOKEN_AGE_S,
        path="/operator",
        httponly=True,
        samesite="strict",
        secure=state.settings.is_https,
    )


def forget(response: Response) -> None:
    response.delete_cookie(_COOKIE, path="/operator")
