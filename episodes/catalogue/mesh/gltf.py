"""Packed glTF binaries of coloured meshes (KHR_mesh_quantization), the same bytes each time.

Written here because no library at hand packs: positions are 16 bit steps of at most 0.05 mm with
the scale in the node, normals 8 bit, colours 8 bit, equal vertices stored once.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from episodes.catalogue.mesh.meshes import Floats, Ints

_BYTE, _UBYTE, _SHORT, _USHORT, _UINT, _FLOAT = 5120, 5121, 5122, 5123, 5125, 5126
_VERTICES, _INDICES = 34962, 34963
_LARGEST_M = 1.6
"""Half the longest side of a mesh that is stored in 16 bits (m); a house keeps floats."""

Primitive = tuple[Floats, Floats, npt.NDArray[np.uint8], Ints, int]
"""Vertices (n, 3), normals (n, 3), colours (n, 4), faces (m, 3), and the index of the material."""


class _Buffer:
    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, rows: npt.NDArray[Any], component: int, kind: str, **more: object) -> int:
        """Append ``rows`` and return their accessor.

        Each row is padded to four bytes unless the rows are indices.
        """
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data)}
        count = rows.size if kind == "SCALAR" else len(rows)
        if kind == "SCALAR":
            data, view["target"] = rows.tobytes(), _INDICES
        else:
            short = -rows.itemsize * rows.shape[1] % 4 // rows.itemsize
            wide = np.pad(rows, ((0, 0), (0, short)))
            data, view["target"] = wide.tobytes(), _VERTICES
            if short:
                view["byteStride"] = wide.itemsize * wide.shape[1]
        view["byteLength"] = len(data)
        self.data += data + bytes(-len(data) % 4)
        self.views.append(view)
        accessor = {"bufferView": len(self.views) - 1, "componentType": component}
        self.accessors.append({**accessor, "count": count, "type": kind, **more})
        return len(self.accessors) - 1


def binary(
    nodes: Mapping[str, Sequence[tuple[str, Primitive]]], materials: Sequence[dict[str, Any]]
) -> bytes:
    """Return the glTF binary of named nodes, each with the named meshes that hang below it."""
    buffer = _Buffer()
    tree_nodes: list[dict[str, Any]] = [{"name": "world", "children": []}]
    meshes: list[dict[str, Any]] = []
    for name, parts in nodes.items():
        tree_nodes[0]["children"].append(len(tree_nodes))
        own: dict[str, Any] = {"name": name, "children": []}
        tree_nodes.append(own)
        for mesh_name, primitive in parts:
            attributes, indices, pose = _primitive(buffer, primitive)
            own["children"].append(len(tree_nodes))
            tree_nodes.append({"name": mesh_name, "mesh": len(meshes), **pose})
            drawn = {"attributes": attributes, "indices": indices, "material": primitive[4]}
            meshes.append({"name": mesh_name, "primitives": [drawn]})
    tree = {
        "asset": {"version": "2.0", "generator": "cohabit"},
        "extensionsUsed": ["KHR_mesh_quantization"],
        "extensionsRequired": ["KHR_mesh_quantization"],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": tree_nodes,
        "meshes": meshes,
        "materials": list(materials),
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data)}],
    }
    text = json.dumps(tree, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(buffer.data), b"BIN\0") + buffer.data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _primitive(
    buffer: _Buffer, primitive: Primitive
) -> tuple[dict[str, int], int, dict[str, list[float]]]:
    vertices, normals, colours, faces, _ = primitive
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    half = float((high - low).max()) / 2
    pose: dict[str, list[float]] = {}
    stored: npt.NDArray[Any]
    if half <= _LARGEST_M:
        middle = np.round((low + high) / 2, 6)
        # The rounded middle adds half a unit, or the steps of a tiny thing would not fit 16 bits.
        step = round((half + 5e-7) / 32760, 12)
        stored = np.rint((vertices - middle) / step).astype("<i2")
        component = _SHORT
        pose = {"translation": middle.tolist(), "scale": [step, step, step]}
    else:
        stored, component = vertices.astype("<f4"), _FLOAT
    packed = np.rint(normals * 127).astype("i1")
    # Equal vertices are stored once, in the order of their first use, which suits vertex caches.
    keep, place = _distinct(stored, packed, colours)
    indices = place[faces].reshape(-1)
    stored, packed, colours = stored[keep], packed[keep], colours[keep]
    limits = {"min": stored.min(axis=0).tolist(), "max": stored.max(axis=0).tolist()}
    attributes = {
        "POSITION": buffer.add(stored, component, "VEC3", **limits),
        "NORMAL": buffer.add(packed, _BYTE, "VEC3", normalized=True),
        "COLOR_0": buffer.add(colours, _UBYTE, "VEC4", normalized=True),
    }
    small = len(keep) <= 65535
    rows = indices.astype("<u2" if small else "<u4")
    return attributes, buffer.add(rows, _USHORT if small else _UINT, "SCALAR"), pose


def _distinct(*columns: npt.NDArray[Any]) -> tuple[Ints, Ints]:
    """Return the first row of each kind of equal rows, and for each row the kind that it is of.

    Kinds are in the order in which they first appear.
    """
    # Rows are compared as bytes; adding 0 makes one zero of the two that floats have.
    rows = np.hstack([(c + c.dtype.type(0)).view(np.uint8).reshape(len(c), -1) for c in columns])
    places: dict[bytes, int] = {}
    data, width = rows.tobytes(), rows.shape[1]
    place = np.fromiter(
        (places.setdefault(data[i : i + width], len(places)) for i in range(0, len(data), width)),
        dtype=np.int64,
        count=len(rows),
    )
    return np.unique(place, return_index=True)[1], place
