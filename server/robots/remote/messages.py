"""Messages between the server and a remote policy: JSON objects with a ``type``.

`docs/policies/remote.md` describes them from the other end.
"""

from __future__ import annotations

from typing import Any

import msgspec

from server.robots.models.request import GarbageError
from server.robots.policy import Decision, Do, Finished, Pause, SayLine
from server.sessions.chat import LONGEST_LINE
from server.sessions.spec import TICK_RATE

VERSION = 1
LARGEST_MESSAGE = 16 * 1024
"""Bytes of the longest message that a remote policy may send."""
LONGEST_CALL = 500
"""Bytes of a call: it is in the views and in the log from then on."""
LONGEST_PAUSE_S = 60.0
_CHOICES = ("do", "say", "pause_s", "finished")


class Hello(msgspec.Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """The first message of a remote policy, with its token."""

    version: int
    token: str


class Decided(msgspec.Struct, frozen=True, tag="decision", forbid_unknown_fields=True):
    """The answer to a `Decide` of the same ``id``: one of a call, a line, a pause, the end."""

    id: str
    do: str | msgspec.UnsetType = msgspec.UNSET
    """A call as text, ``Pick[cup_0]``: one that cannot be read fails like anybody's."""
    say: str | msgspec.UnsetType = msgspec.UNSET
    to: str | msgspec.UnsetType = msgspec.UNSET
    """The seat that ``say`` is addressed to; without it, or with one partner: all."""
    pause_s: float | msgspec.UnsetType = msgspec.UNSET
    """Seconds to wait, or until something happens."""
    finished: bool | msgspec.UnsetType = msgspec.UNSET


class Welcome(msgspec.Struct, frozen=True, tag="welcome"):
    """The answer to a good hello."""

    version: int
    name: str
    """The name by which teams and settings call it, after ``remote:``."""
    decide_within_s: float
    """Seconds in which it has to answer; later answers do not count."""


class Decide(msgspec.Struct, frozen=True, tag="decide"):
    """The question what a seat does next."""

    id: str
    game: str
    """Name of the episode, the same for all seats that it plays there."""
    seat: str
    seed: int
    view: msgspec.Raw


class Dropped(msgspec.Struct, frozen=True, tag="dropped"):
    """A question that nobody waits for any more: the episode is over, or the time is."""

    id: str
    reason: str


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """An answer that was no decision; the seat is asked again later."""

    id: str
    reason: str


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The end of an episode for a seat: nothing more is asked about it."""

    game: str
    seat: str


FromPolicy = Hello | Decided
ToPolicy = Welcome | Decide | Dropped | Refused | Over

_reader: msgspec.json.Decoder[FromPolicy] = msgspec.json.Decoder(FromPolicy)
_writer = msgspec.json.Encoder()


def read(data: str | bytes) -> FromPolicy:
    """Read a message. Raises ValueError that says what was expected and what came."""
    size = len(data) if isinstance(data, bytes) else len(data.encode())
    if size > LARGEST_MESSAGE:
        raise ValueError(f"expected at most {LARGEST_MESSAGE} bytes in a message, got {size}")
    try:
        return _reader.decode(data)
    except msgspec.MsgspecError as error:
        raise ValueError(f"expected a hello or a decision: {error}") from error


def write(message: ToPolicy) -> str:
    return _writer.encode(message).decode()


def decision_of(answer: Decided) -> Decision:
    """Return the decision that an answer is. Raises GarbageError where it is none."""
    given = {key: getattr(answer, key) for key in _CHOICES}
    given = {key: value for key, value in given.items() if value is not msgspec.UNSET}
    if len(given) != 1:
        raise GarbageError(f"expected one of {', '.join(_CHOICES)}, got {_listed(given)}")
    ((key, value),) = given.items()
    match key:
        case "do" if 0 < len(value.encode()) <= LONGEST_CALL:
            return Do(value)
        case "say" if 0 < len(value.strip()) <= LONGEST_LINE:
            return SayLine(value, answer.to or "")
        case "pause_s" if 0 <= value <= LONGEST_PAUSE_S:
            return Pause(max(1, round(value * TICK_RATE)))
        case "finished" if value is True:
            return Finished()
    wanted = {
        "do": f"a call of 1 to {LONGEST_CALL} bytes",
        "say": f"a line of 1 to {LONGEST_LINE} characters",
        "pause_s": f"0 to {LONGEST_PAUSE_S:g} seconds",
        "finished": "true",
    }[key]
    raise GarbageError(f"expected {key} to be {wanted}, got {str(value)[:80]!r}")


def _listed(given: dict[str, Any]) -> str:
    return ", ".join(given) or "none"
