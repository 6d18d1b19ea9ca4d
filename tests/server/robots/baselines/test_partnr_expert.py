"""PARTNR's heuristic expert: what it draws, that it mends nothing, and that it plays a task."""

from __future__ import annotations

import random

import pytest

from episodes.dataset import Constraint
from server.robots.baselines.partnr_expert.drawn_actions import (
    Change,
    Drawing,
    Rearrange,
    groups_of,
)
from server.robots.baselines.partnr_expert.player import PartnrExpert, PartnrPlan
from server.sessions.player import Player
from server.skills import SUCCESS
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task

FIRST = range(1, 9)
MOST_TICKS = 20_000


def test_groups_are_generations_and_what_is_in_no_order_comes_first() -> None:
    order = Constraint("TemporalConstraint", {"dag_edges": [[0, 2], [1, 2], [2, 3]]})
    assert groups_of([order], 5) == [[0, 1, 4], [2], [3]]
    assert groups_of([], 2) == [[0, 1]]


@pytest.mark.parametrize("number", FIRST)
def test_it_draws_what_a_task_wants(number: int) -> None:
    core = core_of(task(number))
    actions = [a for group in Drawing(core, random.Random(142)).actions() for a in group]
    assert actions
    for action in actions:
        if isinstance(action, Rearrange):
            assert action.thing in core.world.objects
        else:
            assert isinstance(action, Change)
    again = [a for group in Drawing(core, random.Random(142)).actions() for a in group]
    assert again == actions


def test_tied_places_are_drawn_once() -> None:
    for number in FIRST:
        same = [c for c in task(number).evaluation_constraints if c.type == "SameArgConstraint"]
        for seed in range(5 if same else 0):
            core = core_of(task(number))
            actions = [a for g in Drawing(core, random.Random(seed)).actions() for a in g]
            things = {
                h
                for c in same
                for n in c.args["proposition_indices"]
                for h in core.task.evaluation_propositions[n].args.get("object_handles", ())
            }
            targets = {a.target for a in actions if isinstance(a, Rearrange) and a.thing in things}
            assert len(targets) == 1


def played(number: int) -> tuple[bool, list[PartnrExpert]]:
    core = core_of(task(number))
    plan = PartnrPlan()
    players = [PartnrExpert(seat, plan) for seat in (HUMAN, ROBOT)]
    seated: list[Player] = list(players)
    result = run(core, seated, MOST_TICKS)
    return bool((core.verdict() if result is None else result.verdict).success), players


def test_it_solves_a_task_and_both_bodies_finish() -> None:
    success, players = played(1)
    assert success
    assert all(player.finished for player in players)
    assert any(SUCCESS in player.responses for player in players)


@pytest.mark.long
def test_it_solves_some_of_the_first_tasks_and_tries_nothing_twice() -> None:
    solved = 0
    for number in FIRST:
        success, players = played(number)
        solved += success
        for player in players:
            assert player.finished
    assert 2 <= solved <= len(FIRST)
