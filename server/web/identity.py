"""Identity of a browser: an opaque cookie of which only the hash is kept.

Every page offers a cookie to a browser without one. It is nobody's until a form comes with it, so
that two presses of one button, before any answer, are those of one participant; and the secret of a
participant is sent to nobody who did not send it.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from fastapi import Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from server.store.identifiers import new_id
from server.store.participants import add_participant, participant_with_cookie

COOKIE = "cohabit_participant"
_COOKIE_BYTES = 32
_COOKIE_AGE_S = 180 * 24 * 3600
_SHORTEST, _LONGEST = 43, 128
"""Characters of a secret: as many as 32 bytes have."""


class Identity:
    """Reader and giver of the participant cookie."""

    def __init__(self, *, secure: bool) -> None:
        # The prefix makes a browser refuse the cookie from a subdomain or without TLS.
        self.cookie = f"__Host-{COOKIE}" if secure else COOKIE
        self._secure = secure

    async def of(self, request: Request, db: AsyncSession) -> str | None:
        """Return the participant that the request comes from, if it is known."""
        fingerprint = self.fingerprint(request)
        return await participant_with_cookie(db, fingerprint) if fingerprint else None

    def fingerprint(self, request: Request) -> str | None:
        """Return the hash of the cookie that a browser sent, known to us or not."""
        secret = request.cookies.get(self.cookie, "")
        return digest_of(secret) if _SHORTEST <= len(secret) <= _LONGEST else None

    def secret(self, request: Request) -> str:
        """Return the secret of the cookie that the browser sent, or a new one."""
        return request.cookies[self.cookie] if self.fingerprint(request) else new_secret()

    def create(self, secret: str, db: AsyncSession, now: datetime) -> str:
        """Add a new participant with this secret, and return the id."""
        participant_id = new_id("par")
        add_participant(db, participant_id, digest_of(secret), now)
        return participant_id

    def offer(self, request: Request, response: Response) -> None:
        """Give a browser that has no cookie one, until it is closed.

        A form of another site comes without the cookie of whoever it was made to send it: an answer
        to it must not put another in its place.
        """
        if request.method == "GET" and not self.fingerprint(request):
            self._set_cookie(response, new_secret(), None)

    def remember(self, response: Response, secret: str) -> None:
        """Have a participant's browser keep its cookie."""
        self._set_cookie(response, secret, _COOKIE_AGE_S)

    def _set_cookie(self, response: Response, secret: str, age_s: int | None) -> None:
        response.set_cookie(
            self.cookie,
            secret,
            max_age=age_s,
            httponly=True,
            samesite="lax",
            secure=self._secure,
        )


def new_secret() -> str:
    """Return a secret that no browser has."""
    return secrets.token_urlsafe(_COOKIE_BYTES)


def digest_of(secret: str) -> str:
    """Return the hash by which a secret is known."""
    # The secret has 256 random bits, so a plain hash cannot be guessed back.
    return hashlib.sha256(secret.encode()).hexdigest()
