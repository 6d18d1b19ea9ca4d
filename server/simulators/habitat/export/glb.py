"""glTF binaries: boxes for collision, and the part of a drawn model that one link carries.

Written here, byte for byte, so that the same house gives the same files everywhere.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Collection, Sequence
from typing import Any

from episodes.poses import Box, Vec3

_MAGIC, _VERSION = 0x46546C67, 2
_JSON, _BIN = 0x4E4F534A, 0x004E4942
_FLOAT, _USHORT = 5126, 5123
_VERTICES, _INDICES = 34962, 34963

# Corners are numbered by the bits x, y, z; triangles counter-clockwise seen from outside.
_FACES = (
    (0, 4, 6, 2), (1, 3, 7, 5),
    (0, 1, 5, 4), (2, 6, 7, 3),
    (0, 2, 3, 1), (4, 5, 7, 6),
)  # fmt: skip
_TRIANGLES = tuple(i for a, b, c, d in _FACES for i in (a, b, c, a, c, d))


class GlbError(ValueError):
    """Bytes that cannot be taken apart as a glTF binary."""


def write(tree: dict[str, Any], data: bytes) -> bytes:
    """Return the glTF binary of a JSON tree and its one buffer."""
    data += bytes(-len(data) % 4)
    tree["buffers"] = [{"byteLength": len(data)}]
    text = json.dumps(tree, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), _JSON) + text
    chunks += struct.pack("<II", len(data), _BIN) + data
    return struct.pack("<III", _MAGIC, _VERSION, 12 + len(chunks)) + chunks


def read(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the JSON tree and the buffer of a glTF binary. Raises GlbError."""
    try:
        magic, version, _ = struct.unpack_from("<III", data)
        text_length, text_kind = struct.unpack_from("<II", data, 12)
        text = data[20 : 20 + text_length]
        at = 20 + text_length
        bin_length, bin_kind = struct.unpack_from("<II", data, at)
    except struct.error as error:
        raise GlbError(f"cut short after {len(data)} bytes") from error
    if (magic, version, text_kind, bin_kind) != (_MAGIC, _VERSION, _JSON, _BIN):
        raise GlbError("expected a glTF 2 binary with a JSON and a binary chunk")
    return json.loads(text), data[at + 8 : at + 8 + bin_length]


def boxes(solids: Sequence[Box]) -> bytes:
    """Return one mesh per box, so that each becomes a convex shape of its own."""
    buffer = b""
    tree: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "cohabit"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(solids)))}],
        "nodes": [],
        "meshes": [],
        "accessors": [],
        "bufferViews": [],
    }
    for index, box in enumerate(solids):
        corners = [_corner(box, bits) for bits in range(8)]
        vertices = b"".join(struct.pack("<fff", *corner) for corner in corners)
        triangles = struct.pack(f"<{len(_TRIANGLES)}H", *_TRIANGLES)
        tree["bufferViews"] += [
            {"buffer": 0, "byteOffset": len(buffer), "byteLength": len(vertices),
             "target": _VERTICES},
            {"buffer": 0, "byteOffset": len(buffer) + len(vertices),
             "byteLength": len(triangles), "target": _INDICES},
        ]  # fmt: skip
        tree["accessors"] += [
            {"bufferView": 2 * index, "componentType": _FLOAT, "count": 8, "type": "VEC3",
             "min": list(struct.unpack("<fff", struct.pack("<fff", *box.low))),
             "max": list(struct.unpack("<fff", struct.pack("<fff", *box.high)))},
            {"bufferView": 2 * index + 1, "componentType": _USHORT, "count": len(_TRIANGLES),
             "type": "SCALAR"},
        ]  # fmt: skip
        tree["meshes"].append(
            {"name": f"solid_{index}",
             "primitives": [{"attributes": {"POSITION": 2 * index}, "indices": 2 * index + 1,
                             "mode": 4}]}
        )  # fmt: skip
        tree["nodes"].append({"name": f"solid_{index}", "mesh": index})
        buffer += vertices + triangles
    return write(tree, buffer)


def _corner(box: Box, bits: int) -> Vec3:
    x, y, z = (box[bits >> axis & 1][axis] for axis in range(3))
    return (x, y, z)


def only_nodes(data: bytes, names: Collection[str]) -> bytes | None:
    """Reduce a model to the named nodes and what is below them; None if nothing is left."""
    tree, buffer = read(data)
    nodes = tree["nodes"]
    roots = [i for i, node in enumerate(nodes) if node.get("name") in names]
    keep: list[int] = []
    todo = roots[::-1]
    while todo:
        index = todo.pop()
        keep.append(index)
        todo += reversed(nodes[index].get("children", ()))
    if not any("mesh" in nodes[i] for i in keep):
        return None
    taken = _KeptNodes(tree, buffer)
    place = {old: new for new, old in enumerate(keep)}
    out_nodes = []
    for index in keep:
        node = dict(nodes[index])
        if "mesh" in node:
            node["mesh"] = taken.mesh(node["mesh"])
        if "children" in node:
            node["children"] = [place[child] for child in node["children"]]
        out_nodes.append(node)
    out: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "cohabit"},
        "scene": 0,
        "scenes": [{"nodes": [place[root] for root in roots]}],
        "nodes": out_nodes,
        **taken.tables,
        **{key: tree[key] for key in ("extensionsUsed", "extensionsRequired") if key in tree},
    }
    return write(out, taken.buffer)


class _KeptNodes:
    """The rows that the kept nodes refer to, renumbered."""

    def __init__(self, tree: dict[str, Any], buffer: bytes) -> None:
        self._tree, self._source = tree, buffer
        self._new: dict[tuple[str, int], int] = {}
        self.tables: dict[str, list[Any]] = {
            name: [] for name in ("meshes", "materials", "accessors", "bufferViews") if name in tree
        }
        self.buffer = b""

    def mesh(self, index: int) -> int:
        mesh = dict(self._tree["meshes"][index])
        mesh["primitives"] = [self._primitive(p) for p in mesh["primitives"]]
        return self._add("meshes", index, mesh)

    def _primitive(self, primitive: dict[str, Any]) -> dict[str, Any]:
        out = dict(primitive)
        out["attributes"] = {
            name: self._accessor(index) for name, index in primitive["attributes"].items()
        }
        if "indices" in out:
            out["indices"] = self._accessor(out["indices"])
        if "material" in out:
            out["material"] = self._add(
                "materials", out["material"], self._tree["materials"][out["material"]]
            )
        return out

    def _accessor(self, index: int) -> int:
        accessor = dict(self._tree["accessors"][index])
        accessor["bufferView"] = self._view(accessor["bufferView"])
        return self._add("accessors", index, accessor)

    def _view(self, index: int) -> int:
        known = self._new.get(("bufferViews", index))
        if known is not None:
            return known
        view = dict(self._tree["bufferViews"][index])
        start = view.get("byteOffset", 0)
        data = self._source[start : start + view["byteLength"]]
        view["byteOffset"] = len(self.buffer)
        self.buffer += data + bytes(-len(data) % 4)
        return self._add("bufferViews", index, view)

    def _add(self, table: str, index: int, item: object) -> int:
        key = (table, index)
        if key not in self._new:
            self._new[key] = len(self.tables[table])
            self.tables[table].append(item)
        return self._new[key]
