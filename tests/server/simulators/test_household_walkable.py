"""The walkable area: containment, sliding, the nearest point; golden vectors for the browser.

``python tests/server/simulators/test_household_walkable.py`` writes the vectors anew.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from episodes.houses import first_house
from episodes.poses import Vec2
from episodes.scene import Polygon
from server.simulators.contract_suite import two_rooms
from server.simulators.household.walkable import SKIN_M, Walkable

VECTORS = Path(__file__).parents[2] / "data" / "walkable_vectors.json"
SQUARE = Polygon(outer=((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)))
WITH_HOLE = Polygon(
    outer=((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)),
    holes=(((1.5, 1.5), (2.5, 1.5), (2.5, 2.5), (1.5, 2.5)),),
)
WEDGE = Polygon(outer=((0.0, 0.0), (4.0, 0.0), (4.0, 0.6)))
NARROW = Polygon(
    outer=(
        (0.0, 0.0), (2.0, 0.0), (2.0, 0.95), (2.2, 0.95), (2.2, 0.0), (4.0, 0.0),
        (4.0, 2.0), (2.2, 2.0), (2.2, 1.0), (2.0, 1.0), (2.0, 2.0), (0.0, 2.0),
    )
)  # fmt: skip
"""Two rooms and a gap of five centimetres."""
AREAS: dict[str, list[Polygon]] = {
    "square": [SQUARE],
    "hole": [WITH_HOLE],
    "wedge": [WEDGE],
    "narrow door": [NARROW],
    "two rooms": list(two_rooms.SCENE.walkable),
}


def shape(polygons: list[Polygon]) -> Any:
    return shapely.union_all([shapely.Polygon(p.outer, p.holes) for p in polygons])


def inside_points(area: Walkable, count: int, seed: int) -> list[Vec2]:
    rng = random.Random(seed)
    points: list[Vec2] = []
    while len(points) < count:
        p = (rng.uniform(area.low[0], area.high[0]), rng.uniform(area.low[1], area.high[1]))
        if area.contains(*p):
            points.append(p)
    return points


def test_slides_along_a_wall() -> None:
    area = Walkable([SQUARE])
    x, z = area.move(3.95, 2.0, 0.1, 0.05)
    assert x == pytest.approx(4.0 - SKIN_M, abs=1e-9)
    assert z == pytest.approx(2.05, abs=1e-9)


def test_slides_at_the_cosine_of_the_angle() -> None:
    area = Walkable([SQUARE])
    x, z = 3.9, 0.5
    for _ in range(60):
        x, z = area.move(x, z, 0.03, 0.04)
    assert z == pytest.approx(0.5 + 60 * 0.04, abs=0.01)
    assert x == pytest.approx(4.0 - SKIN_M)


def test_stops_in_a_corner_without_shaking() -> None:
    for name, corner in (("square", (4.0, 4.0)), ("wedge", (0.0, 0.0))):
        area = Walkable(AREAS[name])
        x, z = (3.0, 3.2) if name == "square" else (3.0, 0.2)
        dx, dz = (corner[0] - x) * 0.02, (corner[1] - z) * 0.02
        for _ in range(400):
            x, z = area.move(x, z, dx, dz)
        for _ in range(20):
            after = area.move(x, z, dx, dz)
            assert math.dist(after, (x, z)) < 1e-6
            x, z = after


def test_goes_round_an_outer_corner() -> None:
    area = Walkable([WITH_HOLE])
    x, z = 1.4, 1.6
    for _ in range(100):
        x, z = area.move(x, z, 0.03, -0.02)
    assert x > 2.5
    assert z < 1.5


def test_fits_through_a_narrow_door() -> None:
    area = Walkable([NARROW])
    x, z = 1.0, 0.5
    for _ in range(200):
        # The body goes towards the door's far end, and the edge guides it in.
        dx, dz = 3.0 - x, 0.975 - z
        n = math.hypot(dx, dz) or 1.0
        x, z = area.move(x, z, 0.05 * dx / n, 0.05 * dz / n)
    assert x > 2.5


def test_a_step_across_a_wall_stays_before_it() -> None:
    area = Walkable([NARROW])
    x, z = area.move(1.0, 0.3, 2.0, 0.0)
    assert x == pytest.approx(2.0 - SKIN_M)
    assert z == pytest.approx(0.3)


def test_from_half_a_millimetre_outside_it_comes_no_further_out() -> None:
    """A browser predicts from positions in whole millimetres."""
    area = Walkable([SQUARE])
    x, z = 4.0005, 2.0
    for _ in range(30):
        x, z = area.move(x, z, 0.05, 0.01)
    assert x <= 4.0005
    assert z == pytest.approx(2.3, abs=0.01)
    back, _ = area.move(x, z, -0.05, 0.0)
    assert area.contains(back, z)


@pytest.mark.parametrize("name", list(AREAS))
def test_contains_as_shapely(name: str) -> None:
    area, exact = Walkable(AREAS[name]), shape(AREAS[name])
    rng = random.Random(1)
    for _ in range(1500):
        x, z = rng.uniform(-0.5, 8.5), rng.uniform(-0.5, 6.5)
        if exact.boundary.distance(shapely.Point(x, z)) > 1e-9:
            assert area.contains(x, z) == exact.contains(shapely.Point(x, z)), (x, z)


@pytest.mark.parametrize("name", list(AREAS))
def test_nearest_as_shapely(name: str) -> None:
    area, exact = Walkable(AREAS[name]), shape(AREAS[name])
    rng = random.Random(2)
    for _ in range(300):
        x, z = rng.uniform(-1, 9), rng.uniform(-1, 7)
        near = area.nearest(x, z)
        assert area.contains(*near) or exact.boundary.distance(shapely.Point(near)) < 1e-6
        found = math.dist(near, (x, z))
        assert found <= exact.distance(shapely.Point(x, z)) + 25 * SKIN_M


@pytest.mark.parametrize("name", list(AREAS))
def test_clear_as_shapely(name: str) -> None:
    area, exact = Walkable(AREAS[name]), shape(AREAS[name])
    points = inside_points(area, 60, 3)
    for a, b in itertools.pairwise(points):
        line = shapely.LineString([a, b])
        if exact.boundary.distance(line) > 1e-9 or exact.boundary.crosses(line):
            assert area.clear(a, b) == exact.covers(line), (a, b)


@given(
    st.sampled_from(list(AREAS)),
    st.integers(0, 10**6),
    st.lists(
        st.tuples(st.floats(-math.pi, math.pi), st.sampled_from([1e-5, 0.02, 0.05, 0.7, 40.0])),
        min_size=1,
        max_size=30,
    ),
)
def test_never_leaves(name: str, seed: int, moves: list[tuple[float, float]]) -> None:
    area = Walkable(AREAS[name])
    (x, z), *_ = inside_points(area, 1, seed)
    for angle, length in moves:
        nx, nz = area.move(x, z, length * math.cos(angle), length * math.sin(angle))
        assert area.contains(nx, nz), (x, z, angle, length)
        assert math.dist((nx, nz), (x, z)) <= length + 1e-9
        x, z = nx, nz


def test_never_leaves_the_default_house() -> None:
    area = Walkable(first_house().scene.walkable)
    rng = random.Random(4)
    for x, z in inside_points(area, 150, 5):
        for _ in range(40):
            angle, length = rng.uniform(-math.pi, math.pi), rng.choice([0.03, 0.05, 0.3])
            for _ in range(4):
                x, z = area.move(x, z, length * math.cos(angle), length * math.sin(angle))
            assert area.contains(x, z)


def _cases(area: Walkable, seed: int) -> list[list[float]]:
    rng = random.Random(seed)
    cases: list[list[float]] = []
    for x, z in inside_points(area, 25, seed):
        heading = rng.uniform(-math.pi, math.pi)
        for _ in range(8):
            heading += rng.gauss(0.0, 0.5)
            length = rng.choice([0.02, 0.05, 0.05, 0.1, 0.35, 1.7])
            dx, dz = length * math.cos(heading), length * math.sin(heading)
            nx, nz = area.move(x, z, dx, dz)
            cases.append([x, z, dx, dz, nx, nz])
            x, z = nx, nz
    return cases


def vectors() -> dict[str, Any]:
    """Return what `Walkable.move` does, for another implementation to do the same to 1e-9 m."""
    return {
        "format": 1,
        "about": "Each case is x, z, dx, dz and where Walkable.move comes to (m); see "
        "server/simulators/household/walkable.py.",
        "areas": [
            {
                "name": name,
                "polygons": [{"outer": p.outer, "holes": p.holes} for p in polygons],
                "cases": _cases(Walkable(polygons), 7),
            }
            for name, polygons in AREAS.items()
        ],
    }


def test_golden_vectors() -> None:
    """A change of these is a change of what browsers predict: write both anew, together."""
    stored = json.loads(VECTORS.read_text())
    for area in stored["areas"]:
        polygons = [
            Polygon(
                tuple((x, z) for x, z in p["outer"]),
                tuple(tuple((x, z) for x, z in hole) for hole in p["holes"]),
            )
            for p in area["polygons"]
        ]
        walkable = Walkable(polygons)
        assert len(area["cases"]) == 200
        for x, z, dx, dz, nx, nz in area["cases"]:
            assert walkable.move(x, z, dx, dz) == pytest.approx((nx, nz), abs=1e-9)


def test_the_vectors_slide() -> None:
    """The vectors would prove little if bodies mostly walked freely."""
    stored = json.loads(VECTORS.read_text())
    for area in stored["areas"]:
        touched = [c for c in area["cases"] if math.dist((c[0] + c[2], c[1] + c[3]), c[4:]) > 1e-9]
        assert len(touched) > 40, area["name"]


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=None) + "\n")
