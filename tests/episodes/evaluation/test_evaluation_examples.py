"""The worked examples of the specification (section 12), told through the online evaluator."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

from episodes.dataset import Constraint, Dependency, Proposition
from episodes.evaluation import (
    DOCUMENTED,
    RELEASED,
    EvaluationError,
    EvaluationTask,
    Evaluator,
    FactTable,
    Semantics,
)

CLASSES = {
    "cup": "cup",
    "mug": "mug",
    "other": "cup",
    "sink": "sink",
    "table": "table",
    "T": "table",
    "U": "table",
    **dict.fromkeys("abcdxyz", "spoon"),
}


def on(objects: list[str], places: list[str], number: int = 1, same: bool = False) -> Proposition:
    args = {"object_handles": objects, "receptacle_handles": places, "number": number}
    return Proposition("is_on_top", {**args, "is_same_receptacle": same})


def inside(objects: list[str], places: list[str]) -> Proposition:
    args = {"object_handles": objects, "receptacle_handles": places}
    return Proposition("is_inside", args)


def state(word: str, *objects: str) -> Proposition:
    return Proposition(f"is_{word}", {"object_handles": list(objects), "number": 1})


def after(*edges: list[int]) -> Constraint:
    return Constraint("TemporalConstraint", {"dag_edges": list(edges)})


def terminal(*members: int) -> Constraint:
    return Constraint("TerminalSatisfactionConstraint", {"proposition_indices": list(members)})


Parts: TypeAlias = tuple[list[Proposition], list[Dependency], list[Constraint]]
"""What a task asks for: its propositions, their dependencies and its constraints."""


def run(
    task: Parts,
    *worlds: dict[str, Any],
    semantics: Semantics = DOCUMENTED,
    finish: bool = False,
) -> Evaluator:
    evaluator = Evaluator(EvaluationTask(*task, CLASSES), semantics=semantics)
    for tick, world in enumerate(worlds):
        evaluator.observe(tick, FactTable(**world), dict.fromkeys(CLASSES))
    if finish:
        evaluator.finish(len(worlds) - 1)
    return evaluator


AT_TABLE = {"above": {"cup": ["table"]}}
IN_SINK = {"within": {"cup": ["sink"]}}
CARRIED: dict[str, Any] = {}
THERE_AND_BACK: Parts = (
    [inside(["cup"], ["sink"]), on(["cup"], ["table"])],
    [Dependency([1], [0], "after_unsatisfied")],
    [],
)


def test_1_to_the_sink_and_back() -> None:
    done = run(THERE_AND_BACK, AT_TABLE, IN_SINK, CARRIED, AT_TABLE)
    assert done.satisfied_at == (1, 3)
    assert done.percent_complete == 1.0


def test_1_in_one_step_the_change_goes_unseen() -> None:
    missed = run(THERE_AND_BACK, AT_TABLE, IN_SINK, AT_TABLE)
    assert missed.satisfied_at == (1, -1)
    assert missed.percent_complete == 0.5
    assert missed.needs_observation


def test_1_unless_the_last_state_is_looked_at_once_more() -> None:
    repeated = run(THERE_AND_BACK, AT_TABLE, IN_SINK, AT_TABLE, finish=True)
    assert repeated.satisfied_at == (1, 3)
    assert repeated.verdict().success is True


def test_1_without_the_dependency_it_is_done_at_once() -> None:
    task: Parts = (THERE_AND_BACK[0], [], [])
    assert run(task, AT_TABLE, IN_SINK).satisfied_at == (1, 0)


def test_2_next_to_waits_for_the_placements() -> None:
    pair = {"entity_handles_a": ["a"], "entity_handles_b": ["b"]}
    task: Parts = (
        [on(["a"], ["T"]), on(["b"], ["T"]), Proposition("is_next_to", pair)],
        [Dependency([2], [0, 1], "while_satisfied")],
        [],
    )
    near = {"near": {("a", "b"): 0.1}}
    placed: dict[str, Any] = {**near, "above": {"a": ["T"], "b": ["T"]}}
    evaluator = run(task, near, placed)
    open_before = evaluator.open_now
    assert open_before == (0, 1)
    assert evaluator.needs_observation
    evaluator.observe(2, FactTable(**placed), {})
    assert evaluator.open_now == (0, 1, 2)
    assert evaluator.satisfied_at == (1, 1, 2)


def test_3_two_of_three_on_one_table() -> None:
    task: Parts = ([on(["x", "y", "z"], ["T", "U"], 2, same=True)], [], [])
    evaluator = run(task, {}, {"above": {"x": ["T"], "y": ["U"]}})
    assert evaluator.satisfied_at == (-1, 1)
    assert evaluator.percent_complete == 0.5


def test_4_and_5_the_last_pair() -> None:
    two: Parts = ([on(["x", "y", "z"], ["T", "U"], 2)], [], [])
    world = {"above": {"z": ["U"]}}
    assert run(two, {}, world).percent_complete == 0.5
    assert run(two, {}, world, semantics=RELEASED).percent_complete == 1.0
    four: Parts = ([on(["a", "b", "c", "d"], ["T"], 4)], [], [])
    first = {"above": {x: ["T"] for x in "abc"}}
    last = {"above": {x: ["T"] for x in "bcd"}}
    assert run(four, {}, first, semantics=RELEASED).percent_complete == 0.75
    assert run(four, {}, last, semantics=RELEASED).percent_complete == 1.0
    assert run(four, {}, last).percent_complete == 0.75


def test_6_out_of_order() -> None:
    task: Parts = ([on(["a"], ["T"]), on(["b"], ["T"])], [], [after([0, 1])])
    late = run(task, {}, {"above": {"b": ["T"]}}, {"above": {"a": ["T"], "b": ["T"]}})
    verdict = late.verdict()
    assert late.satisfied_at == (2, 1)
    assert [c.valid for c in verdict.constraints] == [(True, False)]
    assert verdict.percent_complete == 0.5
    assert "out of order" in verdict.explanation
    together = run(task, {}, {"above": {"a": ["T"], "b": ["T"]}})
    assert together.percent_complete == 0.5
    never = run(task, {}, {"above": {"b": ["T"]}}).verdict()
    assert never.percent_complete == 0.0
    assert never.explanation == (
        'Episode failed. Missing steps:\n - "spoon" should have been placed on top of the "table"'
    )


def test_7_the_same_cup() -> None:
    same = {"proposition_indices": [0, 1], "arg_names": ["object_handles", "object_handles"]}
    task: Parts = (
        [state("filled", "cup", "other"), on(["cup", "other"], ["T"])],
        [],
        [Constraint("SameArgConstraint", same)],
    )
    filled = {"states": {"is_filled": {"cup": True, "other": False}}}
    verdict = run(task, filled, {**filled, "above": {"other": ["T"]}}).verdict()
    assert verdict.percent_complete == 0.5
    assert verdict.explanation.splitlines()[1] == (
        "The same object should have been used for the following placements:"
    )
    assert run(task, filled).verdict().constraints[0].satisfied


def test_8_undone_at_the_end() -> None:
    steps = [
        {"states": {"is_clean": {"mug": clean}, "is_filled": {"mug": full}}}
        for clean, full in ((False, False), (True, False), (True, True), (False, True))
    ]
    wash, fill = state("clean", "mug"), state("filled", "mug")
    assert run(([wash, fill], [], [terminal(1)]), *steps).percent_complete == 1.0
    verdict = run(([wash, fill], [], [terminal(0, 1)]), *steps).verdict()
    assert verdict.percent_complete == 0.5
    assert verdict.explanation.endswith('Completed steps were later undone:\n - Object "mug" clean')
    assert verdict.propositions[0].broken_tick == 3


def test_9_a_closed_proposition_is_false() -> None:
    task: Parts = (
        [inside(["cup"], ["sink"]), state("clean", "cup")],
        [Dependency([1], [0], "while_satisfied")],
        [terminal(1)],
    )
    clean = {"states": {"is_clean": {"cup": True}}}
    there = {**clean, **IN_SINK}
    evaluator = run(task, there, there, clean, clean)
    assert evaluator.satisfied_at == (0, 1)
    assert evaluator.row == (False, False)
    assert evaluator.percent_complete == 0.5
    assert [change.cause for change in evaluator.changes] == [
        "world",
        "dependency",
        "world",
        "dependency",
    ]


def test_10_what_waits_after_unrolling() -> None:
    task: Parts = (
        [state("clean", "a"), state("clean", "b"), on(["a", "b", "c"], ["T"], 3)],
        [Dependency([2], [0], "after_satisfied")],
        [],
    )
    world = {"states": {"is_clean": {"a": False, "b": True}}}
    assert run(task, world, semantics=RELEASED).open_now == (0, 3, 4)
    assert run(task, world).open_now == (0, 1)


@pytest.mark.parametrize("semantics", [DOCUMENTED, RELEASED])
def test_a_thing_next_to_itself_raises_when_reached(semantics: Semantics) -> None:
    pair = {"entity_handles_a": ["a", "b"], "entity_handles_b": ["b"], "number": 1}
    task: Parts = ([Proposition("is_next_to", pair)], [], [])
    assert run(task, {"near": {("a", "b"): 0.1}}, semantics=semantics).percent_complete == 1.0
    with pytest.raises(EvaluationError, match="beside itself"):
        run(task, {}, semantics=semantics)


def test_no_propositions_is_nothing_done() -> None:
    verdict = run(([], [], []), {}).verdict()
    assert (verdict.percent_complete, verdict.success, verdict.explanation) == (0.0, False, "")
