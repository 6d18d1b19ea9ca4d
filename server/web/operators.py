"""Operators: who may read figures, problems in detail, and running sessions."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.settings import Settings
from server.web.addresses import address_group, peer_of
from server.web.errors import PageError
from server.web.guess_limits import GuessLimits
from server.web.local_requests import is_local

COOKIE = "cohabit_operator"
SESSION_AGE_S = 12 * 3600
"""Seconds for which a browser is remembered."""
LINK_AGE_S = 15 * 60
"""Seconds for which the operators' link is good."""
_MOST_SESSIONS = 256
_SECRET_BYTES = 32


class GuessesSpentError(PageError):
    """Guess refused after too many wrong ones; the text says when to come back."""

    def __init__(self, wait_s: int) -> None:
        minutes = max(1, round(wait_s / 60))
        super().__init__(
            429,
            "Too many wrong passwords",
            f"Wait {minutes} minute{'s' if minutes > 1 else ''}, then try again. Whoever is signed "
            "in already stays so.",
            retry_after_s=wait_s,
        )


class Operators:
    """Operators of one process: how they show who they are, and who has.

    All is in memory and random: no cookie holds anything of the password, and none outlives the
    process, which a new password needs a new one of.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._password = settings.metrics_token.strip()
        self._may_be_local = not (self._password or settings.public_url or settings.proxy_ips)
        self._is_https = settings.is_https
        self._clock = clock
        self._guesses = GuessLimits(clock)
        self._sessions: dict[bytes, float] = {}
        """Ends of sessions by the hash of their cookie."""
        self.process_sign_in = secrets.token_hex(_SECRET_BYTES)
        """Name of the sign-in of those who need none; it ends with the process."""
        self._links: dict[bytes, float] = {}
        """Ends of links by the hash of their secret."""
        self._used_links: set[bytes] = set()

    @property
    def can_enter(self) -> bool:
        """Whether there is anything that could be entered: a password, or the secret of a link."""
        now = self._clock()
        return bool(self._password) or any(end > now for end in self._links.values())

    def is_operator(self, connection: HTTPConnection) -> bool:
        """Tell whether a request comes from an operator.

        That is who sends the token as a bearer, has the cookie that `enter` gives, or, where no
        token is set and nothing speaks of a proxy, asks from this machine. Raises GuessesSpentError
        for a bearer after too many wrong ones. Ask once for each request: a wrong one counts.
        """
        if self.is_signed_in(connection) or (self._may_be_local and is_local(connection)):
            return True
        scheme, _, given = connection.headers.get("authorization", "").partition(" ")
        if not self._password or scheme.lower() != "bearer":
            return False
        return self._judge(connection, given.strip().encode("latin-1"))

    def is_signed_in(self, connection: HTTPConnection) -> bool:
        """Tell whether the browser has the cookie of an operator."""
        cookie = connection.cookies.get(COOKIE, "")
        return bool(cookie) and self._lasts(_hash(cookie))

    def sign_in_of(self, connection: HTTPConnection) -> str:
        """Return the name of the sign-in that an operator's request comes with.

        A token that is given to the operator names it, and ends with it. Who sends a bearer or asks
        from this machine has none to end: all of them have that of the process.
        """
        if self.is_signed_in(connection):
            return _hash(connection.cookies[COOKIE]).hex()
        return self.process_sign_in

    def lasts(self, sign_in: str) -> bool:
        """Tell whether a sign-in of this name lasts: nobody has signed out, and it is not old."""
        if hmac.compare_digest(sign_in.encode(), self.process_sign_in.encode()):
            return True
        try:
            return self._lasts(bytes.fromhex(sign_in))
        except ValueError:
            return False

    def _lasts(self, key: bytes) -> bool:
        return self._sessions.get(key, 0.0) > self._clock()

    def enter(self, connection: HTTPConnection, given: str, response: Response) -> bool:
        """Give a browser the cookie if ``given`` is the password, or the secret of a link.

        Returns whether it was. Raises GuessesSpentError where too many were wrong.
        """
        # Nobody guesses the secret of a link: it needs no limit, and meets none of others.
        if not self._redeem(given) and not self._judge(connection, given.encode()):
            return False
        cookie, now = secrets.token_urlsafe(_SECRET_BYTES), self._clock()
        self._sessions = {key: end for key, end in self._sessions.items() if end > now}
        while len(self._sessions) >= _MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        self._sessions[_hash(cookie)] = now + SESSION_AGE_S
        response.set_cookie(
            COOKIE,
            cookie,
            max_age=SESSION_AGE_S,
            path="/operator",
            httponly=True,
            samesite="strict",
            secure=self._is_https,
        )
        return True

    def leave(self, connection: HTTPConnection, response: Response) -> None:
        """Forget a browser; a copy of its cookie is worth nothing either."""
        self._sessions.pop(_hash(connection.cookies.get(COOKIE, "")), None)
        response.delete_cookie(
            COOKIE, path="/operator", httponly=True, samesite="strict", secure=self._is_https
        )

    def make_link(self, address: str) -> str:
        """Return a link that makes the first browser which opens it an operator's.

        The secret stands behind the ``#``, which browsers send to nobody: not into the logs of a
        proxy, and not to the next page.
        """
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        self._links[_hash(secret)] = self._clock() + LINK_AGE_S
        return f"{address}/operator#once={secret}"

    def _is_password(self, given: bytes) -> bool:
        return bool(self._password) and hmac.compare_digest(given, self._password.encode())

    def is_used_link(self, given: str) -> bool:
        """Tell whether this is the secret of a link that is good no more."""
        return _hash(given) in self._used_links

    def _redeem(self, given: str) -> bool:
        secret = _hash(given)
        end = self._links.pop(secret, None)
        if end is None:
            return False
        self._used_links.add(secret)
        return end > self._clock()

    def _judge(self, connection: HTTPConnection, given: bytes) -> bool:
        """Tell whether a guess of the password is right, and count it.

        Raises GuessesSpentError, right or wrong.
        """
        group = address_group(peer_of(connection))
        wait_s = self._guesses.wait_s(group)
        if wait_s:
            raise GuessesSpentError(wait_s)
        if self._is_password(given):
            self._guesses.guessed_right(group)
            return True
        self._guesses.guessed_wrong(group, given)
        return False


def _hash(secret: str) -> bytes:
    # It has 256 random bits, so a plain hash cannot be guessed back, and looking one up tells
    # nothing about another.
    return hashlib.sha256(secret.encode()).digest()
