"""Golden vectors of walking: from held keys and mouse turns to where the body is at each tick.

The browser's tests read the same file: the body that a page predicts goes the same way, at the same
speed, along the same walls. ``PYTHONPATH=. python tests/server/sessions/test_walking_vectors.py``
writes it anew.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from episodes.poses import wrap_angle
from episodes.world import AgentPose
from server.sessions.core import SessionCore
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.simulators.contract_suite import two_rooms
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.wire.messages import DriveInput, ReadyInput
from server.worker.view.client_inputs import intents_of
from server.worker.view.house_snapshot import house_of
from server.worker.view.public_view import EpisodeInfo, PublicView

VECTORS = Path(__file__).parents[2] / "data" / "walking_vectors.json"
HUMAN = "human_0"
SPEED_MPS = 1.5
SLOW = 0.45
"""The share of the speed at which one walks with Shift held."""
EAST, NORTH = -math.pi / 2, 0.0
DOOR_X = (3.75, 4.35)


class Walk(NamedTuple):
    """A walk of a player.

    ``wish`` is right, forward (-1 to 1) and whether slowly; ``yaw`` where the mouse looks at a tick
    (rad).
    """

    start: tuple[float, float]
    wish: tuple[float, float, bool]
    yaw: Callable[[int], float]
    ticks: int


def turning(begin: float, per_tick: float) -> Callable[[int], float]:
    return lambda tick: wrap_angle(begin + per_tick * tick)


def swinging(middle: float, wide: float) -> Callable[[int], float]:
    return lambda tick: middle + wide * math.sin(tick / 12)


AHEAD = (0.0, 1.0, False)
WALKS: dict[str, Walk] = {
    "a circle": Walk((6.9, 1.8), AHEAD, turning(NORTH, 0.06), 110),
    "backwards and aside": Walk((6.0, 1.8), (0.7, -0.7, False), turning(1.0, -0.1), 90),
    "slowly, half a stick": Walk((5.0, 3.0), (0.32, 0.42, True), turning(NORTH, 0.02), 80),
    "along a wall into a corner": Walk((5.2, 0.8), AHEAD, turning(-0.9, 0.0), 110),
    "turning at a wall": Walk((7.4, 2.6), AHEAD, turning(-0.4, -0.02), 90),
    "round the table": Walk((0.7, 3.4), AHEAD, swinging(EAST + 0.25, 0.9), 120),
    "through the door": Walk((3.0, 2.0), AHEAD, swinging(EAST, 0.08), 60),
    "into the door post and through": Walk((3.0, 1.3), AHEAD, turning(-2.0, 0.0), 130),
    "sideways through the door": Walk((5.0, 2.0), (-1.0, 0.0, False), swinging(0.0, 0.3), 90),
}


def drive_of(wish: tuple[float, float, bool]) -> tuple[int, int]:
    """Return what a page sends for a wish: forward and strafe (mm/s)."""
    x, y, slow = wish
    length = math.hypot(x, y)
    most = SPEED_MPS * min(1.0, length) * (SLOW if slow else 1.0) / length
    return round(1000 * y * most), round(1000 * x * most)


def walked(walk: Walk) -> list[list[float]]:
    """Return x, z (m) and yaw (rad) after each tick, through wire, rules and simulator."""
    library = HouseLibrary.of(two_rooms.CATALOGUE, [two_rooms.SCENE])
    spec, episode = SessionSpec.solo("ses_1", 1), two_rooms.TASK
    episode_spec = EpisodeSpec("epi_1", "two", episode.task_id)
    core = SessionCore(spec, episode_spec, episode, HouseholdSimulator(library))
    house = house_of(core.simulator.scene, core.simulator.catalogue, core.names.labels)
    info = EpisodeInfo("epi_1", core.task_text, core.profile, "/assets")
    view = PublicView(info, house, spec.seats, core.state, core.names.labels)
    submit(core, view, ReadyInput())
    core.step()
    x, z = walk.start
    core.simulator.set_agent(HUMAN, AgentPose((x, 0.0, z), walk.yaw(0), 0.0))
    core.world.agents[HUMAN] = core.simulator.agent(HUMAN)
    forward, strafe = drive_of(walk.wish)
    path = []
    for tick in range(walk.ticks):
        yaw = round(1000 * walk.yaw(tick))
        submit(core, view, DriveInput(tick, forward, strafe, yaw, 0))
        core.step()
        (x, _, z), yaw_now, _ = core.world.agents[HUMAN]
        path.append([round(x, 6), round(z, 6), round(yaw_now, 6)])
    core.close()
    return path


def submit(core: SessionCore, view: PublicView, message: Any) -> None:
    intents = intents_of(message, view)
    assert isinstance(intents, tuple)
    for intent in intents:
        core.submit(HUMAN, intent)


def vectors() -> dict[str, Any]:
    scene = two_rooms.SCENE
    labels = {room.room_id: room.room_id for room in scene.rooms}
    return {
        "about": "Each walk: wish, its drive (mm/s), yaws sent (mrad); x, z, yaw after each tick.",
        "walkable": house_of(scene, two_rooms.CATALOGUE, labels).walkable,
        "speed": SPEED_MPS,
        "walks": [
            {
                "name": name,
                "start": walk.start,
                "wish": walk.wish,
                "drive": drive_of(walk.wish),
                "yaws": [round(1000 * walk.yaw(tick)) for tick in range(walk.ticks)],
                "path": walked(walk),
            }
            for name, walk in WALKS.items()
        ],
    }


STORED: dict[str, Any] = json.loads(VECTORS.read_text()) if VECTORS.exists() else {"walks": []}


@pytest.mark.parametrize("stored", STORED["walks"], ids=lambda walk: walk["name"])
def test_a_body_walks_as_stored(stored: dict[str, Any]) -> None:
    walk = WALKS[stored["name"]]
    assert stored["yaws"] == [round(1000 * walk.yaw(tick)) for tick in range(walk.ticks)]
    assert tuple(stored["drive"]) == drive_of(walk.wish)
    for got, wanted in zip(walked(walk), stored["path"], strict=True):
        assert got == pytest.approx(wanted, abs=1e-5)


def test_the_walks_are_what_they_are_called() -> None:
    """Check the names: walks would prove little if nobody ever touched a wall."""
    paths = {walk["name"]: walk["path"] for walk in STORED["walks"]}
    assert set(paths) == set(WALKS)
    for name, path in paths.items():
        walk = WALKS[name]
        speed = math.hypot(*drive_of(walk.wish)) / 1000 / 30
        steps = [
            math.dist(a[:2], b[:2]) for a, b in zip([[*walk.start, 0], *path], path, strict=False)
        ]
        free = sum(math.isclose(step, speed, rel_tol=0.002) for step in steps)
        # A body that slides is slower than one that walks freely, and never faster.
        assert max(steps) <= speed * 1.002, name
        touches = {"along", "turning", "round", "into", "sideways"}
        assert (free < len(steps)) == (name.split()[0] in touches), name
        assert [round(yaw, 3) for _, _, yaw in path] == pytest.approx(
            [walk.yaw(tick) for tick in range(walk.ticks)], abs=0.002
        ), "the mouse is not outrun"
        crosses = (walk.start[0] < DOOR_X[0]) != (path[-1][0] < DOOR_X[0])
        assert crosses == ("door" in name), name


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), separators=(",", ":")) + "\n")
