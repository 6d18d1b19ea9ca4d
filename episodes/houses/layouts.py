"""Layouts: rooms as rectangles, of sizes that suit them, laid out by a scheme.

A layout is a tree of cuts: a rectangle is cut along one axis into parts, each a room, a piece of
garden or a rectangle that is cut again. A scheme says how public rooms, private rooms and halls lie
to each other. Which sizes a tree can have follows from the sizes that suit each class of room, from
the leaves up; one of them is drawn, and shared out from the root down.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from episodes.houses.plans import Rect
from episodes.houses.programmes import ROOM_SIZES
from episodes.houses.schemes import GARDEN, Axis, Cut, Leaf, Node, Scheme, group_rooms

Cell = tuple[str, Rect]
"""A class of rooms, and where one of them is."""
HALL_WIDTH = (1.8, 2.0)
HALL_LENGTH = 12.0
UNIT = 0.2
"""Lengths between walls are multiples of this (m)."""
_LENGTHS = UNIT * np.arange(106)
SNAP = 0.4
"""Distance below which walls are brought onto one line (m)."""


def draw_layout(rooms: Sequence[str], scheme: Scheme, rng: random.Random) -> list[Cell] | None:
    """Try once to lay out rooms of these classes; None when the scheme does not suit them.

    Rectangles are between wall centre lines, to the centimetre, the middle of all at the
    origin.
    """
    tree = scheme(group_rooms(rooms), rng)
    if tree is None:
        return None
    cells = _sized(tree, rng)
    cells = cells and _snapped(cells)
    if cells is None or not all(_suits(cell) for cell in cells):
        return None
    return _turned(cells, rng)


# Sizes: which widths and depths a node can have, then how its length is shared

Ints = npt.NDArray[np.int16]
Flags = npt.NDArray[np.bool_]
Shapes = npt.NDArray[np.bool_]
"""The sizes that are possible: (width along x, depth along z) in units of `UNIT`."""


class _Range(NamedTuple):
    """Extents along one axis for each extent along the other: least, largest, and whether any.

    In units of `UNIT`; where there is none the numbers mean nothing.
    """

    least: Ints
    largest: Ints
    some: Flags


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


def _shapes(node: Node) -> Shapes | None:
    """Return which sizes a node can have; None when a part of it has none at all."""
    if isinstance(node, Leaf):
        return _leaf_shapes(node)
    along = _sum(node)
    if along is None:
        return None
    lengths = np.arange(len(_LENGTHS), dtype=np.int16)[:, None]
    out = along.some & (lengths >= along.least) & (lengths <= along.largest)
    return out if node.along == "x" else out.T


# Trees of one scheme share most of their branches; a branch kept takes 2 kB.
@lru_cache(maxsize=4096)
def _sum(cut: Cut) -> _Range | None:
    """Return the extents of a cut along its own axis: those of its parts together."""
    least = largest = np.zeros(len(_LENGTHS), np.int16)
    some = np.ones(len(_LENGTHS), bool)
    for part in cut.parts:
        own = _extents(part, cut.along)
        if own is None or not own.some.any():
            return None
        least, largest, some = least + own.least, largest + own.largest, some & own.some
    return _Range(least, largest, some)


@lru_cache(maxsize=4096)
def _extents(node: Node, along: Axis) -> _Range | None:
    """Return the extents of a node along an axis; None when a part of it has no size at all."""
    shapes = _shapes(node)
    if shapes is None:
        return None
    # There is a row for each extent along the other axis: numpy looks along rows fastest.
    rows = np.ascontiguousarray(shapes.T if along == "x" else shapes)
    last = rows.shape[1] - 1
    return _Range(
        rows.argmax(axis=1).astype(np.int16),
        (last - np.ascontiguousarray(rows[:, ::-1]).argmax(axis=1)).astype(np.int16),
        np.asarray(rows.any(axis=1)),
    )


def _sized(tree: Node, rng: random.Random) -> list[Cell] | None:
    shapes = _shapes(tree)
    sizes = () if shapes is None else np.argwhere(shapes)
    if not len(sizes):
        return None
    w, d = (int(v) for v in sizes[rng.randrange(len(sizes))])
    cells: list[Cell] = []
    _share(tree, (0, 0, w, d), rng, cells)
    return cells


def _share(
    node: Node,
    at: tuple[int, int, int, int],
    rng: random.Random,
    cells: list[Cell],
) -> None:
    """Cut a rectangle (x, z, width, depth in units) into the parts of a node."""
    x, z, w, d = at
    if isinstance(node, Leaf):
        cells.append((node.class_name, Rect(*(UNIT * v for v in (x, z, x + w, z + d)))))
        return
    length, other = (w, d) if node.along == "x" else (d, w)
    own = [r for part in node.parts if (r := _extents(part, node.along)) is not None]
    ranges = [(int(r.least[other]), int(r.largest[other])) for r in own]
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
            _share(part, (x, z, extent, d), rng, cells)
            x += extent
        else:
            _share(part, (x, z, w, extent), rng, cells)
            z += extent


def _snapped(cells: Sequence[Cell]) -> list[Cell] | None:
    """Align nearly aligned walls and round lengths to centimetres; None if a room vanishes."""
    xs = _lines([v for _, r in cells for v in (r.x0, r.x1)])
    zs = _lines([v for _, r in cells for v in (r.z0, r.z1)])
    out = [(name, Rect(xs[r.x0], zs[r.z0], xs[r.x1], zs[r.z1])) for name, r in cells]
    return out if all(r.x1 > r.x0 and r.z1 > r.z0 for _, r in out) else None


def _lines(values: Sequence[float]) -> dict[float, float]:
    """Return where each coordinate goes: neighbours closer than `SNAP` share their middle."""
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
    """Mirror and turn cells at random, gardens left out, the middle at the origin."""
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
