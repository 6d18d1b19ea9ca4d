"""Models: named nodes of coloured meshes, written as glTF binaries.

Colour is per vertex and a material is only a finish (matte, satin, metal, ...), so that a thing
of many colours is a handful of draw calls.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import numpy as np

from episodes.catalogue.mesh import gltf
from episodes.catalogue.mesh.meshes import Mesh, merged

Finish = Literal["matte", "satin", "metal", "glass", "glow_warm", "glow_cool", "glow_hot"]

BODY = "body"
"""The name of the node of everything that neither moves nor depends on a state."""

STATE_NODES = {
    "is_clean": "state_dirty",
    "is_filled": "state_filled",
    "is_powered_on": "state_on",
}
"""The node that shows a state: dirt while *not* clean, a liquid while filled, light while on."""

_FINISHES: dict[Finish, dict[str, object]] = {
    "matte": {"roughnessFactor": 0.9, "metallicFactor": 0.0},
    "satin": {"roughnessFactor": 0.42, "metallicFactor": 0.0},
    "metal": {"roughnessFactor": 0.38, "metallicFactor": 0.65},
    "glass": {"roughnessFactor": 0.1, "metallicFactor": 0.0, "alphaMode": "BLEND"},
    "glow_warm": {
        "roughnessFactor": 0.8,
        "metallicFactor": 0.0,
        "emissiveFactor": [1.0, 0.72, 0.36],
    },
    "glow_cool": {
        "roughnessFactor": 0.8,
        "metallicFactor": 0.0,
        "emissiveFactor": [0.35, 0.6, 0.85],
    },
    "glow_hot": {
        "roughnessFactor": 0.8,
        "metallicFactor": 0.0,
        "emissiveFactor": [1.0, 0.16, 0.05],
    },
}
GLASS_ALPHA = 90
"""Opacity of glass, of 255."""


@cache
def linear_rgb(colour: str) -> tuple[int, int, int]:
    """Convert ``#rrggbb`` (sRGB) to the linear bytes that glTF wants in vertex colours."""
    channels = []
    for i in (1, 3, 5):
        c = int(colour[i : i + 2], 16) / 255
        linear = c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        channels.append(round(linear * 255))
    return channels[0], channels[1], channels[2]


class Model:
    """A thing to draw: meshes by node and finish."""

    def __init__(self) -> None:
        self._meshes: dict[str, dict[Finish, list[tuple[Mesh, str]]]] = {}

    def add(self, mesh: Mesh, colour: str, finish: Finish = "matte", node: str = BODY) -> None:
        self._meshes.setdefault(node, {}).setdefault(finish, []).append((mesh, colour))

    def drawn(self) -> Mesh:
        """Return all that moves with the body as one mesh."""
        return merged(m for meshes in self._meshes[BODY].values() for m, _ in meshes)

    def areas(self) -> dict[str, float]:
        """Return the area (m²) that moves with the body, by colour (``#rrggbb``)."""
        found: dict[str, float] = {}
        for meshes in self._meshes[BODY].values():
            for mesh, colour in meshes:
                a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
                area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
                found[colour] = found.get(colour, 0.0) + float(area)
        return found

    def shift(self, x: float, y: float, z: float) -> None:
        """Move everything, in all nodes."""
        for by_finish in self._meshes.values():
            for meshes in by_finish.values():
                meshes[:] = [(mesh.moved(x, y, z), colour) for mesh, colour in meshes]

    @property
    def nodes(self) -> frozenset[str]:
        return frozenset(self._meshes)

    def glb(self) -> bytes:
        """Return the glTF binary, the same bytes for the same model."""
        used = dict.fromkeys(finish for node in self._meshes.values() for finish in node)
        place = {finish: index for index, finish in enumerate(used)}
        nodes = {
            node: [
                (f"{node}_{finish}", _primitive(meshes, finish, place[finish]))
                for finish, meshes in by_finish.items()
            ]
            for node, by_finish in self._meshes.items()
        }
        return gltf.binary(nodes, [_material(finish) for finish in used])


def _primitive(meshes: list[tuple[Mesh, str]], finish: Finish, material: int) -> gltf.Primitive:
    whole = merged(m for m, _ in meshes)
    alpha = GLASS_ALPHA if finish == "glass" else 255
    colours = np.concatenate(
        [
            np.tile(np.array([*linear_rgb(c), alpha], np.uint8), (len(m.vertices), 1))
            for m, c in meshes
        ]
    )
    return whole.vertices, whole.normals, colours, whole.faces, material


def _material(finish: Finish) -> dict[str, Any]:
    """Return a glTF material; its name is how the client knows the finish."""
    look = dict(_FINISHES[finish])
    factors = {key: look.pop(key) for key in ("roughnessFactor", "metallicFactor")}
    return {"name": finish, "pbrMetallicRoughness": factors, **look}
