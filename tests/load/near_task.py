"""A task in which both players stand where they can act at once: sockets need no walking."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from episodes.dataset import Task, write_dataset
from episodes.tasks import first_tasks
from server.sessions.core import SessionCore
from tests.server.sessions.first_house_sessions import core_of, stand_for

NEAR = "near"
"""The id of the task."""


class Reach:
    """A thing that the human can pick up and put back, and a door that the robot can open."""

    def __init__(self, core: SessionCore) -> None:
        world = core.world
        self.handle = next(h for h in sorted(world.objects) if core.shut_in(h) is None)
        self.point = world.objects[self.handle].position
        self.support = str(world.supports[self.handle])
        self.furniture = next(
            f.handle
            for f in core.simulator.scene.furniture
            if core.simulator.catalogue.templates[f.template].parts
        )
        stand_for(core, "human_0", self.handle)
        stand_for(core, "robot_0", self.furniture)

    @property
    def place_at(self) -> tuple[int, int, int]:
        x, y, z = self.point
        return (round(x * 1000), round(y * 1000), round(z * 1000))


def near_task() -> tuple[Task, Reach]:
    """Return the task, and what is within reach in it."""
    task = first_tasks()[1]
    core = core_of(task)
    reach = Reach(core)
    starts = {seat: [*agent.position, agent.yaw] for seat, agent in core.world.agents.items()}
    info = {**task.info, "start_poses": starts}
    return msgspec.structs.replace(task, task_id=NEAR, info=info), reach


@contextmanager
def near_data_dir(source: Path) -> Iterator[tuple[Path, Reach]]:
    """Make a data directory like ``source``, without models and recordings, that has the task.

    It is removed afterwards.
    """
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder) / "data"
        shutil.copytree(source, data_dir, ignore=shutil.ignore_patterns("*.glb", "recordings"))
        yield data_dir, write_near_task(data_dir)


def write_near_task(data_dir: Path) -> Reach:
    """Put the task before the first ones of a data directory."""
    task, reach = near_task()
    write_dataset(data_dir / "tasks" / "first.json.gz", [task, *first_tasks()])
    return reach
