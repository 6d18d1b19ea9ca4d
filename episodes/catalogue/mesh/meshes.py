"""Triangle meshes of rounded household shapes, with the normals that make them look round.

All lengths are metres, Y is up. A `Mesh` is three arrays; functions return new ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from episodes.poses import Vec3

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SHARP = math.cos(math.radians(38))
"""Cosine above which a profile corner is shaded round; sharper corners stay edges."""


class Mesh(NamedTuple):
    """Triangles with one normal per vertex, counter-clockwise seen from outside."""

    vertices: Floats
    normals: Floats
    faces: Ints

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Mesh:
        return Mesh(self.vertices + np.array([x, y, z]), self.normals, self.faces)

    def turned(self, axis: Vec3, degrees: float, about: Vec3 = (0.0, 0.0, 0.0)) -> Mesh:
        """Return the mesh turned by ``degrees`` about a unit ``axis`` through ``about``."""
        matrix = _rotation(axis, math.radians(degrees))
        middle = np.array(about)
        return Mesh(
            (self.vertices - middle) @ matrix.T + middle, self.normals @ matrix.T, self.faces
        )

    def scaled(self, x: float, y: float, z: float) -> Mesh:
        """Return the mesh stretched along the axes by positive factors."""
        normals = self.normals / np.array([x, y, z])
        return Mesh(self.vertices * np.array([x, y, z]), _unit(normals), self.faces)


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float64)


def _rotation(axis: Vec3, angle: float) -> Floats:
    x, y, z = axis
    c, s = math.cos(angle), math.sin(angle)
    t = 1 - c
    return np.array(
        [
            [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
            [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
            [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
        ]
    )


def merged(meshes: Iterable[Mesh]) -> Mesh:
    """Return several meshes as one."""
    parts = list(meshes)
    counts = [len(m.vertices) for m in parts]
    offsets = np.cumsum([0, *counts[:-1]])
    return Mesh(
        np.vstack([m.vertices for m in parts]),
        np.vstack([m.normals for m in parts]),
        np.vstack([m.faces + o for m, o in zip(parts, offsets, strict=True)]),
    )


def _box_faces() -> Ints:
    """Return the triangles of a box of 24 vertices, six faces with bevels and corners between.

    Vertex ``3 * corner + axis`` belongs to the face across ``axis``. There are six faces,
    twelve bevels and eight corners.
    """
    faces: list[tuple[int, int, int]] = []

    def index(x: int, y: int, z: int, axis: int) -> int:
        return 3 * (x + 2 * y + 4 * z) + axis

    def quad(a: int, b: int, c: int, d: int) -> None:
        faces.extend([(a, b, c), (a, c, d)])

    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, 1):
            ring = []
            for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                c = [0, 0, 0]
                c[axis], c[u], c[v] = side, du, dv
                ring.append(index(c[0], c[1], c[2], axis))
            quad(*(ring if side else ring[::-1]))
        # The bevel along ``axis``, between the faces across u and v.
        for du in (0, 1):
            for dv in (0, 1):
                ring = []
                for along, face in ((0, u), (1, u), (1, v), (0, v)):
                    c = [0, 0, 0]
                    c[axis], c[u], c[v] = along, du, dv
                    ring.append(index(c[0], c[1], c[2], face))
                quad(*(ring if du != dv else ring[::-1]))
    for corner in range(8):
        odd = bin(corner).count("1") % 2
        a, b, c3 = 3 * corner, 3 * corner + 1, 3 * corner + 2
        faces.append((a, b, c3) if odd else (a, c3, b))
    return np.array(faces, dtype=np.int64)


_BOX_FACES = _box_faces()
_CORNERS = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], dtype=float)


def box(low: Vec3, high: Vec3, bevel: float = 0.008) -> Mesh:
    """Return a box whose edges are bevelled and shaded round."""
    lo, hi = np.array(low), np.array(high)
    middle, half = (lo + hi) / 2, (hi - lo) / 2
    bevel = min(bevel, float(half.min()) * 0.9)
    vertices = np.empty((24, 3))
    normals = np.zeros((24, 3))
    for axis in range(3):
        inset = half - bevel
        inset[axis] = half[axis]
        vertices[axis::3] = middle + _CORNERS * inset
        normals[axis::3, axis] = _CORNERS[:, axis]
    faces = _BOX_FACES if bevel > 0 else _BOX_FACES[_PLAIN]
    return Mesh(vertices, normals, faces)


_PLAIN = np.array([i for i in range(len(_BOX_FACES)) if len({f % 3 for f in _BOX_FACES[i]}) == 1])


def lathe(profile: Sequence[tuple[float, float]], segments: int = 18, start: float = 0.0) -> Mesh:
    """Return a profile of (radius, height) points revolved about +Y.

    The profile runs so that the outside is on its right: from the bottom up on the outer side,
    then down on the inner side of a hollow shape.
    """
    points = np.array(profile, dtype=float)
    steps = np.diff(points, axis=0)
    flat = _unit(np.column_stack([steps[:, 1], -steps[:, 0]]))
    rows: list[tuple[float, float, float, float]] = []
    pairs: list[tuple[int, int]] = []
    last = len(steps) - 1
    for i in range(len(steps)):
        before = flat[i - 1] if i > 0 and float(flat[i - 1] @ flat[i]) > SHARP else None
        after = flat[i + 1] if i < last and float(flat[i + 1] @ flat[i]) > SHARP else None
        first = flat[i] if before is None else before + flat[i]
        second = flat[i] if after is None else after + flat[i]
        if before is None:
            rows.append((*points[i], *first))
        rows.append((*points[i + 1], *second))
        pairs.append((len(rows) - 2, len(rows) - 1))
    table = np.array(rows)
    angles = start + np.arange(segments + 1) * (math.tau / segments)
    c, s = np.cos(angles), np.sin(angles)
    r, y, nr, ny = table[:, 0:1], table[:, 1:2], table[:, 2:3], table[:, 3:4]
    vertices = np.stack([r * c, np.broadcast_to(y, (len(table), segments + 1)), r * s], axis=-1)
    normals = np.stack([nr * c, np.broadcast_to(ny, (len(table), segments + 1)), nr * s], axis=-1)
    width = segments + 1
    faces = []
    k = np.arange(segments)
    for a, b in pairs:
        p, q = a * width + k, b * width + k
        if table[a, 0] > 1e-9:
            faces.append(np.column_stack([p, q, p + 1]))
        if table[b, 0] > 1e-9:
            faces.append(np.column_stack([p + 1, q, q + 1]))
    return Mesh(vertices.reshape(-1, 3), _unit(normals.reshape(-1, 3)), np.vstack(faces))


def rounded(profile: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a profile whose softer corners (up to about 50 degrees) are cut, so that it curves."""
    points = [profile[0]]
    for a, b, c in zip(profile, profile[1:], profile[2:], strict=False):
        u, v = np.subtract(b, a), np.subtract(c, b)
        lengths = float(np.linalg.norm(u)), float(np.linalg.norm(v))
        bend = float(u @ v) / (lengths[0] * lengths[1])
        if bend < 0.64 or min(lengths) < 0.006:
            points.append(b)
            continue
        cut = 0.3 * min(lengths)
        first, last = b - u / lengths[0] * cut, b + v / lengths[1] * cut
        points.append((float(first[0]), float(first[1])))
        points.append((float(last[0]), float(last[1])))
    return [*points, profile[-1]]


