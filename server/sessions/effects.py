"""The effects of accepted intents on the world, each a list of changes."""

from __future__ import annotations

from episodes.poses import Pose, yaw_of
from episodes.rules import VERB_TABLE, Placement, RuleProfile
from episodes.world import (
    AgentMoved,
    AgentPose,
    Change,
    HolderChanged,
    ObjectMoved,
    PartMoved,
    StateChanged,
    SupportChanged,
)
from server.sessions.placement import beside, lower
from server.sessions.rule_view import SessionRuleView
from server.sessions.state import EpisodeState
from server.simulators.contract import Simulator


class Effects:
    """Effects of actions: applied to world and simulator together, the changes of a tick collected.

    ``by`` names for every thing that an action changed the seat that did it; what a body carries
    along is not in it, because that follows from the body.
    """

    def __init__(
        self, state: EpisodeState, simulator: Simulator, view: SessionRuleView, profile: RuleProfile
    ) -> None:
        self.state = state
        self.simulator = simulator
        self.view = view
        self.profile = profile
        self.changes: list[Change] = []
        self.by: dict[str, str] = {}

    def begin(self) -> None:
        """Start a new tick."""
        self.changes = []
        self.by = {}

    def _do(self, change: Change) -> None:
        self.state.change(change)
        self.changes.append(change)
        self.view.forget()

    def move(self, seat: str, pose: AgentPose) -> None:
        """Move a body, and what it holds with it."""
        moved = AgentMoved(seat, pose)
        self.state.change(moved)
        self.changes.append(moved)
        held = self.state.world.held.get(seat)
        if held is not None:
            self.simulator.set_pose(held, self.state.world.pose(held))
            self.view.carried_along()

    def pick(self, seat: str, handle: str) -> None:
        on_top = list(self.view.all_on(handle))
        self._do(SupportChanged(handle, None))
        self._do(HolderChanged(handle, seat))
        self.simulator.set_pose(handle, self.state.world.pose(handle))
        self.by[handle] = seat
        for other in on_top:
            self._drop(seat, other)

    def _drop(self, seat: str, handle: str) -> None:
        """Let something fall whose support was taken away (profiles that allow that)."""
        pose = self.state.world.objects[handle]
        fallen = lower(self.view, handle, pose.position, yaw_of(pose.rotation))
        if fallen.pose is None:
            return
        self._put(seat, handle, fallen.pose, fallen.support)
        for other in list(self.view.all_on(handle)):
            self._drop(seat, other)

    def _put(self, seat: str, handle: str, pose: Pose, support: str | None) -> None:
        self._do(ObjectMoved(handle, pose))
        self._do(SupportChanged(handle, support))
        self.simulator.set_pose(handle, pose)
        self.by[handle] = seat

    def place(self, seat: str, handle: str, placement: Placement) -> None:
        assert placement.pose is not None
        self._do(HolderChanged(handle, None))
        self._put(seat, handle, placement.pose, placement.support)

    def let_go(self, seat: str) -> None:
        """Put what a body holds on the floor beside it, for the others to take.

        It stays in the hand where there is no place for it.
        """
        held = self.state.world.held.get(seat)
        if held is not None and (found := beside(self.view, seat, held)):
            self.place(seat, held, found)

    def set_part(self, seat: str, furniture: str, part: int, opening: bool) -> None:
        value = self.view.end_value(furniture, part, opening)
        moved = [
            (handle, self.view.riding_pose(furniture, part, value, handle))
            for handle in self.view.riders(furniture, part)
        ]
        self._do(PartMoved(furniture, part, value))
        self.simulator.set_joint(furniture, part, value)
        self.by[furniture] = seat
        for handle, pose in moved:
            self._do(ObjectMoved(handle, pose))
            self.simulator.set_pose(handle, pose)
            self.by[handle] = seat

    def set_state(self, seat: str, verb: str, target: str) -> None:
        changes = VERB_TABLE[verb].changes
        assert changes is not None
        name, value = changes
        self._do(StateChanged(target, name, value))
        self.by[target] = seat
        held = self.state.world.held.get(seat)
        if verb == "pour" and held is not None and self.profile.pouring_empties:
            self._do(StateChanged(held, name, False))
            self.by[held] = seat
