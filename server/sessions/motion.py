"""Walking and looking: from what an occupant wants to what a body does in one tick."""

from __future__ import annotations

import math

from episodes.poses import wrap_angle
from episodes.rules import RuleProfile
from episodes.world import AgentPose, WorldState
from server.sessions.spec import TICK_S
from server.sessions.state import STILL, Seated
from server.simulators.contract import Simulator

SAME_RAD = 1e-6
"""The angle below which two looks are the same: rounding must not turn a body for ever."""


def move(
    seat: str, seated: Seated, world: WorldState, simulator: Simulator, profile: RuleProfile
) -> AgentPose | None:
    """Move a body for one tick; returns its new pose, or None when it stays as it is."""
    agent = world.agents[seat]
    drive, look = seated.drive, seated.look
    turn, pitch = 0.0, agent.pitch
    if look is not None:
        body = world.bodies[seat]
        aside = wrap_angle(look.yaw - agent.yaw)
        if abs(aside) > SAME_RAD:
            turn = min(max(aside / TICK_S, -body.turn), body.turn)
        pitch = min(max(look.pitch, profile.pitch.down), profile.pitch.up)
        if abs(pitch - agent.pitch) <= SAME_RAD:
            pitch = agent.pitch
    if drive is STILL and turn == 0.0 and pitch == agent.pitch:
        return None
    forward, strafe = drive.forward, drive.strafe
    fastest = profile.speed[world.bodies[seat].kind]
    speed = math.hypot(forward, strafe)
    if speed > fastest:
        forward, strafe = forward * fastest / speed, strafe * fastest / speed
    elif speed == 0.0 and turn == 0.0 and pitch == agent.pitch:
        return None
    pose = simulator.drive(seat, forward, strafe, turn, pitch, TICK_S)
    return None if pose == agent else pose
