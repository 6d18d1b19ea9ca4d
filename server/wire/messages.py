"""Messages between browser and server in a session, defined once.

Messages are arrays: a tag, then the fields in the order given here. Fields are append-only; a
reader ignores what it does not know and fills what is missing at the end from the defaults. Lengths
are integer millimetres, angles integer milliradians, rotations rotation vectors (axis times angle)
in milliradians. Entities are indices into the snapshot's table, valid until the next snapshot;
seats are indices into its list of seats. The TypeScript types are generated from this file (`python
-m server.wire.typescript`), and `docs/protocol.md` explains it to strangers.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from server.wire.client_messages import (
    ActInput,
    ClientMessage,
    DriveInput,
    FinishInput,
    Hello,
    PageStats,
    Ping,
    PlaceInput,
    PreviewInput,
    ReadyInput,
    SayInput,
    SelectInput,
)
from server.wire.tables import (
    NOTHING,
    AgentState,
    Appeared,
    ChatLine,
    EntityInfo,
    FlagState,
    HolderState,
    Millimetres3,
    Milliradians3,
    ObjectState,
    PartInfo,
    PartState,
    Ring,
    RoomInfo,
    SeatInfo,
    SeatState,
    TemplateInfo,
)

__all__ = [
    "NOTHING",
    "ActInput",
    "ActionInfo",
    "AgentState",
    "AimEvent",
    "Appeared",
    "BlockedEvent",
    "ChatLine",
    "ClientMessage",
    "ClockEvent",
    "DidEvent",
    "DriveInput",
    "EntityInfo",
    "EpisodeOver",
    "FinishInput",
    "FlagState",
    "Frame",
    "Hello",
    "HolderState",
    "LimitEvent",
    "Notice",
    "NoticeCode",
    "ObjectState",
    "PageStats",
    "PartInfo",
    "PartState",
    "PhaseEvent",
    "Ping",
    "PlaceInput",
    "Pong",
    "Preview",
    "PreviewInput",
    "ReadyInput",
    "RefusedEvent",
    "Ring",
    "RoomInfo",
    "SaidEvent",
    "SayInput",
    "SeatInfo",
    "SeatState",
    "SelectInput",
    "SelectionEvent",
    "ServerMessage",
    "Snapshot",
    "TemplateInfo",
    "Welcome",
    "WireEvent",
]

# Server to browser: events, each delivered once and in order


class DidEvent(msgspec.Struct, frozen=True, tag="did", array_like=True):
    """An action that a seat did.

    ``part`` -1: none; ``where`` is a label that a player reads, for placements; ``target`` -1:
    something out of sight. ``intent_id`` is what that seat sent.
    """

    tick: int
    seat: int
    verb: str
    target: int
    part: int = -1
    where: str = ""
    intent_id: int = -1


class RefusedEvent(msgspec.Struct, frozen=True, tag="no", array_like=True):
    """Answer to an impossible request; ``reason`` is for reading, ``rule`` is stable."""

    verb: str
    target: int
    rule: str
    reason: str
    intent_id: int = -1


class SaidEvent(msgspec.Struct, frozen=True, tag="said", array_like=True):
    tick: int
    seat: int
    text: str


class PhaseEvent(msgspec.Struct, frozen=True, tag="phase", array_like=True):
    """Phase that the episode is in now: gathering, running, paused, or ended for ``reason``.

    The first time that it is running, it has started at ``tick``.
    """

    tick: int
    phase: str
    reason: str = ""


class LimitEvent(msgspec.Struct, frozen=True, tag="limit", array_like=True):
    """Time limit that holds from now on: ``time_limit_ticks`` after the start (0: no limit).

    It changes after a pause, and when somebody has finished and the others have only so long to
    finish too (``finishing``).
    """

    tick: int
    time_limit_ticks: int
    finishing: bool = False


class ClockEvent(msgspec.Struct, frozen=True, tag="clock", array_like=True):
    """Start of the task's clock, which has waited for people to begin.

    A `LimitEvent` comes with it, where there is a limit.
    """

    tick: int


class BlockedEvent(msgspec.Struct, frozen=True, tag="block", array_like=True):
    """A seat's passing through others: it begins after 2 s of pushing the body of ``by``.

    It ends (``passes`` false, ``by`` -1) once the seat is clear of all bodies, or after 3 s. Comes
    only with the feature ``bodies_block``.
    """

    tick: int
    seat: int
    by: int
    passes: bool


class AimEvent(msgspec.Struct, frozen=True, tag="aim", array_like=True):
    """The act that a robot is about to do: ``verb`` for a picture, ``text`` and ``why`` to read.

    ``target`` is the thing, ``place`` the entity or else ``room`` the room where it goes (-1: none,
    or out of sight). An empty ``verb``: it shows nothing any more. Whoever joins is told the
    present aims after the snapshot. Comes only where the session shows aims.
    """

    tick: int
    seat: int
    verb: str
    text: str = ""
    target: int = -1
    place: int = -1
    room: int = -1
    why: str = ""


class ActionInfo(msgspec.Struct, frozen=True, array_like=True):
    verb: str
    possible: bool
    reason: str = ""


class SelectionEvent(msgspec.Struct, frozen=True, tag="sel", array_like=True):
    """Actions that are possible with the selected thing, and why not, if not."""

    target: int
    part: int
    actions: tuple[ActionInfo, ...]


WireEvent = (
    DidEvent
    | RefusedEvent
    | SaidEvent
    | PhaseEvent
    | LimitEvent
    | BlockedEvent
    | SelectionEvent
    | AimEvent
    | ClockEvent
)


# Server to browser: messages


class Welcome(msgspec.Struct, frozen=True, tag="welcome", array_like=True):
    """Answer to `Hello`.

    ``me`` is the index of the own seat in the next snapshot (-1: watching); ``chat_limit`` is in
    characters, ``reconnect_s`` the time to come back after a loss.
    """

    session_id: str
    me: int
    tick_rate: int
    server_version: str
    chat_limit: int
    reconnect_s: int = 30


class Snapshot(msgspec.Struct, frozen=True, tag="snapshot", array_like=True):
    """Whole visible state; what lies inside closed furniture is not in it.

    ``started_tick`` is -1 until the episode runs, ``time_limit_ticks`` 0 for none. An entity's
    index is its place in ``entities``. ``walkable`` are polygons, each an outer ring and its holes.
    ``parts`` lists only those that are not closed, ``holders`` only held objects, ``flags`` only
    what is true. ``finishing``: the limit is the time that the others have left since somebody has
    finished. ``clock_tick`` is when the task's clock started; -1: not yet. ``reach`` is the
    distance for interaction (mm). ``features`` are the parts of the interface that the rule
    profile allows.
    """

    tick: int
    episode_id: str
    task_text: str
    phase: str
    started_tick: int
    time_limit_ticks: int
    asset_root: str
    stage_asset: str
    profile: str
    features: tuple[str, ...]
    reach: int
    seats: tuple[SeatInfo, ...]
    rooms: tuple[RoomInfo, ...]
    templates: tuple[TemplateInfo, ...]
    entities: tuple[EntityInfo, ...]
    walkable: tuple[tuple[Ring, ...], ...]
    agents: tuple[AgentState, ...]
    parts: tuple[PartState, ...]
    holders: tuple[HolderState, ...]
    flags: tuple[FlagState, ...]
    chat: tuple[ChatLine, ...] = ()
    finishing: bool = False
    clock_tick: int = -1


class Frame(msgspec.Struct, frozen=True, tag="f", array_like=True):
    """Changes since the last frame that this connection was sent.

    States come with their latest value only, events all of them and in order. Trailing empty lists
    are left out. ``vanished`` entities were shut in; ``appeared`` ones came to light, and replace
    what was known of that index. ``templates`` continue the snapshot's table. Apply ``templates``,
    ``vanished``, ``appeared``, then the rest.
    """

    tick: int
    agents: tuple[AgentState, ...] = ()
    objects: tuple[ObjectState, ...] = ()
    parts: tuple[PartState, ...] = ()
    holders: tuple[HolderState, ...] = ()
    flags: tuple[FlagState, ...] = ()
    seats: tuple[SeatState, ...] = ()
    events: tuple[WireEvent, ...] = ()
    appeared: tuple[Appeared, ...] = ()
    vanished: tuple[int, ...] = ()
    templates: tuple[TemplateInfo, ...] = ()


class Preview(msgspec.Struct, frozen=True, tag="preview", array_like=True):
    """Answer to `PreviewInput`: where the object would stand, and why not, if not.

    When it would stand nowhere at all, position and rotation are those asked for. A place right
    beside the point may have been found for it: to put it there, ask for this position. ``where``
    says on or in what it would be: ``on the table``.
    """

    preview_id: int
    fits: bool
    reason: str
    position: Millimetres3
    rotation: Milliradians3
    where: str = ""


class Pong(msgspec.Struct, frozen=True, tag="pong", array_like=True):
    """Echo of `Ping`, with the tick that the server is at."""

    client_ms: int
    tick: int


class EpisodeOver(msgspec.Struct, frozen=True, tag="over", array_like=True):
    """News that the verdict is stored; the report is at ``/report/<episode_id>``."""

    episode_id: str
    reason: str


NoticeCode = Literal[
    "reconnecting",
    "reconnected",
    "rate",
    "text_too_long",
    "server",
    "unrecorded",
    "recorded",
    "lost",
    "operator",
]


class Notice(msgspec.Struct, frozen=True, tag="notice", array_like=True):
    """Notice to the person: ``code`` is stable (`NoticeCode`), ``text`` is for reading."""

    code: str
    text: str


ServerMessage = Welcome | Snapshot | Frame | Preview | Pong | EpisodeOver | Notice
