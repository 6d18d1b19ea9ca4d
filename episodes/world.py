"""State of the world of one episode, and the changes that make it.

`WorldState` is owned by the session. Each tick yields one list of changes at full precision; log,
evaluator, wire (quantised only there), world graph and state hash are all made from that list.
Whatever follows from it (the pose of a held object) is derived here, once, so that it is never sent
or stored twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from episodes.bodies import Body
from episodes.poses import Pose, Vec3, to_world, yaw_quat

FLOOR = "floor"
"""The support of a thing that lies on the floor of a room (PARTNR's word)."""


class AgentPose(NamedTuple):
    """A body: the point on the floor, its heading, and the pitch of its view (rad, up > 0)."""

    position: Vec3
    yaw: float
    pitch: float


class AgentMoved(msgspec.Struct, frozen=True, tag="agent", array_like=True):
    seat: str
    pose: AgentPose


class ObjectMoved(msgspec.Struct, frozen=True, tag="object", array_like=True):
    """An object that nobody holds was put at ``pose``."""

    handle: str
    pose: Pose


class PartMoved(msgspec.Struct, frozen=True, tag="part", array_like=True):
    furniture: str
    part: int
    value: float


class HolderChanged(msgspec.Struct, frozen=True, tag="holder", array_like=True):
    """Holder of the object now: ``seat``; None: nobody (an `ObjectMoved` follows in the tick)."""

    handle: str
    seat: str | None


class SupportChanged(msgspec.Struct, frozen=True, tag="support", array_like=True):
    """An object rests on ``support``: a receptacle's unique name, an object or ``floor``.

    None while it is held.
    """

    handle: str
    support: str | None


class StateChanged(msgspec.Struct, frozen=True, tag="state", array_like=True):
    handle: str
    state: str
    value: bool


Change = AgentMoved | ObjectMoved | PartMoved | HolderChanged | SupportChanged | StateChanged


class WorldState:
    """Poses, who holds what, supports, joints and states of one episode."""

    __slots__ = ("agents", "bodies", "held", "holders", "joints", "objects", "states", "supports")

    def __init__(self, bodies: dict[str, Body]) -> None:
        self.bodies = bodies
        """The body of each seat, by seat id."""
        self.agents: dict[str, AgentPose] = {}
        self.objects: dict[str, Pose] = {}
        """The pose at which each object was last put down; see `pose` for a held one."""
        self.holders: dict[str, str] = {}
        """Seat by held object."""
        self.held: dict[str, str] = {}
        """Object by seat."""
        self.supports: dict[str, str] = {}
        self.joints: dict[tuple[str, int], float] = {}
        self.states: dict[tuple[str, str], bool] = {}
        """Value by (handle, state); a missing key means that the thing does not afford it."""

    def apply(self, change: Change) -> None:
        """Fold one change into the state."""
        match change:
            case AgentMoved(seat, pose):
                self.agents[seat] = pose
            case ObjectMoved(handle, at):
                self.objects[handle] = at
            case PartMoved(furniture, part, value):
                self.joints[furniture, part] = value
            case StateChanged(handle, state, flag):
                self.states[handle, state] = flag
            case HolderChanged(handle, holder):
                previous = self.holders.pop(handle, None)
                if previous is not None:
                    self.held.pop(previous, None)
                if holder is not None:
                    self.holders[handle] = holder
                    self.held[holder] = handle
            case SupportChanged(handle, support):
                if support is None:
                    self.supports.pop(handle, None)
                else:
                    self.supports[handle] = support

    def pose(self, handle: str) -> Pose:
        """Return where an object is now: in the hand that holds it, or where it lies."""
        seat = self.holders.get(handle)
        if seat is None:
            return self.objects[handle]
        return carried_pose(self.bodies[seat], self.agents[seat])

    def everything(self) -> list[Change]:
        """Return the changes that lead from nothing to this state, as a keyframe holds them."""
        changes: list[Change] = [AgentMoved(s, p) for s, p in self.agents.items()]
        changes += [ObjectMoved(h, p) for h, p in self.objects.items()]
        changes += [PartMoved(f, i, v) for (f, i), v in self.joints.items()]
        changes += [HolderChanged(h, s) for h, s in self.holders.items()]
        changes += [SupportChanged(h, s) for h, s in self.supports.items()]
        changes += [StateChanged(h, n, v) for (h, n), v in self.states.items()]
        return changes

    @classmethod
    def from_changes(cls, bodies: dict[str, Body], changes: Iterable[Change]) -> WorldState:
        """Build the state that `everything` describes."""
        world = cls(bodies)
        for change in changes:
            world.apply(change)
        return world

    def digest(self) -> str:
        """Return a hash of the whole state, equal for equal states whatever led to them."""
        lines = sorted(msgspec.json.encode(c) for c in self.everything())
        return hashlib.sha256(b"\n".join(lines)).hexdigest()


def carried_pose(body: Body, agent: AgentPose) -> Pose:
    """Return the pose of the object that a body holds: a fixed offset from the body."""
    rotation = yaw_quat(agent.yaw)
    return Pose(to_world(Pose(agent.position, rotation), body.carry), rotation)


def eye_of(body: Body, agent: AgentPose) -> Vec3:
    """Return a body's eye in the world: within the body's radius, so never beyond a wall."""
    return to_world(Pose(agent.position, yaw_quat(agent.yaw)), body.eye)
