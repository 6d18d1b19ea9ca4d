"""Messages between the lobby's page and the server, over ``/ws/lobby``.

They are arrays like those of a session (see `server.wire.messages`), but always JSON in text
frames: they are few and small.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec


class LobbyHello(msgspec.Struct, frozen=True, tag="hello", array_like=True):
    """First message of the page.

    ``token`` is the ticket's, from the lobby page; ``tab`` a random id of the browser tab, kept
    over reloads; ``take_over`` asks to wait here although another tab waits.
    """

    token: Annotated[str, msgspec.Meta(max_length=2048)]
    tab: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    take_over: bool = False


class LobbyCancel(msgspec.Struct, frozen=True, tag="cancel", array_like=True):
    """Request to leave the lobby; answered by `LobbyClosed`."""


class LobbyReady(msgspec.Struct, frozen=True, tag="ready", array_like=True):
    """Word of somebody who is ready, where `LobbyStatus` asks."""


LobbyClientMessage = LobbyHello | LobbyCancel | LobbyReady


class LobbyPlace(msgspec.Struct, frozen=True, array_like=True):
    """A place of the team that somebody waits for.

    ``name`` is of the body, such as "Robot 2", or of its kind where who gets which is drawn;
    ``look`` is that of a seat (``robot-2``), empty where it is drawn. ``state`` is ``you``,
    ``here``, ``away`` (for a moment), ``open`` or ``policy``, and ``text`` says so.
    """

    name: str
    look: str
    state: str
    text: str


class LobbyStatus(msgspec.Struct, frozen=True, tag="status", array_like=True):
    """Contents of the lobby page now, sent every second.

    ``position`` counts from 1, ``waiting`` is the number of people in the lobby, ``waited_s`` in
    seconds, ``text`` is for reading. ``places`` are those of a team that has a name, otherwise
    none; ``may_begin`` tells that the page may say that nobody else is waited for. ``left_s`` are
    the seconds to the deadline of a study's lobby, below 0 where there is none; ``ready_s`` those
    in which the group is asked to be ready, 0 where it is not; ``begins_s`` those after which the
    team begins without the rest, below 0 where it does not or too few are here.
    """

    position: int
    waiting: int
    waited_s: float
    text: str
    places: tuple[LobbyPlace, ...] = ()
    may_begin: bool = False
    left_s: float = -1.0
    ready_s: float = 0.0
    begins_s: float = -1.0


class LobbyMatched(msgspec.Struct, frozen=True, tag="matched", array_like=True):
    """The session is open and its page is at ``play_url``, a path; the socket closes after it."""

    play_url: str


class LobbyClosed(msgspec.Struct, frozen=True, tag="closed", array_like=True):
    """The stay in the lobby is over; the socket closes with this `CloseCode` after it.

    ``text`` is for reading.
    """

    code: int
    text: str


LobbyServerMessage = LobbyStatus | LobbyMatched | LobbyClosed

_encode = msgspec.json.Encoder().encode
_decoder: Any = msgspec.json.Decoder(LobbyClientMessage)


def encode_lobby_message(message: LobbyServerMessage) -> str:
    """Return the text of a message."""
    return _encode(message).decode()


def decode_lobby_message(text: str) -> LobbyClientMessage:
    """Return the message of a page. Raises msgspec.MsgspecError for what is none."""
    return _decoder.decode(text)  # type: ignore[no-any-return]
