"""Meshes: closed, wound outwards, of the right volume; dirt that lies on what it soils."""

from __future__ import annotations

import math

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from episodes.catalogue.mesh.dirt import blotches
from episodes.catalogue.mesh.meshes import Mesh, blob, box, cylinder, lathe, vessel
from episodes.catalogue.mesh.pieces import thing
from episodes.catalogue.mesh.sweeps import (
    Outline,
    curve,
    ellipse,
    extruded,
    pebble,
    ring,
    rod,
    round_rect,
    tapered,
    wheel,
)


def solid(mesh: Mesh) -> trimesh.Trimesh:
    return trimesh.Trimesh(mesh.vertices.round(9), mesh.faces, process=True, merge_norm=True)


CLOSED = {
    "box": box((0, 0, 0), (0.1, 0.2, 0.3)),
    "cylinder": cylinder(0.1, 0, 0.2, bevel=0.01),
    "bottle": lathe([(0, 0), (0.04, 0), (0.04, 0.1), (0.01, 0.15), (0, 0.15)]),
    "blob": blob((0, 0, 0), (0.1, 0.05, 0.1), (0.6, 0.5)),
    "cushion": pebble(0.1, 0.05, 0.1, square=0.5),
    "slab": extruded(round_rect(0.1, 0.05, 0.02), 0, 0.02, 0.004),
    "ring": ring(0.1, 0.01),
    "rod": rod((0, 0, 0), (0.1, 0.1, 0), 0.01),
    "horn": tapered(
        curve([(0, 0, 0), (0.1, 0.05, 0), (0.2, 0, 0)], 2), [0.01, 0.02, 0.02, 0.01, 0]
    ),
    "wheel": wheel(0.05, 0.02, (0, 0.05, 0)),
}


@pytest.mark.parametrize("name", CLOSED)
def test_shapes_are_closed_and_face_outwards(name: str) -> None:
    mesh = CLOSED[name]
    assert solid(mesh).volume > 0
    assert solid(mesh).is_watertight
    corners = mesh.vertices[mesh.faces]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    shaded = mesh.normals[mesh.faces].mean(axis=1)
    large = np.linalg.norm(faces, axis=1) > 1e-9
    assert np.all((faces * shaded).sum(axis=1)[large] > 0)
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1)


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    """Draw a star around the origin, hollows included."""
    n = draw(st.integers(3, 24))
    reach = draw(st.lists(st.floats(0.02, 0.2), min_size=n, max_size=n))
    turned = draw(st.booleans())
    angles = [math.tau * k / n for k in range(n)]
    points = [(r * math.cos(a), r * math.sin(a)) for r, a in zip(reach, angles, strict=True)]
    return points[::-1] if turned else points


@given(outlines(), st.floats(0.01, 0.1))
def test_any_outline_is_pulled_to_a_solid_of_its_area_times_its_height(
    outline: Outline, height: float
) -> None:
    x, z = np.array(outline).T
    area = abs(float((x * np.roll(z, -1) - np.roll(x, -1) * z).sum())) / 2
    made = solid(extruded(outline, 0.0, height))
    assert made.volume == pytest.approx(area * height, rel=1e-6, abs=1e-9)


def test_an_outline_with_a_deep_hollow_is_not_filled() -> None:
    arch = [(-1, 0), (1, 0), (1, 1), (0.8, 1), (0.8, 0.2), (-0.8, 0.2), (-0.8, 1), (-1, 1)]
    assert solid(extruded([(x / 10, z / 10) for x, z in arch], 0, 0.1)).volume == pytest.approx(
        0.00072
    )


@pytest.mark.parametrize("name", CLOSED)
def test_dirt_lies_on_the_surface_and_is_seen(name: str) -> None:
    mesh = CLOSED[name]
    whole = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    patches = blotches(mesh)
    assert len(patches) >= 3
    for patch, _ in patches:
        # trimesh has no types for this one.
        _, away, _ = trimesh.proximity.closest_point_naive(  # type: ignore[no-untyped-call]
            whole, patch.vertices
        )
        assert np.median(away) < 0.002
        assert away.max() < 0.02


def test_dirt_is_the_same_each_time() -> None:
    mesh = lathe(vessel([(0, 0), (0.04, 0), (0.05, 0.1)]))
    first, second = blotches(mesh), blotches(mesh)
    assert all(
        np.array_equal(a.vertices, b.vertices) for (a, _), (b, _) in zip(first, second, strict=True)
    )


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1))
def test_a_settled_thing_stands_on_the_middle_of_its_base(x: float, y: float, z: float) -> None:
    piece = thing("book", 1)
    piece.draw(extruded(ellipse(0.1, 0.05), 0, 0.03).moved(x, y, z), "#aa0000")
    low, high = piece.settled().template().box
    assert low == pytest.approx((-0.1, 0, -0.05), abs=2e-3)
    assert high == pytest.approx((0.1, 0.03, 0.05), abs=2e-3)
    drawn = piece.model.drawn().vertices
    assert drawn[:, 1].min() == pytest.approx(0, abs=1e-9)
