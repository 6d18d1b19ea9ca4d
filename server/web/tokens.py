"""Signed tokens: proof that a browser may sit in a seat, wait with a ticket, or look on.

A token is made for a page that its participant loads, travels in that page and in the first
websocket message, and never in a URL.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import NamedTuple

from itsdangerous import BadSignature, SignatureExpired, URLSafeTimedSerializer

SEAT_TOKEN_AGE_S = 6 * 3600
"""Age (s) at which a seat token expires: long enough for a study session with breaks; reloading the
page gives a new one."""
TICKET_TOKEN_AGE_S = 3600
OPERATOR_TOKEN_AGE_S = 12 * 3600


class TokenError(Exception):
    """A token is missing, forged, expired, or made for something else."""


class SeatClaim(NamedTuple):
    """Claim that the bearer is ``participant_id`` and occupies ``seat_id`` of ``session_id``."""

    session_id: str
    seat_id: str
    participant_id: str


class TicketClaim(NamedTuple):
    """Claim that the bearer waits in the lobby with ``ticket_id``."""

    ticket_id: str
    participant_id: str


class WatchClaim(NamedTuple):
    """Claim that the bearer may watch ``session_id``, and do nothing in it."""

    session_id: str


class Tokens:
    """Maker and checker of tokens with one secret."""

    def __init__(self, secret_key: str) -> None:
        self._seat = URLSafeTimedSerializer(secret_key, salt="cohabit.seat.1")
        self._ticket = URLSafeTimedSerializer(secret_key, salt="cohabit.ticket.1")
        self._watch = URLSafeTimedSerializer(secret_key, salt="cohabit.watch.1")
        self._operator = URLSafeTimedSerializer(secret_key, salt="cohabit.operator.1")

    def sign_seat(self, claim: SeatClaim) -> str:
        return _text(self._seat.dumps(list(claim)))

    def read_seat(self, token: str) -> SeatClaim:
        """Return the claim of a seat token. Raises TokenError, fit for the close reason."""
        return SeatClaim(*_load(self._seat, token, SEAT_TOKEN_AGE_S, 3))

    def sign_ticket(self, claim: TicketClaim) -> str:
        return _text(self._ticket.dumps(list(claim)))

    def read_ticket(self, token: str) -> TicketClaim:
        """Return the claim of a ticket token. Raises TokenError, fit for the close reason."""
        return TicketClaim(*_load(self._ticket, token, TICKET_TOKEN_AGE_S, 2))

    def sign_watch(self, claim: WatchClaim) -> str:
        return _text(self._watch.dumps(list(claim)))

    def read_watch(self, token: str) -> WatchClaim:
        """Return the claim of a watcher's token. Raises TokenError, fit for the close reason."""
        return WatchClaim(*_load(self._watch, token, SEAT_TOKEN_AGE_S, 1))

    def sign_operator(self, password: str) -> str:
        """Sign the cookie of a browser whose user knew the operators' password."""
        return _text(self._operator.dumps([_digest(password)]))

    def is_operator(self, token: str, password: str) -> bool:
        """Tell whether `sign_operator` made it, not long ago, for the password of today."""
        try:
            (known,) = _load(self._operator, token, OPERATOR_TOKEN_AGE_S, 1)
        except TokenError:
            return False
        return hmac.compare_digest(known, _digest(password))


def _digest(password: str) -> str:
    return hashlib.sha256(password.encode()).hexdigest()


def _text(token: str | bytes) -> str:
    return token if isinstance(token, str) else token.decode("ascii")


def _load(serializer: URLSafeTimedSerializer, token: str, age_s: int, fields: int) -> list[str]:
    try:
        values = serializer.loads(token, max_age=age_s)
    except SignatureExpired as error:
        raise TokenError("the token has expired: reload the page") from error
    except BadSignature as error:
        raise TokenError("the token is not valid: reload the page") from error
    if not isinstance(values, list) or len(values) != fields:
        raise TokenError("the token is of another kind: reload the page")
    return [str(value) for value in values]
