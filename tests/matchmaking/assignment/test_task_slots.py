"""Task slots, exposure and yoked waits: no task twice, and the same ones in each condition."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from matchmaking.assignment.exposure import Exposure, Exposures
from matchmaking.assignment.task_slots import TaskSlots
from matchmaking.assignment.yoked_waits import yoked_wait_s


def ids(count: int) -> list[str]:
    """Return names of tasks."""
    return [f"t{number}" for number in range(count)]


@given(st.text(max_size=4), st.integers(1, 12), st.integers(1, 12), st.integers(1, 30))
def test_slots_use_tasks_evenly_and_have_none_twice(
    seed: str, count: int, per_group: int, slots: int
) -> None:
    assume(per_group <= count)
    made = TaskSlots(seed, ids(count), per_group)
    used: Counter[str] = Counter(dict.fromkeys(ids(count), 0))
    for slot in range(slots):
        tasks = [task.task_id for task in made.of(slot)]
        assert len(set(tasks)) == per_group
        used.update(tasks)
    assert max(used.values()) - min(used.values()) <= 1 + (count % per_group > 0)
    assert made.of(slots - 1) == TaskSlots(seed, ids(count), per_group).of(slots - 1)


def test_a_slot_is_the_same_in_each_condition_by_task_and_seed() -> None:
    slots = TaskSlots("seed", ids(10), 3)
    assert slots.free_slot(set(), set(), 4) == 0
    planned = slots.of(2)
    assert planned == slots.of(2)
    assert len({task.seed for slot in range(10) for task in slots.of(slot)}) == 30


@given(st.sets(st.integers(0, 9)), st.sets(st.sampled_from(ids(10))), st.integers(1, 10))
def test_a_free_slot_has_no_task_that_was_met(taken: set[int], met: set[str], most: int) -> None:
    slots = TaskSlots("seed", ids(10), 2)
    slot = slots.free_slot(taken, met, most)
    fits = [
        number
        for number in range(most)
        if number not in taken and not met & {task.task_id for task in slots.of(number)}
    ]
    assert slot == (fits[0] if fits else None)


def test_ordered_slots_have_the_first_tasks_in_their_order() -> None:
    slots = TaskSlots("seed", ids(10), 3, is_ordered=True)
    assert [task.task_id for task in slots.of(7)] == ["t0", "t1", "t2"]


@pytest.mark.parametrize(("tasks", "per_group"), [(["a", "a"], 1), (["a"], 2), (["a"], 0)])
def test_slots_that_cannot_be_are_refused(tasks: list[str], per_group: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        TaskSlots("seed", tasks, per_group)


def test_exposures_tell_what_people_met() -> None:
    met = Exposure(
        participant_id="ann",
        house="h1",
        task_id="t1",
        partners=("ben", "expert"),
        condition="pair",
        try_index=0,
        at=5.0,
    )
    exposures = Exposures([met])
    assert exposures.of("ann") == (met,)
    assert exposures.tasks(["ann", "cem"]) == {"t1"}
    assert exposures.houses(["ann"]) == {"h1"}
    assert exposures.partners("ann") == {"ben", "expert"}
    assert exposures.tasks(["cem"]) == frozenset()


def test_waits_are_yoked_one_by_one_and_then_drawn() -> None:
    waits_s = [30.0, 90.0, 12.0, 47.0, 300.0, 5.0]
    assert yoked_wait_s([], 0, "seed") is None
    assert [yoked_wait_s(waits_s, used, "seed") for used in range(6)] == waits_s
    assert {yoked_wait_s(waits_s, used, "seed") for used in range(6, 80)} == set(waits_s)
