"""World state as the fold of its changes."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.bodies import BODIES
from episodes.poses import IDENTITY, Pose, yaw_quat
from episodes.world import (
    FLOOR,
    AgentMoved,
    AgentPose,
    Change,
    HolderChanged,
    ObjectMoved,
    PartMoved,
    StateChanged,
    SupportChanged,
    WorldState,
    carried_pose,
)

SEATS = {"robot_0": BODIES["robot"], "human_0": BODIES["human"]}
HANDLES = ("cup_1_:0000", "plate_1_:0000")
number = st.floats(-10, 10)
point = st.tuples(number, number, number)
handle = st.sampled_from(HANDLES)
seat = st.sampled_from(sorted(SEATS))
change: st.SearchStrategy[Change] = st.one_of(
    st.builds(AgentMoved, seat, st.builds(AgentPose, point, number, number)),
    st.builds(ObjectMoved, handle, st.builds(Pose, point, number.map(yaw_quat))),
    st.builds(PartMoved, st.just("fridge_1_:0000"), st.integers(0, 2), number),
    st.builds(SupportChanged, handle, st.sampled_from([None, FLOOR, "table_1_:0000|top"])),
    st.builds(StateChanged, handle, st.sampled_from(["is_clean", "is_filled"]), st.booleans()),
)


@given(st.lists(change))
def test_everything_makes_the_same_world_again(changes: list[Change]) -> None:
    world = WorldState.from_changes(SEATS, changes)
    again = WorldState.from_changes(SEATS, world.everything())
    assert again.digest() == world.digest()
    assert again.everything() == world.everything()


@given(st.lists(change))
def test_changes_survive_json_at_full_precision(changes: list[Change]) -> None:
    data = msgspec.json.encode(changes)
    assert msgspec.json.decode(data, type=list[Change]) == changes


def test_digest_does_not_depend_on_the_way_there() -> None:
    a = ObjectMoved(HANDLES[0], Pose((1.0, 0.0, 0.0), IDENTITY))
    b = ObjectMoved(HANDLES[1], Pose((2.0, 0.0, 0.0), IDENTITY))
    there = WorldState.from_changes(SEATS, [a, b])
    back = WorldState.from_changes(SEATS, [b, a, b])
    assert there.digest() == back.digest()
    back.apply(ObjectMoved(HANDLES[1], Pose((2.0, 0.0, 1e-12), IDENTITY)))
    assert there.digest() != back.digest()


def test_held_object_goes_where_the_body_goes() -> None:
    world = WorldState(SEATS)
    world.apply(ObjectMoved(HANDLES[0], Pose((5.0, 1.0, 5.0), IDENTITY)))
    world.apply(AgentMoved("human_0", AgentPose((1.0, 0.0, 2.0), math.pi / 2, 0.3)))
    world.apply(HolderChanged(HANDLES[0], "human_0"))
    pose = world.pose(HANDLES[0])
    assert pose == carried_pose(SEATS["human_0"], world.agents["human_0"])
    # Facing -X: 0.45 m ahead and 0.16 m to the right, which is -Z.
    assert pose.position == pytest.approx((1.0 - 0.45, 1.08, 2.0 - 0.16))
    world.apply(AgentMoved("human_0", AgentPose((1.0, 0.0, 0.0), 0.0, 0.0)))
    assert world.pose(HANDLES[0]).position == pytest.approx((1.16, 1.08, -0.45))


def test_holder_is_known_from_both_sides() -> None:
    world = WorldState(SEATS)
    world.apply(HolderChanged(HANDLES[0], "human_0"))
    assert world.held == {"human_0": HANDLES[0]}
    world.apply(HolderChanged(HANDLES[0], "robot_0"))
    assert world.held == {"robot_0": HANDLES[0]}
    assert world.holders == {HANDLES[0]: "robot_0"}
    world.apply(HolderChanged(HANDLES[0], None))
    assert world.held == world.holders == {}


def test_support_and_state() -> None:
    world = WorldState(SEATS)
    world.apply(SupportChanged(HANDLES[0], FLOOR))
    world.apply(StateChanged(HANDLES[0], "is_clean", False))
    world.apply(PartMoved("fridge_1_:0000", 0, 1.5))
    assert world.supports == {HANDLES[0]: FLOOR}
    assert world.states == {(HANDLES[0], "is_clean"): False}
    assert world.joints == {("fridge_1_:0000", 0): 1.5}
    world.apply(SupportChanged(HANDLES[0], None))
    assert world.supports == {}
