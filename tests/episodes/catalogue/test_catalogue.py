"""Catalogue: content, shapes that agree with what is drawn, and assets that can be loaded."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from functools import cache
from typing import cast

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray

from episodes.catalogue import asset, catalogue, class_names
from episodes.catalogue.mesh.models import STATE_NODES
from episodes.poses import Box, Vec3
from episodes.scene import Receptacle, Template

TEMPLATES = sorted(catalogue().templates.values(), key=lambda t: t.name)
FURNITURE = [t for t in TEMPLATES if t.kind == "furniture"]
OBJECTS = [t for t in TEMPLATES if t.kind == "object"]
RECEPTACLES = [
    pytest.param(t, r, id=f"{t.name}|{r.name}") for t in FURNITURE for r in t.receptacles
]


def names(template: Template) -> str:
    return template.name


@cache
def glb(name: str) -> bytes:
    return asset(name)


@cache
def loaded(template: Template) -> trimesh.Scene:
    scene = trimesh.load(io.BytesIO(glb(template.name)), file_type="glb")
    assert isinstance(scene, trimesh.Scene)
    return scene


def node_of(scene: trimesh.Scene, name: str) -> tuple[NDArray[np.float64], str]:
    """Return a node's matrix and the name of its mesh."""
    # trimesh annotates its pairs so that mypy cannot tell what is in them.
    return cast("tuple[NDArray[np.float64], str]", scene.graph[name])


def test_there_are_enough_classes_and_variants() -> None:
    assert len(class_names("furniture")) >= 12
    assert len(class_names("object")) >= 155
    for kind, templates in (("furniture", FURNITURE), ("object", OBJECTS)):
        for class_name in class_names(kind):
            variants = [t for t in templates if t.class_name == class_name]
            assert len(variants) >= 2, class_name
            assert len({glb(t.name) for t in variants}) == len(variants), class_name


def test_some_furniture_has_a_faucet_and_some_opens() -> None:
    assert {t.class_name for t in FURNITURE if t.faucet} >= {"counter", "sink"}
    opening = {t.class_name for t in FURNITURE if t.parts}
    assert opening >= {"cabinet", "fridge", "wardrobe", "chest_of_drawers", "stand", "counter"}
    assert {p.joint for t in FURNITURE for p in t.parts} == {"hinge", "slide"}


def test_the_digest_is_that_of_the_content() -> None:
    shapes = catalogue()
    assert shapes.digest == catalogue().digest
    assert len(shapes.digest) == 64


