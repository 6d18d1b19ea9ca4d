"""Steps of the bodies: what every tick of a running episode does to where they stand."""

from __future__ import annotations

import math
from collections.abc import Callable

from msgspec import UNSET

from episodes.rules import BODIES_BLOCK, RuleProfile
from episodes.world import AgentPose
from server.sessions.blocking import (
    APART_M,
    HELD_UP,
    PASS_TICKS,
    PUSH_TICKS,
    Vec2,
    clip,
    nearest,
    overlaps,
    sinks_in,
)
from server.sessions.effects import Effects
from server.sessions.events import Blocked, BlockedStage
from server.sessions.motion import Motion, wanted_motion
from server.sessions.spec import TICK_S
from server.sessions.state import EpisodeState, Seated
from server.simulators.contract import Simulator

Happen = Callable[[Blocked], None]

NEAR_M = APART_M + 0.25
"""The distance along one axis within which the rule of blocking looks at another body. The longest
step of a tick is a third of what is added, so bodies farther apart cost a comparison only."""


def move_bodies(
    state: EpisodeState,
    effects: Effects,
    simulator: Simulator,
    profile: RuleProfile,
    happen: Happen,
) -> None:
    """Move every body that somebody drives, one after another in the order of the seats.

    Where bodies block, each finds the others where they are by then.
    """
    world = state.world
    block = BODIES_BLOCK in profile.features
    for seat, seated in state.seats.items():
        if not seated.occupied:
            continue
        motion = wanted_motion(seat, seated, world, profile)
        push = seated.push
        # A seat keeps the push that it let go of: nothing comes of that unless it meets somebody.
        if block and (
            (push is not UNSET and push.until is None)
            or (motion is not None and _is_near_another(state, seat))
        ):
            pose = _Among(state, simulator, happen).move(seat, seated, motion)
            if pose is None:
                continue
        elif motion is not None:
            forward, strafe, turn, pitch = motion
            pose = simulator.drive(seat, forward, strafe, turn, pitch, TICK_S)
        else:
            continue
        if pose != world.agents[seat]:
            effects.move(seat, pose)


def in_the_way(state: EpisodeState, seat: str) -> dict[str, Vec2]:
    """Return the places of the bodies that block a seat's, by their seats.

    One that nobody plays (any more) does not: it could shut a room. Nor does one that passes
    through others.
    """
    return {
        other: _flat(state.world.agents[other])
        for other, seated in state.seats.items()
        if other != seat
        and seated.occupied
        and seated.presence != "gone"
        and not seated.passes_through
    }


def _is_near_another(state: EpisodeState, seat: str) -> bool:
    """Tell whether the rule of blocking has to look at a body that moves."""
    agents = state.world.agents
    x, _, z = agents[seat].position
    for other, seated in state.seats.items():
        if other != seat and seated.occupied:
            other_x, _, other_z = agents[other].position
            if -NEAR_M < other_x - x < NEAR_M and -NEAR_M < other_z - z < NEAR_M:
                return True
    return False


class _Among:
    """Motion of bodies among others that block."""

    def __init__(self, state: EpisodeState, simulator: Simulator, happen: Happen) -> None:
        self._state = state
        self._simulator = simulator
        self._happen = happen

    def move(self, seat: str, seated: Seated, motion: Motion | None) -> AgentPose | None:
        """Move a body as far as the others let it, and note whether it pushes one."""
        agent = self._state.world.agents[seat]
        at, step = _flat(agent), _step_of(agent, motion)
        obstacles = in_the_way(self._state, seat)
        seats, places = list(obstacles), list(obstacles.values())
        clipped = clip(at, step, places)
        if seated.passes_through:
            if not self._has_passed_for_long(seated):
                pose = None if motion is None else self._simulator.drive(seat, *motion, TICK_S)
                # A slide along a wall may lead in where the step itself would not.
                leads_in = pose is not None and sinks_in(at, _flat(pose), places)
                if clipped.by is None and not leads_in and not overlaps(at, places):
                    self._happen(Blocked(seat, "", "passed"))
                return pose
            self._happen(Blocked(seat, "", "passed"))
        pose, by = None, clipped.by
        if motion is not None:
            if by is not None:
                motion = _with_step(agent, motion, clipped.step)
            pose = self._simulator.drive(seat, *motion, TICK_S)
            if sinks_in(at, _flat(pose), places):
                by = nearest(_flat(pose), places)
                self._simulator.set_agent(seat, AgentPose(agent.position, pose.yaw, pose.pitch))
                pose = self._simulator.agent(seat)
        is_held_up = by is not None and pose is not None and _is_held_up(at, _flat(pose), step)
        self._note(seat, seated, seats[by] if by is not None and is_held_up else None)
        return pose

    def _has_passed_for_long(self, seated: Seated) -> bool:
        push = seated.push
        return push is not UNSET and self._state.tick - push.since >= PUSH_TICKS + PASS_TICKS

    def _note(self, seat: str, seated: Seated, by: str | None) -> None:
        """Tell what changes in a seat's push, which is against ``by`` now (None: there is none)."""
        push = seated.push
        stage: BlockedStage | None = None
        pushes = push is not UNSET and push.until is None
        if by is None:
            stage = "lets_go" if pushes else None
        elif not pushes:
            stage = "pushes"
        elif push is not UNSET and self._state.tick - push.since >= PUSH_TICKS:
            stage = "passes"
        if stage is not None:
            self._happen(Blocked(seat, by or "", stage))


def _flat(agent: AgentPose) -> Vec2:
    return agent.position[0], agent.position[2]


def _heading(agent: AgentPose, turn: float) -> tuple[float, float]:
    """Return sine and cosine of the yaw in which a body walks: it turns first."""
    yaw = agent.yaw
    if turn:
        yaw = math.remainder(yaw + turn * TICK_S, math.tau)
    return math.sin(yaw), math.cos(yaw)


def _step_of(agent: AgentPose, motion: Motion | None) -> Vec2:
    if motion is None:
        return 0.0, 0.0
    forward, strafe, turn, _ = motion
    if not (forward or strafe):
        return 0.0, 0.0
    s, c = _heading(agent, turn)
    return (strafe * c - forward * s) * TICK_S, (-forward * c - strafe * s) * TICK_S


def _with_step(agent: AgentPose, motion: Motion, step: Vec2) -> Motion:
    """Return the motion that makes another step."""
    _, _, turn, pitch = motion
    s, c = _heading(agent, turn)
    dx, dz = step
    return -(dx * s + dz * c) / TICK_S, (dx * c - dz * s) / TICK_S, turn, pitch


def _is_held_up(before: Vec2, after: Vec2, step: Vec2) -> bool:
    """Tell whether a body made less than half of the way that it wanted to make."""
    dx, dz = step
    made = (after[0] - before[0]) * dx + (after[1] - before[1]) * dz
    return made < HELD_UP * (dx * dx + dz * dz)
