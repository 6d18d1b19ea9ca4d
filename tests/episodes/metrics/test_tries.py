"""The choice of one try for each task."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from episodes.metrics.tries import Kept, Try, best_of_tries, solved_by_round


def test_the_best_try_is_kept_and_the_first_of_equals() -> None:
    tries = [
        Try("third", "1", 30.0, 1.0),
        Try("first", "1", 10.0, 0.5),
        Try("second", "1", 20.0, 1.0),
        Try("only", "2", 5.0, 0.9),
    ]
    assert best_of_tries(tries) == {"1": Kept("second", 3, 2), "2": Kept("only", 1, None)}


def test_success_by_round() -> None:
    assert solved_by_round([Kept("a", 3, 2), Kept("b", 1, None), Kept("c", 1, 1)]) == [
        1 / 3,
        2 / 3,
        2 / 3,
    ]
    assert solved_by_round([]) == []


TRIES = st.lists(
    st.builds(
        Try,
        st.uuids().map(str),
        st.sampled_from(["1", "2"]),
        st.integers(0, 9).map(float),
        st.sampled_from([0.0, 0.5, 1.0]),
    ),
    max_size=12,
)


@given(TRIES)
def test_one_of_each_task_and_none_is_better(tries: list[Try]) -> None:
    kept = best_of_tries(tries)
    assert set(kept) == {t.task_id for t in tries}
    for task, one in kept.items():
        mine = {t.episode_id: t for t in tries if t.task_id == task}
        best = mine[one.episode_id]
        assert all(t.percent <= best.percent for t in mine.values())
        assert (one.rounds is None) == (best.percent < 1)
    rounds = solved_by_round(kept.values())
    assert rounds == sorted(rounds)
