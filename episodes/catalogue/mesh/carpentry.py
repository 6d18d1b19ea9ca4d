"""Carpentry of cabinets, counters, chests and wardrobes: carcasses, doors and drawers.

Doors hinge about the outer corner of their front face, so that an open door (90 degrees) stays
within the width of its furniture and neighbours can stand close.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from episodes.catalogue.mesh.meshes import box, cylinder, lathe
from episodes.catalogue.mesh.pieces import Piece, bar_handle, knob

BOARD = 0.02
"""Thickness of carcass boards and fronts (m)."""


class Front(NamedTuple):
    """A rectangle on the front of a piece (m)."""

    x0: float
    x1: float
    y0: float
    y1: float


class Paint(NamedTuple):
    """The colours of a piece: body, fronts, inside, metal fittings."""

    body: str
    front: str
    inside: str = "#d9c7a8"
    fitting: str = "#8d8f92"


Handle = Literal["knob", "bar", "none"]


def carcass(
    piece: Piece,
    frame: Front,
    z0: float,
    z1: float,
    paint: Paint,
    top: bool = True,
) -> None:
    """Add two sides, a bottom, a back and a top; hollow, open to the front at ``z0``."""
    x0, x1, y0, y1 = frame
    b = BOARD
    piece.panel((x0, y0, z0), (x0 + b, y1, z1), paint.body, bevel=0.003)
    piece.panel((x1 - b, y0, z0), (x1, y1, z1), paint.body, bevel=0.003)
    piece.panel((x0 + b, y0, z0), (x1 - b, y0 + b, z1), paint.inside, bevel=0.0)
    piece.panel((x0 + b, y0 + b, z1 - b), (x1 - b, y1, z1), paint.inside, bevel=0.0)
    if top:
        piece.panel((x0 + b, y1 - b, z0), (x1 - b, y1, z1), paint.body, bevel=0.003)


def shelf_board(piece: Piece, x0: float, x1: float, y: float, z0: float, z1: float, c: str) -> None:
    """Add a board whose upper side is at ``y``."""
    piece.panel((x0, y - BOARD, z0), (x1, y, z1), c, bevel=0.003)


def shaker(piece: Piece, f: Front, z: float, colour: str, part: int | None) -> None:
    """Add a framed front: a board with a raised border, its outer face at ``z``."""
    x0, x1, y0, y1 = f
    piece.panel((x0, y0, z + 0.004), (x1, y1, z + BOARD), colour, part=part, bevel=0.003)
    w = min(0.05, 0.22 * min(x1 - x0, y1 - y0))
    for low, high in (
        ((x0, y0), (x0 + w, y1)),
        ((x1 - w, y0), (x1, y1)),
        ((x0 + w, y0), (x1 - w, y0 + w)),
        ((x0 + w, y1 - w), (x1 - w, y1)),
    ):
        mesh = box((low[0], low[1], z - 0.001), (high[0], high[1], z + 0.008), 0.003)
        piece.draw(mesh, colour, part=part)


def slab(piece: Piece, f: Front, z: float, colour: str, part: int | None) -> None:
    """Add a plain front with soft edges, its outer face at ``z``."""
    piece.panel((f.x0, f.y0, z), (f.x1, f.y1, z + BOARD), colour, part=part, bevel=0.006)


def door(
    piece: Piece,
    name: str,
    f: Front,
    z: float,
    paint: Paint,
    hinge: Literal["left", "right"],
    handle: Handle = "bar",
    framed: bool = True,
    handle_at: float = 0.5,
) -> int:
    """Add a hinged front, its outer face at ``z``, and return the index of its part.

    "left" and "right" are along X (left is -X). ``handle_at`` is the height of the handle as a
    share of the door's.
    """
    side = f.x0 if hinge == "left" else f.x1
    axis = (0.0, 1.0, 0.0) if hinge == "left" else (0.0, -1.0, 0.0)
    part = piece.hinge(name, (side, f.y0, z), axis, 90)
    (shaker if framed else slab)(piece, _gap(f), z, paint.front, part)
    x = f.x1 - 0.04 if hinge == "left" else f.x0 + 0.04
    y = f.y0 + handle_at * (f.y1 - f.y0)
    if handle == "bar":
        piece.draw(
            bar_handle(x, y, z, min(0.16, 0.4 * (f.y1 - f.y0)), True), paint.fitting, "metal", part
        )
    elif handle == "knob":
        piece.draw(knob(x, y, z), paint.fitting, "metal", part)
    return part


def drawer(
    piece: Piece,
    name: str,
    f: Front,
    z: float,
    back: float,
    paint: Paint,
    handle: Handle = "bar",
    framed: bool = False,
) -> int:
    """Add a drawer and return the index of its part.

    The outer face of its front is at ``z``, its box ends at ``back``. It opens by three
    quarters of its depth and holds a receptacle of the same name.
    """
    depth = back - (z + BOARD)
    part = piece.slide(name, (0.0, 0.0, -1.0), round(0.75 * depth, 3))
    (shaker if framed else slab)(piece, _gap(f), z, paint.front, part)
    b = 0.012
    x0, x1 = f.x0 + 0.025, f.x1 - 0.025
    y0, y1 = f.y0 + 0.015, f.y1 - 0.035
    z0 = z + BOARD
    wood = paint.inside
    piece.panel((x0, y0, z0), (x1, y0 + b, back), wood, part=part, bevel=0.0)
    piece.panel((x0, y0 + b, z0), (x0 + b, y1, back), wood, part=part, bevel=0.0)
    piece.panel((x1 - b, y0 + b, z0), (x1, y1, back), wood, part=part, bevel=0.0)
    piece.panel((x0 + b, y0 + b, back - b), (x1 - b, y1, back), wood, part=part, bevel=0.0)
    middle, y = (x0 + x1) / 2, (f.y0 + f.y1) / 2
    if handle == "bar":
        piece.draw(
            bar_handle(middle, y, z, min(0.18, 0.4 * (x1 - x0))), paint.fitting, "metal", part
        )
    elif handle == "knob":
        for x in (middle,) if x1 - x0 < 0.6 else (middle - 0.2, middle + 0.2):
            piece.draw(knob(x, y, z), paint.fitting, "metal", part)
    piece.within(
        name,
        (middle, y0 + b, (z0 + back - b) / 2),
        (x1 - x0) / 2 - b - 0.01,
        (back - b - z0) / 2 - 0.01,
        # The board above reaches behind the upper edge of the front.
        round(f.y1 - 0.03 - (y0 + b), 3),
        part,
        moves=True,
    )
    return part


def _gap(f: Front) -> Front:
    """Return a front less the slit around it."""
    return Front(f.x0 + 0.002, f.x1 - 0.002, f.y0 + 0.002, f.y1 - 0.002)


def legs(
    piece: Piece, half_x: float, half_z: float, low: float, high: float, size: float, colour: str
) -> None:
    """Add four square legs, centred at the corners of a rectangle."""
    for x in (-half_x, half_x):
        for z in (-half_z, half_z):
            s = size / 2
            piece.panel((x - s, low, z - s), (x + s, high, z + s), colour, bevel=0.008)


def round_legs(
    piece: Piece, half_x: float, half_z: float, low: float, high: float, r: float, colour: str
) -> None:
    """Add four round tapering legs, centred at the corners of a rectangle."""
    for x in (-half_x, half_x):
        for z in (-half_z, half_z):
            piece.solid((x - r, low, z - r), (x + r, high, z + r))
            mesh = lathe([(0, low), (0.6 * r, low), (r, high), (0, high)], 10)
            piece.draw(mesh.moved(x, 0, z), colour)


def feet(piece: Piece, half_x: float, half_z: float, height: float, colour: str) -> None:
    """Add four short round feet."""
    for x in (-half_x, half_x):
        for z in (-half_z, half_z):
            piece.solid((x - 0.02, 0, z - 0.02), (x + 0.02, height, z + 0.02))
            piece.draw(cylinder(0.02, 0, height, 10, 0.004).moved(x, 0, z), colour)
