"""Plans of groups: tries until success, practice first, and when people are explained what."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.assignment.group_plan import Attempt, GroupPlan, PlayedCondition
from matchmaking.assignment.task_slots import PlannedTask
from matchmaking.study.treatment import Treatment


def plan(tries: int = 3, **treatment: Any) -> GroupPlan:
    """Return a plan of two conditions, with a practice task and two tasks each."""
    treated = Treatment(**treatment)
    return GroupPlan(
        task_set="first",
        tries=tries,
        conditions=(
            PlayedCondition(
                cell="a",
                treatment=treated,
                tasks=(PlannedTask("p", 0, True), PlannedTask("a0", 1), PlannedTask("a1", 2)),
            ),
            PlayedCondition(
                cell="b", treatment=treated, tasks=(PlannedTask("b0", 3), PlannedTask("b1", 4))
            ),
        ),
    )


def played(of: GroupPlan, results: list[bool]) -> list[Attempt]:
    """Return the attempts that a group makes with these results."""
    attempts: list[Attempt] = []
    for success in results:
        following = of.next_task(attempts)
        if following is None:
            break
        attempts.append(Attempt(following.task.task_id, success))
    return attempts


def test_tasks_are_tried_until_success_and_then_the_next_comes() -> None:
    of = plan()
    attempts = played(of, [True, False, True, False, False, False, True, True])
    assert [a.task_id for a in attempts] == ["p", "a0", "a0", "a1", "a1", "a1", "b0", "b1"]
    assert of.is_done(attempts)
    following = of.next_task(attempts[:2])
    assert following is not None
    assert (following.task.task_id, following.try_index) == ("a0", 1)
    assert following.condition.cell == "a"
    assert of.is_practice("p")
    assert not of.is_practice("a0")


def test_an_attempt_that_is_not_judged_leaves_the_plan_open() -> None:
    of = plan(tries=1)
    attempts = played(of, [True] * 5)
    assert of.is_done(attempts)
    assert not of.is_done([*attempts[:-1], Attempt("b1", None)])


@pytest.mark.parametrize(
    ("explained", "shown"),
    [
        ("after_each_try", ["ours", "ours", "ours"]),
        ("after_each_task", ["none", "ours", "none"]),
        ("at_the_end", ["none", "none", "none"]),
    ],
)
def test_K8_explanations_come_when_the_condition_says(explained: str, shown: list[str]) -> None:
    of = plan(explained=explained)
    attempts = played(of, [True, False, True, False])
    seen = [of.explanation(attempts[n - 1].task_id, attempts[:n]) for n in (2, 3, 4)]
    assert seen == shown
    done = played(of, [True] * 5)
    assert {of.explanation(task.task_id, done) for task in of.tasks} == {"ours"}
    assert of.explanation("of another session", done) == "none"


@given(st.lists(st.booleans(), max_size=40), st.integers(1, 4))
def test_nobody_does_a_task_twice_but_for_tries_at_it(results: list[bool], tries: int) -> None:
    of = plan(tries=tries)
    attempts = played(of, results)
    order = [task.task_id for task in of.tasks]
    for task_id in order:
        mine = [a.success for a in attempts if a.task_id == task_id]
        assert len(mine) <= tries
        assert not any(mine[:-1]), "success ends the tries"
    positions = [order.index(a.task_id) for a in attempts]
    assert positions == sorted(positions), "in the order of the plan"


def test_what_people_are_told_between_attempts_counts_tasks_and_not_tries() -> None:
    of = plan()
    attempts = played(of, [True, False, True, False, False, False])
    told = [of.progress(attempts[:n]) for n in range(1, len(attempts) + 1)]
    assert [(p.after, p.made, p.done, p.of) for p in told if p is not None] == [
        ("practice", 1, 0, 4),
        ("failed_try", 1, 0, 4),
        ("success", 2, 1, 4),
        ("failed_try", 1, 1, 4),
        ("failed_try", 2, 1, 4),
        ("last_try_failed", 3, 2, 4),
    ]
    assert of.progress([]) is None


def test_the_result_of_a_last_try_stays_untold_where_nothing_is_explained() -> None:
    of = plan(tries=2, explanation="none")
    for last in (True, False):
        progress = of.progress(played(of, [True, False, last]))
        assert progress is not None
        assert progress.after == "last_try"
    once = plan(tries=1).progress(played(plan(tries=1), [True, False]))
    assert once is not None
    assert once.after == "task"
