"""The Simulator contract.

It is small, so that a second backend is honest work. A simulator knows shapes and poses, nothing of
tasks, rules, holding, states or networks; those are written once above it. It is driven by one
session at a time, single-threaded, and may share immutable data (houses) with others.

Units and axes: see `episodes.poses`. "Entity" is the handle of an object or of furniture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, Protocol

from episodes.bodies import Body
from episodes.dataset import Task
from episodes.poses import Box, Pose, Vec3
from episodes.scene import Catalogue, Scene
from episodes.world import AgentPose


class SimulatorError(Exception):
    """A backend cannot do what the contract asks: says what, with what, and what to do."""


class RayHit(NamedTuple):
    """The first thing along a ray; ``entity`` is None for the stage (floor, wall)."""

    entity: str | None
    part: int | None
    point: Vec3
    normal: Vec3
    distance: float


class Landing(NamedTuple):
    """The place where an object comes to rest when lowered.

    ``entity`` is what it rests on (furniture or object), None for the floor. ``normal`` is the
    surface's: one whose y is below 0.9 is too steep to place on.
    """

    pose: Pose
    entity: str | None
    normal: Vec3


class Simulator(Protocol):
    """A simulated house with bodies and objects."""

    name: str
    """The name ``household`` or ``habitat``, part of every episode row."""
    version: str

    @property
    def scene(self) -> Scene:
        """The static scene. Raises SimulatorError before the first `reset`."""
        ...

    @property
    def plan(self) -> Scene:
        """The scene as its file has it.

        Simulators that compute a walkable area of their own have that in `scene`. Starts are
        drawn on the plan, so that a seed means the same place in all of them.
        """
        ...

    @property
    def catalogue(self) -> Catalogue: ...

    def reset(self, task: Task, bodies: Mapping[str, Body], seed: int) -> None:
        """Load the scene of ``task`` and put everything where the task says.

        Its objects go to their start poses, its parts to ``ao_states`` (else closed; a link
        of ``ao_states`` is a part's name or its index as text), and every body of
        ``bodies`` (by seat id) to a place drawn from ``seed``, or where
        ``task.info["start_poses"][seat_id] = [x, y, z, yaw]`` says.

        Raises SimulatorError when the scene, a template or a part is not there.
        """
        ...

    def objects(self) -> Mapping[str, Pose]:
        """Return all movable objects, by handle, in the order of the task's ``rigid_objs``.

        A view: it follows what is set.
        """
        ...

    def joints(self) -> Mapping[tuple[str, int], float]:
        """Return the value of every part, by (furniture, part). A view: it follows what is set."""
        ...

    # Bodies

    def agent(self, seat: str) -> AgentPose: ...

    def set_agent(self, seat: str, pose: AgentPose) -> None:
        """Put a body somewhere (resume, tests), exactly there if the point is walkable.

        A point up to 1 cm beside the walkable area is brought to it; SimulatorError beyond
        that.
        """
        ...

    def drive(
        self, seat: str, forward: float, strafe: float, turn: float, pitch: float, dt: float
    ) -> AgentPose:
        """Move a body for ``dt`` seconds, sliding along the edge of the walkable area.

        It turns first (``turn`` in rad/s), then goes ``forward`` and ``strafe`` to the
        right (m/s) in its new heading. It never leaves the walkable area, however long the
        step. ``pitch`` is set as given.
        """
        ...

    # Walkable area

    def nearest_walkable(self, point: Vec3) -> Vec3 | None:
        """Return the point of the largest indoor island nearest to ``point`` (3-D distance)."""
        ...

    def find_path(self, start: Vec3, goal: Vec3) -> Sequence[Vec3] | None:
        """Return the shortest walkable polyline from start to goal, both ends included.

        Both ends are first brought to the nearest walkable point of any island; None if
        they are on different ones.
        """
        ...

    # Seeing and touching

    def cast_ray(
        self,
        origin: Vec3,
        direction: Vec3,
        max_distance: float = 100.0,
        ignore: AbstractSet[str] = frozenset(),
    ) -> RayHit | None:
        """Return the first hit along a unit direction.

        Bodies are transparent; ``ignore`` names entities to look through. A solid in which
        the ray starts is not hit.
        """
        ...

    def can_see(self, eye: Vec3, entity: str, ignore: AbstractSet[str] = frozenset()) -> bool:
        """Tell whether any of an entity's keypoints or part centres is unoccluded from ``eye``.

        The direction in which the eye looks does not matter. The entity never hides itself.
        """
        ...

    def seen(self, seat: str) -> frozenset[str]:
        """Return every entity in a body's view: 90 degrees wide, 70 high, 10 m, unoccluded."""
        ...

    def overlapping(
        self, handle: str, pose: Pose, ignore: AbstractSet[str] = frozenset()
    ) -> Sequence[str]:
        """Return what ``handle`` would overlap at ``pose`` by more than 5 mm.

        That is entities, and "stage".
        """
        ...

    def snap_down(
        self, handle: str, pose: Pose, ignore: AbstractSet[str] = frozenset()
    ) -> Landing | None:
        """Lower an object from ``pose`` (upright, keeping its yaw) until it rests on something.

        None if nothing is within 3 m below it. From up to 5 mm inside a surface it is
        raised to it; what it is deeper in at the start does not stop it (ask
        `overlapping`).
        """
        ...

    # Changing

    def set_pose(self, handle: str, pose: Pose) -> None:
        """Put an object somewhere, held or lying."""
        ...

    def set_joint(self, furniture: str, part: int, value: float) -> None:
        """Set a part's joint value (rad or m; 0 closed).

        Objects inside do not move by themselves. Raises SimulatorError for a part that does
        not exist and for a value beyond its range.
        """
        ...

    # Geometry of entities (evaluator reference, section 3)

    def pose(self, entity: str) -> Pose: ...

    def box(self, entity: str) -> Box:
        """Return local bounds. Raises KeyError for an unknown entity."""
        ...

    def above(self, entity: str) -> frozenset[str]:
        """Return every entity under any of the nine keypoints, whatever the distance.

        Touching the side of something is not being above it, nor within it (1 mm).
        """
        ...

    def within(self, entity: str) -> frozenset[str]:
        """Return every entity around the centre keypoint or around more than two corners."""
        ...

    def in_room(self, entity: str, room_id: str) -> bool:
        """Tell whether at least a quarter of the keypoints are in the room's volume.

        Raises KeyError for an unknown room.
        """
        ...

    def on_floor(self, entity: str) -> bool: ...

    def gap(self, a: str, b: str) -> float:
        """Return the horizontal gap between two entities (m), infinite when vertically apart."""
        ...

    def close(self) -> None:
        """Release what the session held. Idempotent."""
        ...
