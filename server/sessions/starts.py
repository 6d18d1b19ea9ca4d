"""Starts of the bodies that neither the task nor the simulator has a place of their own for.

A task says where a pair starts, or leaves it to the simulator's draw. Each further body is drawn
here, with a generator of its own, so that who else is in the session never moves a pair.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from functools import lru_cache

from episodes.dataset import Task
from episodes.houses.body_starts import Floors, NoStartError, floors_of, further_start
from episodes.seats import PAIR
from episodes.world import AgentPose
from server.sessions.initial_world import SCENES_KEPT, SceneKey
from server.simulators.contract import Simulator, SimulatorError


def start_apart(simulator: Simulator, task: Task, seats: Collection[str], seed: int) -> None:
    """Put the bodies beyond a pair, which a simulator has just been reset with, into rooms.

    Seats of a pair and those with a pose in ``task.info["start_poses"]`` stay where they are.
    Raises SimulatorError where the house has no room for so many.
    """
    kept = {seat.seat_id for seat in PAIR} | (task.info.get("start_poses") or {}).keys()
    further = [seat for seat in seats if seat not in kept]
    if not further:
        return
    scene = simulator.plan
    floors = _floors(simulator)
    taken = [_place(simulator, seat) for seat in seats if seat in kept]
    for seat in further:
        rng = random.Random(f"{seed} {scene.digest} {seat}")
        try:
            x, _, z, yaw = further_start(floors, taken, rng)
        except NoStartError as error:
            raise SimulatorError(
                f"{scene.scene_id!r} is too small for {len(seats)} bodies: {error}"
            ) from None
        height = simulator.agent(seat).position[1]
        # Drawn on the plan; the simulator's own walkable area may end some centimetres earlier.
        place = simulator.nearest_walkable((x, height, z)) or (x, height, z)
        simulator.set_agent(seat, AgentPose(place, yaw, 0.0))
        taken.append(_place(simulator, seat))


def _place(simulator: Simulator, seat: str) -> tuple[float, float]:
    x, _, z = simulator.agent(seat).position
    return (x, z)


@lru_cache(SCENES_KEPT)
def _kept_floors(key: SceneKey) -> Floors:
    return floors_of(key.scene)


def _floors(simulator: Simulator) -> Floors:
    """Return the rooms that bodies can start in, shared by all sessions in a scene."""
    scene = simulator.plan
    if not scene.digest:
        return floors_of(scene)
    return _kept_floors(SceneKey(scene, simulator.catalogue))
