"""Shortest ways against a visibility graph of everything with everything."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import networkx as nx
import pytest
import shapely

from episodes.houses import first_house
from episodes.poses import Vec2
from episodes.scene import Polygon
from server.simulators.contract_suite import two_rooms
from server.simulators.household.paths import Paths
from server.simulators.household.walkable import Walkable
from tests.call_count import calls_of
from tests.server.simulators.test_household_walkable import NARROW, WITH_HOLE, inside_points

AREAS = {"hole": WITH_HOLE, "narrow door": NARROW, "two rooms": two_rooms.SCENE.walkable[0]}


def length(path: Sequence[Vec2]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(path))


def shortest(polygon: Polygon, start: Vec2, goal: Vec2) -> float:
    shape = shapely.Polygon(polygon.outer, polygon.holes).buffer(1e-7)
    shapely.prepare(shape)
    corners = [start, goal, *polygon.outer, *itertools.chain(*polygon.holes)]
    graph = nx.Graph()
    for a, b in itertools.combinations(range(len(corners)), 2):
        if shape.covers(shapely.LineString([corners[a], corners[b]])):
            graph.add_edge(a, b, weight=math.dist(corners[a], corners[b]))
    return float(nx.dijkstra_path_length(graph, 0, 1))


@pytest.mark.parametrize("name", list(AREAS))
def test_as_short_as_can_be(name: str) -> None:
    polygon = AREAS[name]
    area = Walkable([polygon])
    paths = Paths([area])
    points = inside_points(area, 40, 1)
    for start, goal in itertools.pairwise(points):
        path = paths.find(start, goal)
        assert path is not None
        assert path[0] == start
        assert path[-1] == goal
        best = shortest(polygon, start, goal)
        # Ways bend a millimetre away from the corners.
        assert best - 1e-6 <= length(path) <= best + 0.004 * len(path)
        assert all(area.clear(a, b) for a, b in itertools.pairwise(path))


def test_the_default_house_is_one_island() -> None:
    polygon = first_house().scene.walkable[0]
    area = Walkable([polygon])
    paths = Paths([area])
    points = inside_points(area, 50, 2)
    shape = shapely.Polygon(polygon.outer, polygon.holes)
    for start, goal in itertools.pairwise(points):
        path = paths.find(start, goal)
        assert path is not None
        assert shape.covers(shapely.LineString(path))
        # The way is taut: no corner can be left out.
        for a, b, c in zip(path, path[1:], path[2:], strict=False):
            assert (
                not area.clear(a, c) or math.dist(a, b) + math.dist(b, c) < math.dist(a, c) + 1e-4
            )


def test_same_whatever_was_asked_before() -> None:
    """The graph that grows is a cache: answers do not depend on it."""
    polygon = first_house().scene.walkable[0]
    points = inside_points(Walkable([polygon]), 12, 3)
    pairs = list(itertools.pairwise(points))
    one, other = Paths([Walkable([polygon])]), Paths([Walkable([polygon])])
    forwards = {pair: one.find(*pair) for pair in pairs}
    backwards = {pair: other.find(*pair) for pair in reversed(pairs)}
    assert forwards == backwards


def test_ends_are_brought_to_the_floor() -> None:
    paths = Paths([Walkable([p]) for p in two_rooms.SCENE.walkable])
    path = paths.find((2.0, 2.3), (-5.0, 3.0))
    assert path is not None
    assert path[-1] == pytest.approx((0.25, 3.0), abs=1e-3)
    assert paths.find((1.0, 1.0), (1.0, 5.0)) is None
    assert Paths([]).find((1.0, 1.0), (1.0, 5.0)) is None


def test_no_way_costs_much() -> None:
    """A way takes few calls once the house has been walked, and fewer than the first time."""
    polygon = first_house().scene.walkable[0]
    area = Walkable([polygon])
    paths = Paths([area])
    pairs = list(itertools.pairwise(inside_points(area, 40, 4)))

    def walk() -> None:
        for pair in pairs:
            paths.find(*pair)

    first = calls_of(walk)
    random.Random(0).shuffle(pairs)
    again = calls_of(walk)
    # 2,700 calls a way at the time of writing, half of those of the first time.
    assert again < min(0.75 * first, 8000 * len(pairs))
