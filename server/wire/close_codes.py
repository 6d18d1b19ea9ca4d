"""Numbers with which the server closes a websocket, for sessions and the lobby alike."""

from __future__ import annotations

from enum import IntEnum


class CloseCode(IntEnum):
    """The reason why a socket was closed, one meaning a number.

    `docs/protocol.md` tells clients what to do about each. Numbers from 4400 on are those of HTTP.
    """

    DONE = 4000
    GOING_AWAY = 4001
    MALFORMED = 4002
    REFUSED = 4003
    OVER_LIMIT = 4008
    OTHER_TAB = 4009
    TRY_AGAIN = 4010
    UNAUTHENTICATED = 4401
    NO_SESSION = 4404
    VERSION = 4426
    UNAVAILABLE = 4503
