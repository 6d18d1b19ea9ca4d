"""Every message between browser and server, defined once.

Messages are arrays: a tag, then the fields in the order given here. Fields are append-only; a
reader ignores what it does not know and fills what is missing at the end from the defaults.
Lengths are integer millimetres, angles integer milliradians, rotations rotation vectors (axis
times angle) in milliradians. Entities are indices into the snapshot's table, valid until the next
snapshot; seats are indices into its list of seats. The TypeScript types are generated from this
file (`python -m server.wire.typescript`), and `docs/protocol.md` explains it to strangers.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.sessions.intents import TargetVerb

Index = Annotated[int, msgspec.Meta(ge=-1, le=1_000_000)]
"""An entity or a seat; -1 where none is meant."""
Millimetres = Annotated[int, msgspec.Meta(ge=-10_000_000, le=10_000_000)]
Milliradians = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]
Millimetres3 = tuple[Millimetres, Millimetres, Millimetres]
Milliradians3 = tuple[Milliradians, Milliradians, Milliradians]
ClientClock = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""Milliseconds of a clock of the client's own choice; it only ever gets them back."""
Counter = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]

CHAT_LIMIT = 500
"""The longest chat line, in characters."""


# Browser to server


class Hello(msgspec.Struct, frozen=True, tag="hello", array_like=True):
    """Always the first message. ``token`` is the seat token that the play page was given,
    ``tab`` a random id of the browser tab, kept over reloads of that tab; ``take_over`` asks to
    play here although another tab plays."""

    token: Annotated[str, msgspec.Meta(max_length=2048)]
    tab: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    client_version: Annotated[str, msgspec.Meta(max_length=64)]
    take_over: bool = False


class DriveInput(msgspec.Struct, frozen=True, tag="d", array_like=True):
    """Held keys as a velocity (mm/s, ``strafe`` to the right), and where the body looks (mrad).
    Sent on change and repeated at 10 Hz while it moves."""

    client_ms: ClientClock
    forward: Millimetres
    strafe: Millimetres
    yaw: Milliradians
    pitch: Milliradians


class ActInput(msgspec.Struct, frozen=True, tag="a", array_like=True):
    """Do ``verb`` to an entity. ``part`` is -1 for the default part. ``intent_id`` comes back in
    the `DidEvent` or `RefusedEvent` that answers."""

    client_ms: ClientClock
    intent_id: Counter
    verb: TargetVerb
    target: Index
    part: Index = -1


class PlaceInput(msgspec.Struct, frozen=True, tag="p", array_like=True):
    """Put down what the hand holds at ``point``. ``target`` is -1 for the floor."""

    client_ms: ClientClock
    intent_id: Counter
    point: Millimetres3
    yaw: Milliradians
    target: Index = -1


class PreviewInput(msgspec.Struct, frozen=True, tag="v", array_like=True):
    """Would it fit there? Answered by `Preview` with the same ``preview_id``."""

    preview_id: Counter
    point: Millimetres3
    yaw: Milliradians
    target: Index = -1


class SelectInput(msgspec.Struct, frozen=True, tag="s", array_like=True):
    """Keep me told what I can do with ``target`` (`SelectionEvent`); -1 deselects."""

    target: Index
    part: Index = -1


class SayInput(msgspec.Struct, frozen=True, tag="say", array_like=True):
    """One chat line; over the limit of `Welcome` the connection is closed with 4008."""

    text: str


class ReadyInput(msgspec.Struct, frozen=True, tag="ready", array_like=True):
    """Assets are loaded; begin when everybody is ready. Sent after every snapshot of an episode
    whose phase is ``gathering``."""


class FinishInput(msgspec.Struct, frozen=True, tag="finish", array_like=True):
    """The task is done, thinks the player; with false, that is taken back."""

    finished: bool = True


class Ping(msgspec.Struct, frozen=True, tag="ping", array_like=True):
    """``rtt_ms`` is the last round trip that the client measured, -1 before the first. ``idle_ms``
    is the time since somebody last touched the page (a held key and a moving mouse are touches;
    -1: not known, then what is sent counts), ``hidden`` whether the page is out of sight."""

    client_ms: ClientClock
    rtt_ms: Annotated[int, msgspec.Meta(ge=-1, le=3_600_000)] = -1
    idle_ms: Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)] = -1
    hidden: bool = False


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
)


