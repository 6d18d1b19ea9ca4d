"""Layouts: rooms as rectangles, of sizes that suit them, laid out by a scheme.

A layout is a tree of cuts: a rectangle is cut along one axis into parts, each a room, a piece of
garden or a rectangle that is cut again. A scheme says how public rooms, private rooms and halls lie
to each other. Which sizes a tree can have follows from the sizes that suit each class of room, from
the leaves up; one of them is drawn, and shared out from the root down.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from episodes.houses.plans import Rect
from episodes.houses.programmes import ROOM_SIZES
from episodes.houses.schemes import GARDEN, Axis, Leaf, Node, Scheme, wishes_of

Cell = tuple[str, Rect]
"""A class of rooms, and where one is."""
HALL_WIDTH = (1.8, 2.0)
HALL_LENGTH = 12.0
UNIT = 0.2
"""Lengths between walls are multiples of this (m)."""
_LENGTHS = UNIT * np.arange(106)
SNAP = 0.4
"""Walls less than this far from one line are brought onto it (m)."""


def draw_layout(rooms: Sequence[str], scheme: Scheme, rng: random.Random) -> list[Cell] | None:
    """One try at a layout of rooms of these classes; None when the scheme does not suit them.

    Rectangles are between wall centre lines, to the centimetre, the middle of all at the origin.
    """
    tree = scheme(wishes_of(rooms), rng)
    if tree is None:
        return None
    cells = _sized(tree, rng)
    cells = cells and _snapped(cells)
    if cells is None or not all(_suits(cell) for cell in cells):
        return None
    return _turned(cells, rng)


# Sizes: which widths and depths a node can have, then how its length is shared

Ints = npt.NDArray[np.int_]
Shapes = npt.NDArray[np.bool_]
"""Which sizes are possible: (width along x, depth along z) in units of `UNIT`."""


class _ImpossibleError(Exception):
    """A part of a tree has no size at all."""


@cache
def _leaf_shapes(leaf: Leaf) -> Shapes:
    w, d = np.meshgrid(_LENGTHS, _LENGTHS, indexing="ij")
    if leaf.class_name == GARDEN:
        return np.asarray((w >= 1.4) & (d >= 1.4) & (w <= 7.0) & (d <= 7.0))
    size = ROOM_SIZES[leaf.class_name]
    if leaf.across is not None:
        across, along = (w, d) if leaf.across == "x" else (d, w)
        wide = (across >= HALL_WIDTH[0] - 1e-6) & (across <= HALL_WIDTH[1] + 1e-6)
        return np.asarray(wide & (along >= 2.4 - 1e-6) & (along <= HALL_LENGTH + 1e-6))
    short, long = np.minimum(w, d), np.maximum(w, d)
    fits = (short >= size.least_side - 1e-6) & (long <= size.aspect * short)
    return np.asarray(fits & (w * d >= size.area[0]) & (w * d <= size.area[1]))


def _shapes(node: Node, known: dict[Node, Shapes]) -> Shapes:
    if node in known:
        return known[node]
    if isinstance(node, Leaf):
        return known.setdefault(node, _leaf_shapes(node))
    low, high = np.zeros(len(_LENGTHS), int), np.zeros(len(_LENGTHS), int)
    possible = np.ones(len(_LENGTHS), bool)
    for part in node.parts:
        first, last, some = _extents_of(part, node.along, known)
        if not some.any():
            raise _ImpossibleError
        low, high, possible = low + first, high + last, possible & some
    sums = np.arange(len(_LENGTHS))[:, None]
    out = possible & (sums >= low) & (sums <= high)
    return known.setdefault(node, out if node.along == "x" else out.T)


def _extents_of(node: Node, along: Axis, known: dict[Node, Shapes]) -> tuple[Ints, Ints, Shapes]:
    if isinstance(node, Leaf):
        return _leaf_extents(node, along)
    return _extents(_shapes(node, known), along)


@cache
def _leaf_extents(leaf: Leaf, along: Axis) -> tuple[Ints, Ints, Shapes]:
    return _extents(_leaf_shapes(leaf), along)


def _extents(shapes: Shapes, along: Axis) -> tuple[Ints, Ints, Shapes]:
    """The least and largest extent along an axis for each extent along the other one."""
    s = shapes if along == "x" else shapes.T
    return s.argmax(axis=0), len(s) - 1 - s[::-1].argmax(axis=0), np.asarray(s.any(axis=0))


def _sized(tree: Node, rng: random.Random) -> list[Cell] | None:
    known: dict[Node, Shapes] = {}
    try:
        sizes = np.argwhere(_shapes(tree, known))
    except _ImpossibleError:
        return None
    if not len(sizes):
        return None
    w, d = (int(v) for v in sizes[rng.randrange(len(sizes))])
    cells: list[Cell] = []
    _share(tree, (0, 0, w, d), known, rng, cells)
    return cells


def _share(
    node: Node,
    at: tuple[int, int, int, int],
    known: dict[Node, Shapes],
    rng: random.Random,
    cells: list[Cell],
) -> None:
    """Cut a rectangle (x, z, width, depth in units) into the parts of a node."""
    x, z, w, d = at
    if isinstance(node, Leaf):
        cells.append((node.class_name, Rect(*(UNIT * v for v in (x, z, x + w, z + d)))))
        return
    length, other = (w, d) if node.along == "x" else (d, w)
    ranges = [
        (int(first[other]), int(last[other]))
        for first, last, _ in (_extents_of(p, node.along, known) for p in node.parts)
    ]
    extents = [low for low, _ in ranges]
    spare = length - sum(extents)
    while spare > 0:
        open_ended = [k for k, (_, high) in enumerate(ranges) if extents[k] < high]
        if not open_ended:
            break
        extents[rng.choice(open_ended)] += 1
        spare -= 1
    for part, extent in zip(node.parts, extents, strict=True):
        if node.along == "x":
            _share(part, (x, z, extent, d), known, rng, cells)
            x += extent
        else:
            _share(part, (x, z, w, extent), known, rng, cells)
            z += extent


def _snapped(cells: Sequence[Cell]) -> list[Cell] | None:
    """With nearly aligned walls aligned and lengths in centimetres; None if a room vanishes."""
    xs = _lines([v for _, r in cells for v in (r.x0, r.x1)])
    zs = _lines([v for _, r in cells for v in (r.z0, r.z1)])
    out = [(name, Rect(xs[r.x0], zs[r.z0], xs[r.x1], zs[r.z1])) for name, r in cells]
    return out if all(r.x1 > r.x0 and r.z1 > r.z0 for _, r in out) else None


def _lines(values: Sequence[float]) -> dict[float, float]:
    """Where each coordinate goes: groups of neighbours closer than `SNAP` share their middle."""
    groups: list[list[float]] = []
    for value in sorted(set(values)):
        if groups and value - groups[-1][0] < SNAP:
            groups[-1].append(value)
        else:
            groups.append([value])
    return {v: round(sum(g) / len(g), 2) for g in groups for v in g}


def _suits(cell: Cell) -> bool:
    name, rect = cell
    if name == GARDEN:
        return True
    size = ROOM_SIZES[name]
    short, long = sorted((rect.x1 - rect.x0, rect.z1 - rect.z0))
    low, high = size.area
    return (
        short >= size.least_side - 0.11
        and long <= 1.1 * short * size.aspect
        and 0.9 * low <= short * long <= 1.1 * high
    )


def _turned(cells: Sequence[Cell], rng: random.Random) -> list[Cell]:
    """Mirrored and turned at random, gardens left out, the middle at the origin."""
    flip_x, flip_z, swap = (rng.random() < 0.5 for _ in range(3))
    rooms = [(name, r) for name, r in cells if name != GARDEN]
    out = []
    for name, r in rooms:
        x0, x1 = (-r.x1, -r.x0) if flip_x else (r.x0, r.x1)
        z0, z1 = (-r.z1, -r.z0) if flip_z else (r.z0, r.z1)
        out.append((name, Rect(z0, x0, z1, x1) if swap else Rect(x0, z0, x1, z1)))
    mx = round((min(r.x0 for _, r in out) + max(r.x1 for _, r in out)) / 2, 2)
    mz = round((min(r.z0 for _, r in out) + max(r.z1 for _, r in out)) / 2, 2)
    return [
        (
            name,
            Rect(*(round(v, 2) + 0.0 for v in (r.x0 - mx, r.z0 - mz, r.x1 - mx, r.z1 - mz))),
        )
        for name, r in out
    ]
