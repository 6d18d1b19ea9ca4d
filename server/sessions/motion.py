"""Walking and looking: from what an occupant wants to what a body does in one tick."""

from __future__ import annotations

import math

from episodes.poses import wrap_angle
from episodes.rules import RuleProfile
from episodes.world import WorldState
from server.sessions.spec import TICK_S
from server.sessions.state import STILL, Seated

SAME_RAD = 1e-6
"""The angle below which two looks are the same: rounding must not turn a body for ever."""


Motion = tuple[float, float, float, float]
"""The motion of a body in a tick: forward and aside (m/s), turn (rad/s), and the pitch then (rad).

A plain tuple, as one is made for every body in every tick."""


def wanted_motion(
    seat: str, seated: Seated, world: WorldState, profile: RuleProfile
) -> Motion | None:
    """Return the motion of a body in a tick, as its occupant wants it; None: it stays as it is."""
    agent = world.agents[seat]
    drive, look = seated.drive, seated.look
    turn, pitch = 0.0, agent.pitch
    if look is not None:
        aside = look.yaw - agent.yaw
        # Most looks are less than half a turn away: no call for them, in each tick of each body.
        if not -math.pi < aside < math.pi:
            aside = wrap_angle(aside)
        if abs(aside) > SAME_RAD:
            fastest = world.bodies[seat].turn
            turn = min(max(aside / TICK_S, -fastest), fastest)
        if look.pitch != pitch:
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
    return forward, strafe, turn, pitch