def vessel(
    wall: Sequence[tuple[float, float]], thickness: float = 0.004, floor: float = 0.006
) -> list[tuple[float, float]]:
    """Return a hollow body's profile: the outer wall from (0, 0) to the rim, and the inside."""
    inner = [(max(r - thickness, 0.001), y) for r, y in reversed(wall) if y > floor]
    return [*wall, (wall[-1][0] - thickness / 2, wall[-1][1] + 0.001), *inner, (0.0, floor)]


def cylinder(
    radius: float, low: float, high: float, segments: int = 16, bevel: float = 0.0
) -> Mesh:
    """Return an upright closed cylinder with bevelled rims."""
    b = min(bevel, radius * 0.5, (high - low) * 0.45)
    if b <= 0:
        return lathe([(0, low), (radius, low), (radius, high), (0, high)], segments)
    return lathe(
        [
            (0, low),
            (radius - b, low),
            (radius, low + b),
            (radius, high - b),
            (radius - b, high),
            (0, high),
        ],
        segments,
    )


def blob(
    center: Vec3,
    radii: Vec3,
    squareness: tuple[float, float] = (1.0, 1.0),
    rings: int = 8,
    segments: int = 14,
) -> Mesh:
    """Return a superellipsoid.

    ``squareness`` (upright, around) is 1.0 for an ellipsoid and 0.3 for a pillow or a soft box.
    """
    e1, e2 = squareness
    v = np.linspace(-math.pi / 2, math.pi / 2, rings + 1)
    u = np.linspace(-math.pi, math.pi, segments + 1)

    def power(x: Floats, e: float) -> Floats:
        return np.asarray(np.sign(x) * np.abs(x) ** e, dtype=np.float64)

    cv, sv, cu, su = np.cos(v)[:, None], np.sin(v)[:, None], np.cos(u)[None], np.sin(u)[None]
    ones = np.ones_like(cu)
    rx, ry, rz = radii
    x = rx * power(cv, e1) * power(cu, e2)
    y = ry * power(sv, e1) * ones
    z = rz * power(cv, e1) * power(su, e2)
    nx = power(cv, 2 - e1) * power(cu, 2 - e2) / rx
    ny = power(sv, 2 - e1) * ones / ry
    nz = power(cv, 2 - e1) * power(su, 2 - e2) / rz
    vertices = np.stack([x, y, z], axis=-1).reshape(-1, 3) + np.array(center)
    normals = _unit(np.stack([nx, ny, nz], axis=-1).reshape(-1, 3))
    width = segments + 1
    faces = []
    k = np.arange(segments)
    for i in range(rings):
        p, q = i * width + k, (i + 1) * width + k
        if i > 0:
            faces.append(np.column_stack([p, q, p + 1]))
        if i < rings - 1:
            faces.append(np.column_stack([p + 1, q, q + 1]))
    return Mesh(vertices, normals, np.vstack(faces))


