"""The layers by themselves: counting, clusters, unrolling, constraints, texts, geometry, study."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes.dataset import Constraint, Dependency, Proposition
from episodes.evaluation import DOCUMENTED, RELEASED, EvaluationError, FactTable, describe, holds
from episodes.evaluation.automatic_dependencies import attach_automatic
from episodes.evaluation.constraints import Outcomes, build_constraint, values_match
from episodes.evaluation.dependencies import open_after
from episodes.evaluation.geometry import (
    KEYPOINT_NAMES,
    entities_around,
    entities_below,
    gap,
    half_size_along,
    is_in_region,
    is_on_floor,
    keypoints,
    vertical_gap,
)
from episodes.evaluation.hitl_metrics import study_metrics
from episodes.evaluation.list_completion import can_fill
from episodes.evaluation.percent_complete import is_study_success
from episodes.evaluation.unrolling import unroll
from episodes.poses import Box, Pose, yaw_quat


def clustered(groups: list[list[str]], number: Any = None) -> Proposition:
    args: dict[str, Any] = {"*args": groups}
    if number is not None:
        args["number"] = number
    return Proposition("is_clustered", args)


# Predicates


def test_a_chain_is_a_cluster_and_two_pairs_are_not() -> None:
    chain = FactTable(near={("a", "b"): 0.1, ("b", "c"): 0.1, ("c", "d"): 2.0})
    assert holds(clustered([["a"], ["c"]], [1, 1]), chain) is None
    assert holds(clustered([["a", "b"], ["c"]], [1, 1]), chain) == {"*args": [["a", "b"], ["c"]]}
    pairs = FactTable(near={("a", "b"): 0.1, ("c", "d"): 0.1})
    assert holds(clustered([["a"], ["b"], ["c"], ["d"]], [1, 1, 1, 1]), pairs) is None


def test_the_largest_component_is_recorded() -> None:
    facts = FactTable(near={("b", "c"): 0.1})
    assert holds(clustered([["a", "b", "c"]], [1]), facts) == {"*args": [["b", "c"]]}


def test_a_cluster_without_numbers_asks_for_one_of_each() -> None:
    facts = FactTable(near={("a", "b"): 0.1})
    assert holds(clustered([["a"], ["b"]]), facts) is not None
    with pytest.raises(EvaluationError, match="list of numbers"):
        holds(clustered([["a"], ["b"]]), facts, RELEASED)
    with pytest.raises(EvaluationError, match="one per group"):
        holds(clustered([["a"], ["b"]], [1]), facts)


def test_one_thing_may_fill_two_groups_unless_switched_off() -> None:
    overlapping = clustered([["a", "b"], ["b"]], [1, 1])
    assert holds(overlapping, FactTable()) == {"*args": [["b"], ["b"]]}
    alone = replace(DOCUMENTED, cluster_overlap=False)
    assert holds(overlapping, FactTable(), alone) is None
    assert holds(overlapping, FactTable(near={("a", "b"): 0.1}), alone) is not None


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 4), max_size=4, unique=True), min_size=1, max_size=3),
    st.data(),
)
def test_filling_places_is_a_matching(groups: list[list[int]], data: st.DataObject) -> None:
    """Hall's condition, by trying every assignment."""
    numbers = [data.draw(st.integers(0, 2)) for _ in groups]
    places = [g for g, n in zip(groups, numbers, strict=True) for _ in range(n)]

    def possible(index: int, used: frozenset[int]) -> bool:
        if index == len(places):
            return True
        return any(possible(index + 1, used | {m}) for m in places[index] if m not in used)

    assert can_fill(groups, numbers) is possible(0, frozenset())


def test_a_name_listed_twice_is_one_thing() -> None:
    twice = Proposition(
        "is_on_top", {"object_handles": ["a", "a"], "receptacle_handles": ["T"], "number": 2}
    )
    facts = FactTable(above={"a": ["T"]})
    assert holds(twice, facts) is None
    assert holds(twice, facts, RELEASED) is not None


