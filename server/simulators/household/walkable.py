"""The walkable area: where the floor point of a body may be, and how it slides along the edge.

Everything is on the floor plan: points are (x, z), metres. `Walkable.move` is also what a browser
predicts with, so it is written to be rewritten: plain arithmetic, no state, no randomness. Golden
vectors are in ``tests/data/walkable_vectors.json``.

The rule, exactly. An edge runs from ``a`` along the unit vector ``e`` for ``length``, and ``n`` is
its unit normal into the area. A displacement is cut into equal pieces of at most `PIECE_M`; each
piece ``d`` from ``p`` is done as follows, at most `TURNS` times:

1. Of the edges with ``d.n < 0``, take signed distances ``s = (p - a).n``. An edge is hit if
   ``s >= -SLACK_M``, ``s + d.n < 0`` and the crossing, at ``t = max(s, 0) / -d.n``, lies between
   its ends (give or take `END_M`). The hit with the smallest ``t`` counts (of equals, the first).
2. No hit: ``p += d``; done.
3. Else go up to `SKIN_M` before the edge, ``p += d * max(0, (s - SKIN_M) / -d.n)``, take what is
   left of ``d`` without its component along ``n``, and repeat; stop instead if that points against
   the piece as it was given.

A piece that hit something and came out of the area (rounding) is not done at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from episodes.poses import Vec2
from episodes.scene import Polygon

PIECE_M = 0.1
"""Longest piece of a move (m); edges farther than this from a cell do not matter to it."""
SKIN_M = 1e-4
"""Distance before an edge at which a body stops (m)."""
SLACK_M = 2e-3
"""Distance outside at which an edge still holds a body (m): positions on the wire are in mm."""
END_M = 1e-6
TURNS = 4
CELL_M = 0.25
LONGEST_MOVE_M = 60.0
"""Length to which longer moves are cut (m): a body stands against a wall by then."""
STILL_M = 1e-9

Edge = tuple[float, float, float, float, float, float, float]
"""An edge as ax, az, nx, nz, ex, ez, length."""


def _ring_area(ring: Sequence[Vec2]) -> float:
    return 0.5 * sum(
        x0 * z1 - x1 * z0 for (x0, z0), (x1, z1) in zip(ring, [*ring[1:], ring[0]], strict=True)
    )


def oriented(polygon: Polygon) -> list[list[Vec2]]:
    """Return a polygon's rings with the area to the left of every edge, without repeated points."""
    rings: list[list[Vec2]] = []
    for i, ring in enumerate((polygon.outer, *polygon.holes)):
        points: list[Vec2] = []
        for x, z in ring:
            if not points or math.hypot(x - points[-1][0], z - points[-1][1]) > 1e-9:
                points.append((float(x), float(z)))
        if len(points) > 1 and math.dist(points[0], points[-1]) <= 1e-9:
            points.pop()
        if len(points) < 3:
            continue
        if (_ring_area(points) > 0) != (i == 0):
            points.reverse()
        rings.append(points)
    return rings


def _edges(rings: Iterable[Sequence[Vec2]]) -> list[Edge]:
    edges: list[Edge] = []
    for ring in rings:
        for (ax, az), (bx, bz) in zip(ring, [*ring[1:], ring[0]], strict=True):
            length = math.hypot(bx - ax, bz - az)
            ex, ez = (bx - ax) / length, (bz - az) / length
            edges.append((ax, az, -ez, ex, ex, ez, length))
    return edges


