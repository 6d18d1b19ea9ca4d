"""Sessions in the first house, for tests."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from episodes.dataset import Task
from episodes.houses import first_house, generate_house
from episodes.houses.files import write_catalogue, write_house
from episodes.poses import IDENTITY, Pose, Vec3, forward
from episodes.tasks import first_tasks
from episodes.world import AgentPose
from server.recording.log_writer import LogWriter
from server.robots.baselines.scripted_player import ScriptedPlayer, Step
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Refused
from server.sessions.intents import Act, Intent, Place, Ready
from server.sessions.spec import TICK_S, EpisodeSpec, SessionSpec
from server.sessions.tick_driver import FixedPlayers, TickDriver
from server.simulators.contract import Simulator
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.skills.standing_places import heading, middle, places_to_stand, to_touch
from server.worker.unpaced_runner import run

HUMAN, ROBOT = "human_0", "robot_0"
MAX_TICKS = 6000


@cache
def library() -> HouseLibrary:
    scene, catalogue = first_house()
    return HouseLibrary.of(catalogue, [scene])


def write_first_house(data_dir: Path) -> None:
    """Write the first house and its catalogue into a data directory."""
    scene, shapes = first_house()
    write_catalogue(data_dir, shapes)
    write_house(data_dir, generate_house(scene.seed, shapes), shapes)


def simulator(*_: object) -> HouseholdSimulator:
    return HouseholdSimulator(library())


def task(number: int) -> Task:
    """Return a first task, counted from 1."""
    return first_tasks()[number - 1]


def episode_spec(task: Task, name: str = "epi_1", **options: Any) -> EpisodeSpec:
    return EpisodeSpec(name, "first", task.task_id, **options)


def in_the_open(core: SessionCore) -> str:
    """Return a thing that lies in nothing that is closed."""
    return next(h for h in core.world.objects if core.shut_in(h) is None)


def core_of(
    chosen: Task | None = None,
    *,
    solo: bool = False,
    time_limit_s: float | None = None,
    on: Callable[[], Simulator] = simulator,
    **options: Any,
) -> SessionCore:
    chosen = chosen or task(2)
    spec = SessionSpec.solo("ses_1", 1) if solo else SessionSpec.pair("ses_1", 1)
    spec = msgspec.structs.replace(spec, **options)
    return SessionCore(spec, episode_spec(chosen, time_limit_s=time_limit_s), chosen, on())


def started(*args: Any, **options: Any) -> SessionCore:
    """Return a core whose episode runs."""
    core = core_of(*args, **options)
    for seat in core.state.occupied():
        core.submit(seat, Ready())
    core.step()
    assert core.phase == "running"
    return core


def ask(core: SessionCore, seat: str, intent: Intent) -> Refused | None:
    """Submit, step, and return the refusal if there is one."""
    core.submit(seat, intent)
    tick = core.step()
    return next((e for e in tick.events if isinstance(e, Refused) and e.to == seat), None)


def do(core: SessionCore, seat: str, verb: Any, target: str, part: int | None = None) -> str:
    """Act; return the rule that refused, or nothing."""
    refused = ask(core, seat, Act(core.tick, verb, target, part))
    return "" if refused is None else refused.rule


def put(
    core: SessionCore, seat: str, point: Vec3, yaw: float = 0.0, target: str | None = None
) -> str:
    refused = ask(core, seat, Place(core.tick, point, yaw, target))
    return "" if refused is None else refused.rule


def stand(core: SessionCore, seat: str, point: Vec3, away: float = 1.0) -> None:
    """Put a body near a point, facing it, wherever there is room."""

    def fits(place: Vec3, yaw: float) -> bool:
        return (place[0] - point[0]) ** 2 + (place[2] - point[2]) ** 2 <= (away + 0.6) ** 2

    place = next(places_to_stand(core, seat, point, fits))
    teleport(core, seat, AgentPose(place, heading(place, point), 0.0))


def teleport(core: SessionCore, seat: str, pose: AgentPose) -> None:
    core.simulator.set_agent(seat, pose)
    core.world.agents[seat] = core.simulator.agent(seat)


def stand_for(core: SessionCore, seat: str, entity: str) -> None:
    """Put a body where it can reach and see a thing."""
    point = middle(core, entity)
    place = next(places_to_stand(core, seat, point, to_touch(core, seat, entity)))
    teleport(core, seat, AgentPose(place, heading(place, point), 0.0))


def lay(core: SessionCore, handle: str, point: Vec3, support: str) -> None:
    """Put an object somewhere without asking anybody."""
    pose = Pose(point, IDENTITY)
    core.simulator.set_pose(handle, pose)
    core.world.objects[handle] = pose
    core.world.supports[handle] = support
    core.view.forget()


def ahead(core: SessionCore, seat: str, distance: float) -> Vec3:
    """Return a point on the floor in front of a body."""
    agent = core.world.agents[seat]
    dx, dz = forward(agent.yaw)
    x, y, z = agent.position
    return (x + dx * distance, y, z + dz * distance)


class Recording:
    """A core played with a log in memory."""

    def __init__(self, core: SessionCore) -> None:
        self.core = core
        self.file = io.BytesIO()
        self.log = LogWriter(self.file)
        self.log.open_episode(core, 0.0)
        self.digests: dict[int, str] = {core.tick: core.world.digest()}
        self.ticks: list[Tick] = []
        self._driver = TickDriver(core, FixedPlayers(core), self.log, self.ticks.append)

    def step(self, intents: Iterable[tuple[str, Intent]] = ()) -> Tick:
        for seat, intent in intents:
            self.core.submit(seat, intent)
        return self._driver.step((self.core.tick + 1) * TICK_S)

    def data(self) -> bytes:
        self.log.flush(self.core.tick * TICK_S)
        return self.file.getvalue()


def play(
    core: SessionCore,
    steps: dict[str, Sequence[Step]],
    watch: Callable[[Tick], None] | None = None,
    max_ticks: int = MAX_TICKS,
) -> dict[str, ScriptedPlayer]:
    """Play scripts to their end."""
    players = {seat: ScriptedPlayer(seat, script) for seat, script in steps.items()}
    run(core, list(players.values()), max_ticks, watch=watch)
    return players
