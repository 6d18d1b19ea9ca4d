"""Messages that a browser may send.

See `server.wire.messages` for units and the rules that hold for all. A value that is out of these
ranges makes the message none of this protocol, and closes the connection.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from episodes.rules import TargetVerb
from server.wire.tables import Index, Millimetres, Millimetres3, Milliradians

ClientClock = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""Milliseconds of a clock of the client's own choice. A `Pong` gives them back, and the log keeps
those of actions; nothing else is made of them."""
Counter = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Span = Annotated[int, msgspec.Meta(ge=0, le=3_600_000)]
Pixels = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class Hello(msgspec.Struct, frozen=True, tag="hello", array_like=True):
    """First message of every connection.

    ``token`` is the seat token from the play page, ``tab`` a random id of the browser tab, kept
    over reloads of that tab; ``take_over`` asks to play here although another tab plays.
    """

    token: Annotated[str, msgspec.Meta(max_length=2048)]
    tab: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    client_version: Annotated[str, msgspec.Meta(max_length=64)]
    take_over: bool = False


class DriveInput(msgspec.Struct, frozen=True, tag="d", array_like=True):
    """Held keys as a velocity (mm/s, ``strafe`` to the right), and where the body looks (mrad).

    Sent on change and repeated at 10 Hz while the body moves.
    """

    client_ms: ClientClock
    forward: Millimetres
    strafe: Millimetres
    yaw: Milliradians
    pitch: Milliradians


class ActInput(msgspec.Struct, frozen=True, tag="a", array_like=True):
    """Request to do ``verb`` to an entity.

    ``part`` is -1 for the default part. ``intent_id`` comes back in the `DidEvent` or
    `RefusedEvent` that answers.
    """

    client_ms: ClientClock
    intent_id: Counter
    verb: TargetVerb
    target: Index
    part: Index = -1


class PlaceInput(msgspec.Struct, frozen=True, tag="p", array_like=True):
    """Request to put down what the hand holds at ``point``; ``target`` is -1 for the floor."""

    client_ms: ClientClock
    intent_id: Counter
    point: Millimetres3
    yaw: Milliradians
    target: Index = -1


class PreviewInput(msgspec.Struct, frozen=True, tag="v", array_like=True):
    """Question whether the held object would fit there.

    Answered by `Preview` with the same ``preview_id``. ``inside`` asks for the place nearest to the
    point within the furniture ``target``, behind its ``part`` if that is not -1.
    """

    preview_id: Counter
    point: Millimetres3
    yaw: Milliradians
    target: Index = -1
    inside: bool = False
    part: Index = -1


class SelectInput(msgspec.Struct, frozen=True, tag="s", array_like=True):
    """Request to be told what can be done with ``target`` (`SelectionEvent`); -1 deselects."""

    target: Index
    part: Index = -1


class SayInput(msgspec.Struct, frozen=True, tag="say", array_like=True):
    """A chat line; over the limit of `Welcome` the connection is closed with 4008."""

    text: str


class ReadyInput(msgspec.Struct, frozen=True, tag="ready", array_like=True):
    """Report that assets are loaded; the episode begins when everybody is ready.

    Sent after every snapshot of an episode whose phase is ``gathering``.
    """


class FinishInput(msgspec.Struct, frozen=True, tag="finish", array_like=True):
    """Report that the player takes the task for done; with false, that is taken back."""

    finished: bool = True


class Ping(msgspec.Struct, frozen=True, tag="ping", array_like=True):
    """Sign of life, answered by `Pong`.

    ``rtt_ms`` is the last round trip that the client measured, -1 before the first. ``idle_ms`` is
    the time since somebody last touched the page (a held key and a moving mouse are touches; -1:
    not known, then what is sent counts), ``hidden`` whether the page is out of sight.
    """

    client_ms: ClientClock
    rtt_ms: Annotated[int, msgspec.Meta(ge=-1, le=3_600_000)] = -1
    idle_ms: Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)] = -1
    hidden: bool = False


Samples = Annotated[tuple[Span, ...], msgspec.Meta(max_length=60)]


class PageStats(msgspec.Struct, frozen=True, tag="stats", array_like=True):
    """Figures of how the page ran, and what its player looked at, since the last such message.

    Sent every ten seconds while the episode runs, and when it ends. ``fps`` are pictures a second,
    of each second in which pictures followed each other; ``rtts_ms`` round trips; ``shown_ms`` the
    times from asking for an action to the first picture with its result. ``quality`` is the level
    of the picture (0 the lowest, -1: not known), ``width`` and ``height`` are those of the scene in
    CSS pixels (0: not known). ``partner_ms`` is the time in which a body of another was to be seen,
    ``map_ms`` and ``help_ms`` for how long these panels were open, ``hovers`` how often the pointer
    came to a thing.
    """

    span_ms: Span
    fps: Samples = ()
    rtts_ms: Samples = ()
    shown_ms: Samples = ()
    quality: Annotated[int, msgspec.Meta(ge=-1, le=100)] = -1
    width: Pixels = 0
    height: Pixels = 0
    touch: bool = False
    partner_ms: Span = 0
    map_ms: Span = 0
    help_ms: Span = 0
    hovers: Span = 0


ClientMessage = (
    Hello
    | DriveInput
    | ActInput
    | PlaceInput
    | PreviewInput
    | SelectInput
    | SayInput
    | ReadyInput
    | FinishInput
    | Ping
    | PageStats
)
