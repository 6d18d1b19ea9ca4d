"""Every message between browser and server, defined once.

Messages are arrays: a tag, then the fields in the order given here. Fields are append-only; a
reader ignores what it does not know and fills what is missing from the defaults. Lengths are
integer millimetres, angles integer milliradians, rotations rotation vectors (axis times angle)
in milliradians. Entities are indices into the snapshot's table, valid until the next snapshot;
seats are indices into its list of seats. The TypeScript types are generated from this file.
"""

from __future__ import annotations

import msgspec

Index = int
Millimetres3 = tuple[int, int, int]
Milliradians3 = tuple[int, int, int]


# Browser to server


class Hello(msgspec.Struct, frozen=True, tag="hello", array_like=True):
    """Always the first message. ``token`` is the seat token that the play page was given;
    ``tab`` a random id of the browser tab; ``resume_tick`` the last tick it has, if any;
    ``take_over`` asks to play here although another tab plays."""

    token: str
    tab: str
    client_version: str
    take_over: bool = False


class DriveInput(msgspec.Struct, frozen=True, tag="d", array_like=True):
    """Held keys as a velocity (mm/s), and where the body looks (mrad). Sent on change and
    repeated at 10 Hz. ``client_ms`` is the sender's clock."""

    client_ms: int
    forward: int
    strafe: int
    yaw: int
    pitch: int


class ActInput(msgspec.Struct, frozen=True, tag="a", array_like=True):
    """``part`` is -1 for the default part."""

    client_ms: int
    intent_id: int
    verb: str
    target: Index
    part: int = -1


class PlaceInput(msgspec.Struct, frozen=True, tag="p", array_like=True):
    """``target`` is -1 for the floor."""

    client_ms: int
    intent_id: int
    point: Millimetres3
    yaw: int
    target: Index = -1


class PreviewInput(msgspec.Struct, frozen=True, tag="v", array_like=True):
    """Would it fit there? Answered by `Preview` with the same ``preview_id``."""

    preview_id: int
    point: Millimetres3
    yaw: int
    target: Index = -1


class SelectInput(msgspec.Struct, frozen=True, tag="s", array_like=True):
    """``target`` -1 deselects."""

    target: Index
    part: int = -1


class SayInput(msgspec.Struct, frozen=True, tag="say", array_like=True):
    text: str


class ReadyInput(msgspec.Struct, frozen=True, tag="ready", array_like=True):
    """Assets are loaded; begin when everybody is ready."""


class FinishInput(msgspec.Struct, frozen=True, tag="finish", array_like=True):
    finished: bool = True


class Ping(msgspec.Struct, frozen=True, tag="ping", array_like=True):
    """``rtt_ms`` is the last round trip that the client measured, -1 before the first."""

    client_ms: int
    rtt_ms: int = -1


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


# Server to browser


class Welcome(msgspec.Struct, frozen=True, tag="welcome", array_like=True):
    """Answer to `Hello`. ``me`` is the index of the own seat in the next snapshot."""

    session_id: str
    me: int
    tick_rate: int
    server_version: str
    chat_limit: int


class SeatInfo(msgspec.Struct, frozen=True, array_like=True):
    """``kind`` is human or robot; ``speed`` in mm/s, eye and carry offsets in mm."""

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


class AgentState(msgspec.Struct, frozen=True, array_like=True):
    seat: int
    x: int
    y: int
    z: int
    yaw: int
    pitch: int


class EntityInfo(msgspec.Struct, frozen=True, array_like=True):
    """A thing of the world. ``label`` is what a player reads, ``class_name`` PARTNR's class,
    ``kind`` object or furniture, ``template`` a key of the snapshot's templates."""

    index: Index
    handle: str
    label: str
    class_name: str
    kind: str
    template: int
    room: int
    """Index into the rooms (-1: none); for objects, where it was when the snapshot was made."""


class PartInfo(msgspec.Struct, frozen=True, array_like=True):
    """A part of a template: mm, mrad; ``axis`` in thousandths."""

    name: str
    joint: str
    origin: Millimetres3
    axis: Millimetres3
    open_value: int


class TemplateInfo(msgspec.Struct, frozen=True, array_like=True):
    """``asset`` is a path below the asset root; ``low`` and ``high`` the local bounds."""

    asset: str
    low: Millimetres3
    high: Millimetres3
    parts: tuple[PartInfo, ...]
    pickable: bool