class Walkable:
    """Polygons with holes, and the questions a body asks of them. Immutable."""

    def __init__(self, polygons: Sequence[Polygon]) -> None:
        self.rings = [ring for polygon in polygons for ring in oriented(polygon)]
        self.edges = _edges(self.rings)
        xs = [x for ring in self.rings for x, _ in ring] or [0.0]
        zs = [z for ring in self.rings for _, z in ring] or [0.0]
        self.low: Vec2 = (min(xs), min(zs))
        self.high: Vec2 = (max(xs), max(zs))
        self._near = self._near_edges()
        self._rows = self._row_edges()
        self._inside = self._whole_cells()
        table = np.array(self.edges, dtype=np.float64).reshape(-1, 7)
        self._ax, self._az = table[:, 0].copy(), table[:, 1].copy()
        self._ex, self._ez, self._length = (table[:, i].copy() for i in (4, 5, 6))

    # Building

    def _near_edges(self) -> dict[int, tuple[Edge, ...]]:
        """Return by cell the edges that a piece starting in it can reach, in the rings' order."""
        reach = PIECE_M + SLACK_M
        found: dict[int, list[Edge]] = {}
        for edge in self.edges:
            ax, az, nx, nz, ex, ez, length = edge
            bx, bz = ax + ex * length, az + ez * length
            half = CELL_M / 2 + reach
            for ix in range(_cell(min(ax, bx) - reach), _cell(max(ax, bx) + reach) + 1):
                for iz in range(_cell(min(az, bz) - reach), _cell(max(az, bz) + reach) + 1):
                    mx, mz = (ix + 0.5) * CELL_M, (iz + 0.5) * CELL_M
                    if abs((mx - ax) * nx + (mz - az) * nz) <= half * (abs(nx) + abs(nz)):
                        found.setdefault((ix << 16) + iz, []).append(edge)
        return {key: tuple(edges) for key, edges in found.items()}

    def _row_edges(self) -> dict[int, tuple[tuple[float, float, float, float], ...]]:
        """Return by row of cells the edges that meet it: z low, z high, x at z = 0, dx/dz."""
        rows: dict[int, list[tuple[float, float, float, float]]] = {}
        for ax, az, _, _, ex, ez, length in self.edges:
            if ez == 0.0:
                continue
            bz = az + ez * length
            slope = ex / ez
            low, high = min(az, bz), max(az, bz)
            for iz in range(_cell(low), _cell(high) + 1):
                rows.setdefault(iz, []).append((low, high, ax - az * slope, slope))
        return {iz: tuple(edges) for iz, edges in rows.items()}

    def _whole_cells(self) -> frozenset[int]:
        """Return the cells that lie inside and have no edge near."""
        inside: set[int] = set()
        for ix in range(_cell(self.low[0]), _cell(self.high[0]) + 1):
            for iz in range(_cell(self.low[1]), _cell(self.high[1]) + 1):
                key = (ix << 16) + iz
                if key not in self._near and self._crossings_odd(
                    (ix + 0.5) * CELL_M, (iz + 0.5) * CELL_M, iz
                ):
                    inside.add(key)
        return frozenset(inside)

    def _crossings_odd(self, x: float, z: float, iz: int) -> bool:
        odd = False
        for low, high, x_at_0, slope in self._rows.get(iz, ()):
            if low <= z < high and x < x_at_0 + slope * z:
                odd = not odd
        return odd

    # Asking

    def contains(self, x: float, z: float) -> bool:
        """Tell whether a point is in the area."""
        iz = math.floor(z / CELL_M)
        key = (math.floor(x / CELL_M) << 16) + iz
        if key in self._inside:
            return True
        return key in self._near and self._crossings_odd(x, z, iz)

    def nearest(self, x: float, z: float) -> Vec2:
        """Return the point of the area nearest to a point: itself, or `SKIN_M` inside the edge."""
        if self.contains(x, z):
            return (x, z)
        px, pz = x - self._ax, z - self._az
        along = np.clip(px * self._ex + pz * self._ez, 0.0, self._length)
        i = int(np.argmin((px - along * self._ex) ** 2 + (pz - along * self._ez) ** 2))
        ax, az, nx, nz, ex, ez, length = self.edges[i]
        u = float(along[i])
        # A point moves away from a sharp corner, lest the step inwards cross the edge next to it.
        for skin in (SKIN_M, SKIN_M / 10, SKIN_M / 100):
            for inset in (0.0, 2 * skin, 20 * skin):
                v = min(max(u, min(inset, length / 2)), length - min(inset, length / 2))
                point = (ax + ex * v + nx * skin, az + ez * v + nz * skin)
                if self.contains(*point):
                    return point
        return (ax + ex * u, az + ez * u)

    def clear(self, a: Vec2, b: Vec2) -> bool:
        """Tell whether the straight way between two points of the area stays in it."""
        (ax, az), (bx, bz) = a, b
        dx, dz = bx - ax, bz - az
        near = self._near
        seen: tuple[Edge, ...] | None = None
        # Points one piece apart suffice: the edges of a cell are those within a piece of it.
        steps = max(1, math.ceil(math.hypot(dx, dz) / (2 * PIECE_M)))
        for k in range(steps):
            f = (k + 0.5) / steps
            edges = near.get(
                (math.floor((ax + dx * f) / CELL_M) << 16) + math.floor((az + dz * f) / CELL_M)
            )
            if edges is None or edges is seen:
                continue
            seen = edges
            for px, pz, nx, nz, ex, ez, length in edges:
                s = (ax - px) * nx + (az - pz) * nz
                e = (bx - px) * nx + (bz - pz) * nz
                if (s < 0.0) == (e < 0.0):
                    continue
                t = s / (s - e)
                if 0.0 <= (ax + dx * t - px) * ex + (az + dz * t - pz) * ez <= length:
                    return False
        return True

    def move(self, x: float, z: float, dx: float, dz: float) -> Vec2:
        """Return where a body at (x, z) comes that wants to move by (dx, dz)."""
        length = math.hypot(dx, dz)
        if length <= PIECE_M:
            return self._piece(x, z, dx, dz)
        if length > LONGEST_MOVE_M:
            dx, dz, length = (
                dx * LONGEST_MOVE_M / length,
                dz * LONGEST_MOVE_M / length,
                LONGEST_MOVE_M,
            )
        pieces = math.ceil(length / PIECE_M)
        dx, dz = dx / pieces, dz / pieces
        for _ in range(pieces):
            nx, nz = self._piece(x, z, dx, dz)
            if abs(nx - x) + abs(nz - z) < STILL_M:
                break
            x, z = nx, nz
        return (x, z)

    def _piece(self, x: float, z: float, dx: float, dz: float) -> Vec2:
        edges = self._near.get((math.floor(x / CELL_M) << 16) + math.floor(z / CELL_M))
        if edges is None:
            return (x + dx, z + dz)
        start_x, start_z, want_x, want_z = x, z, dx, dz
        for turn in range(TURNS):
            first, hit, hit_s, hit_dn = 2.0, None, 0.0, 0.0
            for edge in edges:
                ax, az, nx, nz, ex, ez, length = edge
                dn = dx * nx + dz * nz
                if dn >= 0.0:
                    continue
                s = (x - ax) * nx + (z - az) * nz
                if s + dn >= 0.0 or s < -SLACK_M:
                    continue
                t = s / -dn if s > 0.0 else 0.0
                if t < first and (
                    -END_M <= (x + dx * t - ax) * ex + (z + dz * t - az) * ez <= length + END_M
                ):
                    first, hit, hit_s, hit_dn = t, edge, s, dn
            if hit is None:
                x, z = x + dx, z + dz
                if turn == 0:
                    return (x, z)
                break
            nx, nz = hit[2], hit[3]
            t = max(0.0, (hit_s - SKIN_M) / -hit_dn)
            x, z = x + dx * t, z + dz * t
            dx, dz = (dx - hit_dn * nx) * (1.0 - t), (dz - hit_dn * nz) * (1.0 - t)
            if dx * want_x + dz * want_z <= 0.0:
                break
        if not self.contains(x, z) and self.contains(start_x, start_z):
            return (start_x, start_z)
        return (x, z)


def _cell(coordinate: float) -> int:
    return math.floor(coordinate / CELL_M)
