"""Errors of model doubles: of goals in the one source that all draw on, and of answers."""

from __future__ import annotations

import json
import random

import pytest

from episodes.dataset import Task
from server.robots.baselines.expert.goals import plan
from tests.robot_doubles.cohab import encode, meaning_of
from tests.robot_doubles.errors import FREE_TEXT, Errors, misread, spoil
from tests.robot_doubles.partnr import wishes_of
from tests.server.sessions.first_house_sessions import core_of, task

FIRST = range(1, 7)


def test_without_errors_a_task_is_read_as_it_is() -> None:
    for number in FIRST:
        assert misread(task(number), Errors()) == task(number)
    assert spoil("Pick[cup_0]", Errors(), random.Random(0)) == "Pick[cup_0]"


@pytest.mark.parametrize("number", FIRST)
@pytest.mark.parametrize("errors", [Errors(wrong_goal=1.0), Errors(omitted_goal=0.5, seed=3)])
def test_whoever_asks_meets_the_same_misreading(number: int, errors: Errors) -> None:
    """Misread tasks can be planned, by the doubles of all policies."""
    believed = misread(task(number), errors)
    assert believed.instruction == task(number).instruction
    core = core_of(believed)
    goals = plan(core)
    assert len(wishes_of(core)) == len(goals) > 0
    assert json.loads(encode(meaning_of(core, lambda _: True)))["goals"]


def test_a_wrong_goal_is_on_other_furniture_and_an_omitted_one_is_not_there() -> None:
    wrong = misread(task(2), Errors(wrong_goal=1.0))
    before, now = (_places(t) for t in (task(2), wrong))
    assert all(set(a).isdisjoint(b) for a, b in zip(before, now, strict=True) if a)
    omitted = misread(task(2), Errors(omitted_goal=1.0))
    assert len(omitted.evaluation_propositions) == 1


def test_shares_are_about_what_was_asked_for() -> None:
    drawn = [spoil("Pick[cup_0]", Errors(hallucinated_name=0.2, free_text=0.1), random.Random(n))
             for n in range(2000)]  # fmt: skip
    assert 0.07 < drawn.count(FREE_TEXT) / 2000 < 0.13
    assert 0.14 < drawn.count("Pick[cup_97]") / 2000 < 0.22
    wrong = sum(misread(task(2), Errors(wrong_goal=0.2, seed=n)) != task(2) for n in range(200))
    goals = sum(bool(p) for p in _places(task(2)))
    assert 200 * (1 - 0.8**goals) * 0.7 < wrong < 200 * (1 - 0.8**goals) * 1.3


def test_what_is_no_error_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOUBLE_ERRORS", "wrong_goal=0.2 seed=4")
    assert Errors.of_environment() == Errors(wrong_goal=0.2, seed=4)
    monkeypatch.setenv("DOUBLE_ERRORS", "wrong_gaol=0.2")
    with pytest.raises(ValueError, match="wrong_gaol"):
        Errors.of_environment()


def _places(of: Task) -> list[list[str]]:
    return [p.args.get("receptacle_handles", []) for p in of.evaluation_propositions]
