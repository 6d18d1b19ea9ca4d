"""Protection of forms: a signed double-submit token, and the origin, show that they are ours.

A page sets a random cookie and puts the signature of that cookie into its forms. Another site can
make a browser send the cookie, but it can neither read it nor sign it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from fastapi import Request, Response

from server.web.errors import PageError
from server.web.forms import Form, read_form
from server.web.hosts import Hosts

COOKIE = "cohabit_form"
FIELD = "form_token"
_LONGEST = 64


class Csrf:
    def __init__(self, hosts: Hosts, secret_key: str, *, secure: bool) -> None:
        self._hosts, self._secure = hosts, secure
        # The prefix makes a browser refuse the cookie from a subdomain or without TLS.
        self._cookie = f"__Host-{COOKIE}" if secure else COOKIE
        self._key = hashlib.sha256(b"cohabit.form.1" + secret_key.encode()).digest()

    def nonce(self, request: Request) -> str:
        """Return the browser's random value: the one it has, or a new one."""
        known = request.cookies.get(self._cookie, "")
        return known if 16 <= len(known) <= _LONGEST else secrets.token_urlsafe(24)

    def token(self, nonce: str) -> str:
        """Return the value that a form has to send back."""
        return hmac.new(self._key, nonce.encode(), hashlib.sha256).hexdigest()

    def set_cookie(self, response: Response, nonce: str) -> None:
        response.set_cookie(self._cookie, nonce, httponly=True, samesite="lax", secure=self._secure)

    async def check(self, request: Request) -> Form:
        """Return the fields of a form that came from one of our pages.

        Raises PageError for any other; nothing of it is parsed where the headers tell.
        """
        if "origin" in request.headers and not self._hosts.is_from_our_page(request):
            raise _refused()
        nonce = request.cookies.get(self._cookie, "")
        if not nonce or len(nonce) > _LONGEST:
            raise _refused()
        form = await read_form(request)
        given = form.get(FIELD, "")
        if not hmac.compare_digest(given.encode(errors="replace"), self.token(nonce).encode()):
            raise _refused()
        return form


def _refused() -> PageError:
    return PageError(
        403,
        "Please try that again",
        "This page was open for a long time, or your browser blocks cookies. Go back to the "
        "start page and press the button once more.",
    )