def test_assets_are_the_same_bytes_in_another_process() -> None:
    sample = ["fridge_1", "cup_1", "toy_truck_2", "couch_1"]
    code = (
        "import hashlib; from episodes.catalogue import asset, catalogue;"
        f"print(catalogue().digest, *[hashlib.sha256(asset(n)).hexdigest() for n in {sample}])"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    here = [catalogue().digest, *(hashlib.sha256(asset(n)).hexdigest() for n in sample)]
    assert done.stdout.split() == here


@pytest.mark.parametrize("template", TEMPLATES, ids=names)
def test_the_asset_has_the_nodes_that_the_client_moves_and_shows(template: Template) -> None:
    scene = loaded(template)
    nodes = set(scene.graph.nodes)
    assert "body" in nodes
    for part in template.parts:
        matrix, _ = node_of(scene, f"part_{part.index}")
        assert np.allclose(matrix, np.eye(4))
    for state in template.affords:
        assert STATE_NODES[state] in nodes
    for known, node in STATE_NODES.items():
        assert (node in nodes) == (known in template.affords)


@pytest.mark.parametrize("template", TEMPLATES, ids=names)
def test_what_is_drawn_is_about_what_is_hit(template: Template) -> None:
    points = []
    scene = loaded(template)
    for node in scene.graph.nodes_geometry:
        if not node.startswith("state_"):
            matrix, geometry = node_of(scene, node)
            points.append(trimesh.transform_points(scene.geometry[geometry].vertices, matrix))
    drawn = np.vstack(points)
    low, high = drawn.min(axis=0), drawn.max(axis=0)
    assert abs(low[1]) < (0.004 if template.kind == "object" else 0.012), "stands on its base"
    assert np.all(np.abs(low - template.box.low) < 0.07)
    assert np.all(np.abs(high - template.box.high) < 0.07)


def test_dirt_is_seen_and_lies_on_the_thing() -> None:
    for template in OBJECTS:
        if "is_clean" not in template.affords:
            continue
        scene = loaded(template)
        area, points = 0.0, []
        for node in scene.graph.nodes_geometry:
            if node.startswith("state_dirty"):
                matrix, geometry = node_of(scene, node)
                mesh = scene.geometry[geometry].copy().apply_transform(matrix)
                area += mesh.area
                points.append(mesh.vertices)
        low, high = np.array(template.box.low), np.array(template.box.high)
        x, y, z = high - low
        assert area > 0.008 * 2 * (x * y + y * z + z * x), template.name
        dirt = np.vstack(points)
        # The handle of a cup is drawn outside its box.
        assert np.all(dirt > low - 0.07), template.name
        assert np.all(dirt < high + 0.07), template.name


def test_assets_are_small() -> None:
    sizes = {t.name: len(glb(t.name)) for t in TEMPLATES}
    assert max(sizes.values()) < 60_000, max(sizes, key=sizes.__getitem__)
    assert sum(sizes[t.name] for t in OBJECTS) / len(OBJECTS) < 20_000
    assert sum(sizes.values()) < 12_000_000


@pytest.mark.parametrize("template", OBJECTS, ids=names)
def test_objects_have_real_sizes_about_the_middle_of_their_base(template: Template) -> None:
    low, high = template.box
    assert low[1] == 0
    # A bat is the longest thing that a hand carries, and a credit card the thinnest.
    assert max(h - b for h, b in zip(high, low, strict=True)) <= 0.6
    assert min(h - b for h, b in zip(high, low, strict=True)) >= 0.002
    assert abs(low[0] + high[0]) < 0.01
    assert abs(low[2] + high[2]) < 0.06


def inside(box: Box, point: Vec3) -> bool:
    return all(a < p < b for a, p, b in zip(box.low, point, box.high, strict=True))


@pytest.mark.parametrize(("template", "receptacle"), RECEPTACLES)
def test_receptacles_rest_on_something_and_are_free(
    template: Template, receptacle: Receptacle
) -> None:
    x, y, z = receptacle.center
    carrier = receptacle.part if receptacle.moves else None
    below = [
        s
        for s in template.solids
        if s.part == carrier
        and abs(s.box.high[1] - y) < 0.001
        and s.box.low[0] - 1e-6 <= x <= s.box.high[0] + 1e-6
        and s.box.low[2] - 1e-6 <= z <= s.box.high[2] + 1e-6
    ]
    assert below, "nothing carries the surface"
    low = (x - receptacle.half_x, y + 0.005, z - receptacle.half_z)
    high = (x + receptacle.half_x, y + receptacle.clearance - 0.001, z + receptacle.half_z)
    for solid in template.solids:
        apart = any(
            solid.box.high[i] <= low[i] + 1e-4 or solid.box.low[i] >= high[i] - 1e-4
            for i in range(3)
        )
        assert apart, f"{solid} is in the way"


def surrounded(template: Template, point: Vec3) -> bool:
    """Run PARTNR's test: along an axis both rays of a metre hit the furniture (any one link)."""
    for link in {s.part for s in template.solids}:
        boxes = [s.box for s in template.solids if s.part == link]
        for axis in range(3):
            across = [i for i in range(3) if i != axis]
            sides = set()
            for box in boxes:
                if all(box.low[i] < point[i] < box.high[i] for i in across):
                    if 0 <= box.low[axis] - point[axis] <= 1:
                        sides.add(1)
                    if 0 <= point[axis] - box.high[axis] <= 1:
                        sides.add(-1)
            if len(sides) == 2:
                return True
    return False


@pytest.mark.parametrize(("template", "receptacle"), RECEPTACLES)
def test_things_are_within_what_encloses_them_and_not_within_what_they_stand_on(
    template: Template, receptacle: Receptacle
) -> None:
    x, y, z = receptacle.center
    middle = (x, y + 0.05, z)
    if receptacle.kind == "within":
        assert surrounded(template, middle)
    elif receptacle.name.startswith(("top", "tank")):
        assert not surrounded(template, middle)


@pytest.mark.parametrize("template", FURNITURE, ids=names)
def test_parts_are_numbered_from_zero_and_carry_solids(template: Template) -> None:
    assert [p.index for p in template.parts] == list(range(len(template.parts)))
    for part in template.parts:
        assert part.open_value > 0
        assert abs(np.linalg.norm(part.axis) - 1) < 1e-9
        assert any(s.part == part.index for s in template.solids)
