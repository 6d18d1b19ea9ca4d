"""Places where programs that play stand for something, and how they get there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from episodes.poses import Vec3, wrap_angle
from episodes.rules import BODIES_BLOCK
from episodes.world import AgentPose
from server.sessions.blocking import APART_M
from server.sessions.core import SessionCore
from server.sessions.intents import Drive, Intent, Look
from server.sessions.spec import TICK_S
from server.sessions.state import STILL
from server.sessions.steps import in_the_way

RADII_M = (0.55, 0.75, 0.95, 1.15, 1.35, 1.55, 1.75)
DIRECTIONS = 16
ASIDE_M = 0.12
"""The distance from the walkable area within which a place to stand is brought onto it."""
ARRIVED_M = 0.04
TURNED_RAD = 0.02
FACING_RAD = 0.6
"""The angle to its way within which a body walks; else it turns first."""
STUCK_TICKS = 45
TAKEN_M = 3.0
"""The way that is worth it to stand elsewhere than where another body stands."""
SIDE_M = 0.6
"""The distance by which a body gives way to another that it meets."""
MARGIN_M = 0.15
"""The reach that programs keep in reserve."""


def heading(start: Vec3, goal: Vec3) -> float:
    """Return the yaw that faces from one point to another."""
    return round(math.atan2(start[0] - goal[0], start[2] - goal[2]), 6)


Fits = Callable[[Vec3, float], bool]
"""Function that tells whether a body at a point with a yaw could do what it wants there."""


def places_to_stand(
    core: SessionCore,
    seat: str,
    around: Vec3,
    fits: Fits,
    detour: Callable[[Vec3], float] | None = None,
) -> Iterator[Vec3]:
    """Yield walkable points around a target at which ``fits`` holds, the nearest to the body first.

    ``detour`` says for a point how many metres more of a way it is worth to stand elsewhere.
    """
    simulator = core.simulator
    start = core.world.agents[seat].position
    points = [start]
    for radius in RADII_M:
        for k in range(DIRECTIONS):
            angle = math.tau * k / DIRECTIONS
            wish = (around[0] + radius * math.sin(angle), start[1],
                    around[2] + radius * math.cos(angle))  # fmt: skip
            point = simulator.nearest_walkable(wish)
            if point is not None and math.dist(point, wish) <= ASIDE_M:
                points.append(point)
    taken = obstacles(core, seat)
    points.sort(
        key=lambda p: (
            math.dist(p, start)
            + (0.0 if detour is None else detour(p))
            + (TAKEN_M if any(_flat(p, other) < APART_M for other in taken) else 0.0)
        )
    )
    for point in points:
        if fits(point, heading(point, around)):
            yield point


def obstacles(core: SessionCore, seat: str) -> list[Vec3]:
    """Return where bodies stand that block a seat's; none where the rules let it through."""
    if not core.profile.allows(BODIES_BLOCK):
        return []
    return [(x, 0.0, z) for x, z in in_the_way(core.state, seat).values()]


def room_beside(core: SessionCore, seat: str, yaw: float) -> float:
    """Return how fast to strafe so as to give way: to the right, else to the left; 0: no room."""
    x, y, z = core.world.agents[seat].position
    taken = obstacles(core, seat)
    for side in (1.0, -1.0):
        aim = (x + side * SIDE_M * math.cos(yaw), y, z - side * SIDE_M * math.sin(yaw))
        near = core.simulator.nearest_walkable(aim)
        is_free = near is not None and _flat(near, aim) <= ASIDE_M
        if is_free and all(_flat(aim, other) > APART_M for other in taken):
            return side
    return 0.0


def to_touch(core: SessionCore, seat: str, entity: str, near_m: float | None = None) -> Fits:
    """Return the test whether an entity can be reached and seen from somewhere.

    It is reached from ``near_m`` (m), else from as far as the rules allow.
    """
    view = core.view
    reach = core.profile.reach_m - MARGIN_M if near_m is None else near_m

    def fits(point: Vec3, yaw: float) -> bool:
        if view.distance_from(point, entity) > reach:
            return False
        eye = view.eye_at(seat, point, yaw)
        return core.simulator.can_see(eye, entity, view.carried())

    return fits


def middle(core: SessionCore, entity: str) -> Vec3:
    """Return the point to look at: above the middle of an entity's box, on the floor plan."""
    return core.view.pose(entity).position


class WalkingBody:
    """A body that follows a path: asked each tick for the intents that keep it there."""

    def __init__(self, seat: str, path: Sequence[Vec3], speed: float) -> None:
        self._seat = seat
        self._path = list(path)
        self._speed = speed
        self._best = math.inf
        self._since = 0
        self.stuck = False

    def next(self, agent: AgentPose, is_held_up: bool = False) -> list[Intent] | None:
        """Return what to do now; None once the end of the path is reached, or nothing moves.

        While another body holds it up, a body is not stuck: it passes through in the end.
        """
        x, _, z = agent.position
        while self._path and _flat(agent.position, self._path[0]) <= ARRIVED_M:
            self._path.pop(0)
            self._best = math.inf
        if not self._path:
            return None
        goal = self._path[0]
        distance = math.hypot(goal[0] - x, goal[2] - z)
        if distance < self._best - ARRIVED_M / 4:
            self._best, self._since = distance, 0
        elif not is_held_up:
            self._since += 1
            if self._since > STUCK_TICKS:
                self.stuck = True
                return None
        yaw = heading(agent.position, goal)
        if abs(wrap_angle(yaw - agent.yaw)) > FACING_RAD:
            return [STILL, Look(yaw, 0.0)]
        return [Drive(min(self._speed, distance / TICK_S), 0.0), Look(yaw, 0.0)]


def _flat(a: Vec3, b: Vec3) -> float:
    return math.hypot(a[0] - b[0], a[2] - b[2])
