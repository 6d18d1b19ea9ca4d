"""Making way: a body that parts a passage, and one that stands at its side."""

from __future__ import annotations

import asyncio
import itertools
import math

import pytest

from episodes.poses import Vec3
from episodes.world import AgentPose
from server.robots.baselines.scripted_player import BodyPlayer, Rest, ScriptedPlayer, begin
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy import Decision, Do, Finished, Pause, Policy, PolicyView
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Blocked
from server.sessions.player import Player
from server.skills.body import Body, Script
from server.skills.call import Call
from server.skills.making_way import blocks, make_way
from server.skills.standing_places import heading
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task, teleport


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


def passage(core: SessionCore) -> tuple[Vec3, Vec3]:
    """Return a narrow place, and one before it from which the way leads straight through."""
    for narrow in narrow_places(Body(ROBOT, core)):
        for k in range(24):
            dx, dz = math.sin(math.tau * k / 24), math.cos(math.tau * k / 24)
            ends = [(narrow[0] + m * dx, narrow[1], narrow[2] + m * dz) for m in (-1.2, 1.2)]
            way = core.simulator.find_path(*ends)
            if way is not None and sum(map(math.dist, way, way[1:])) < 2.41:
                return narrow, ends[0]
    raise AssertionError("no passage is straight")


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


class Standing(BodyPlayer):
    """Player that rests, as experts and scripted people do who wait for something."""

    def script(self, body: Body) -> Script:
        yield from begin(body.core)
        yield from self.rest(3000)


class Ended(BodyPlayer):
    """Player whose script is over."""

    def script(self, body: Body) -> Script:
        yield from begin(body.core)


class Pausing(Policy):
    """Policy that does nothing."""

    async def decide(self, view: PolicyView) -> Decision:
        return Pause(3000)


class Ending(Policy):
    async def decide(self, view: PolicyView) -> Decision:
        return Finished()


class Waiting(Policy):
    async def decide(self, view: PolicyView) -> Decision:
        return Do(Call.of("Wait"))


class Passer(BodyPlayer):
    """Player that walks through a passage, as skills walk, to as far behind it."""

    def __init__(self, seat: str, narrow: Vec3) -> None:
        super().__init__(seat)
        self.narrow = narrow

    def script(self, body: Body) -> Script:
        yield from begin(body.core)
        x, y, z = body.position
        to_x, _, to_z = self.narrow
        self.arrived = yield from body.walk_to((2 * to_x - x, y, 2 * to_z - z))


@pytest.mark.parametrize("kind", [Standing, Ended, Pausing, Ending, Waiting])
def test_whoever_has_nothing_to_do_in_a_passage_lets_others_through(
    kind: type[BodyPlayer] | type[Policy],
) -> None:
    core = core_of(task(1), profile="cohabit@2")
    narrow, before = passage(core)
    teleport(core, ROBOT, AgentPose(narrow, 0.0, 0.0))
    teleport(core, HUMAN, AgentPose(before, heading(before, narrow), 0.0))
    loop = asyncio.new_event_loop()
    if issubclass(kind, Policy):
        stander: Player = PolicyPlayer(ROBOT, kind(), ChargedThinker(loop, 0.0))
    else:
        stander = kind(ROBOT)
    walker = Passer(HUMAN, narrow)
    stages: list[str] = []

    def watch(tick: Tick) -> None:
        stages.extend(e.stage for e in tick.events if isinstance(e, Blocked) and e.seat == HUMAN)

    run(core, [stander, walker], 300, watch=watch)
    loop.close()
    assert walker.arrived
    assert "pushes" in stages
    assert "passes" not in stages


def test_nobody_is_moved_by_who_does_not_push() -> None:
    core = core_of(task(1), profile="cohabit@2")
    narrow, before = passage(core)
    teleport(core, ROBOT, AgentPose(narrow, 0.0, 0.0))
    teleport(core, HUMAN, AgentPose(before, heading(before, narrow), 0.0))
    run(core, [Standing(ROBOT), ScriptedPlayer(HUMAN, [Rest(200)])], 200)
    assert core.world.agents[ROBOT].position == narrow