def rings_along(tangents: Floats, segments: int) -> Floats:
    """Return unit vectors (points, segments, 3) around a path with these tangents.

    The frame is carried along the path, so that a bar does not twist.
    """
    up = (0.0, 1.0, 0.0) if abs(tangents[0][1]) < 0.9 else (1.0, 0.0, 0.0)
    sides, ups = [], []
    for x, y, z in tangents.tolist():
        t = (x, y, z)
        side = _cross(t, up)
        long = math.sqrt(sum(v * v for v in side))
        side = (side[0] / long, side[1] / long, side[2] / long)
        up = _cross(side, t)
        sides.append(side)
        ups.append(up)
    angles = np.arange(segments) * (math.tau / segments)
    c, s = np.cos(angles)[None, :, None], np.sin(angles)[None, :, None]
    return np.asarray(c * np.array(sides)[:, None] + s * np.array(ups)[:, None], dtype=np.float64)


def _cross(a: Vec3, b: Vec3) -> Vec3:
    # numpy's cross product takes a hundred times longer for one pair.
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def tube(points: Sequence[Vec3], radius: float, segments: int = 8, closed: bool = False) -> Mesh:
    """Return a round bar bent along ``points``, with flat ends (or closed to a ring)."""
    path = np.array(points, dtype=float)
    if closed:
        tangents = _unit(np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0))
    else:
        tangents = _unit(np.gradient(path, axis=0))
    around = rings_along(tangents, segments)
    rings = path[:, None] + radius * around
    n, count = segments, len(path)
    k = np.arange(n)
    faces = []
    for i in range(count if closed else count - 1):
        p, q = i * n + k, ((i + 1) % count) * n + k
        pn, qn = i * n + (k + 1) % n, ((i + 1) % count) * n + (k + 1) % n
        faces += [np.column_stack([p, q, pn]), np.column_stack([pn, q, qn])]
    mesh = Mesh(rings.reshape(-1, 3), around.reshape(-1, 3), np.vstack(faces))
    if closed:
        return mesh
    caps = [mesh]
    for ring, tangent in ((rings[0], -tangents[0]), (rings[-1][::-1], tangents[-1])):
        fan = np.column_stack([np.zeros(n - 2, int), np.arange(1, n - 1), np.arange(2, n)])
        caps.append(Mesh(ring, np.tile(tangent, (n, 1)), fan))
    return merged(caps)


