"""Making way: where a body stands in nobody's way, and how it gets there.

Only where bodies block does anybody push, so elsewhere nobody makes way.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from episodes.poses import Vec3
from server.sessions.blocking import APART_M
from server.sessions.core import SessionCore
from server.sessions.intents import Intent
from server.sessions.spec import TICK_RATE
from server.sessions.state import STILL, Push
from server.skills.body import Body, Script, SkillError

ROUND_M = APART_M * 1.1
"""Distance at which others walk round a body (m)."""
DIRECTIONS = 24
WALKABLE_M = 0.03
"""Distance from the walkable area within which a point counts as on it (m)."""
RINGS_M = (0.6, 0.9, 1.2, 1.6, 2.0, 2.5, 3.0, 4.0, 5.0)
APART_FROM_PEOPLE_M = 1.2
PATHS_TRIED = 16
PUSHED_S = 0.4
"""Seconds of being pushed at after which it makes way unasked."""
AGAIN_S = 0.5
"""Seconds after which a body that had no place to go to looks for one again."""


def blocks(core: SessionCore, point: Vec3) -> bool:
    """Tell whether a body at a point parts the floor around it, as in a doorway or a passage.

    It does where the walkable directions around it lie in two groups or more: nobody gets from one
    to the other beside it.
    """
    around = [_is_walkable(core, _beside(point, ROUND_M, k)) for k in range(DIRECTIONS)]
    return sum(a and not b for a, b in itertools.pairwise([*around, around[0]])) > 1


def is_pushed(core: SessionCore, seat: str) -> bool:
    """Tell whether somebody has been pushing at a body for a while."""
    pushes = [other.push for name, other in core.seats.items() if name != seat]
    since = [
        push.since
        for push in pushes
        if isinstance(push, Push) and push.by == seat and push.until is None
    ]
    return bool(since) and core.tick - min(since) >= PUSHED_S * TICK_RATE


def make_way(body: Body, people: Sequence[str]) -> Script:
    """Walk to where the body is in nobody's way, past none of ``people``; stay if there is none."""
    for point in itertools.islice(_free_places(body, people), PATHS_TRIED):
        if (yield from body.walk_to(point)):
            return


class Courtesy:
    """Courtesy of a body that has nothing to do: it makes way for whoever pushes at it.

    It is asked in each tick in which the player has no other use for the body.
    """

    def __init__(self, body: Body) -> None:
        self._body = body
        self._script: Script | None = None
        self._not_before = 0

    @property
    def is_moving(self) -> bool:
        """Whether the body is on its way out of somebody's."""
        return self._script is not None

    def intents(self) -> list[Intent]:
        """Return what to submit to make way; nothing while nobody pushes."""
        core = self._body.core
        if self._script is None:
            if (
                core.tick < self._not_before
                or core.phase != "running"
                or not is_pushed(core, self._body.seat)
            ):
                return []
            others = [seat for seat in core.state.occupied() if seat != self._body.seat]
            self._script = make_way(self._body, others)
        try:
            return next(self._script)
        except (StopIteration, SkillError):
            # It stands there, found no place, or the episode has ended.
            self._script = None
            self._not_before = core.tick + round(AGAIN_S * TICK_RATE)
            return [STILL]

    def beside(self, wanted: list[Intent], *, is_busy: bool) -> list[Intent]:
        """Return what a player wants, and what makes way unless it is busy with the body."""
        if is_busy:
            self._script = None
            return wanted
        aside = self.intents()
        if not (aside or self.is_moving):
            return wanted
        return [*(intent for intent in wanted if intent != STILL), *aside]


def _free_places(body: Body, people: Sequence[str]) -> Iterator[Vec3]:
    """Yield places to stand that part nothing, the nearest first."""
    core, start = body.core, body.position
    others = [core.world.agents[seat].position for seat in people]
    for radius in RINGS_M:
        for k in range(0, DIRECTIONS, 2):
            point = core.simulator.nearest_walkable(_beside(start, radius, k))
            if point is None or any(_flat(point, o) < APART_FROM_PEOPLE_M for o in others):
                continue
            way = core.simulator.find_path(start, point)
            if way is None or _length(way) > 2.5 * radius + 1.0:
                continue
            if not any(_meets(way, other) for other in others) and not blocks(core, point):
                yield point


def _meets(way: Sequence[Vec3], other: Vec3) -> bool:
    """Tell whether a way leads into a body, and not away from it."""
    start = _flat(way[0], other)
    return any(
        _flat(point, other) < min(APART_M, start - 0.02)
        for a, b in itertools.pairwise(way)
        for point in _points(a, b)
    )


def _points(a: Vec3, b: Vec3) -> Iterator[Vec3]:
    steps = max(1, math.ceil(_flat(a, b) / 0.1))
    for n in range(1, steps + 1):
        share = n / steps
        yield (a[0] + (b[0] - a[0]) * share, a[1], a[2] + (b[2] - a[2]) * share)


def _beside(point: Vec3, away: float, k: int) -> Vec3:
    angle = math.tau * k / DIRECTIONS
    return (point[0] + away * math.sin(angle), point[1], point[2] + away * math.cos(angle))


def _is_walkable(core: SessionCore, point: Vec3) -> bool:
    near = core.simulator.nearest_walkable(point)
    return near is not None and _flat(near, point) <= WALKABLE_M


def _flat(a: Vec3, b: Vec3) -> float:
    return math.hypot(a[0] - b[0], a[2] - b[2])


def _length(way: Sequence[Vec3]) -> float:
    return sum(_flat(a, b) for a, b in itertools.pairwise(way))
