"""What a backend gives the contract suite: a simulator, an episode, and where to try things."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from episodes.bodies import BODIES, Body
from episodes.dataset import Task
from episodes.poses import Vec2
from server.simulators.contract import Simulator


@dataclass(frozen=True)
class Spot:
    """A receptacle of a piece of furniture."""

    furniture: str
    receptacle: str


@dataclass(frozen=True)
class Backend:
    """A simulator and landmarks of its scene. ``small`` and ``other`` are movable objects that
    fit on and in every spot."""

    name: str
    make: Callable[[], Simulator]
    episode: Task
    small: str
    other: str
    table: Spot
    """A surface with nothing above it and an empty middle."""
    cupboard: Spot
    """Within furniture, behind a hinged door (the receptacle's part), with an empty middle."""
    drawer: Spot
    """It rides on a part that slides."""
    rooms: tuple[tuple[str, Vec2], tuple[str, Vec2]]
    """Two rooms that a way joins, and a walkable point in each with free floor around."""
    apart: Vec2 | None = None
    """A walkable point that no way leads to."""
    tolerance_m: float = 1e-6
    """How exactly poses are kept and things come to rest."""
    bodies: Mapping[str, Body] = field(
        default_factory=lambda: {"robot_0": BODIES["robot"], "human_0": BODIES["human"]}
    )

    def ready(self, seed: int = 1) -> Simulator:
        """A simulator with the episode loaded."""
        simulator = self.make()
        simulator.reset(self.episode, self.bodies, seed)
        return simulator
