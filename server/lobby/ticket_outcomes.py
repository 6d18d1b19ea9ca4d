"""Outcomes of a stay in the lobby, each with the name of the text that people read then."""

from __future__ import annotations

import msgspec

from matchmaking.tickets import State, Wish
from server.wire.close_codes import CloseCode


class StartError(Exception):
    """A match was given no session, or the lobby is closed."""


class Matched(msgspec.Struct, frozen=True):
    session_id: str


class Closed(msgspec.Struct, frozen=True):
    """End of a stay without a session; ``message`` names the text that says why."""

    code: CloseCode
    message: str


Outcome = Matched | Closed

NOTHING_NEW = Closed(CloseCode.DONE, "closed-no-tasks")
NEVER_OPENED = Closed(CloseCode.DONE, "closed-not-opened-study")
COULD_NOT_OPEN = Closed(CloseCode.UNAVAILABLE, "closed-not-opened")
PLAYS_ELSEWHERE = Closed(CloseCode.OTHER_TAB, "closed-plays-elsewhere")
CLOSED_BY_STATE: dict[State, Closed] = {
    State.CANCELLED: Closed(CloseCode.DONE, "closed-cancelled"),
    State.EXPIRED: Closed(CloseCode.TRY_AGAIN, "closed-expired"),
    State.UNREADY: Closed(CloseCode.TRY_AGAIN, "closed-unready"),
    State.OVER_RECRUITED: Closed(CloseCode.DONE, "closed-over-recruited"),
    State.NO_TASKS: NOTHING_NEW,
    State.NOT_OPENED: NEVER_OPENED,
    State.UNOPENED: COULD_NOT_OPEN,
    State.ELSEWHERE: PLAYS_ELSEWHERE,
    State.GONE: Closed(CloseCode.TRY_AGAIN, "closed-gone"),
    State.STOPPED: Closed(CloseCode.TRY_AGAIN, "closed-stopped"),
}


def closed_by(state: State, wish: Wish) -> Closed:
    """Return how a stay ended that came to a state."""
    if state is State.EXPIRED and wish is Wish.STUDY:
        # Whoever takes part in a study has nothing to choose: its next page says what follows.
        return Closed(CloseCode.TRY_AGAIN, "closed-expired-study")
    return CLOSED_BY_STATE[state]


GOING_AWAY = Closed(CloseCode.GOING_AWAY, "closed-going-away")
COULD_NOT_JOIN = Closed(CloseCode.UNAVAILABLE, "closed-not-joined")
