"""A task in which all players stand where they can act at once: sockets need no walking."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from episodes.dataset import Task, write_dataset
from episodes.tasks import first_tasks
from episodes.teams import Team
from server.sessions.core import SessionCore
from server.sessions.spec import SessionSpec
from tests.server.sessions.first_house_sessions import episode_spec, simulator, stand_for

NEAR = "near"
"""The id of the task."""
PICKER = "human_0"


class Reach:
    """A thing that the first human can pick up and put back, and doors that the others can open."""

    def __init__(self, core: SessionCore) -> None:
        world = core.world
        self.handle = next(h for h in sorted(world.objects) if core.shut_in(h) is None)
        self.point = world.objects[self.handle].position
        self.support = str(world.supports[self.handle])
        with_doors = (
            f.handle
            for f in core.simulator.scene.furniture
            if core.simulator.catalogue.templates[f.template].parts
        )
        self.doors = dict(zip((s for s in core.seats if s != PICKER), with_doors, strict=False))
        """A piece of furniture for each seat but the picker's, each another one."""
        stand_for(core, PICKER, self.handle)
        for seat, furniture in self.doors.items():
            stand_for(core, seat, furniture)

    @property
    def furniture(self) -> str:
        """The furniture of the pair's robot."""
        return self.doors["robot_0"]

    @property
    def place_at(self) -> tuple[int, int, int]:
        x, y, z = self.point
        return (round(x * 1000), round(y * 1000), round(z * 1000))


def near_task(team: str = "pair") -> tuple[Task, Reach]:
    """Return the task for a team with a human, and what is within reach in it."""
    task = first_tasks()[1]
    spec = SessionSpec.of("ses_1", Team.parse(team), 1)
    core = SessionCore(spec, episode_spec(task), task, simulator())
    reach = Reach(core)
    starts = {seat: [*agent.position, agent.yaw] for seat, agent in core.world.agents.items()}
    info = {**task.info, "start_poses": starts}
    return msgspec.structs.replace(task, task_id=NEAR, info=info), reach


@contextmanager
def near_data_dir(source: Path, team: str = "pair") -> Iterator[tuple[Path, Reach]]:
    """Make a data directory like ``source``, without models and recordings, that has the task.

    It is removed afterwards.
    """
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder) / "data"
        shutil.copytree(source, data_dir, ignore=shutil.ignore_patterns("*.glb", "recordings"))
        yield data_dir, write_near_task(data_dir, team)


def write_near_task(data_dir: Path, team: str = "pair") -> Reach:
    """Put the task before the first ones of a data directory."""
    task, reach = near_task(team)
    write_dataset(data_dir / "tasks" / "first.json.gz", [task, *first_tasks()])
    return reach
