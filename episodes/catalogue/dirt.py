"""Dirt on whatever is drawn: blotches that hug the surface where people can see it."""

from __future__ import annotations

import math

import numpy as np

from episodes.catalogue.meshes import Floats, Mesh

DIRT = "#6b5233"
DIRT_LIGHT = "#8a6d45"

_RIM = 9
_PROUD = 0.0012
"""How far dirt stands off the surface (m), so that it is drawn above it."""


def blotches(mesh: Mesh, wanted: int = 12, attempts: int = 90) -> list[tuple[Mesh, str]]:
    """Up to ``wanted`` patches on the outside of ``mesh``, with their colours.

    Rays from around and above find what can be seen; a patch is kept where the surface carries
    all of it. The same mesh gives the same patches.
    """
    corners = mesh.vertices[mesh.faces]
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    sizes = np.sort(high - low)
    areas = np.cumsum(np.linalg.norm(_crosses(corners), axis=1))
    largest = float(np.clip(0.2 * sizes[1] + 0.04 * sizes[2], 0.004, 0.034))
    found: list[tuple[Mesh, str]] = []
    middles: list[Floats] = []
    for i in range(attempts):
        if len(found) == wanted:
            break
        share = (1.0, 0.55, 0.3)[3 * i // attempts]
        radius = largest * share * (0.75 + 0.25 * math.sin(2.4 * i))
        target = _on_surface(corners, areas, i + 1)
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
        if any(float(np.linalg.norm(point - m)) < 1.5 * largest for m in middles):
            continue
        patch = _patch(corners, point, _normal(corners[face], ray), radius, i)
        if patch is not None:
            found.append((patch, DIRT if len(found) % 3 else DIRT_LIGHT))
            middles.append(point)
    if not found:
        raise ValueError("dirt found no place: the shape is too thin even for a speck")
    return found


def _halton(index: int, base: int) -> float:
    share, out = 1.0, 0.0
    while index:
        share /= base
        out += share * (index % base)
        index //= base
    return out


def _crosses(corners: Floats) -> Floats:
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _on_surface(corners: Floats, areas: Floats, index: int) -> Floats:
    """A point of the surface, even by area (``areas``: running sums of the triangles')."""
    a, b, c = corners[int(np.searchsorted(areas, _halton(index, 2) * float(areas[-1])))]
    u, v = math.sqrt(_halton(index, 3)), _halton(index, 5)
    return np.asarray((1 - u) * a + u * (1 - v) * b + u * v * c, dtype=np.float64)


def _normal(triangle: Floats, ray: Floats) -> Floats:
    normal = _crosses(triangle[None])[0]
    normal /= np.linalg.norm(normal)
    return np.asarray(-normal if float(normal @ ray) > 0 else normal, dtype=np.float64)


def _patch(corners: Floats, point: Floats, n: Floats, radius: float, seed: int) -> Mesh | None:
    """A lumpy fan whose rim lies on the surface; None where the surface bends away under it."""
    side = np.cross(n, [0.0, 0.0, 1.0] if abs(n[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    other = np.cross(n, side)
    angles = np.arange(_RIM) * (math.tau / _RIM)
    lumps = 1 + 0.26 * np.sin(3 * angles + seed) + 0.16 * np.sin(5 * angles + 2.3 * seed)
    rim = point + (radius * lumps)[:, None] * (
        np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * other
    )
    half = (rim + point) / 2
    above = 0.5 * radius + 0.002
    starts = np.vstack([rim, half]) + above * n
    reach = 2 * radius
    near = np.all(
        (corners.max(axis=1) > point - reach) & (corners.min(axis=1) < point + reach), axis=1
    )
    distances, _ = _first_hits(corners[near], starts, -n)
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
    """Distance to the first triangle along ``ray`` from each origin (inf for none), and which."""
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = np.cross(ray, v)
    det = (u * p).sum(axis=1)
    flat = np.abs(det) < 1e-14
    inverse = 1 / np.where(flat, 1.0, det)
    s = origins[:, None] - a[None]
    first = (s * p).sum(axis=2) * inverse
    q = np.cross(s, u[None])
    second = (q @ ray) * inverse
    distance = (q * v[None]).sum(axis=2) * inverse
    hit = ~flat & (first >= 0) & (second >= 0) & (first + second <= 1) & (distance > 0)
    distance = np.where(hit, distance, np.inf)
    nearest = distance.argmin(axis=1)
    return distance[np.arange(len(origins)), nearest], nearest