# Server to browser: what a snapshot is made of


class SeatInfo(msgspec.Struct, frozen=True, array_like=True):
    """A seat and its body. ``kind`` is human or robot; ``speed`` in mm/s; ``eye`` and ``carry``
    are offsets in the body's frame (Y up, -Z forward, origin on the floor): where its view is
    and where the origin of a held object is. A seat that is not ``occupied`` is not drawn."""

    seat_id: str
    kind: str
    occupied: bool
    presence: str
    finished: bool
    speed: int
    radius: int
    height: int
    eye: Millimetres3
    carry: Millimetres3
    seconds_left: int = -1
    doing: str = ""


class AgentState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a body stands and looks: yaw 0 faces -Z, counter-clockwise from above; pitch > 0 up."""

    seat: int
    x: int
    y: int
    z: int
    yaw: int
    pitch: int


Ring = tuple[int, ...]
"""A closed line on the floor plan (mm): x and z of its first point, then of each further point the
differences to the one before. Differences repeat from one piece of furniture to the next, so
that compression finds them."""


class RoomInfo(msgspec.Struct, frozen=True, array_like=True):
    """``polygon`` is a ring: x and z of its first point, then differences, in mm."""

    room_id: str
    label: str
    polygon: Ring


class PartInfo(msgspec.Struct, frozen=True, array_like=True):
    """An openable part: ``joint`` is hinge or slide, ``axis`` in thousandths, ``open_value`` in
    mrad (hinge) or mm (slide)."""

    name: str
    joint: str
    origin: Millimetres3
    axis: Millimetres3
    open_value: int


class TemplateInfo(msgspec.Struct, frozen=True, array_like=True):
    """What entities of one make have in common; its index is its place in the table. ``kind`` is
    object or furniture, ``class_name`` PARTNR's class, ``low`` and ``high`` the local bounds with
    everything closed, ``affords`` the states that it has (PARTNR's names; false unless a flag
    says otherwise). ``asset`` is a path below the asset root; empty: ``catalogue/<name>.glb``.
    Only objects can be picked up."""

    name: str
    class_name: str
    kind: str
    low: Millimetres3
    high: Millimetres3
    parts: tuple[PartInfo, ...] = ()
    affords: tuple[str, ...] = ()
    asset: str = ""


class EntityInfo(msgspec.Struct, frozen=True, array_like=True):
    """A thing of the world. ``template`` is an index into the table of templates, -1 where there
    is nothing in view. The PARTNR handle is ``<template name>_:<instance in four digits>``. What
    a player reads is ``label``; if empty, the class with spaces for underscores, and behind it
    ``number`` if that is over 1. ``room`` is an index into the rooms for furniture, -1 for
    objects (they move). While somebody holds it, position and rotation are zero: its pose follows
    from the carry offset."""

    template: int
    instance: int
    number: int
    room: int
    position: Millimetres3
    rotation: Milliradians3
    label: str = ""


NOTHING = EntityInfo(-1, 0, 0, -1, (0, 0, 0), (0, 0, 0))
"""What stands in the snapshot's table for an index whose entity is out of sight."""


class Appeared(msgspec.Struct, frozen=True, array_like=True):
    """``entity`` is in view now at this index of the table: closed, unheld, its states false
    unless the same frame says otherwise."""

    index: int
    entity: EntityInfo


class ObjectState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An object was put down here."""

    index: int
    position: Millimetres3
    rotation: Milliradians3


class PartState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """``value`` in mrad (hinge) or mm (slide); 0 is closed."""

    furniture: int
    part: int
    value: int


class HolderState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """``seat`` holds the object; -1: nobody (its pose is in the same frame)."""

    index: int
    seat: int


class FlagState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """``state`` is PARTNR's name: is_clean, is_filled or is_powered_on."""

    index: int
    state: str
    value: bool


class SeatState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """``presence`` is empty, loading, ready, connected, away, reconnecting or gone;
    ``seconds_left`` is how long somebody is waited for (-1 otherwise); ``doing`` is what an
    occupant says it is doing, if it says so."""

    seat: int
    presence: str
    finished: bool
    seconds_left: int = -1
    doing: str = ""


