"""Signed tokens: proof that a browser may sit in a seat, wait with a ticket, or look on.

A token is made for a page that its participant loads, travels in that page and in the first
websocket message, and never in a URL, but for two that last. One opens a debrief and withdraws the
data of its visit, and nothing else: who has it gets no other token by it. The other opens what is
kept of somebody, and forgets them. That of a policy elsewhere is made by a command, and so is the
question of a preflight whether an address leads to this server, which stands in a URL for a minute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from itsdangerous import BadSignature, TimestampSigner, URLSafeTimedSerializer
from itsdangerous.encoding import base64_decode, base64_encode, want_bytes

from server.robots.remote.connection import PolicyTokenError
from server.wall_clock import wall_s

SEAT_TOKEN_AGE_S = 6 * 3600
"""Age (s) at which a seat token expires: long enough for a study session with breaks; reloading the
page gives a new one."""
TICKET_TOKEN_AGE_S = 3600
POLICY_TOKEN_AGE_DAYS = 30
DEBRIEF_TOKEN_AGE_S = 20 * 365 * 86_400
"""Age (s) of a debrief's link at which nobody needs it any more: twenty years."""
OWN_DATA_TOKEN_AGE_S = DEBRIEF_TOKEN_AGE_S
"""Age (s) at which nobody needs the link to what is kept of them any more."""
PREFLIGHT_AGE_S = 60
"""Age (s) at which the question of a preflight is answered no more."""
KNOWN_BROWSER_AGE_S = 180 * 86_400
"""Age (s) of the note that a browser has been signed in with an operator's account."""
SKEW_S = 60
"""Seconds that clocks of servers that share a key may be apart; a token lives so much longer.

From ahead a token may come by as much as it lives, since a clock may be set back: over a restart
too, the pages that are open stay good. No more, so that one which was made while the clock was far
ahead does not live for years.
"""

Clock = Callable[[], float]
"""Clock that tokens are dated with, in seconds since 1970: they outlive the process."""


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


class ArrivalClaim(NamedTuple):
    """Claim that the bearer saw the first page of ``study`` when opening a link of it.

    ``arrival_id`` is of that showing alone, so that a form which is sent twice is known again.
    """

    study: str
    arrival_id: str
    parameters: str
    """Parameters of the link, as JSON."""


class WithdrawalClaim(NamedTuple):
    """Claim that the bearer has opened the link with which somebody began ``visit_id``.

    The data of that visit can be withdrawn with it, and nothing else done.
    """

    study: str
    visit_id: str


class WatchClaim(NamedTuple):
    """Claim that the bearer may watch ``session_id``, and do nothing in it.

    It is worth something while the operator's ``sign_in`` lasts.
    """

    session_id: str
    sign_in: str


