"""Meshes made by extruding outlines and bending bars; `meshes` has the boxes and turned shapes.

Outlines are (x, z) points, as seen from above. All lengths are metres, Y is up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from episodes.catalogue.mesh.meshes import (
    SHARP,
    Floats,
    Ints,
    Mesh,
    blob,
    box,
    cylinder,
    merged,
    rings_along,
    tube,
)
from episodes.poses import Vec3

Outline = Sequence[tuple[float, float]]


def block(
    width: float,
    height: float,
    depth: float,
    at: Vec3 = (0.0, 0.0, 0.0),
    bevel: float = 0.006,
) -> Mesh:
    """Return a box standing on ``at``, the middle of its base."""
    x, y, z = at
    return box((x - width / 2, y, z - depth / 2), (x + width / 2, y + height, z + depth / 2), bevel)


def pebble(
    width: float, height: float, depth: float, at: Vec3 = (0.0, 0.0, 0.0), square: float = 1.0
) -> Mesh:
    """Return an ellipsoid standing on ``at``; ``square`` below 1 makes it a cushion."""
    x, y, z = at
    small = max(width, height, depth) < 0.03
    return blob(
        (x, y + height / 2, z),
        (width / 2, height / 2, depth / 2),
        (square, square),
        rings=4 if small else 8,
        segments=8 if small else 16,
    )


def rod(start: Vec3, end: Vec3, radius: float, segments: int = 8) -> Mesh:
    """Return a straight round bar between two points."""
    return tube([start, end], radius, segments)


def ring(radius: float, thickness: float, y: float = 0.0, segments: int = 16) -> Mesh:
    """Return a lying torus; ``thickness`` is the radius of its bar."""
    angles = [math.tau * k / segments for k in range(segments)]
    points = [(radius * math.cos(a), y, radius * math.sin(a)) for a in angles]
    return tube(points, thickness, 6, closed=True)


def wheel(radius: float, width: float, at: Vec3, segments: int = 14) -> Mesh:
    """Return a wheel on an axle along X, its middle at ``at``."""
    disc = cylinder(radius, -width / 2, width / 2, segments, min(0.3 * width, 0.2 * radius))
    return disc.turned((0, 0, 1), 90).moved(*at)


def upright(mesh: Mesh, y: float = 0.0, z: float = 0.0) -> Mesh:
    """Stand a lying mesh up to face -Z: what was at +Z is above, what was above is in front."""
    return mesh.turned((1, 0, 0), -90).moved(0, y, z)


def curve(points: Sequence[Vec3], steps: int = 4) -> list[Vec3]:
    """Return a smooth line through ``points`` (Catmull-Rom), for `tube` and `tapered`."""
    p = np.array([points[0], *points, points[-1]], dtype=float)
    out: list[Vec3] = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False):
        for i in range(steps):
            t = i / steps
            q = 0.5 * (
                2 * b
                + (c - a) * t
                + (2 * a - 5 * b + 4 * c - d) * t * t
                + (3 * b - a - 3 * c + d) * t**3
            )
            out.append((float(q[0]), float(q[1]), float(q[2])))
    return [*out, points[-1]]


def tapered(points: Sequence[Vec3], radii: Sequence[float], segments: int = 10) -> Mesh:
    """Return a round bar along ``points`` with a radius for each; zero makes a point."""
    path, r = np.array(points, dtype=float), np.array(radii, dtype=float)
    tangents = np.gradient(path, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    slope = np.gradient(r, along)
    around = rings_along(tangents, segments)
    vertices = path[:, None] + r[:, None, None] * around
    normals = around - slope[:, None, None] * tangents[:, None]
    normals /= np.hypot(1.0, slope)[:, None, None]
    k = np.arange(segments)
    faces = []
    for i in range(len(path) - 1):
        p, q = i * segments, (i + 1) * segments
        a, b, c, d = p + k, q + k, p + (k + 1) % segments, q + (k + 1) % segments
        if r[i] > 1e-6:
            faces.append(np.column_stack([a, b, c]))
        if r[i + 1] > 1e-6:
            faces.append(np.column_stack([c, b, d]))
    meshes = [Mesh(vertices.reshape(-1, 3), normals.reshape(-1, 3), np.vstack(faces))]
    fan = np.column_stack(
        [np.zeros(segments - 2, int), np.arange(1, segments - 1), np.arange(2, segments)]
    )
    for i, sign in ((0, -1.0), (-1, 1.0)):
        if r[i] > 1e-6:
            rim = vertices[i] if sign < 0 else vertices[i][::-1]
            meshes.append(Mesh(rim, np.tile(sign * tangents[i], (segments, 1)), fan))
    return merged(meshes)


def ellipse(half_x: float, half_z: float, n: int = 18) -> Outline:
    return [
        (half_x * math.cos(math.tau * k / n), half_z * math.sin(math.tau * k / n)) for k in range(n)
    ]


def round_rect(half_x: float, half_z: float, radius: float, n: int = 4) -> Outline:
    """Return a rectangle with round corners, ``n`` points to a corner."""
    out = []
    for corner, (sx, sz) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for k in range(n):
            a = math.tau / 4 * (corner + k / (n - 1))
            out.append(
                (
                    sx * (half_x - radius) + radius * math.cos(a),
                    sz * (half_z - radius) + radius * math.sin(a),
                )
            )
    return out


def extruded(outline: Outline, low: float, high: float, bevel: float = 0.0) -> Mesh:
    """Pull an outline that does not cross itself up from ``low`` to ``high``.

    Soft corners of the outline are shaded round; ``bevel`` cuts the two rims.
    """
    points = np.array(outline, dtype=float)
    following = np.roll(points, -1, axis=0)
    if (points[:, 0] * following[:, 1] - following[:, 0] * points[:, 1]).sum() > 0:
        points = points[::-1]
    n = len(points)
    edges = np.roll(points, -1, axis=0) - points
    out = np.column_stack([-edges[:, 1], edges[:, 0]])
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    before = np.roll(out, 1, axis=0)
    soft = (out * before).sum(axis=1) > SHARP
    miter = out + before
    miter /= np.maximum((miter * out).sum(axis=1, keepdims=True), 0.3)
    bevel = min(bevel, 0.45 * (high - low))
    inner = points - miter * bevel
    mean = (out + before) / np.linalg.norm(out + before, axis=1, keepdims=True)
    starts = np.where(soft[:, None], mean, out)
    ends = np.where(np.roll(soft, -1)[:, None], np.roll(mean, -1, axis=0), out)
    walls = [((points, low + bevel), (points, high - bevel), 0.0)]
    if bevel > 0:
        walls.append(((inner, low), (points, low + bevel), -1.0))
        walls.append(((points, high - bevel), (inner, high), 1.0))
    meshes = []
    for (lower, y0), (upper, y1), lean in walls:
        corners = (
            (lower, y0, starts),
            (np.roll(lower, -1, axis=0), y0, ends),
            (np.roll(upper, -1, axis=0), y1, ends),
            (upper, y1, starts),
        )
        vertices = np.stack(
            [np.column_stack([c[:, 0], np.full(n, y), c[:, 1]]) for c, y, _ in corners], axis=1
        ).reshape(-1, 3)
        normals = np.stack(
            [np.column_stack([m[:, 0], np.full(n, lean), m[:, 1]]) for _, _, m in corners], axis=1
        ).reshape(-1, 3)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        base = 4 * np.arange(n)[:, None]
        meshes.append(
            Mesh(
                vertices,
                normals,
                np.vstack([base + np.array([0, 1, 2]), base + np.array([0, 2, 3])]),
            )
        )
    triangles = _ears(inner)
    for y, sign in ((high, 1.0), (low, -1.0)):
        cap = np.column_stack([inner[:, 0], np.full(n, y), inner[:, 1]])
        meshes.append(
            Mesh(
                cap,
                np.tile([0.0, sign, 0.0], (n, 1)),
                triangles if sign > 0 else triangles[:, ::-1],
            )
        )
    return merged(meshes)


def _ears(outline: Floats) -> Ints:
    """Return the triangles (indices) of a simple polygon, clockwise in (x, z), by ear clipping."""
    points = [(float(x), float(z)) for x, z in outline]
    rest = list(range(len(points)))
    out: list[tuple[int, int, int]] = []

    def turn(a: int, b: int, c: int) -> float:
        (ax, az), (bx, bz), (cx, cz) = points[a], points[b], points[c]
        return (bz - az) * (cx - ax) - (bx - ax) * (cz - az)

    def diagonal(triple: tuple[int, int, int]) -> float:
        (ax, az), (cx, cz) = points[triple[0]], points[triple[2]]
        return (ax - cx) ** 2 + (az - cz) ** 2

    n = len(points)
    hollow = [i for i in range(n) if turn(i - 1, i, (i + 1) % n) <= 0]

    def is_ear(a: int, b: int, c: int) -> bool:
        # Only a corner that bends inwards can lie in an ear.
        return turn(a, b, c) > 0 and not any(
            turn(a, b, p) > 0 and turn(b, c, p) > 0 and turn(c, a, p) > 0 for p in hollow
        )

    while len(rest) > 3:
        k = len(rest)
        triples = [(rest[i - 1], rest[i], rest[(i + 1) % k]) for i in range(k)]
        # The smallest ear first, so that a convex outline does not become a fan of slivers.
        triples.sort(key=diagonal)
        ear = next((t for t in triples if is_ear(*t)), triples[0])
        out.append(ear)
        rest.remove(ear[1])
    out.append((rest[0], rest[1], rest[2]))
    return np.array(out, dtype=np.int64)
