"""Packed assets: they read back as drawn, to a twentieth of a millimetre."""

from __future__ import annotations

import io
import json
import struct
from typing import Any, cast

import numpy as np
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from episodes.catalogue.mesh import gltf
from episodes.catalogue.mesh.meshes import Mesh, box, lathe
from episodes.catalogue.mesh.models import Model


def tree_of(data: bytes) -> dict[str, Any]:
    length, kind = struct.unpack_from("<I4s", data, 12)
    assert (data[:4], kind) == (b"glTF", b"JSON")
    assert struct.unpack_from("<I", data, 8)[0] == len(data)
    tree: dict[str, Any] = json.loads(data[20 : 20 + length])
    return tree


def packed(mesh: Mesh) -> bytes:
    colours = np.full((len(mesh.vertices), 4), 200, np.uint8)
    primitive = (mesh.vertices, mesh.normals, colours, mesh.faces, 0)
    return gltf.binary({"body": [("body_matte", primitive)]}, [{"name": "matte"}])


sizes = st.floats(0.002, 3.0)


@given(sizes, sizes, sizes, st.floats(-2, 2))
def test_vertices_come_back(x: float, y: float, z: float, shift: float) -> None:
    mesh = box((shift, 0, 0), (shift + x, y, z))
    scene = trimesh.load(io.BytesIO(packed(mesh)), file_type="glb")
    assert isinstance(scene, trimesh.Scene)
    # trimesh annotates its pairs so that mypy cannot tell what is in them.
    matrix, name = cast("tuple[NDArray[np.float64], str]", scene.graph["body_matte"])
    back = trimesh.transform_points(scene.geometry[name].vertices, matrix)
    wanted = mesh.vertices[mesh.faces].reshape(-1, 3)
    got = back[scene.geometry[name].faces].reshape(-1, 3)
    assert np.abs(got - wanted).max() < 5e-5


def test_equal_vertices_are_stored_once() -> None:
    one = lathe([(0, 0), (0.1, 0), (0.1, 0.2), (0, 0.2)], 12)
    twice = Mesh(
        np.vstack([one.vertices, one.vertices]),
        np.vstack([one.normals, one.normals]),
        np.vstack([one.faces, one.faces + len(one.vertices)]),
    )
    count = [tree_of(packed(m))["accessors"][0]["count"] for m in (one, twice)]
    assert count[0] == count[1] < len(one.vertices)


def test_a_house_keeps_floats() -> None:
    small, large = (tree_of(packed(box((0, 0, 0), (s, 1, 1)))) for s in (1.0, 12.0))
    assert small["accessors"][0]["componentType"] == 5122
    assert large["accessors"][0]["componentType"] == 5126
    assert "scale" not in large["nodes"][2]


def test_rows_are_aligned_and_the_extension_is_named() -> None:
    tree = tree_of(packed(box((0, 0, 0), (1, 1, 1))))
    assert tree["extensionsRequired"] == ["KHR_mesh_quantization"]
    for view in tree["bufferViews"]:
        assert view["byteOffset"] % 4 == 0
        assert view.get("byteStride", 4) % 4 == 0


def test_materials_are_shared_by_the_nodes_of_a_model() -> None:
    model = Model()
    for node in ("body", "part_0", "state_on"):
        model.add(box((0, 0, 0), (0.1, 0.1, 0.1)), "#ff0000", "satin", node)
    model.add(box((0, 0, 0), (0.1, 0.1, 0.1)), "#ffffff", "glow_warm", "state_on")
    tree = tree_of(model.glb())
    assert [m["name"] for m in tree["materials"]] == ["satin", "glow_warm"]
    assert tree["materials"][1]["emissiveFactor"]
    assert {n["name"] for n in tree["nodes"]} >= {"body", "part_0", "state_on", "body_satin"}
