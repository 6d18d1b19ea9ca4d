"""Learning over episodes, against lines whose slopes anybody can tell."""

from __future__ import annotations

import pytest

from server.research.measures.learning import PERCENT, TIME
from server.research.measures.person_measure import PersonValue, TriedTask


def test_the_time_to_success_falls_by_the_slope_of_its_line() -> None:
    tried = [TriedTask(1.0, time_s, is_solved=True) for time_s in (300.0, 280.0, 200.0, 180.0)]
    # By hand: deviations of the position are -1.5, -0.5, 0.5, 1.5, and 5 in squares.
    slope = (-1.5 * 300 - 0.5 * 280 + 0.5 * 200 + 1.5 * 180) / 5
    found = TIME.compute(tried)
    assert found.number == pytest.approx(slope)
    assert found == PersonValue(found.number, 4)
    assert slope == -44.0


def test_an_attempt_without_success_counts_with_its_end_and_marks_the_value() -> None:
    tried = [TriedTask(0.5, 600.0, is_solved=False), TriedTask(1.0, 500.0, is_solved=True)]
    assert TIME.compute(tried) == (-100.0, 2, True)
    assert PERCENT.compute(tried) == (0.5, 2, False)


def test_what_is_not_known_keeps_its_position() -> None:
    tried = [
        TriedTask(0.0, 90.0, is_solved=True),
        TriedTask(None, None, is_solved=False),
        TriedTask(1.0, 30.0, is_solved=True),
    ]
    assert TIME.compute(tried) == (-30.0, 2, False)
    assert PERCENT.compute(tried) == (0.5, 2, False)


@pytest.mark.parametrize("tried", [[], [TriedTask(1.0, 60.0, is_solved=False)]])
def test_one_episode_shows_no_learning(tried: list[TriedTask]) -> None:
    assert TIME.compute(tried) == (None, len(tried), False)
    assert PERCENT.compute(tried)[0] is None