def test_what_the_scene_does_not_have_raises_when_reached() -> None:
    either = Proposition(
        "is_on_top", {"object_handles": ["a", "gone"], "receptacle_handles": ["T"]}
    )
    assert holds(either, FactTable(above={"a": ["T"]}, absent=["gone"])) is not None
    with pytest.raises(LookupError, match="gone"):
        holds(either, FactTable(absent=["gone"]))
    room = Proposition("is_in_room", {"object_handles": ["a"], "room_ids": ["attic"]})
    with pytest.raises(LookupError, match="attic"):
        holds(room, FactTable(rooms=["kitchen"]))
    floor = Proposition("is_on_floor", {"object_handles": ["sofa"]})
    with pytest.raises(LookupError, match="furniture"):
        holds(floor, FactTable(fixed=["sofa"]))


@pytest.mark.parametrize("semantics", [DOCUMENTED, RELEASED])
def test_numbers_below_one_raise_with_longer_lists(semantics: Any) -> None:
    args = {"object_handles": ["a", "b"], "receptacle_handles": ["T"], "number": 0}
    with pytest.raises(EvaluationError, match="at least 1"):
        holds(Proposition("is_on_top", args), FactTable(), semantics)


# Unrolling, dependencies and constraints


def test_copies_in_every_constraint() -> None:
    count = {"object_handles": ["a", "b"], "receptacle_handles": ["T"], "number": 2}
    stated = [Proposition("is_on_top", count), Proposition("is_clean", {"object_handles": ["a"]})]
    names = {"proposition_indices": [0, 1], "arg_names": ["object_handles", "object_handles"]}
    result = unroll(
        stated,
        [Dependency([0], [1], "after_satisfied")],
        [
            Constraint("TemporalConstraint", {"dag_edges": [[0, 1]]}),
            Constraint("SameArgConstraint", names),
            Constraint("DifferentArgConstraint", names),
            Constraint("TerminalSatisfactionConstraint", {"proposition_indices": [0]}),
        ],
        DOCUMENTED,
    )
    assert [(p.original, p.number) for p in result.propositions] == [(0, 2), (1, None), (0, 1)]
    assert result.dependencies[0].proposition_indices == [0, 2]
    temporal, same, different, terminal, added = result.constraints
    assert temporal.edges == {(0, 1), (2, 1)}  # type: ignore[union-attr]
    assert temporal.prerequisites[1] == {0, 2}  # type: ignore[union-attr]
    assert same.members == [0, 1, 2]  # type: ignore[union-attr]
    assert different.members == [0, 1]  # type: ignore[union-attr]
    assert terminal.members == [0, 2]  # type: ignore[union-attr]
    assert added.members == [2, 1]  # type: ignore[union-attr]


def test_heads_that_do_not_exist_are_refused() -> None:
    with pytest.raises(EvaluationError, match="head below 2"):
        open_after(2, [Dependency([0], [2], "while_satisfied")], [])
    with pytest.raises(EvaluationError, match="a relation of"):
        open_after(2, [Dependency([0], [1], "once")], [])


@pytest.mark.parametrize(("mode", "opened"), [("all", [0, 1]), ("any", [1])])
def test_no_heads(mode: str, opened: list[int]) -> None:
    assert open_after(2, [Dependency([0], [], "while_satisfied", mode)], [[True, True]]) == opened


def test_after_unsatisfied_needs_true_then_false() -> None:
    dependency = [Dependency([1], [0], "after_unsatisfied")]
    assert open_after(2, dependency, [[False, False], [True, False]]) == [0]
    assert open_after(2, dependency, [[True, False], [False, False], [True, False]]) == [0, 1]


