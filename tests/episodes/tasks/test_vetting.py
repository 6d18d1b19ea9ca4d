"""Tasks that people keep failing are marked, with the reason, and only those."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.dataset import DatasetError
from episodes.tasks.vetting import Attempt, Mark, marks, read_marks, vetting_file, write_marks

WHY = "Episode failed. Missing steps"


def failed(task: str, times: int, why: str = WHY) -> list[Attempt]:
    return [Attempt(task, f"Do {task}.", False, why)] * times


def test_six_failures_and_no_success_mark_a_task() -> None:
    attempts = [
        *failed("1", 6),
        *failed("2", 5),
        *failed("3", 8),
        Attempt("3", "Do 3.", True),
        *failed("4", 3, "A"),
        *failed("4", 4, "B"),
    ]
    first, second = marks(attempts)
    assert (first.task_id, first.failures) == ("1", 6)
    assert WHY in first.reason
    assert (second.task_id, second.failures) == ("4", 7)
    assert second.reason.endswith("most often: B")
    assert [m.task_id for m in marks(attempts, failures=5)] == ["1", "2", "4"]


def test_another_task_under_the_same_id_is_another_task() -> None:
    attempts = [*failed("1", 4), *(Attempt("1", "Do else.", False, WHY) for _ in range(4))]
    assert marks(attempts) == []


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=40), st.randoms())
def test_the_order_of_attempts_does_not_matter(
    tried: list[tuple[str, bool]], rng: random.Random
) -> None:
    attempts = [Attempt(task, "", success, "x" * len(task)) for task, success in tried]
    found = marks(attempts)
    for mark in found:
        mine = [a for a in attempts if a.task_id == mark.task_id]
        assert len(mine) == mark.failures >= 6
        assert not any(a.success for a in mine)
    rng.shuffle(attempts)
    assert marks(attempts) == found


def test_marks_stand_beside_the_set(tmp_path: Path) -> None:
    dataset = tmp_path / "validation.json.gz"
    assert read_marks(dataset) == []
    found = [Mark("7", "Do 7.", 6, "six attempts")]
    assert (
        write_marks(dataset, found)
        == vetting_file(dataset)
        == (tmp_path / "validation.vetting.json")
    )
    assert read_marks(dataset) == found


def test_a_malformed_list_is_refused_with_the_place(tmp_path: Path) -> None:
    dataset = tmp_path / "validation.json.gz"
    vetting_file(dataset).write_text('{"left_out": [{"task_id": 7}]}')
    with pytest.raises(DatasetError) as refused:
        read_marks(dataset)
    assert "validation.vetting.json" in str(refused.value)
    assert refused.value.path == "left_out[0].task_id"
    vetting_file(dataset).write_text("{")
    with pytest.raises(DatasetError, match="truncated"):
        read_marks(dataset)
