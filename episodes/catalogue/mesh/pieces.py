"""Pieces: one variant of a class in the making, its shape for the eye and for the simulator.

One call adds a panel to both, so that what a ray hits is what is drawn. Frame: the origin is the
middle of the base, Y up, the front faces -Z (as a body with yaw 0 does). Lengths in metres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from episodes.catalogue.mesh.dirt import DIRT, DIRT_LIGHT, blotches
from episodes.catalogue.mesh.meshes import Mesh, box, lathe, merged
from episodes.catalogue.mesh.models import BODY, STATE_NODES, Finish, Model
from episodes.catalogue.table import object_class
from episodes.poses import Box, Vec3
from episodes.scene import Affordance, Part, Receptacle, Solid, Template

Profile = Sequence[tuple[float, float]]


def part_node(part: int | None) -> str:
    """Return the name of the model node that carries a part; for None, the fixed body's."""
    return BODY if part is None else f"part_{part}"


class Piece:
    """A template in the making: its solids, parts, receptacles and meshes."""

    def __init__(
        self,
        class_name: str,
        variant: int,
        kind: Literal["object", "furniture"],
        affords: tuple[Affordance, ...] = (),
        cleaned_under_faucet: bool = False,
    ) -> None:
        self.class_name = class_name
        self.name = f"{class_name}_{variant}"
        self.kind: Literal["object", "furniture"] = kind
        self.affords = affords
        self.cleaned_under_faucet = cleaned_under_faucet
        self.faucet: Vec3 | None = None
        self.model = Model()
        self._solids: list[Solid] = []
        self._parts: list[Part] = []
        self._receptacles: list[Receptacle] = []

    def draw(
        self, mesh: Mesh, colour: str, finish: Finish = "matte", part: int | None = None
    ) -> None:
        """Add a mesh that rays pass through: knobs, legs' feet, ornaments."""
        self.model.add(mesh, colour, finish, part_node(part))

    def solid(self, low: Vec3, high: Vec3, part: int | None = None) -> None:
        """Add a box for rays and overlap that something else draws."""
        self._solids.append(Solid(Box(low, high), part))

    def panel(
        self,
        low: Vec3,
        high: Vec3,
        colour: str,
        finish: Finish = "matte",
        part: int | None = None,
        bevel: float = 0.006,
    ) -> None:
        """Add a solid box that is drawn as it is."""
        self.solid(low, high, part)
        self.draw(box(low, high, bevel), colour, finish, part)

    def show(self, mesh: Mesh, colour: str, finish: Finish, state: Affordance) -> None:
        """Add a mesh that only shows with a state (see `models.STATE_NODES`)."""
        self.model.add(mesh, colour, finish, STATE_NODES[state])

    def hinge(self, name: str, origin: Vec3, axis: Vec3, degrees: float) -> int:
        """Add a part that turns by ``degrees`` about ``axis`` through ``origin``.

        Returns its index.
        """
        return self._part(name, "hinge", origin, axis, round(math.radians(degrees), 6))

    def slide(self, name: str, axis: Vec3, travel: float) -> int:
        """Add a part that travels ``travel`` m along ``axis``.

        Returns its index.
        """
        return self._part(name, "slide", (0.0, 0.0, 0.0), axis, travel)

    def _part(
        self, name: str, joint: Literal["hinge", "slide"], origin: Vec3, axis: Vec3, value: float
    ) -> int:
        index = len(self._parts)
        self._parts.append(Part(index, name, joint, origin, axis, value))
        return index

    def on(
        self, name: str, center: Vec3, half_x: float, half_z: float, clearance: float = 1.2
    ) -> None:
        """Add a receptacle on top, ``clearance`` m of free height above it."""
        self._receptacles.append(Receptacle(name, "on", center, half_x, half_z, clearance))

    def within(
        self,
        name: str,
        center: Vec3,
        half_x: float,
        half_z: float,
        clearance: float,
        part: int | None = None,
        moves: bool = False,
    ) -> None:
        """Add a receptacle within the piece, behind ``part`` if given, riding on it if it moves."""
        self._receptacles.append(
            Receptacle(name, "within", center, half_x, half_z, clearance, part, moves)
        )

    def smudges(self, spots: Sequence[tuple[Vec3, Vec3]], size: float) -> None:
        """Add dirt that shows while not clean: flat blotches at (point, outward normal)."""
        for i, (point, normal) in enumerate(spots):
            mesh = _blotch(point, normal, size * (0.7 + 0.3 * math.sin(2.4 * i + 1)), i)
            self.show(mesh, DIRT if i % 3 else DIRT_LIGHT, "matte", "is_clean")

    def fill(self, radius: float, y: float, colour: str, x: float = 0.0, z: float = 0.0) -> None:
        """Add a round surface, facing up, of what the piece is filled with."""
        self.show(disc(radius, y, x, z), colour, "satin", "is_filled")

    def settled(self) -> Piece:
        """Return the piece with the middle of its base in the origin, boxed by what is drawn.

        Solids that were given are kept in place of the box.
        """
        drawn = self.model.drawn().vertices
        low, high = drawn.min(axis=0), drawn.max(axis=0)
        x, y, z = (-float(v) for v in ((low[0] + high[0]) / 2, low[1], (low[2] + high[2]) / 2))
        self.model.shift(x, y, z)
        half_x, height, half_z = (round(float(v), 4) for v in (high - low) / (2, 1, 2))
        if not self._solids:
            self.solid((-half_x, 0.0, -half_z), (half_x, height, half_z))
            return self
        self._solids = [Solid(_shifted(s.box, x, y, z), s.part) for s in self._solids]
        return self

    def glb(self) -> bytes:
        """Return the glTF binary; what can be clean and has no dirt of its own gets some."""
        if "is_clean" in self.affords and STATE_NODES["is_clean"] not in self.model.nodes:
            for mesh, colour in blotches(self.model.drawn()):
                self.show(mesh, colour, "matte", "is_clean")
        return self.model.glb()

    def template(self) -> Template:
        return Template(
            name=self.name,
            class_name=self.class_name,
            kind=self.kind,
            box=_bounds([s.box for s in self._solids]),
            solids=tuple(self._solids),
            parts=tuple(self._parts),
            receptacles=tuple(self._receptacles),
            faucet=self.faucet,
            affords=self.affords,
            cleaned_under_faucet=self.cleaned_under_faucet,
            asset=f"catalogue/{self.name}.glb",
        )