@pytest.mark.parametrize(
    ("kind", "args", "message"),
    [
        ("OddConstraint", {"proposition_indices": [0]}, "known constraint type"),
        ("TerminalSatisfactionConstraint", {"proposition_indices": [3]}, "below 3"),
        ("TemporalConstraint", {"dag_edges": [[0, 1], [1, 0]]}, "without a cycle"),
        ("TemporalConstraint", {"dag_edges": [[1, 1]]}, "without a cycle"),
        ("SameArgConstraint", {"proposition_indices": [0, 1], "arg_names": ["a"]}, "2 argument"),
    ],
)
def test_constraints_that_cannot_be_built(kind: str, args: Any, message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        build_constraint(Constraint(kind, args), 3)


def test_groups_of_a_cluster_in_a_tie() -> None:
    args = {"proposition_indices": [0, 1], "arg_names": ["*args_1", "object_handles"]}
    rule = build_constraint(Constraint("SameArgConstraint", args), 2)
    recorded: list[dict[str, Any] | None] = [
        {"*args": [["a"], ["b", "c"]]},
        {"object_handles": "c"},
    ]
    outcomes = Outcomes([0, 1], recorded, [True, True])
    assert rule.valid(outcomes, DOCUMENTED) == [True, True]
    with pytest.raises(EvaluationError, match="recorded argument"):
        rule.valid(outcomes, RELEASED)
    other = Outcomes([0, 1], [recorded[0], {"object_handles": "a"}], [True, True])
    assert rule.valid(other, DOCUMENTED) == [True, False]
    with pytest.raises(EvaluationError, match="recorded argument"):
        rule.valid(Outcomes([0, 1], [{"*args": [["a"]]}, recorded[1]], [True, True]), DOCUMENTED)


def test_names_that_share_a_character() -> None:
    assert values_match("bedroom", "kitchen", RELEASED)
    assert not values_match("bedroom", "hallway", RELEASED)
    assert not values_match("bedroom", "kitchen", DOCUMENTED)
    assert values_match(["a", "b"], "b", DOCUMENTED)


def test_an_earlier_invalid_one_still_rules_out() -> None:
    args = {"proposition_indices": [0, 1, 2], "arg_names": ["object_handles"] * 3}
    rule = build_constraint(Constraint("DifferentArgConstraint", args), 3)
    cups = [{"object_handles": name} for name in ("a", "a", "a")]
    assert rule.valid(Outcomes([0, 1, 2], cups, [True] * 3), DOCUMENTED) == [True, False, False]


# Automatic dependencies


def test_opposite_states_follow_each_other() -> None:
    stated = [
        Proposition("is_filled", {"object_handles": ["kettle"]}),
        Proposition("is_empty", {"object_handles": ["kettle"]}),
    ]
    order = Constraint("TemporalConstraint", {"dag_edges": [[0, 1]], "n_propositions": 2})
    dependencies, constraints = attach_automatic(stated, [], [order])
    assert dependencies == [Dependency([1], [0], "after_satisfied", "any")]
    assert constraints[-1].args == {"proposition_indices": [1], "n_propositions": 2}


def test_manual_dependencies_stand_and_narrow_the_terminal_constraint() -> None:
    stated = [Proposition("is_clean", {"object_handles": [name]}) for name in "ab"]
    manual = [Dependency([1], [0], "after_satisfied")]
    dependencies, constraints = attach_automatic(stated, manual, [])
    assert dependencies == manual
    assert constraints[0].args["proposition_indices"] == [1]


# Texts

PAIR = {"object_handles": ["b", "a"], "receptacle_handles": ["T"]}
ROOMS = {"object_handles": ["a"], "room_ids": ["living_room.001", "bedroom"]}
NEXT = {"entity_handles_a": ["a"], "entity_handles_b": ["T"]}


@pytest.mark.parametrize(
    ("proposition", "first", "rest"),
    [
        (
            Proposition("is_on_top", PAIR),
            '"cup" or "toy truck"',
            'placed on top of the "chest of drawers"',
        ),
        (
            Proposition("is_inside", PAIR),
            '"cup" or "toy truck"',
            'placed inside the "chest of drawers"',
        ),
        (
            Proposition("is_in_room", ROOMS),
            '"toy truck"',
            'moved to the "bedroom" or "living_room"',
        ),
        (
            Proposition("is_on_floor", {"object_handles": ["a"]}),
            '"toy truck"',
            "placed on the floor",
        ),
        (Proposition("is_next_to", NEXT), '"toy truck"', 'placed next to "chest of drawers"'),
        (
            clustered([["a", "b"], ["T"]]),
            '("cup" or "toy truck") and "chest of drawers"',
            "clustered",
        ),
        (
            Proposition("is_powered_off", {"object_handles": ["a"]}),
            'Object "toy truck"',
            "powered off",
        ),
    ],
)
def test_predicates_in_words(proposition: Proposition, first: str, rest: str) -> None:
    classes = {"a": "toy_truck", "b": "cup", "T": "chest_of_drawers"}.__getitem__
    assert describe(proposition, classes) == f"{first} {rest}"
    assert describe(proposition, classes, should=True) == f"{first} should have been {rest}"


# Geometry

CUBE = Box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))


