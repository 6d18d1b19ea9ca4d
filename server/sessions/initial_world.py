"""The world at the start of an episode, from the task and the simulator."""

from __future__ import annotations

from functools import lru_cache

from episodes.dataset import Task
from episodes.poses import Pose
from episodes.scene import Catalogue, Scene
from episodes.world import FLOOR, WorldState
from server.sessions.placement import LIFT_M
from server.sessions.surfaces import Surfaces
from server.simulators.contract import Simulator

SCENES_KEPT = 32


class SceneKey:
    """A scene and a catalogue, equal where their digests are."""

    def __init__(self, scene: Scene, catalogue: Catalogue) -> None:
        self.scene, self.catalogue = scene, catalogue
        self._parts = (scene.scene_id, scene.digest, catalogue.digest)

    def __hash__(self) -> int:
        return hash(self._parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SceneKey) and self._parts == other._parts


@lru_cache(SCENES_KEPT)
def _kept(key: SceneKey) -> Surfaces:
    return Surfaces(key.scene, key.catalogue)


def surfaces_of(scene: Scene, catalogue: Catalogue) -> Surfaces:
    """Return the receptacles of a scene, shared by all sessions in it."""
    if not scene.digest:
        return Surfaces(scene, catalogue)
    return _kept(SceneKey(scene, catalogue))


def populate(world: WorldState, task: Task, simulator: Simulator, surfaces: Surfaces) -> None:
    """Fill a new world with where everything is after the simulator's reset."""
    catalogue = simulator.catalogue
    for seat in world.bodies:
        world.agents[seat] = simulator.agent(seat)
    world.objects.update(simulator.objects())
    world.joints.update(simulator.joints())
    for furniture in simulator.scene.furniture:
        _states(world, task, furniture.handle, catalogue)
    for handle, pose in world.objects.items():
        _states(world, task, handle, catalogue)
        named = task.name_to_receptacle.get(handle)
        if named in surfaces.by_name:
            world.supports[handle] = named
        else:
            world.supports[handle] = _support(handle, pose, world, simulator, surfaces)


def _states(world: WorldState, task: Task, handle: str, catalogue: Catalogue) -> None:
    for state in catalogue.of_handle(handle).affords:
        # What the task does not say is false, as in PARTNR.
        world.states[handle, state] = task.object_states.get(state, {}).get(handle, False)


def _support(
    handle: str, pose: Pose, world: WorldState, simulator: Simulator, surfaces: Surfaces
) -> str:
    """Find what an object rests on by where it is."""
    x, y, z = pose.position
    landing = simulator.snap_down(handle, Pose((x, y + LIFT_M, z), pose.rotation), {handle})
    below = None if landing is None else landing.entity
    if below is not None and below in world.objects:
        return below
    surface = surfaces.below(world.joints, pose.position, below)
    return FLOOR if surface is None else surface.unique_name
