"""Identity of a browser: an opaque cookie of which only the hash is kept."""

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
_LONGEST = 128


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
        return _digest(secret) if 0 < len(secret) <= _LONGEST else None

    def create(self, db: AsyncSession, now: datetime) -> tuple[str, str]:
        """Add a new participant; return the id, and the secret for `remember`."""
        secret = secrets.token_urlsafe(_COOKIE_BYTES)
        participant_id = new_id("par")
        add_participant(db, participant_id, _digest(secret), now)
        return participant_id, secret

    def remember(self, response: Response, secret: str) -> None:
        response.set_cookie(
            self.cookie,
            secret,
            max_age=_COOKIE_AGE_S,
            httponly=True,
            samesite="lax",
            secure=self._secure,
        )


def _digest(secret: str) -> str:
    # The secret has 256 random bits, so a plain hash cannot be guessed back.
    return hashlib.sha256(secret.encode()).hexdigest()
