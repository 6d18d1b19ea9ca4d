"""Parts of snapshots and frames: seats, rooms, templates, entities and their states.

See `server.wire.messages` for units and the rules that hold for all of them.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

Index = Annotated[int, msgspec.Meta(ge=-1, le=1_000_000)]
"""Index of an entity or a seat; -1 where none is meant."""
Millimetres = Annotated[int, msgspec.Meta(ge=-10_000_000, le=10_000_000)]
Milliradians = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]
Millimetres3 = tuple[Millimetres, Millimetres, Millimetres]
Milliradians3 = tuple[Milliradians, Milliradians, Milliradians]


class SeatInfo(msgspec.Struct, frozen=True, array_like=True):
    """A seat and its body.

    ``kind`` is human or robot; ``speed`` in mm/s; ``eye`` and ``carry`` are offsets in the body's
    frame (Y up, -Z forward, origin on the floor): where its view is and where the origin of a held
    object is. A seat that is not ``occupied`` is not drawn. ``program``: a program drives it, and
    players may know that.
    """

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
    program: bool = False


class AgentState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Place and look of a body: yaw 0 faces -Z, counter-clockwise from above; pitch > 0 up."""

    seat: int
    x: int
    y: int
    z: int
    yaw: int
    pitch: int


Ring = tuple[int, ...]
"""Closed line on the floor plan (mm): x and z of its first point, then of each further point the
differences to the one before. Differences repeat from one piece of furniture to the next, so
that compression finds them."""


class RoomInfo(msgspec.Struct, frozen=True, array_like=True):
    """A room; ``polygon`` is a ring: x and z of its first point, then differences, in mm."""

    room_id: str
    label: str
    polygon: Ring


class PartInfo(msgspec.Struct, frozen=True, array_like=True):
    """An openable part.

    ``joint`` is hinge or slide, ``axis`` in thousandths, ``open_value`` in mrad (hinge) or mm
    (slide). ``space`` is the width, height and depth of the highest place behind it; zeros: there
    is none.
    """

    name: str
    joint: str
    origin: Millimetres3
    axis: Millimetres3
    open_value: int
    space: Millimetres3 = (0, 0, 0)


class TemplateInfo(msgspec.Struct, frozen=True, array_like=True):
    """Data that entities of one make have in common; its index is its place in the table.

    ``kind`` is object or furniture, ``class_name`` PARTNR's class, ``low`` and ``high`` the local
    bounds with everything closed, ``affords`` the states that it has (PARTNR's names; false unless
    a flag says otherwise). ``asset`` is a path below the asset root; empty:
    ``catalogue/<name>.glb``. Only objects can be picked up.
    """

    name: str
    class_name: str
    kind: str
    low: Millimetres3
    high: Millimetres3
    parts: tuple[PartInfo, ...] = ()
    affords: tuple[str, ...] = ()
    asset: str = ""


class EntityInfo(msgspec.Struct, frozen=True, array_like=True):
    """A thing of the world.

    ``template`` is an index into the table of templates, -1 where there is nothing in view. The
    PARTNR handle is ``<template name>_:<instance in four digits>``. A player reads ``label``; if
    that is empty, the class with spaces for underscores, and behind it ``number`` if that is over
    1. ``room`` is an index into the rooms for furniture, -1 for objects (they move). While somebody
    holds it, position and rotation are zero: its pose follows from the carry offset.
    """

    template: int
    instance: int
    number: int
    room: int
    position: Millimetres3
    rotation: Milliradians3
    label: str = ""


NOTHING = EntityInfo(-1, 0, 0, -1, (0, 0, 0), (0, 0, 0))
"""Entry of the snapshot's table for an index whose entity is out of sight."""


class Appeared(msgspec.Struct, frozen=True, array_like=True):
    """An entity that is in view now at this index of the table.

    It is closed, unheld, and its states are false, unless the same frame says otherwise.
    """

    index: int
    entity: EntityInfo


class ObjectState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Place where an object was put down."""

    index: int
    position: Millimetres3
    rotation: Milliradians3


class PartState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Joint value of a part: mrad (hinge) or mm (slide); 0 is closed."""

    furniture: int
    part: int
    value: int


class HolderState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Seat that holds the object; -1: nobody (its pose is in the same frame)."""

    index: int
    seat: int


class FlagState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """State of a thing, by PARTNR's name: is_clean, is_filled or is_powered_on."""

    index: int
    state: str
    value: bool


class SeatState(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """State of the occupant of a seat.

    ``presence`` is empty, loading, ready, connected, away, reconnecting or gone; ``seconds_left``
    is how long somebody is waited for (-1 otherwise); ``doing`` is what an occupant says it is
    doing, if it says so.
    """

    seat: int
    presence: str
    finished: bool
    seconds_left: int = -1
    doing: str = ""


class ChatLine(msgspec.Struct, frozen=True, array_like=True):
    tick: int
    seat: int
    text: str