class Tokens:
    """Maker and checker of tokens with one secret."""

    def __init__(self, secret_key: str, clock: Clock = wall_s) -> None:
        self._clock = clock
        self._seat = self._serializer(secret_key, "cohabit.seat.1")
        self._ticket = self._serializer(secret_key, "cohabit.ticket.1")
        self._watch = self._serializer(secret_key, "cohabit.watch.1")
        self._policy = self._serializer(secret_key, "cohabit.policy.1")
        self._debrief = self._serializer(secret_key, "cohabit.debrief.1")
        self._arrival = self._serializer(secret_key, "cohabit.arrival.1")
        self._withdrawal = self._serializer(secret_key, "cohabit.withdrawal.1")
        self._own_data = self._serializer(secret_key, "cohabit.own_data.1")
        self._known_browser = self._serializer(secret_key, "cohabit.known_browser.1")
        self._preflight = self._serializer(secret_key, "cohabit.preflight.1")
        self._preflight_answer = self._serializer(secret_key, "cohabit.preflight_answer.1")

    def _serializer(self, secret_key: str, salt: str) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(
            secret_key, salt, signer=_ClockSigner, signer_kwargs={"clock": self._clock}
        )

    def sign_seat(self, claim: SeatClaim) -> str:
        return _text(self._seat.dumps(list(claim)))

    def read_seat(self, token: str) -> SeatClaim:
        """Return the claim of a seat token. Raises TokenError, fit for the close reason."""
        return SeatClaim(*self._load(self._seat, token, SEAT_TOKEN_AGE_S, 3))

    def sign_ticket(self, claim: TicketClaim) -> str:
        return _text(self._ticket.dumps(list(claim)))

    def read_ticket(self, token: str) -> TicketClaim:
        """Return the claim of a ticket token. Raises TokenError, fit for the close reason."""
        return TicketClaim(*self._load(self._ticket, token, TICKET_TOKEN_AGE_S, 2))

    def sign_arrival(self, claim: ArrivalClaim) -> str:
        return _text(self._arrival.dumps(list(claim)))

    def read_arrival(self, token: str) -> ArrivalClaim:
        """Return the claim of a first page's form. Raises TokenError."""
        return ArrivalClaim(*self._load(self._arrival, token, SEAT_TOKEN_AGE_S, 3))

    def sign_withdrawal(self, claim: WithdrawalClaim) -> str:
        return _text(self._withdrawal.dumps(list(claim)))

    def read_withdrawal(self, token: str) -> WithdrawalClaim:
        """Return the claim of a withdrawal's form. Raises TokenError."""
        return WithdrawalClaim(*self._load(self._withdrawal, token, SEAT_TOKEN_AGE_S, 2))

    def sign_debrief(self, visit_id: str) -> str:
        """Return a token for the debrief and the withdrawal of a visit, in a link that lasts."""
        return _text(self._debrief.dumps([visit_id]))

    def read_debrief(self, token: str) -> str:
        """Return the visit in a debrief's token. Raises TokenError."""
        (visit_id,) = self._load(self._debrief, token, DEBRIEF_TOKEN_AGE_S, 1)
        return visit_id

    def sign_own_data(self, participant_id: str) -> str:
        """Return a token for what is kept of a participant, in a link that lasts.

        Who has it reads all of that and can have it destroyed: only their own browser gets it.
        """
        return _text(self._own_data.dumps([participant_id]))

    def read_own_data(self, token: str) -> str:
        """Return the participant in such a token. Raises TokenError."""
        (participant_id,) = self._load(self._own_data, token, OWN_DATA_TOKEN_AGE_S, 1)
        return participant_id

    def sign_watch(self, claim: WatchClaim) -> str:
        return _text(self._watch.dumps(list(claim)))

    def read_watch(self, token: str) -> WatchClaim:
        """Return the claim of a watcher's token. Raises TokenError, fit for the close reason."""
        return WatchClaim(*self._load(self._watch, token, SEAT_TOKEN_AGE_S, 2))

    def sign_known_browser(self, operator: str, nonce: str) -> str:
        """Return a note that this browser has been signed in with an operator's account."""
        return _text(self._known_browser.dumps([operator, nonce]))

    def read_known_browser(self, token: str) -> tuple[str, str]:
        """Return the account in such a note, and what tells its browser. Raises TokenError."""
        operator, nonce = self._load(self._known_browser, token, KNOWN_BROWSER_AGE_S, 2)
        return operator, nonce

    def sign_policy(self, name: str) -> str:
        """Return a token for a remote policy, good for `POLICY_TOKEN_AGE_DAYS` days."""
        return _text(self._policy.dumps([name]))

    def read_policy(self, token: str) -> str:
        """Return the name in a remote policy's token. Raises PolicyTokenError."""
        try:
            (name,) = self._load(
                self._policy,
                token,
                POLICY_TOKEN_AGE_DAYS * 86_400,
                1,
                "make one with cohabit robots token NAME",
            )
        except TokenError as error:
            raise PolicyTokenError(str(error)) from error
        return name

    def sign_preflight(self, nonce: str) -> str:
        """Return the question whether an address leads to a server that has this key."""
        return _text(self._preflight.dumps([nonce]))

    def read_preflight(self, token: str) -> str:
        """Return the nonce of such a question. Raises TokenError."""
        (nonce,) = self._load(self._preflight, token, PREFLIGHT_AGE_S, 1)
        return nonce

    def sign_preflight_answer(self, nonce: str, process: str) -> str:
        """Return the answer of the server that runs as ``process``."""
        return _text(self._preflight_answer.dumps([nonce, process]))

    def read_preflight_answer(self, token: str) -> tuple[str, str]:
        """Return the nonce that was asked, and the process that answers. Raises TokenError."""
        nonce, process = self._load(self._preflight_answer, token, PREFLIGHT_AGE_S, 2)
        return nonce, process

    def _load(
        self,
        serializer: URLSafeTimedSerializer,
        token: str,
        age_s: int,
        fields: int,
        advice: str = "reload the page",
    ) -> list[str]:
        try:
            values, signed_at = serializer.loads(token, return_timestamp=True)
        except BadSignature as error:
            raise TokenError(f"the token is not valid: {advice}") from error
        age = self._clock() - signed_at.timestamp()
        if age > age_s + SKEW_S:
            raise TokenError(f"the token has expired: {advice}")
        if age < -(age_s + SKEW_S):
            raise TokenError(f"the token is dated in the future: {advice}")
        if not isinstance(values, list) or len(values) != fields:
            raise TokenError(f"the token is of another kind: {advice}")
        return [str(value) for value in values]


class _ClockSigner(TimestampSigner):
    """Signer that dates with a clock of ours, and takes a signature in one spelling only."""

    def __init__(self, *args: Any, clock: Clock, **options: Any) -> None:
        super().__init__(*args, **options)
        self._clock = clock

    def get_timestamp(self) -> int:
        return int(self._clock())

    def verify_signature(self, value: str | bytes, sig: str | bytes) -> bool:
        """Tell whether a signature is right; a decoder would skip or drop some of its characters.

        So there is one text for each token: what was refused once is not tried in another guise.
        """
        if not super().verify_signature(value, sig):
            return False
        return base64_encode(base64_decode(sig)) == want_bytes(sig)


def _text(token: str | bytes) -> str:
    return token if isinstance(token, str) else token.decode("ascii")