def at(x: float, y: float, z: float, yaw: float = 0.0) -> Pose:
    return Pose((x, y, z), yaw_quat(yaw))


def test_keypoints_are_the_centre_and_the_corners() -> None:
    points = dict(zip(KEYPOINT_NAMES, keypoints(CUBE, at(1, 2, 3)), strict=True))
    assert points["center"] == (1, 2, 3)
    assert len({*points.values()}) == 9
    assert all((y > 2) is ("top" in name) for name, (_, y, _) in points.items() if name != "center")


placements = st.builds(
    at,
    st.floats(-2, 2),
    st.floats(-1, 1),
    st.floats(-2, 2),
    st.floats(-math.pi, math.pi),
)
boxes = st.builds(
    lambda x, y, z: Box((-x, -y, -z), (x, y, z)),
    *[st.floats(0.01, 1.0) for _ in range(3)],
)


@settings(max_examples=60, deadline=None)
@given(boxes, placements, boxes, placements)
def test_the_gap_is_symmetric_and_not_negative(a: Box, pa: Pose, b: Box, pb: Pose) -> None:
    there, back = gap(a, pa, b, pb), gap(b, pb, a, pa)
    assert there >= 0.0
    assert there == back or math.isclose(there, back, abs_tol=1e-9)
    if abs(vertical_gap(a, pa, b, pb) - 0.1) > 1e-9:
        assert math.isinf(there) is (vertical_gap(a, pa, b, pb) > 0.1)


def test_gaps_by_hand() -> None:
    assert gap(CUBE, at(0, 0, 0), CUBE, at(1.5, 0, 0)) == pytest.approx(0.5)
    assert gap(CUBE, at(0, 0, 0), CUBE, at(0, 1.05, 0)) == 0.0
    assert gap(CUBE, at(0, 0, 0), CUBE, at(0, 1.2, 0)) == math.inf
    # Diagonally the scaled direction, not the corner, is what counts.
    assert half_size_along(CUBE, at(0, 0, 0), (math.sqrt(0.5), 0, math.sqrt(0.5))) == (
        pytest.approx(0.5)
    )


def test_three_of_nine_keypoints_are_a_quarter() -> None:
    points = [(float(i), 0.0, 0.0) for i in range(9)]
    assert is_in_region(points, lambda p: p[0] < 3)
    assert not is_in_region(points, lambda p: p[0] < 2)


def test_the_floor_reaches_fourteen_centimetres_up_and_counts_the_way_beside() -> None:
    assert is_on_floor(CUBE, at(0, 0.63, 0), (0, 0, 0))
    assert not is_on_floor(CUBE, at(0, 0.65, 0), (0, 0, 0))
    assert is_on_floor(CUBE, at(0, 0.2, 0), (0, 0, 0))
    assert not is_on_floor(CUBE, at(0, 0.5, 0), (0.6, 0, 0))


def test_voting_below_and_around() -> None:
    assert entities_below("cup", [["tray", "cup"], ["table"], []]) == {"tray", "table"}
    both = {"+x": ["box", "cup"], "-x": ["box", "cup"]}
    assert entities_around("cup", {"center": both}) == {"box"}
    corners = KEYPOINT_NAMES[1:]
    assert entities_around("cup", dict.fromkeys(corners[:3], both)) == {"box"}
    assert entities_around("cup", dict.fromkeys(corners[:2], both)) == frozenset()
    crossed = {"+x": ["box"], "-y": ["box"]}
    assert entities_around("cup", {"center": crossed}) == frozenset()


# The human study


def test_the_paper_means_the_first_event() -> None:
    acted = {"users": [{"events": [{"type": "pick"}]}], "task_percent_complete": 0.0}
    frames: list[dict[str, Any]] = [{}, {"users": [{"events": []}]}, acted, {}, acted]
    assert study_metrics(frames).explore_steps == 3
    assert study_metrics(frames, "first_event").explore_steps == 1
    assert study_metrics([]).remaining_num == 0
    assert is_study_success(0.995)
    assert not is_study_success(0.99)