def thing(class_name: str, variant: int) -> Piece:
    """Return an object to be drawn, with what its class affords."""
    row = object_class(class_name)
    return Piece(class_name, variant, "object", row.affords, row.cleaned_under_faucet)


def _shifted(b: Box, x: float, y: float, z: float) -> Box:
    def move(p: Vec3) -> Vec3:
        return (round(p[0] + x, 4), max(0.0, round(p[1] + y, 4)), round(p[2] + z, 4))

    return Box(move(b.low), move(b.high))


def _bounds(boxes: Sequence[Box]) -> Box:
    lows, highs = [b.low for b in boxes], [b.high for b in boxes]
    return Box(
        (min(p[0] for p in lows), min(p[1] for p in lows), min(p[2] for p in lows)),
        (max(p[0] for p in highs), max(p[1] for p in highs), max(p[2] for p in highs)),
    )


def _blotch(point: Vec3, normal: Vec3, radius: float, seed: int) -> Mesh:
    """Return a lumpy patch of dirt that lies on a surface, a millimetre and a half proud of it."""
    n = np.array(normal) / np.linalg.norm(normal)
    side = np.cross(n, [0.0, 0.0, 1.0] if abs(n[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    other = np.cross(n, side)
    count = 11
    angles = np.arange(count) * (math.tau / count)
    lumps = 1 + 0.28 * np.sin(3 * angles + seed) + 0.16 * np.sin(5 * angles + 2.3 * seed)
    ring = (radius * lumps)[:, None] * (
        np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * other
    )
    middle = np.array(point) + n * 0.0015
    # The rim touches the surface, so that the patch hugs round shapes as well.
    vertices = np.vstack([middle + ring, middle + n * 0.001])
    k = np.arange(count)
    faces = np.column_stack([np.full(count, count), k, (k + 1) % count])
    return Mesh(vertices, np.tile(n, (count + 1, 1)), faces)


def disc(radius: float, y: float, x: float = 0.0, z: float = 0.0, segments: int = 18) -> Mesh:
    """Return a flat disc facing up: the surface of a liquid."""
    return lathe([(radius, y), (0, y)], segments).moved(x, 0, z)


def knob(x: float, y: float, z: float, radius: float = 0.014) -> Mesh:
    """Return a round knob that sticks out to -Z from a front at ``z``."""
    return (
        lathe(
            [
                (0.5 * radius, 0),
                (0.5 * radius, radius),
                (radius, 1.5 * radius),
                (0.8 * radius, 2.2 * radius),
                (0, 2.3 * radius),
            ],
            10,
        )
        .turned((1, 0, 0), -90)
        .moved(x, y, z)
    )


def bar_handle(x: float, y: float, z: float, length: float, upright: bool = False) -> Mesh:
    """Return a bow handle on a front at ``z``."""
    h, r = length / 2, 0.007
    if upright:
        parts = [
            box((x - r, y - h, z - 0.034), (x + r, y + h, z - 0.022), 0.005),
            box((x - r, y - h + 0.01, z - 0.03), (x + r, y - h + 0.024, z), 0.003),
            box((x - r, y + h - 0.024, z - 0.03), (x + r, y + h - 0.01, z), 0.003),
        ]
    else:
        parts = [
            box((x - h, y - r, z - 0.034), (x + h, y + r, z - 0.022), 0.005),
            box((x - h + 0.01, y - r, z - 0.03), (x - h + 0.024, y + r, z), 0.003),
            box((x + h - 0.024, y - r, z - 0.03), (x + h - 0.01, y + r, z), 0.003),
        ]
    return merged(parts)
