"""Steps of the bodies: what every tick of a running episode does to where they stand."""

from __future__ import annotations

from episodes.rules import RuleProfile
from server.sessions.effects import Effects
from server.sessions.motion import move
from server.sessions.state import EpisodeState
from server.simulators.contract import Simulator


def move_bodies(
    state: EpisodeState, effects: Effects, simulator: Simulator, profile: RuleProfile
) -> None:
    """Move every body that somebody drives, one after another in the order of the seats."""
    for seat, seated in state.seats.items():
        if seated.occupied:
            pose = move(seat, seated, state.world, simulator, profile)
            if pose is not None:
                effects.move(seat, pose)
