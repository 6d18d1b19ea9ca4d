"""Protection of forms: a signed double-submit token, and the origin, show that they are ours.

A page sets a random cookie and puts the signature of that cookie into its forms. Another site can
make a browser send the cookie, but it can neither read it nor sign it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable

import structlog
from fastapi import Request, Response

from server.log_throttle import LogThrottle
from server.web.errors import PageError
from server.web.forms import Form, read_form
from server.web.hosts import Hosts

COOKIE = "cohabit_form"
FIELD = "form_token"
_LONGEST = 64

log = structlog.get_logger(__name__)


class Csrf:
    def __init__(
        self,
        hosts: Hosts,
        secret_key: str,
        *,
        secure: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hosts, self._secure = hosts, secure
        self._throttle = LogThrottle(clock)
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

    async def check(self, request: Request, *, is_survey: bool = False) -> Form:
        """Return the fields of a form that came from one of our pages; a survey's may be many.

        Raises PageError for any other; nothing of it is parsed where the headers tell.
        """
        if "origin" in request.headers and not self._hosts.is_from_our_page(request):
            raise self._foreign(request)
        nonce = request.cookies.get(self._cookie, "")
        if not nonce or len(nonce) > _LONGEST:
            raise _refused()
        form = await read_form(request, is_survey=is_survey)
        given = form.get(FIELD, "")
        if not hmac.compare_digest(given.encode(errors="replace"), self.token(nonce).encode()):
            raise _refused()
        return form

    def _foreign(self, request: Request) -> PageError:
        """Return the error for a form of another origin: as a rule of a proxy that hides ours."""
        page, asked = self._hosts.addresses(request)
        if page is None:
            return _refused()
        if count := self._throttle.count("form.other_address"):
            log.warning(
                "form.other_address",
                page=page,
                asked=asked,
                count=count,
                reason="the Origin of a form is not the address that the server was asked for: "
                "have the proxy hand on Host, or set COHABIT_PUBLIC_URL",
            )
        return PageError(
            403,
            "This page came from another address",
            f"Your browser has this page from {page}, and our server was asked for {asked}: where "
            "the two differ, buttons do nothing. If somebody gave you this address, ask them for "
            "another. If this is your server: have the proxy in front of it hand on the name that "
            "the browser asked for (Host), or set COHABIT_PUBLIC_URL to the address that browsers "
            "show, and start it again.",
        )


def _refused() -> PageError:
    return PageError(
        403,
        "Please try that again",
        "This page was open for a long time, or your browser blocks cookies. Go back to the "
        "start page and press the button once more.",
    )
