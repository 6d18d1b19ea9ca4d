"""Backend of the contract suite: a way to make a simulator, a task, and places to try things."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from episodes.bodies import BODIES, Body
from episodes.dataset import Task
from episodes.poses import Vec2
from server.simulators.contract import Simulator


def bodies_of(number: int) -> dict[str, Body]:
    """Return so many bodies by seat id: a robot, a person, then further robots."""
    robots = {f"robot_{n}": BODIES["robot"] for n in range(max(1, number - 1))}
    return robots if number == 1 else {**robots, "human_0": BODIES["human"]}


@dataclass(frozen=True)
class Spot:
    """A receptacle of a piece of furniture: the handle, and the receptacle's name."""

    furniture: str
    receptacle: str


@dataclass(frozen=True)
class Backend:
    """A way to make a simulator, a task, and landmarks of the task's scene."""

    name: str
    """The name that messages call the backend."""
    make: Callable[[], Simulator]
    """Maker of a simulator in which nothing is loaded yet."""
    task: Task
    """The task that simulators are reset to."""
    small: str
    """The handle of a movable object that fits on and in every spot."""
    other: str
    """The handle of a second such object."""
    table: Spot
    """A surface with nothing above it and an empty middle."""
    cupboard: Spot
    """A receptacle within furniture, behind a hinged door (its part), with an empty middle."""
    drawer: Spot
    """A receptacle that rides on a part that slides."""
    rooms: tuple[tuple[str, Vec2], tuple[str, Vec2]]
    """Two rooms that a way joins, and a walkable point (m) in each with free floor around."""
    apart: Vec2 | None = None
    """A walkable point (m) that no way leads to; None where the scene has none."""
    tolerance_m: float = 1e-6
    """Precision to which poses are kept and things come to rest (m)."""
    bodies: Mapping[str, Body] = field(default_factory=lambda: bodies_of(2))
    """The bodies of every session, by seat id."""

    def ready(self, seed: int = 1) -> Simulator:
        """Return a new simulator, reset to the task."""
        simulator = self.make()
        simulator.reset(self.task, self.bodies, seed)
        return simulator
