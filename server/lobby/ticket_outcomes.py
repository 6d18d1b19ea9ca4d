"""Outcomes of a stay in the lobby, and the sentences that people read meanwhile."""

from __future__ import annotations

import msgspec

from matchmaking.tickets import State
from server.wire.close_codes import CloseCode


class StartError(Exception):
    """A match was given no session, or the lobby is closed."""


class Matched(msgspec.Struct, frozen=True):
    session_id: str


class Closed(msgspec.Struct, frozen=True):
    code: CloseCode
    text: str


Outcome = Matched | Closed

CLOSED_BY_STATE: dict[State, Closed] = {
    State.CANCELLED: Closed(CloseCode.DONE, "You left the lobby."),
    State.EXPIRED: Closed(
        CloseCode.TRY_AGAIN,
        "Not enough people came in time. You are welcome to try again or to play alone.",
    ),
    State.UNREADY: Closed(
        CloseCode.TRY_AGAIN,
        "Your group was there, and we did not hear from you in time. You are welcome to join again "
        "when you are here.",
    ),
    State.OVER_RECRUITED: Closed(
        CloseCode.DONE, "More people came than there is room for. Thank you for waiting."
    ),
    State.GONE: Closed(
        CloseCode.TRY_AGAIN, "The connection was lost for too long. Please join again."
    ),
    State.STOPPED: Closed(
        CloseCode.TRY_AGAIN,
        "The server was restarted while you waited, which is no fault of yours. Please join again.",
    ),
}
GOING_AWAY = Closed(
    CloseCode.GOING_AWAY,
    "The server is being restarted. You keep your place: this page comes back by itself.",
)
JOIN_LATER = "The server is being restarted. Please join again in a minute."
COULD_NOT_OPEN = Closed(
    CloseCode.UNAVAILABLE,
    "The home could not be opened. Please try again in a few minutes.",
)


COULD_NOT_JOIN = Closed(
    CloseCode.UNAVAILABLE, "You could not join just now. Please try again in a moment."
)
PLAYS_ELSEWHERE = Closed(
    CloseCode.OTHER_TAB, "You are already in another home. The start page leads there."
)
