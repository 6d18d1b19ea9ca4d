"""PARTNR's four types of tasks, and what tasks of each are made of."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, get_args

from episodes.tasks.draft import TaskError
from episodes.tasks.goals import Change, Clause, Move, Plan, State, Target, Things, Tie
from episodes.tasks.sampler import COUNTABLE, Sampler

TaskType = Literal["constraint_free", "spatial", "temporal", "heterogeneous"]
TASK_TYPES: tuple[TaskType, ...] = get_args(TaskType)

SIZES = {2: 3, 3: 9, 4: 22, 5: 24, 6: 18, 7: 12, 8: 8, 9: 4}
"""Wished numbers of propositions, by weight.

PARTNR's mean is 4.7; what is large finds no place more often.
"""
EXTRAS = {"": 80, "same": 3, "different": 3, "again": 2, "subset": 1, "choice": 9, "either": 3}
"""Extras of some tasks, by weight.

PARTNR has 7 % dependent rearrangements and about 1 % subset counts.
"""
MULTI_STEP = 0.2
"""Share of temporal tasks in which something is moved twice."""
GROUPED = 0.3
"""Share of draws in which things of several classes are named by the word for all of them."""


def draw_plan(task_type: TaskType, sampler: Sampler, rng: random.Random) -> Plan:
    """Draw a plan of a type. Raises TaskError when the house lacks what the draw asks for."""
    (size,) = rng.choices(list(SIZES), list(SIZES.values()))
    (extra,) = rng.choices(list(EXTRAS), list(EXTRAS.values()))
    plan = Plan()
    if extra:
        _EXTRAS[extra](plan, sampler, rng)
    if task_type == "spatial":
        plan.groups[0] += _together(sampler, rng, size - plan.count())
    elif task_type == "heterogeneous":
        _heterogeneous(plan, sampler, rng, size - plan.count())
    elif task_type == "temporal" and rng.random() < MULTI_STEP:
        _multi_step(plan, sampler, rng)
    while plan.count() < size:
        left = size - plan.count()
        # Where the order matters, few clauses at a time, so that there are some to order.
        clauses = _simple(sampler, rng, min(left, 3) if task_type == "temporal" else left)
        if task_type == "temporal" and len(plan.groups) < 4 and plan.groups[-1]:
            plan.groups.append(clauses)
        else:
            first = 1 if task_type == "heterogeneous" and len(plan.groups) > 1 else 0
            plan.groups[rng.randrange(first, len(plan.groups))] += clauses
    if task_type == "temporal" and len(plan.groups) < 2:
        plan.groups.append(_simple(sampler, rng, 2))
    return plan


# Units


def _counts(rng: random.Random, left: int) -> list[int]:
    """Draw how many things of how many classes: at most ``left`` in all."""
    shapes = [[1], [1], [1, 1], [1, 1], [2], [1, 1, 1], [2, 1], [3], [2, 2], [4], [1, 1, 1, 1]]
    fitting = [s for s in shapes if sum(s) <= max(left, 1)]
    return rng.choice(fitting)


def _simple(s: Sampler, rng: random.Random, left: int) -> list[Clause]:
    """Draw things that go to a place."""
    target = s.wide_target() if rng.random() < 0.12 else s.target()
    per_thing = 2 if target.relation == "floor" else 1
    counts = _counts(rng, left // per_thing)
    return [Move(_some(s, rng, [target], counts), target)]


def _some(s: Sampler, rng: random.Random, targets: list[Target], counts: list[int]) -> Things:
    groups = s.groups(targets) if len(counts) > 1 and rng.random() < GROUPED else []
    group = rng.choice(groups) if groups else None
    return s.things(targets, counts=counts, group=group, one_place=rng.random() < 0.5)


def _together(s: Sampler, rng: random.Random, left: int) -> list[Clause]:
    """Draw things next to each other in one place: two of them are three propositions."""
    target = s.target(["on"], several=False)
    counts = rng.choice([[1, 1], [1, 1], [2]] if left < 5 else [[1, 1, 1], [2, 1], [1, 1]])
    things = _some(s, rng, [target], counts)
    s.check_row(things, target)
    return [Move(things, target, together=True)]


def _change(s: Sampler, rng: random.Random, left: int) -> list[Clause]:
    """Draw things that change their state where they are."""
    state: State = rng.choice(["is_clean", "is_filled", "is_powered_on", "is_powered_off"])
    if state != "is_filled" and rng.random() < 0.4:
        fixture = s.fixture(state)
        if fixture.is_choice or len(fixture.handles) <= max(left, 1):
            return [Change(fixture, state)]
    count = 2 if left > 1 and rng.random() < 0.35 else 1
    return [Change(s.things([], [state], counts=[count]), state)]


def _changed_and_moved(s: Sampler, rng: random.Random, left: int, *, ordered: bool) -> list[Clause]:
    """Draw things that change their state and go to a place."""
    state: State = rng.choice(["is_clean", "is_clean", "is_filled", "is_powered_on"])
    target = s.target(["on", "within"] if state == "is_clean" else ["on"])
    # What is in the hand counts as on top of what it passes over: it must not come over its place
    # on the way to the tap, nor the first of two things before the second is washed.
    if ordered and target.furniture in s.household.taps:
        raise TaskError("the place is where the tap is")
    count = 2 if left > 3 and not ordered and rng.random() < 0.5 else 1
    things = s.things([target], [state], counts=[count], one_place=True)
    return [Change(things, state), Move(things, target)]


def _heterogeneous(plan: Plan, s: Sampler, rng: random.Random, left: int) -> None:
    if rng.random() < 0.45:
        plan.groups[-1] += _change(s, rng, left)
        if left >= 4 and rng.random() < 0.3:
            plan.groups.append(_simple(s, rng, 2))
        return
    ordered = not plan.groups[-1] and rng.random() < 0.6
    changed, moved = _changed_and_moved(s, rng, left, ordered=ordered)
    plan.groups[-1].append(changed)
    if ordered:
        # Alone: whatever else had to be done first could come after the thing in the hand.
        plan.groups.append([])
    plan.groups[-1].append(moved)
    if left >= 5 and rng.random() < 0.5:
        plan.groups[-1] += _change(s, rng, 1)


def _multi_step(plan: Plan, s: Sampler, rng: random.Random) -> None:
    """Draw something that goes to one place, and later on to another."""
    first = s.target(["on", "within", "room"], several=False)
    second = s.target(["on", "within"])
    if set(first.handles) & set(second.handles) or first.room == second.room:
        raise TaskError("both places are the same")
    things = s.things([first, second])
    plan.groups[-1].append(Move(things, first))
    plan.groups.append([Move(replace(things, source=None), second)])


# Extras


def _same(plan: Plan, s: Sampler, rng: random.Random) -> None:
    target = s.wide_target(apart=True)
    plan.groups[-1].append(Move(s.things([target], counts=[1, 1]), target, spread="same"))


def _different(plan: Plan, s: Sampler, rng: random.Random) -> None:
    target = s.wide_target(apart=True)
    plan.groups[-1].append(Move(s.things([target], counts=[2]), target, spread="different"))


def _again(plan: Plan, s: Sampler, rng: random.Random) -> None:
    target = s.wide_target(apart=True)
    group = plan.groups[-1]
    group.append(Move(s.things([target]), target))
    group.append(Move(s.things([target]), target, again=True))
    at = len(plan.groups) - 1
    plan.ties.append(Tie("receptacle_handles", ((at, len(group) - 2), (at, len(group) - 1))))


def _subset(plan: Plan, s: Sampler, rng: random.Random) -> None:
    target = s.target(["on", "within", "room"])
    groups = [g for g in s.groups([target]) if g in COUNTABLE]
    if groups and rng.random() < 0.4:
        things = s.things([target], counts=[1, 1, 1], meant=2, group=rng.choice(groups))
    else:
        things = s.things([target], counts=[rng.choice([3, 3, 4])], meant=2)
    spread: Literal["", "same"] = "same" if len(target.handles) > 1 else ""
    spread = spread if target.relation != "room" else ""
    plan.groups[-1].append(Move(things, target, spread=spread))


def _choice(plan: Plan, s: Sampler, rng: random.Random) -> None:
    target = s.target(["on", "within", "room"])
    plan.groups[-1].append(Move(s.things([target], counts=[rng.choice([2, 3])], meant=1), target))


def _either(plan: Plan, s: Sampler, rng: random.Random) -> None:
    target = s.target(["on", "within", "room"])
    plan.groups[-1].append(Move(s.things([target], counts=[1, 1], meant=1), target))


_EXTRAS: dict[str, Callable[[Plan, Sampler, random.Random], None]] = {
    "same": _same,
    "different": _different,
    "again": _again,
    "subset": _subset,
    "choice": _choice,
    "either": _either,
}
