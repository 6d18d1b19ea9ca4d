"""The static scene of a session: rooms, furniture, parts, receptacles, walkable area.

A scene is a value: built once for a house, shared by every session that plays in it. Shapes that
repeat (furniture and object classes and their variants) are `Template`s of a `Catalogue`; the scene
holds where furniture stands. Everything a simulator, a rule, the world graph or the browser needs
to know about a thing that does not move is here.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from episodes.poses import IDENTITY, Box, Pose, Vec2, Vec3, compose, in_polygon

Affordance = Literal["is_clean", "is_filled", "is_powered_on"]


class Solid(msgspec.Struct, frozen=True, array_like=True):
    """A solid box of a template, for rays and overlap: a table is a top and four legs.

    ``part`` is the index of the part that carries it, or None for the fixed body.
    """

    box: Box
    part: int | None = None


class Part(msgspec.Struct, frozen=True):
    """An openable part (an articulated link); its ``index`` counts from 0, and 0 is real.

    The joint value is 0 when closed and ``open_value`` when open: radians about ``axis``
    through ``origin`` for a hinge, metres along ``axis`` for a slide (all in the furniture's
    frame).
    """

    index: int
    name: str
    joint: Literal["hinge", "slide"]
    origin: Vec3
    axis: Vec3
    open_value: float


class Receptacle(msgspec.Struct, frozen=True):
    """A flat surface that holds things, on top of furniture or within it.

    ``center`` is the middle of the surface in the furniture's frame (closed pose), ``half_x`` and
    ``half_z`` its half extents along the local axes, ``clearance`` the free height above it (m).
    ``part`` names the part that must be open to reach it (None: always open); ``moves`` says that
    the surface rides on that part (a drawer), so that what lies in it moves along.
    """

    name: str
    kind: Literal["on", "within"]
    center: Vec3
    half_x: float
    half_z: float
    clearance: float
    part: int | None = None
    moves: bool = False


# Caches have templates as keys: the hash of all their boxes is made once.
class Template(msgspec.Struct, frozen=True, cache_hash=True):
    """A variant of an object or furniture class: shape, parts, affordances and asset."""

    name: str
    """The name ``<class>_<variant>``; a handle is ``<name>_:<instance, four digits>``."""
    class_name: str
    kind: Literal["object", "furniture"]
    box: Box
    """Local bounds with all parts closed. An object's origin is the middle of its base."""
    solids: tuple[Solid, ...]
    parts: tuple[Part, ...] = ()
    receptacles: tuple[Receptacle, ...] = ()
    faucet: Vec3 | None = None
    """The point where water comes out (local), if it has a faucet."""
    affords: tuple[Affordance, ...] = ()
    cleaned_under_faucet: bool = False
    asset: str = ""
    """Path of the glTF binary below the asset root; moving parts are nodes ``part_<index>``."""


class Catalogue(msgspec.Struct, frozen=True):
    """All templates by name, and a digest of their content."""

    templates: dict[str, Template]
    digest: str

    def of_handle(self, handle: str) -> Template:
        """Return the template of an instance handle.

        Raises KeyError, naming the handle, when the catalogue has no such template.
        """
        name = template_name(handle)
        try:
            return self.templates[name]
        except KeyError:
            raise KeyError(f"{handle!r}: the catalogue has no template {name!r}") from None


class Room(msgspec.Struct, frozen=True):
    """A room of the house: ``room_id`` is ``<class>.<nnn>``, the polygon is counter-clockwise."""

    room_id: str
    class_name: str
    polygon: tuple[Vec2, ...]
    floor_y: float
    height: float

    def contains(self, point: Vec3) -> bool:
        """Tell whether a point is in the room's floor plan, whatever its height."""
        return in_polygon(self.polygon, point[0], point[2])

    @property
    def middle(self) -> Vec3:
        """The mean of its corners, on the floor."""
        xs, zs = [x for x, _ in self.polygon], [z for _, z in self.polygon]
        return (sum(xs) / len(xs), self.floor_y, sum(zs) / len(zs))


class Opening(msgspec.Struct, frozen=True):
    """A door (it joins two rooms and goes down to the floor) or a window (``rooms`` has one)."""

    kind: Literal["door", "window"]
    rooms: tuple[str, ...]
    start: Vec2
    end: Vec2
    sill: float
    head: float


class Furniture(msgspec.Struct, frozen=True):
    """A piece of furniture that stands in a room."""

    handle: str
    template: str
    room_id: str
    pose: Pose


class Polygon(msgspec.Struct, frozen=True):
    """A region of the floor plan with holes."""

    outer: tuple[Vec2, ...]
    holes: tuple[tuple[Vec2, ...], ...] = ()


class Scene(msgspec.Struct, frozen=True):
    """A furnished house without its movable objects."""

    scene_id: str
    seed: int
    format: int
    rooms: tuple[Room, ...]
    openings: tuple[Opening, ...]
    furniture: tuple[Furniture, ...]
    walkable: tuple[Polygon, ...]
    """The area where the point of a body on the floor may be, shrunk by the body's radius.

    The first polygon is the largest indoor island.
    """
    stage_asset: str
    """Path of the glTF binary of floors, walls and openings below the asset root."""
    walls: tuple[Solid, ...] = ()
    """Walls in world coordinates (axis-aligned), for rays."""
    digest: str = ""

    def room_around(self, point: Vec3) -> Room | None:
        """Return the first room whose floor plan is around a point, whatever its height."""
        return next((room for room in self.rooms if room.contains(point)), None)


def template_name(handle: str) -> str:
    """Return the template that a handle names: ``cup_2`` for ``cup_2_:0000``."""
    return handle.partition("_:")[0]


def receptacle_id(furniture: str, receptacle: str) -> str:
    """Return PARTNR's unique name of a receptacle: ``<furniture handle>|<receptacle>``."""
    return f"{furniture}|{receptacle}"


def split_receptacle_id(unique_name: str) -> tuple[str, str]:
    """Split a unique name into the furniture handle and the receptacle.

    Raises ValueError when there is no ``|`` in it.
    """
    furniture, bar, receptacle = unique_name.partition("|")
    if not bar:
        raise ValueError(f"expected '<furniture handle>|<receptacle>', got {unique_name!r}")
    return furniture, receptacle


def part_pose(part: Part, value: float) -> Pose:
    """Return a part's pose in its furniture's frame at a joint value (closed: the identity)."""
    ax, ay, az = part.axis
    if part.joint == "slide":
        return Pose((ax * value, ay * value, az * value), IDENTITY)
    s, c = math.sin(value / 2), math.cos(value / 2)
    norm = math.sqrt(ax * ax + ay * ay + az * az)
    turn = Pose(part.origin, (s * ax / norm, s * ay / norm, s * az / norm, c))
    x, y, z = part.origin
    return compose(turn, Pose((-x, -y, -z), IDENTITY))
