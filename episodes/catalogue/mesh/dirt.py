"""Dirt on things that are drawn: blotches that hug the surface where people can see it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from episodes.catalogue.mesh.meshes import Floats, Mesh

DIRT = "#6b5233"
DIRT_LIGHT = "#8a6d45"

_RIM = 9
_PROUD = 0.0012
"""Height of dirt above the surface (m), so that it is drawn above it."""


class _Surface(NamedTuple):
    corners: Floats
    """The corners of the triangles, (n, 3, 3)."""
    lows: Floats
    highs: Floats
    """The upper corner of the box around each triangle (``lows``: the lower), (3, n)."""


def blotches(mesh: Mesh, wanted: int = 16, attempts: int = 140) -> list[tuple[Mesh, str]]:
    """Return up to ``wanted`` patches on the outside of ``mesh``, with their colours.

    Rays from around and above find what can be seen; a patch is kept where the surface carries
    all of it. The same mesh gives the same patches.
    """
    corners = mesh.vertices[mesh.faces]
    surface = _Surface(corners, corners.min(axis=1).T.copy(), corners.max(axis=1).T.copy())
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    sizes = np.sort(high - low)
    areas = np.cumsum(np.linalg.norm(_crosses(corners), axis=1))
    largest = float(np.clip(0.2 * sizes[1] + 0.04 * sizes[2], 0.004, 0.034))
    found: list[tuple[Mesh, str]] = []
    middles: list[Floats] = []
    for i in range(attempts):
        if len(found) == wanted:
            break
        share = (1.0, 0.65, 0.4, 0.25)[4 * i // attempts]
        radius = largest * share * (0.75 + 0.25 * math.sin(2.4 * i))
        target = _on_surface(corners, areas, i + 1)
        if _near(target, middles, 1.3 * largest):
            continue
        turn, rise = 2.39996 * i, math.asin(0.08 + 0.86 * _halton(i + 1, 11))
        ray = -np.array(
            [
                math.cos(rise) * math.cos(turn),
                math.sin(rise),
                math.cos(rise) * math.sin(turn),
            ]
        )
        hit = _first_hits(corners, (target - 3 * ray)[None], ray)
        if not np.isfinite(hit[0][0]):
            continue
        point, face = target - 3 * ray + hit[0][0] * ray, int(hit[1][0])
        if _near(point, middles, 1.3 * largest):
            continue
        patch = _patch(surface, point, _normal(corners[face], ray), radius, i)
        if patch is not None:
            found.append((patch, DIRT if len(found) % 3 else DIRT_LIGHT))
            middles.append(point)
    if not found:
        raise ValueError("dirt found no place: the shape is too thin even for a speck")
    return found


def _near(point: Floats, others: list[Floats], reach: float) -> bool:
    return any(float(((point - other) ** 2).sum()) < reach * reach for other in others)


def _halton(index: int, base: int) -> float:
    share, out = 1.0, 0.0
    while index:
        share /= base
        out += share * (index % base)
        index //= base
    return out


def _cross(a: Floats, b: Floats) -> Floats:
    # numpy's cross product spends most of its time on axes.
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)


def _crosses(corners: Floats) -> Floats:
    return _cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _on_surface(corners: Floats, areas: Floats, index: int) -> Floats:
    """Return a point of the surface, evenly spread over its area.

    ``areas`` has the running sums of the triangles' areas.
    """
    a, b, c = corners[int(np.searchsorted(areas, _halton(index, 2) * float(areas[-1])))]
    u, v = math.sqrt(_halton(index, 3)), _halton(index, 5)
    return np.asarray((1 - u) * a + u * (1 - v) * b + u * v * c, dtype=np.float64)


def _normal(triangle: Floats, ray: Floats) -> Floats:
    normal = _crosses(triangle[None])[0]
    normal /= np.linalg.norm(normal)
    return np.asarray(-normal if float(normal @ ray) > 0 else normal, dtype=np.float64)


def _patch(surface: _Surface, point: Floats, n: Floats, radius: float, seed: int) -> Mesh | None:
    """Return a lumpy fan whose rim lies on the surface.

    None where the surface bends away under it.
    """
    side = _cross(n, np.eye(3)[2 if abs(n[2]) < 0.9 else 0])
    side /= np.linalg.norm(side)
    other = _cross(n, side)
    angles = np.arange(_RIM) * (math.tau / _RIM)
    lumps = 1 + 0.26 * np.sin(3 * angles + seed) + 0.16 * np.sin(5 * angles + 2.3 * seed)
    rim = point + (radius * lumps)[:, None] * (
        np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * other
    )
    half = (rim + point) / 2
    above = 0.5 * radius + 0.002
    starts = np.vstack([rim, half]) + above * n
    reach = 2 * radius
    # The box around each triangle comes first: six comparisons are cheaper than an intersection.
    near = np.logical_and.reduce(
        [high > p - reach for high, p in zip(surface.highs, point, strict=True)]
        + [low < p + reach for low, p in zip(surface.lows, point, strict=True)]
    )
    distances, _ = _first_hits(surface.corners[near], starts, -n)
    astray = ~(np.abs(distances - above) < 0.6 * above)
    if astray.sum() > 0.2 * len(starts):
        return None
    distances[astray] = above  # over a slit, or a little past an edge
    on_surface = starts - distances[:, None] * n + _PROUD * n
    vertices = np.vstack([on_surface, point + _PROUD * n])
    k = np.arange(_RIM)
    following = (k + 1) % _RIM
    faces = np.vstack(
        [
            np.column_stack([k, following, _RIM + k]),
            np.column_stack([following, _RIM + following, _RIM + k]),
            np.column_stack([_RIM + k, _RIM + following, np.full(_RIM, 2 * _RIM)]),
        ]
    )
    return Mesh(vertices, np.tile(n, (len(vertices), 1)), faces)


def _first_hits(corners: Floats, origins: Floats, ray: Floats) -> tuple[Floats, Floats]:
    """Return the distance from each origin along ``ray`` to the first triangle, and which it is.

    The distance is inf where there is none.
    """
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = _cross(ray, v)
    det = np.einsum("jk,jk->j", u, p)
    flat = np.abs(det) < 1e-14
    inverse = 1 / np.where(flat, 1.0, det)
    s = origins[:, None] - a[None]
    first = np.einsum("ijk,jk->ij", s, p) * inverse
    q = _cross(s, u[None])
    second = (q @ ray) * inverse
    distance = np.einsum("ijk,jk->ij", q, v) * inverse
    hit = ~flat & (first >= 0) & (second >= 0) & (first + second <= 1) & (distance > 0)
    distance = np.where(hit, distance, np.inf)
    nearest = distance.argmin(axis=1)
    return distance[np.arange(len(origins)), nearest], nearest