class ChatLine(msgspec.Struct, frozen=True, array_like=True):
    tick: int
    seat: int
    text: str


# Server to browser: events, each delivered once and in order


class DidEvent(msgspec.Struct, frozen=True, tag="did", array_like=True):
    """A seat did something. ``part`` -1: none; ``where`` is a label that a player reads, for
    placements; ``target`` -1: something out of sight. ``intent_id`` is what that seat sent."""

    tick: int
    seat: int
    verb: str
    target: int
    part: int = -1
    where: str = ""
    intent_id: int = -1


class RefusedEvent(msgspec.Struct, frozen=True, tag="no", array_like=True):
    """What you asked for is not possible; ``reason`` is for reading, ``rule`` is stable."""

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
    """The episode is now gathering, running, paused or ended (for ``reason``). The first time that
    it is running, it has started at ``tick``."""

    tick: int
    phase: str
    reason: str = ""


class LimitEvent(msgspec.Struct, frozen=True, tag="limit", array_like=True):
    """The episode now ends ``time_limit_ticks`` after its start (0: no limit): there was a pause,
    or somebody has finished and the others have only so long to finish too (``finishing``)."""

    tick: int
    time_limit_ticks: int
    finishing: bool = False


class ActionInfo(msgspec.Struct, frozen=True, array_like=True):
    verb: str
    possible: bool
    reason: str = ""


class SelectionEvent(msgspec.Struct, frozen=True, tag="sel", array_like=True):
    """What you can do with what you selected, and why not, if not."""

    target: int
    part: int
    actions: tuple[ActionInfo, ...]


WireEvent = DidEvent | RefusedEvent | SaidEvent | PhaseEvent | LimitEvent | SelectionEvent


# Server to browser: messages


class Welcome(msgspec.Struct, frozen=True, tag="welcome", array_like=True):
    """Answer to `Hello`. ``me`` is the index of the own seat in the next snapshot (-1: watching);
    ``chat_limit`` is in characters, ``reconnect_s`` the time to come back after a loss."""

    session_id: str
    me: int
    tick_rate: int
    server_version: str
    chat_limit: int
    reconnect_s: int = 30


class Snapshot(msgspec.Struct, frozen=True, tag="snapshot", array_like=True):
    """The whole visible state. What lies inside closed furniture is not in it.

    ``started_tick`` is -1 until the episode runs, ``time_limit_ticks`` 0 for none. An entity's
    index is its place in ``entities``. ``walkable`` are polygons, each an outer ring and its
    holes. ``parts`` lists only those that are not closed, ``holders`` only held objects,
    ``flags`` only what is true. ``finishing``: the limit is what is left to the others since
    somebody has finished. ``reach`` is the distance for interaction (mm). ``features`` are
    the parts of the interface that the rule profile allows.
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


class Frame(msgspec.Struct, frozen=True, tag="f", array_like=True):
    """What changed since the last frame that this connection was sent, latest value only, and
    the events in between, all of them and in order. Trailing empty lists are left out.

    ``vanished`` entities were shut in; ``appeared`` ones came to light, and replace what was
    known of that index. ``templates`` continue the snapshot's table. Apply ``templates``,
    ``vanished``, ``appeared``, then the rest."""

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
    """Answer to `PreviewInput`: where it would stand, and why not, if not. When it would stand
    nowhere at all, position and rotation are those asked for."""

    preview_id: int
    fits: bool
    reason: str
    position: Millimetres3
    rotation: Milliradians3


class Pong(msgspec.Struct, frozen=True, tag="pong", array_like=True):
    """Echo of `Ping`, with the tick that the server is at."""

    client_ms: int
    tick: int


class EpisodeOver(msgspec.Struct, frozen=True, tag="over", array_like=True):
    """The verdict is stored: the report is at ``/report/<episode_id>``."""

    episode_id: str
    reason: str


NoticeCode = Literal[
    "reconnecting", "reconnected", "rate", "text_too_long", "server", "unrecorded", "recorded"
]


class Notice(msgspec.Struct, frozen=True, tag="notice", array_like=True):
    """Something to tell the person: ``code`` is stable (`NoticeCode`), ``text`` is for reading."""

    code: str
    text: str


ServerMessage = Welcome | Snapshot | Frame | Preview | Pong | EpisodeOver | Notice
