"""Making way: a body that parts a passage, and one that stands at its side."""

from __future__ import annotations

import itertools
import math

from server.robots.baselines.partner.making_way import blocks, make_way
from server.robots.baselines.scripted_player import BodyPlayer, Rest, ScriptedPlayer, begin
from server.skills.body import Body, Script
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


def narrow_places(body: Body) -> list[tuple[float, float, float]]:
    """Return places on ways between rooms at which a body parts them."""
    core, found = body.core, []
    rooms = core.simulator.scene.rooms
    for room in rooms:
        way = core.simulator.find_path(body.position, room.middle) or []
        for (ax, y, az), (bx, _, bz) in itertools.pairwise(way):
            count = math.ceil(math.hypot(bx - ax, bz - az) / 0.3)
            for n in range(1, count):
                point = (ax + (bx - ax) * n / count, y, az + (bz - az) * n / count)
                if blocks(core, point):
                    found.append(point)
    return found


class Blocker(BodyPlayer):
    """Goes to a narrow place, and makes way from there."""

    def script(self, body: Body) -> Script:
        yield from begin(body.core)
        self.narrow = narrow_places(body)[0]
        yield from body.walk_to(self.narrow)
        self.was_blocking = blocks(body.core, body.position)
        yield from make_way(body, [HUMAN])


def test_from_a_narrow_place_it_goes_where_it_parts_nothing() -> None:
    core = core_of(task(1))
    blocker = Blocker(ROBOT)
    run(core, [blocker, ScriptedPlayer(HUMAN, [Rest(60)])], 3000)
    assert blocker.finished
    assert blocker.was_blocking
    at = core.world.agents[ROBOT].position
    assert math.dist(at, blocker.narrow) > 0.3
    assert not blocks(core, at)
