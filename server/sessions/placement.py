"""The places where a held object would come to rest: aimed by a player, or drawn for a skill.

Both go through the same `lower`, so that two simulators, players and robots put things in the same
places.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from episodes.dataset.vocabulary import DEFAULT_L2_THRESHOLD_M
from episodes.evaluation.geometry import gap
from episodes.poses import Box, Pose, Vec3, forward, to_local, yaw_quat
from episodes.rules import NOWHERE, Placement
from episodes.world import FLOOR
from server.sessions.rule_view import SessionRuleView
from server.sessions.surfaces import Surface

LIFT_M = 0.02
"""The height above the aimed point from which an object is lowered."""
WALKABLE_M = 0.1
"""Distance beside the walkable area at which a thing still counts as on the floor (m).

The evaluator's slack is a little larger.
"""
FARTHEST_M = 1000.0
CLEAR_M = 0.02
"""The distance that a drawn place keeps from what stands there.

Simulators agree on overlaps to some millimetres only, and would else take different places.
"""
FLOOR_RADIUS_M = 1.2
"""The largest distance of a drawn place on the floor from the point that is asked for."""
BESIDE_M = (0.5, 0.7, 0.9, FLOOR_RADIUS_M)
BESIDE_DIRECTIONS = 12
FLOOR_DRAWS = 60
FLOOR_SPOTS = 10
"""The most places on the floor that come of `FLOOR_DRAWS` draws."""


def lower(view: SessionRuleView, handle: str, point: Vec3, yaw: float) -> Placement:
    """Lower an object from just above a point, and tell what that comes to."""
    # The comparison is also false for NaN.
    if not all(abs(c) <= FARTHEST_M for c in (*point, yaw)):
        return NOWHERE
    simulator, world = view.simulator, view.world
    aside = view.carried() | {handle}
    start = Pose((point[0], point[1] + LIFT_M, point[2]), yaw_quat(yaw))
    landing = simulator.snap_down(handle, start, aside)
    if landing is None:
        return NOWHERE
    pose, up = landing.pose, landing.normal[1]
    overlaps = tuple(simulator.overlapping(handle, pose, aside))
    entity = landing.entity
    if entity is None:
        return Placement(
            pose, "floor", FLOOR, None, up, None, overlaps, True, _is_walkable(view, pose)
        )
    if entity in world.objects:
        box = view.template(entity).box
        steady = _is_over(box, to_local(world.objects[entity], pose.position))
        return Placement(pose, "object", entity, entity, up, None, overlaps, steady)
    surface = view.surfaces.below(world.joints, pose.position, entity)
    if surface is None:
        return Placement(pose, "none", None, entity, up, None, overlaps)
    clearance = surface.receptacle.clearance
    return Placement(pose, "receptacle", surface.unique_name, entity, up, clearance, overlaps)


def _is_walkable(view: SessionRuleView, pose: Pose) -> bool:
    nearest = view.simulator.nearest_walkable(pose.position)
    if nearest is None:
        return False
    x, _, z = pose.position
    return math.hypot(nearest[0] - x, nearest[2] - z) <= WALKABLE_M


def _is_over(box: Box, local: Vec3) -> bool:
    (x0, _, z0), (x1, _, z1) = box
    return x0 <= local[0] <= x1 and z0 <= local[2] <= z1


class Spot(NamedTuple):
    """A point to aim at, a heading, and where the object would then stand."""

    point: Vec3
    yaw: float
    placement: Placement


def candidates(
    view: SessionRuleView,
    handle: str,
    surfaces: Iterable[Surface],
    rng: random.Random,
    *,
    next_to: str | None = None,
    near_m: float = DEFAULT_L2_THRESHOLD_M,
    samples: int = 100,
    wanted: int = 10,
    closed_too: bool = False,
) -> Iterator[Spot]:
    """Draw places for an object on receptacles from ``rng``: free and steady.

    With ``next_to`` they are next to that thing in the evaluator's sense. At most ``wanted`` come
    of at most ``samples`` draws. What is closed is left out unless ``closed_too``. Reach and sight
    are not looked at: those depend on where the body will stand.
    """
    among = [s for s in surfaces if closed_too or s.is_open(view.world.joints)]
    if not among:
        return
    found = 0
    for _ in range(samples):
        surface = rng.choice(among)
        u, v, yaw = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-math.pi, math.pi)
        u, v = (
            u * _inset(view, handle, surface.receptacle.half_x),
            v * _inset(view, handle, surface.receptacle.half_z),
        )
        point = surface.point(view.world.joints, u, v)
        if next_to is not None and not _may_be_near(view, handle, point, next_to, near_m):
            continue
        placement = lower(view, handle, point, yaw)
        if placement.support != surface.unique_name or placement.pose is None:
            continue
        if next_to is not None and not is_next_to(view, handle, placement.pose, next_to, near_m):
            continue
        if placement.overlaps or not _is_clear(view, handle, placement):
            continue
        yield Spot(point, yaw, placement)
        found += 1
        if found == wanted:
            return


def floor_candidates(
    view: SessionRuleView,
    handle: str,
    around: Vec3,
    rng: random.Random,
    *,
    next_to: str | None = None,
    near_m: float = DEFAULT_L2_THRESHOLD_M,
) -> Iterator[Spot]:
    """Draw free places for an object on the floor around a point."""
    found = 0
    for _ in range(FLOOR_DRAWS):
        angle, distance = rng.uniform(0, math.tau), FLOOR_RADIUS_M * math.sqrt(rng.random())
        x, z = around[0] + distance * math.sin(angle), around[2] + distance * math.cos(angle)
        point = (x, around[1] + LIFT_M, z)
        yaw = rng.uniform(-math.pi, math.pi)
        placement = lower(view, handle, point, yaw)
        if placement.surface != "floor" or not placement.walkable or placement.pose is None:
            continue
        if placement.overlaps or not _is_clear(view, handle, placement):
            continue
        if next_to is not None and not is_next_to(view, handle, placement.pose, next_to, near_m):
            continue
        yield Spot(point, yaw, placement)
        found += 1
        if found == FLOOR_SPOTS:
            return


def beside(view: SessionRuleView, seat: str, handle: str) -> Placement | None:
    """Return the nearest free place on the floor that a body can see, first before it.

    None where it stands so that there is none within `FLOOR_RADIUS_M`.
    """
    agent, eye = view.world.agents[seat], view.eye(seat)
    x, y, z = agent.position
    for distance in BESIDE_M:
        for turn in range(BESIDE_DIRECTIONS):
            # To the left and right by turns, so that the last is behind the body.
            side = (turn + 1) // 2 * (1 if turn % 2 else -1)
            dx, dz = forward(agent.yaw + side * math.tau / BESIDE_DIRECTIONS)
            point = (x + distance * dx, y, z + distance * dz)
            place = lower(view, handle, point, agent.yaw)
            is_free = place.walkable and not place.overlaps
            if place.surface == "floor" and is_free and view.sees_spot_from(eye, handle, place):
                return place
    return None


def _inset(view: SessionRuleView, handle: str, half: float) -> float:
    """Return the share of a half extent in which an object's middle stays clear of the edge."""
    low, high = view.template(handle).box
    size = min(max(-low[0], high[0]), max(-low[2], high[2]))
    return max(0.0, (half - size) / half) if half > 0 else 0.0


def _is_clear(view: SessionRuleView, handle: str, placement: Placement) -> bool:
    """Tell whether an object would stand apart from all that stands on the same surface."""
    assert placement.pose is not None
    box = view.template(handle).box
    return all(
        gap(box, placement.pose, view.template(other).box, view.pose(other)) >= CLEAR_M
        for other, support in view.world.supports.items()
        if support == placement.support and other != handle
    )


def _may_be_near(
    view: SessionRuleView, handle: str, point: Vec3, other: str, near_m: float
) -> bool:
    """Tell, before lowering, whether the two could be next to each other there at all."""
    low, high = view.template(handle).box
    size = math.hypot(max(-low[0], high[0]), max(-low[2], high[2]))
    return view.distance_from(point, other) <= near_m + size


def is_next_to(view: SessionRuleView, handle: str, pose: Pose, other: str, near_m: float) -> bool:
    """Tell whether an object at ``pose`` would be within ``near_m`` of something (m)."""
    box, other_box = view.template(handle).box, view.template(other).box
    return gap(box, pose, other_box, view.pose(other)) <= near_m