class RoomInfo(msgspec.Struct, frozen=True, array_like=True):
    room_id: str
    label: str
    polygon: tuple[int, ...]
    """x, z, x, z, … in mm."""


class ObjectState(msgspec.Struct, frozen=True, array_like=True):
    index: Index
    position: Millimetres3
    rotation: Milliradians3


class PartState(msgspec.Struct, frozen=True, array_like=True):
    """``value`` in mrad (hinge) or mm (slide)."""

    furniture: Index
    part: int
    value: int


class HolderState(msgspec.Struct, frozen=True, array_like=True):
    """``seat`` -1: nobody. The pose of a held object follows from the seat's carry offset."""

    index: Index
    seat: int


class FlagState(msgspec.Struct, frozen=True, array_like=True):
    """``state`` is PARTNR's name (is_clean, is_filled, is_powered_on)."""

    index: Index
    state: str
    value: bool


class SeatState(msgspec.Struct, frozen=True, array_like=True):
    """``seconds_left`` is -1 unless the seat is reconnecting."""

    seat: int
    presence: str
    finished: bool
    seconds_left: int = -1


class Snapshot(msgspec.Struct, frozen=True, tag="snapshot", array_like=True):
    """The whole visible state. What lies inside closed furniture is not in it."""

    tick: int
    episode_id: str
    task_text: str
    phase: str
    started_tick: int
    """-1 until the episode runs."""
    time_limit_ticks: int
    """0: none."""
    asset_root: str
    stage_asset: str
    seats: tuple[SeatInfo, ...]
    rooms: tuple[RoomInfo, ...]
    templates: tuple[TemplateInfo, ...]
    entities: tuple[EntityInfo, ...]
    walkable: tuple[tuple[tuple[int, ...], ...], ...]
    """Polygons, each an outer ring and its holes, each ring x, z, x, z, … in mm."""
    agents: tuple[AgentState, ...]
    objects: tuple[ObjectState, ...]
    parts: tuple[PartState, ...]
    holders: tuple[HolderState, ...]
    flags: tuple[FlagState, ...]
    chat: tuple[ChatLine, ...] = ()


class ChatLine(msgspec.Struct, frozen=True, array_like=True):
    tick: int
    seat: int
    text: str


class Frame(msgspec.Struct, frozen=True, tag="f", array_like=True):
    """What changed since the last frame that this connection was sent, latest value only, and
    the events in between, all of them and in order. Trailing empty lists are left out."""

    tick: int
    agents: tuple[AgentState, ...] = ()
    objects: tuple[ObjectState, ...] = ()
    parts: tuple[PartState, ...] = ()
    holders: tuple[HolderState, ...] = ()
    flags: tuple[FlagState, ...] = ()
    seats: tuple[SeatState, ...] = ()
    appeared: tuple[EntityInfo, ...] = ()
    vanished: tuple[Index, ...] = ()
    events: tuple[WireEvent, ...] = ()


class DidEvent(msgspec.Struct, frozen=True, tag="did", array_like=True):
    """``part`` -1: none; ``where`` is a label that a player reads, for placements."""

    seat: int
    verb: str
    target: Index
    part: int = -1
    where: str = ""
    intent_id: int = -1


class RefusedEvent(msgspec.Struct, frozen=True, tag="no", array_like=True):
    verb: str
    target: Index
    rule: str
    reason: str
    intent_id: int = -1


class SaidEvent(msgspec.Struct, frozen=True, tag="said", array_like=True):
    seat: int
    text: str


class PhaseEvent(msgspec.Struct, frozen=True, tag="phase", array_like=True):
    phase: str
    reason: str = ""


class ActionInfo(msgspec.Struct, frozen=True, array_like=True):
    verb: str
    possible: bool
    reason: str = ""


class SelectionEvent(msgspec.Struct, frozen=True, tag="sel", array_like=True):
    target: Index
    part: int
    actions: tuple[ActionInfo, ...]


WireEvent = DidEvent | RefusedEvent | SaidEvent | PhaseEvent | SelectionEvent


class Preview(msgspec.Struct, frozen=True, tag="preview", array_like=True):
    """Answer to `PreviewInput`: where it would stand, and why not, if not."""

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


class Notice(msgspec.Struct, frozen=True, tag="notice", array_like=True):
    """Something to tell the person: ``code`` is stable, ``text`` is for reading."""

    code: str
    text: str


ServerMessage = Welcome | Snapshot | Frame | Preview | Pong | EpisodeOver | Notice
