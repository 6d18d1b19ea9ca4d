"""Simulated lobbies: everybody has an ending, numbers add up, and seeds repeat."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from episodes.teams import Team
from matchmaking.limits import AtDeadline, Limits
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.endings import Ending
from server.research.lobby_simulation.arrivals import Arrivals, ArrivalsError, people
from server.research.lobby_simulation.figures import cells_of, draw, endings_of, waits_of
from server.research.lobby_simulation.simulation import simulate
from tests.matchmaking.study.made_studies import study

PAIRS = (
    Cell(name="told", team=Team.parse("pair"), target=10),
    Cell(name="untold", team=Team.parse("pair"), target=10),
)
QUIET = Arrivals(per_hour=60, hours=6, leaves_per_hour=0, unready=0, breaks_off=0)


def pairs(**changes: object) -> Study:
    return study(
        **{"factors": (), "cells": PAIRS, "limits": Limits(wait_s=300, ready_s=15), **changes}
    )


def test_enough_people_fill_every_condition_evenly() -> None:
    course = simulate(pairs(), QUIET)
    cells = cells_of(pairs(), course.groups)
    assert [(cell.begun, cell.completed) for cell in cells] == [(10, 10), (10, 10)]
    endings = Counter(visit.ending for visit in course.visits)
    assert endings[Ending.COMPLETED] == 40
    assert course.full_at == max(group.formed_at for group in course.groups)
    came = sum(1 for _ in people(QUIET))
    assert course.turned_away == came - len(course.visits) > 0


def test_nobody_is_let_in_while_groups_that_are_asked_or_play_have_all_places() -> None:
    """Newcomers would only wait there, and be sent away as too many."""
    few = pairs(cells=(replace(PAIRS[0], target=1),), limits=Limits(wait_s=3600, ready_s=60))
    course = simulate(few, replace(QUIET, per_hour=120, breaks_off=1, play_minutes=20))
    # Somebody may come in the second in which two others are put together.
    assert Counter(visit.ending for visit in course.visits)[Ending.OVER_RECRUITED] <= 1
    assert course.turned_away > len(course.visits)
    assert len(course.groups) > 1, "a place that is given back is somebody's again"


def test_few_people_reach_the_deadline_and_are_paid_for_the_wait() -> None:
    course = simulate(pairs(), replace(QUIET, per_hour=3, pages_minutes=0))
    alone = [visit for visit in course.visits if visit.ending is Ending.NO_PARTNER]
    assert alone
    for visit in alone:
        assert visit.waited_s == pytest.approx(300, abs=1.1)
        assert visit.cost == pytest.approx(300 * 900 / 3600, abs=1)
    assert not any(visit.has_group for visit in alone)


def test_substitutes_come_at_the_deadline_and_fill_nothing() -> None:
    of = pairs(at_deadline=AtDeadline.ROBOT, substitute="expert")
    course = simulate(of, replace(QUIET, per_hour=3))
    substituted = [group for group in course.groups if group.is_substituted]
    assert substituted
    assert {group.reason for group in substituted} == {"deadline_robot"}
    assert all(visit.ending is Ending.COMPLETED for visit in course.visits)
    cells = cells_of(of, course.groups)
    assert sum(cell.completed for cell in cells) == len(course.groups) - len(substituted)


def test_one_home_serves_one_group_after_another() -> None:
    course = simulate(pairs(), replace(QUIET, homes=1, hours=2, play_minutes=60))
    starts = sorted(group.formed_at for group in course.groups)
    assert len(starts) < 8
    assert any(visit.ending is Ending.NO_PARTNER for visit in course.visits)


def test_whoever_is_not_ready_may_join_again_and_ends_the_third_time() -> None:
    course = simulate(pairs(), replace(QUIET, unready=1))
    assert {visit.ending for visit in course.visits} == {Ending.TIMED_OUT, Ending.NO_PARTNER}
    late = [visit for visit in course.visits if visit.ending is Ending.TIMED_OUT]
    assert late
    assert all(visit.waited_s >= 3 * 15 for visit in late)
    endings = Counter(v.ending for v in simulate(pairs(), replace(QUIET, unready=0.3)).visits)
    assert endings[Ending.COMPLETED] == 40
    assert endings[Ending.TIMED_OUT] < 5, "hardly anybody is unready three times"


@pytest.mark.parametrize(
    ("at_deadline", "share"), [(AtDeadline.END, 0.5), (AtDeadline.SURVEY, 1.0)]
)
def test_whoever_gets_no_group_is_paid_for_the_pages_that_they_saw(
    at_deadline: AtDeadline, share: float
) -> None:
    lonely = replace(QUIET, per_hour=1, pages_minutes=20)
    course = simulate(pairs(at_deadline=at_deadline), lonely)
    pages_s = {person.number: person.pages_s for person in people(lonely)}
    alone = [visit for visit in course.visits if visit.ending is Ending.NO_PARTNER]
    assert alone
    for visit in alone:
        spent_s = visit.waited_s + share * pages_s[visit.number]
        assert visit.cost == pytest.approx(spent_s * 900 / 3600, abs=1)


def test_nobody_is_let_in_whom_the_cap_might_not_pay() -> None:
    of = pairs()
    most = of.most_of_a_visit
    assert most is not None
    poor = pairs(pay=replace(of.pay, cap=3 * most))
    course = simulate(poor, QUIET)
    assert sum(visit.cost for visit in course.visits) <= 3 * most
    assert course.full_at is None
    assert course.spent_at is not None
    first = sorted(visit.came_at for visit in course.visits)
    assert len([at for at in first if at < course.spent_at]) == 3
    assert course.turned_away == sum(1 for _ in people(QUIET)) - len(course.visits)
    rich = pairs(pay=replace(of.pay, cap=100 * most))
    assert simulate(rich, QUIET).spent_at is None


def test_O3_whoever_waits_gives_up_at_the_declared_rate() -> None:
    """Hardly ever do five wait together: of the others 1 - exp(-1) leave before the limit."""
    fives = (Cell(name="five", team=Team.parse("5human"), target=50),)
    lonely = replace(QUIET, per_hour=12, hours=12, leaves_per_hour=12.0)
    course = simulate(pairs(cells=fives), lonely)
    alone = [visit for visit in course.visits if not visit.has_group]
    left = [visit for visit in alone if visit.ending is Ending.WITHDREW]
    assert len(alone) > 100
    assert len(left) / len(alone) == pytest.approx(1 - math.exp(-1), abs=0.1)
    assert all(visit.waited_s < 300 for visit in left)


@given(
    per_hour=st.sampled_from([3.0, 40.0, 200.0]),
    leaves=st.sampled_from([0.0, 20.0]),
    breaks_off=st.sampled_from([0.0, 0.5]),
    outcome=st.sampled_from([AtDeadline.END, AtDeadline.ROBOT, AtDeadline.SOLO]),
    seed=st.integers(0, 9),
)
@settings(max_examples=25, deadline=None)
def test_everybody_has_one_ending_and_the_same_seed_is_the_same_day(
    per_hour: float, leaves: float, breaks_off: float, outcome: AtDeadline, seed: int
) -> None:
    of = pairs(at_deadline=outcome, substitute="expert", limits=Limits(wait_s=120, ready_s=15))
    arrivals = Arrivals(
        per_hour=per_hour, hours=2, leaves_per_hour=leaves, breaks_off=breaks_off, seed=seed
    )
    course = simulate(of, arrivals)
    assert len({visit.number for visit in course.visits}) == len(course.visits)
    assert sum(group.people for group in course.groups) == sum(v.has_group for v in course.visits)
    assert sum(people for _, people, _ in endings_of(course.visits)) == len(course.visits)
    assert waits_of(course.visits).longest_s <= 3 * (120 + 15 + 2.2)
    assert simulate(of, arrivals) == course


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"per_hour": 0}, "per_hour: expected more than 0"),
        ({"homes": 0}, "homes: expected more than 0"),
        ({"leaves_per_hour": -1}, "leaves_per_hour: expected 0 or more"),
        ({"per_hour": 1e6, "hours": 1}, "at most 10000 people come in 1 h, got 1e\\+06"),
        ({"unready": 1.2}, "unready: expected a share from 0 to 1"),
    ],
)
def test_arrivals_that_cannot_be_are_refused(changes: dict[str, float], told: str) -> None:
    with pytest.raises(ArrivalsError, match=told):
        simulate(pairs(), replace(QUIET, **changes))


def test_the_picture_is_written(tmp_path: Path) -> None:
    path = tmp_path / "lobby.svg"
    draw(pairs(), simulate(pairs(), replace(QUIET, hours=1)), path)
    text = path.read_text()
    assert text.startswith("<?xml")
    assert len(text) > 10_000
