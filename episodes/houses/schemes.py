"""Schemes: how public rooms, private rooms and halls lie to each other in a house."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from episodes.houses.programmes import ROOM_SIZES

Axis = Literal["x", "z"]
AXES: tuple[Axis, Axis] = ("x", "z")
GARDEN = "garden"
"""The class of a leaf that is no room, so that the house is not a rectangle."""


class Leaf(NamedTuple):
    class_name: str
    across: Axis | None = None
    """The axis along which a hall measures `HALL_WIDTH`; None for other rooms."""


class Cut(NamedTuple):
    along: Axis
    parts: tuple[Leaf | Cut, ...]


Node = Leaf | Cut


class RoomGroups(NamedTuple):
    """The rooms of a house by what they are for."""

    public: list[Leaf]
    private: list[Leaf]
    service: list[Leaf]


_PUBLIC = {"living_room", "kitchen", "dining_room", "family_room", "entryway"}
_SERVICE = {"laundry_room", "garage"}


def group_rooms(rooms: Sequence[str]) -> RoomGroups:
    """Group rooms by what they are for; halls come with the scheme."""
    groups = RoomGroups([], [], [])
    for name in rooms:
        if name in _PUBLIC:
            groups.public.append(Leaf(name))
        elif name in _SERVICE:
            groups.service.append(Leaf(name))
        elif name != "hallway":
            groups.private.append(Leaf(name))
    return groups


# Parts of schemes


def _hall(along: Axis) -> Leaf:
    """Return a hall that is a part of a cut along an axis."""
    return Leaf("hallway", along)


def _other(axis: Axis) -> Axis:
    return "z" if axis == "x" else "x"


def _line(along: Axis, nodes: Sequence[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 else Cut(along, tuple(nodes))


def _block(nodes: Sequence[Node], along: Axis, rng: random.Random) -> Node:
    """Cut a rectangle at random into rooms, the axes by turns."""
    if len(nodes) == 1:
        return nodes[0]
    nodes = rng.sample(list(nodes), len(nodes))
    if len(nodes) == 3 and rng.random() < 0.3:
        return Cut(along, tuple(nodes))
    k = rng.randrange(1, len(nodes))
    turned = _other(along)
    return Cut(along, (_block(nodes[:k], turned, rng), _block(nodes[k:], turned, rng)))


def _halves(leaves: Sequence[Leaf], rng: random.Random) -> tuple[list[Leaf], list[Leaf]]:
    """Split rooms into two groups about equal in area, neither empty (for two rooms or more)."""
    first: list[Leaf] = []
    second: list[Leaf] = []
    bias = rng.uniform(0.6, 1.6)
    for leaf in sorted(leaves, key=lambda leaf: -_area(leaf) * rng.uniform(0.6, 1.4)):
        mine, theirs = (sum(_area(p) for p in side) for side in (first, second))
        (first if mine * bias <= theirs else second).append(leaf)
    rng.shuffle(first)
    rng.shuffle(second)
    return first, second


@cache
def _area(leaf: Leaf) -> float:
    return sum(ROOM_SIZES[leaf.class_name].area) / 2


def _side(leaves: Sequence[Leaf], along: Axis, rng: random.Random) -> Node:
    """Return rooms in a row along a hall.

    Small ones stand two behind each other (a bathroom before a closet), and now and then the
    row is shorter than the hall.
    """
    small = [p for p in leaves if _area(p) < 8.5]
    nodes: list[Node] = list(leaves)
    if len(small) > 1 and rng.random() < 0.6:
        pair = rng.sample(small, 2)
        nodes = [p for p in leaves if p not in pair]
        if len(nodes) == len(leaves) - 2:
            nodes.insert(rng.randrange(len(nodes) + 1), Cut(_other(along), tuple(pair)))
    if rng.random() < 0.25:
        nodes.append(Leaf(GARDEN))
    return _line(along, nodes or list(leaves))


def _wing(leaves: Sequence[Leaf], along: Axis, rng: random.Random) -> Node | None:
    """Return rooms on both sides of a hall."""
    first, second = _halves(leaves, rng)
    if not first or not second:
        return None
    across = _other(along)
    return Cut(across, (_side(first, along, rng), _hall(across), _side(second, along, rng)))


# Schemes


def _spine(rooms: RoomGroups, rng: random.Random) -> Node | None:
    """Lay the public rooms as a block at one end of a wing of the others."""
    wing = _wing([*rooms.private, *rooms.service], "x", rng)
    return wing and Cut("x", (_block(rooms.public, rng.choice(AXES), rng), wing))


def _carport(rooms: RoomGroups, rng: random.Random) -> Node | None:
    """Lay rooms as `_spine` does, the service rooms behind the public ones."""
    wing = _wing(rooms.private, "x", rng)
    if wing is None or not rooms.service:
        return None
    service, public = _block(rooms.service, "z", rng), _block(rooms.public, rng.choice(AXES), rng)
    return Cut("x", (service, public, wing))


def _corner(rooms: RoomGroups, rng: random.Random) -> Node | None:
    """Let the living room take one end of the hall and of the row beside it."""
    living = Leaf("living_room")
    others = [p for p in rooms.public if p != living]
    back, front = _halves([*others, *rooms.private, *rooms.service], rng)
    if not front or not back:
        return None
    hall_side = Cut("z", (_hall("z"), _side(front, "x", rng)))
    return Cut("z", (_side(back, "x", rng), Cut("x", (living, hall_side))))


def _tee(rooms: RoomGroups, rng: random.Random) -> Node | None:
    """Lay a row of public rooms, and a wing at right angles to it."""
    wing = _wing([*rooms.private, *rooms.service], "z", rng)
    return wing and Cut("z", (_block(rooms.public, "x", rng), wing))


def _ell(rooms: RoomGroups, rng: random.Random) -> Node | None:
    """Lay rooms as `_tee` does, with a garden in the inner corner."""
    wing = _wing([*rooms.private, *rooms.service], "z", rng)
    if wing is None:
        return None
    return Cut("z", (_block(rooms.public, "x", rng), Cut("x", (wing, Leaf(GARDEN)))))


def _gallery(rooms: RoomGroups, rng: random.Random) -> Node | None:
    """Lay rooms on one side of a hall, the public ones on the other."""
    column = _side([*rooms.private, *rooms.service], "z", rng)
    return Cut("x", (column, _hall("x"), _block(rooms.public, "z", rng)))


def _court(rooms: RoomGroups, rng: random.Random) -> Node | None:
    """Lay two wings round a garden, joined by a hall along the public rooms."""
    first, second = _halves([*rooms.private, *rooms.service], rng)
    if not first or not second:
        return None
    wings = Cut("x", (_block(first, "x", rng), Leaf(GARDEN), _block(second, "x", rng)))
    return Cut("z", (wings, _hall("z"), _block(rooms.public, "x", rng)))


def _zed(rooms: RoomGroups, rng: random.Random) -> Node | None:
    """Lay public and private rooms on opposite sides of a hall, shifted along it."""
    public = _block([*rooms.public, *rooms.service], "x", rng)
    private = _side(rooms.private, "x", rng)
    garden = Leaf(GARDEN)
    return Cut("z", (Cut("x", (public, garden)), _hall("z"), Cut("x", (garden, private))))


def _split(rooms: RoomGroups, rng: random.Random) -> Node | None:
    """Lay private rooms on both sides of the public ones, each behind a hall of its own."""
    first, second = _halves([*rooms.private, *rooms.service], rng)
    if not first or not second:
        return None
    left, right = _side(first, "z", rng), _side(second, "z", rng)
    public = _block(rooms.public, rng.choice(AXES), rng)
    return Cut("x", (left, _hall("x"), public, _hall("x"), right))


def _angle(rooms: RoomGroups, rng: random.Random) -> Node | None:
    """Lay two halls at right angles: a wing of private rooms, others along the second hall."""
    first, second = _halves([*rooms.private, *rooms.service], rng)
    wing = _wing(first, "z", rng) if len(first) > 1 else None
    if wing is None or not second:
        return None
    row = Cut("z", (_side(second, "x", rng), _hall("z"), _block(rooms.public, "x", rng)))
    return Cut("x", (wing, row))


Scheme = Callable[[RoomGroups, random.Random], Node | None]
SCHEMES: tuple[Scheme, ...] = (
    _spine, _carport, _corner, _tee, _ell, _gallery, _court, _zed, _split, _angle,
)  # fmt: skip
_TWO_HALLS: tuple[Scheme, ...] = (_split, _angle)


def draw_scheme(rooms: Sequence[str], rng: random.Random) -> Scheme:
    """Draw a scheme with as many halls as are asked for."""
    halls = sum(name == "hallway" for name in rooms)
    return rng.choice([s for s in SCHEMES if (s in _TWO_HALLS) == (halls == 2)])