def arc(
    center: Vec3, radius: float, start: float, end: float, plane: str = "xy", steps: int = 8
) -> list[Vec3]:
    """Return the points of an arc (degrees) in a plane through ``center``, for `tube`."""
    out: list[Vec3] = []
    for i in range(steps + 1):
        a = math.radians(start + (end - start) * i / steps)
        c, s = radius * math.cos(a), radius * math.sin(a)
        x, y, z = center
        out.append(
            (x + c, y + s, z)
            if plane == "xy"
            else (x, y + s, z + c)
            if plane == "zy"
            else (x + c, y, z + s)
        )
    return out


def prism(outline: Sequence[tuple[float, float]], low: float, high: float) -> Mesh:
    """Return a star-shaped (x, z) outline pulled up from ``low`` to ``high``, edges sharp."""
    ring = np.array(outline, dtype=float)
    following = np.roll(ring, -1, axis=0)
    area = float((ring[:, 0] * following[:, 1] - following[:, 0] * ring[:, 1]).sum())
    if area > 0:
        ring = ring[::-1]
        following = np.roll(ring, -1, axis=0)
    n = len(ring)
    middle = ring.mean(axis=0)
    k = np.arange(n)
    meshes = []
    for y, sign in ((high, 1.0), (low, -1.0)):
        vertices = np.empty((n + 1, 3))
        vertices[:n, 0], vertices[:n, 2], vertices[n, 0], vertices[n, 2] = (
            ring[:, 0],
            ring[:, 1],
            middle[0],
            middle[1],
        )
        vertices[:, 1] = y
        fan = np.column_stack([np.full(n, n), k, (k + 1) % n])
        meshes.append(
            Mesh(vertices, np.tile([0.0, sign, 0.0], (n + 1, 1)), fan if sign > 0 else fan[:, ::-1])
        )
    edge = following - ring
    out = _unit(np.column_stack([-edge[:, 1], np.zeros(n), edge[:, 0]]))
    quads = np.empty((n, 4, 3))
    for j, (points, y) in enumerate(
        ((ring, low), (following, low), (following, high), (ring, high))
    ):
        quads[:, j, 0], quads[:, j, 1], quads[:, j, 2] = points[:, 0], y, points[:, 1]
    base = 4 * k[:, None]
    sides = np.vstack([base + np.array([0, 1, 2]), base + np.array([0, 2, 3])])
    meshes.append(Mesh(quads.reshape(-1, 3), np.repeat(out, 4, axis=0), sides))
    return merged(meshes)


def quad(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Mesh:
    """Return a flat four-sided face, counter-clockwise from its front."""
    vertices = np.array([a, b, c, d], dtype=float)
    normal = np.cross(vertices[1] - vertices[0], vertices[2] - vertices[0])
    normal /= np.linalg.norm(normal)
    return Mesh(vertices, np.tile(normal, (4, 1)), np.array([[0, 1, 2], [0, 2, 3]]))
