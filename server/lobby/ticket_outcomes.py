"""Outcomes of a stay in the lobby, and the sentences that people read meanwhile."""

from __future__ import annotations

import msgspec

from matchmaking.tickets import State, Wish
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
        "We could not find you a partner in time. You are welcome to try again or to play alone.",
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
    CloseCode.GOING_AWAY, "The server is being restarted. Please join again in a minute."
)
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
SLOW_S = 5.0
"""Seconds of opening a session after which its people are told that it takes longer than usual."""


def status_text(
    wish: Wish,
    state: State,
    position: int,
    *,
    guest_is_here: bool,
    is_full: bool,
    is_paused: bool,
    robot_answers: bool,
    robot_after_s: float | None = None,
    opening_s: float = 0.0,
) -> str:
    """Return a sentence or two that say what happens next.

    ``robot_after_s`` is the wait in seconds after which a policy is offered to somebody who asked
    for a person; nobody is given one without having been told. ``opening_s`` is for how long the
    session has been opening. While it ``is_paused`` no home opens, though some may be free.
    """
    if state is State.MATCHED and opening_s >= SLOW_S:
        return "One moment, please: your home takes longer than usual to open."
    if state is State.MATCHED:
        return "Your home is being opened."
    if wish is Wish.INVITE and not guest_is_here:
        return "Waiting for your partner to open the invitation."
    if wish is Wish.ROBOT and not robot_answers:
        return "The robot does not answer just now. You begin when it does, or play without it."
    if is_paused:
        return (
            "No new homes open for a while, because of a problem on our side. You keep your place "
            f"(number {position} in line) and begin when they open again."
        )
    if is_full:
        if position == 1:
            return "All homes are busy. You are next: we open one for you as soon as it is free."
        return f"All homes are busy. You are number {position} in line."
    if wish is Wish.PERSON and robot_after_s is not None:
        return (
            "Waiting for one more person. If nobody has come after "
            f"{_duration(robot_after_s)}, a program plays the robot and you begin with it."
        )
    if wish is Wish.PERSON:
        return "Waiting for one more person. You begin as soon as somebody comes."
    return "Your home is being opened."


def _duration(seconds: float) -> str:
    whole, unit = round(seconds), "second"
    if whole >= 600 or (whole >= 120 and whole % 60 == 0):
        whole, unit = round(seconds / 60), "minute"
    return f"{whole} {unit}" if whole == 1 else f"{whole} {unit}s"
