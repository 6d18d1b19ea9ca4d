from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.dataset import write_dataset
from episodes.tasks import first_tasks
from episodes.tasks.vetting import Mark, vetting_file, write_marks
from episodes.teams import Team
from server.hosting.task_series import (
    SeriesError,
    TaskInfo,
    TaskSource,
    for_those_left,
    next_choice,
    order,
    playable,
)
from tests.server.web.doubles import write_tasks

TASKS = [TaskInfo(f"t{n}", "", "house", 1 + n % 3) for n in range(6)]


@given(st.integers(0, 2**31))
def test_every_task_once_and_an_easy_one_first(seed: int) -> None:
    drawn = order(TASKS, seed)
    assert sorted(drawn) == sorted(TASKS)
    assert drawn[0].difficulty == 1
    assert order(list(reversed(TASKS)), seed) == drawn


def test_orders_differ_between_sessions() -> None:
    assert len({tuple(order(TASKS, seed)) for seed in range(50)}) > 20


@given(st.integers(0, 99), st.lists(st.booleans(), max_size=20))
def test_a_round_ends_before_the_next_begins(seed: int, again: list[bool]) -> None:
    played: list[str] = []
    for repeat in again:
        choice = next_choice(TASKS, seed, played, again=repeat)
        assert choice.try_index == played.count(choice.task.task_id)
        if repeat and played:
            assert choice.task.task_id == played[-1]
        played.append(choice.task.task_id)
    if not any(again[1:]):
        counts = [played.count(t.task_id) for t in TASKS]
        assert max(counts) - min(counts) <= 1


def test_first_tasks_go_from_easy_to_hard() -> None:
    first = [task._replace(is_first=True, things=task.difficulty) for task in TASKS]
    for seed in range(5):
        assert [task.difficulty for task in order(first, seed)] == [1, 1, 2, 2, 3, 3]
        # A single fetch has nothing to share.
        assert [task.difficulty for task in order(first, seed, 2)] == [2, 2, 3, 3, 1, 1]
        assert order(first[:1], seed, 3) == first[:1]


async def test_the_first_of_all_is_one_fetch_and_the_last_has_order_and_ties(
    tmp_path: Path,
) -> None:
    (tmp_path / "tasks").mkdir()
    write_dataset(tmp_path / "tasks" / "first.json.gz", first_tasks())
    tasks = await TaskSource(tmp_path, "tasks/first.json.gz").all()
    ids = [task.task_id for task in order(tasks, 7)]
    assert (ids[0], ids[-1]) == ("7", "6")
    shared = [task.task_id for task in order(tasks, 7, 2)]
    assert (shared[0], shared[-1]) == (ids[1], "7")


def test_several_begin_with_what_can_be_shared_and_the_tutorial_with_one_fetch() -> None:
    first = [task._replace(is_first=True) for task in TASKS]
    easiest = {
        written: min(task.difficulty for task in playable(first, Team.parse(written)))
        for written in ("human=person", "human=person,robot=person", "human=person,robot=tutor")
    }
    assert list(easiest.values()) == [1, 2, 1]
    # Where there is nothing else, and in sets that do not go from easy to hard, all are for all.
    lone = [task for task in first if task.difficulty == 1]
    assert playable(lone, Team.parse("human=person,robot=person")) == lone
    assert playable(TASKS, Team.parse("human=person,robot=person")) == TASKS


def test_after_a_partner_has_left_tasks_are_for_one() -> None:
    wash = TASKS[0]._replace(takes_human=True)
    tasks, pair = [wash, *TASKS[1:]], Team.parse("pair")
    assert for_those_left(tasks, pair, ()) == tasks
    human, robot = pair.seats[0], pair.seats[1]
    kinds = {seat.seat_id: seat.kind for seat in (human, robot)}
    for gone in kinds:
        left = for_those_left(tasks, pair, [gone])
        assert max(task.difficulty for task in left) == 2
        # Whoever has the robot's body alone cannot wash.
        assert (wash in left) == (kinds[gone] == "robot")


def test_a_team_without_a_human_body_plays_the_tasks_that_it_can_do() -> None:
    hard = [task._replace(takes_human=True) for task in TASKS[:2]]
    tasks, robots = [*hard, *TASKS[2:]], Team.parse("2robot")
    assert playable(tasks, robots) == TASKS[2:]
    assert playable(tasks, Team.parse("pair")) == tasks
    with pytest.raises(SeriesError, match="which takes a human body"):
        playable(hard, robots)


def test_without_tasks_it_says_what_to_do() -> None:
    with pytest.raises(SeriesError, match="make houses"):
        next_choice([], 0, ())


async def test_tasks_are_read_again_when_the_file_changes(tmp_path: Path) -> None:
    tasks = TaskSource(tmp_path, "tasks/first.json.gz")
    with pytest.raises(SeriesError, match="make houses"):
        await tasks.all()
    write_tasks(tmp_path, 2)
    assert [t.task_id for t in await tasks.all()] == ["t0", "t1"]
    write_tasks(tmp_path, 3)
    assert [(t.text, t.difficulty) for t in await tasks.all()][2] == ("Do thing 2.", 3)
    tasks.path.write_text("{}")
    with pytest.raises(SeriesError, match="cannot be read"):
        await tasks.all()


async def test_tasks_that_people_keep_failing_are_left_out(tmp_path: Path) -> None:
    tasks = TaskSource(tmp_path, "tasks/first.json.gz")
    write_tasks(tmp_path, 3)
    assert len(await tasks.all()) == 3
    # Marks of a task with another text are of an older set.
    marks = [Mark("t1", "Do thing 1.", 6, "never done"), Mark("t2", "Do else.", 6, "never done")]
    write_marks(tasks.path, marks)
    assert [t.task_id for t in await tasks.all()] == ["t0", "t2"]
    vetting_file(tasks.path).write_text("nonsense")
    with pytest.raises(SeriesError, match=r"vetting\.json"):
        await tasks.all()
