"""Assignment of a study: people and groups from entry to their tasks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from episodes.teams import Team
from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.attrition import flows
from matchmaking.assignment.exposure import Exposure, Exposures
from matchmaking.assignment.ledger import LedgerError, State
from matchmaking.assignment.records import Record
from matchmaking.study import Study
from matchmaking.study.conditions import Cell, Factor
from matchmaking.study.design import Design, Tasks
from matchmaking.study.pages import Lobby, Play
from matchmaking.study.treatment import Treatment
from tests.matchmaking.study.made_studies import CONSENT, study

TASKS = [f"t{number}" for number in range(8)]
ALONE, PAIR, REACT, FINETUNED = (
    Cell(name=name, team=Team.parse(team), target=20, levels={"partner": name})
    for name, team in {
        "alone": "solo",
        "person": "pair",
        "react": "human=person,robot=react",
        "finetuned": "human=person,robot=finetuned",
    }.items()
)
FOUR = (ALONE, PAIR, REACT, FINETUNED)


def partnr(**changes: Any) -> Study:
    """Return PARTNR's design: four conditions of twenty groups, two tasks each."""
    fields: dict[str, Any] = {
        "factors": (Factor(name="partner", levels=tuple(cell.name for cell in FOUR)),),
        "cells": FOUR,
        "pages": (CONSENT, Lobby(), Play(episodes=2)),
        "tasks": Tasks(tries=3),
    }
    return study(**{**fields, **changes})


def within(order: Any = "williams") -> Study:
    """Return a study in which pairs play with three delays."""
    levels = {"none": 0.0, "medium": 150.0, "long": 300.0}
    cells = tuple(
        Cell(
            name=name,
            team=Team.parse("pair"),
            target=12,
            levels={"delay": name},
            treatment=Treatment(latency_ms=latency_ms),
        )
        for name, latency_ms in levels.items()
    )
    factors = (Factor(name="delay", levels=tuple(levels)),)
    return partnr(cells=cells, factors=factors, design=Design(subjects="within", order=order))


def filled(assignment: Assignment) -> Assignment:
    """Let groups of new people complete a study."""
    number = 0
    while (drawn := assignment.form([f"p{number}"], number)) is not None:
        assert assignment.deal(drawn.place, [f"p{number}"], number)
        assert assignment.begin(drawn.place, number)
        assert assignment.ledger.complete(drawn.place, number)
        number += 1
    return assignment


def test_partnrs_design_fills_with_the_same_tasks_in_each_condition() -> None:
    done = filled(Assignment(partnr(), "secret", TASKS))
    # By hand: four conditions of twenty groups, a group alone is one person, a pair are two.
    assert [flow.completed for flow in flows(done.ledger).values()] == [20, 20, 20, 20]
    assert len(done.ledger.places) == 80
    played: dict[str, list[tuple[Any, ...]]] = {}
    for place in range(80):
        (condition,) = done.plan(place)
        played.setdefault(condition.cell, []).append(condition.tasks)
    assert {len(tasks) for groups in played.values() for tasks in groups} == {2}
    alone = sorted(map(str, played["alone"]))
    assert all(sorted(map(str, groups)) == alone for groups in played.values())
    used = Counter(task.task_id for tasks in played["alone"] for task in tasks)
    assert set(used.values()) == {5}, "forty attempts at eight tasks"


def test_within_groups_orders_and_tasks_go_round() -> None:
    done = filled(Assignment(within(), "secret", TASKS))
    assert len(done.ledger.places) == 12, "groups, each of which plays all three"
    orders = Counter(done.conditions(place) for place in range(12))
    assert len(orders) == 6
    assert set(orders.values()) == {2}
    for place in range(12):
        tasks = [task.task_id for condition in done.plan(place) for task in condition.tasks]
        assert len(set(tasks)) == 6, "nobody does a task twice"
    met: dict[str, set[str]] = {"none": set(), "medium": set(), "long": set()}
    for place in range(12):
        for condition in done.plan(place):
            assert len(condition.tasks) == 2
            met[condition.cell].update(task.task_id for task in condition.tasks)
    assert min(len(tasks) for tasks in met.values()) >= 6, "conditions go round the eight tasks"
    assert len(set(done.ledger.slots.values())) == 12


def test_the_same_tasks_go_round_the_conditions_within_groups() -> None:
    same = replace(within(), tasks=Tasks(dealt="same"))
    done = filled(Assignment(same, "secret", TASKS))
    attempts = Counter(
        (condition.cell, task.task_id)
        for place in range(12)
        for condition in done.plan(place)
        for task in condition.tasks
    )
    assert len(attempts) == 3 * 6, "each of the six tasks in each condition"
    assert set(attempts.values()) == {4}


def test_orders_that_are_drawn_stay_those_of_their_group() -> None:
    done = filled(Assignment(within("random"), "secret", TASKS))
    orders = [done.conditions(place) for place in range(12)]
    assert len(set(orders)) > 1
    assert orders == [done.conditions(place) for place in range(12)]
    assert [tuple(c.cell for c in done.plan(place)) for place in range(12)] == orders


def test_a_slot_that_was_lost_is_done_by_another_group() -> None:
    assignment = Assignment(partnr(), "secret", TASKS)
    drawn = assignment.form(["ann"], 0.0)
    assert drawn is not None
    assert assignment.deal(drawn.place, ["ann"], 1.0)
    assert assignment.begin(drawn.place, 1.0)
    assert not assignment.begin(drawn.place, 2.0)
    assert assignment.ledger.leave(drawn.place, 3.0, "withdrew")
    assert assignment.ledger.states[drawn.place] is State.LOST
    lost = assignment.plan(drawn.place)
    again = filled(assignment)
    plans = [again.plan(place) for place in range(1, len(again.ledger.places))]
    assert lost in plans
    assert [flow.completed for flow in flows(again.ledger).values()] == [20, 20, 20, 20]


def met(person: str, *tasks: str) -> Exposures:
    """Return the exposures of somebody who has met some tasks."""
    return Exposures(
        Exposure(
            participant_id=person,
            house="h",
            task_id=task,
            partners=(),
            condition="",
            try_index=0,
            at=0.0,
        )
        for task in tasks
    )


def test_nobody_gets_a_task_that_they_have_met() -> None:
    assignment = Assignment(partnr(), "secret", TASKS, exposures=met("ann", *TASKS[:4]))
    drawn = assignment.form(["ann"], 0.0)
    assert drawn is not None
    assert assignment.deal(drawn.place, ["ann", "ben"], 1.0)
    (condition,) = assignment.plan(drawn.place)
    assert {task.task_id for task in condition.tasks} <= set(TASKS[4:])


def test_who_has_met_too_many_tasks_cannot_begin() -> None:
    assignment = Assignment(partnr(), "secret", TASKS, exposures=met("ann", *TASKS[:7]))
    drawn = assignment.form(["ann"], 0.0)
    assert drawn is not None
    assert not assignment.deal(drawn.place, ["ann"], 1.0)
    assert assignment.ledger.states[drawn.place] is State.DRAWN, "it can still be given up"


def test_a_condition_whose_robot_does_not_answer_is_not_drawn() -> None:
    assignment = Assignment(partnr(), "secret", TASKS)
    drawn = [assignment.form(["p"], 0.0, lacking=["react", "finetuned"]) for _ in range(41)]
    assert {d.arm for d in drawn if d} == {"alone", "person"}
    assert drawn[-1] is None
    orders = Assignment(within(), "secret", TASKS)
    assert orders.form(["p"], 0.0, lacking=["long"]) is None, "each order has all conditions"


def test_a_persons_level_decides_which_conditions_their_group_draws() -> None:
    view = Factor(name="view", levels=("near", "far"), drawn_at="entry")
    cells = tuple(
        replace(cell, name=f"{cell.name}_{level}", levels={**cell.levels, "view": level}, target=4)
        for cell in (ALONE, PAIR)
        for level in view.levels
    )
    partner = Factor(name="partner", levels=("alone", "person"))
    assignment = Assignment(partnr(factors=(view, partner), cells=cells), "secret", TASKS)
    assert assignment.is_drawn_at_entry
    entered = [assignment.enter(f"p{number}", 0.0) for number in range(24)]
    assert Counter(d.arm for d in entered if d) == {"view=near": 12, "view=far": 12}
    assert assignment.enter("late", 1.0) is None
    drawn = [assignment.form(["p"], 1.0, "view=far") for _ in range(9)]
    assert Counter(d.arm for d in drawn if d) == {"alone_far": 4, "person_far": 4}
    assert not Assignment(partnr(), "secret", TASKS).is_drawn_at_entry


def test_waits_are_those_of_the_condition_that_one_is_yoked_to() -> None:
    assignment = Assignment(partnr(), "secret", TASKS)
    assert assignment.wait_s(ALONE, [30.0], 0) == 0.0
    yoked = replace(ALONE, waits_like="person")
    assert assignment.wait_s(yoked, [30.0, 70.0], 1) == 70.0
    unknown = [assignment.wait_s(yoked, [], used) for used in range(40)]
    assert all(0 <= wait_s < 900 for wait_s in unknown), "a quarter of the hour"
    assert len(set(unknown)) > 20


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["form", "begin", "complete", "leave"]), st.integers(0, 40)),
    max_size=120,
)


@given(ACTIONS, st.sampled_from([partnr(), within(), within("random")]))
def test_whatever_happens_slots_are_single_and_records_replay(
    actions: list[tuple[str, int]], made: Study
) -> None:
    assignment = Assignment(made, "secret", TASKS)
    for at, (action, place) in enumerate(actions):
        if action == "form":
            assignment.form([f"p{at}"], at)
        elif place < len(assignment.ledger.places):
            if action == "begin":
                assignment.deal(place, assignment.ledger.places[place].who, at)
                assignment.begin(place, at)
            elif action == "complete":
                assignment.ledger.complete(place, at)
            else:
                assignment.ledger.leave(place, at, "left")
    ledger = assignment.ledger
    held = Counter(
        (ledger.places[place].arm, slot)
        for place, slot in ledger.slots.items()
        if ledger.states[place] in (State.BEGUN, State.COMPLETED)
    )
    assert set(held.values()) <= {1}
    records = msgspec.json.decode(msgspec.json.encode(ledger.records), type=list[Record])
    again = Assignment(made, "secret", TASKS, records)
    assert again.ledger.slots == ledger.slots
    assert again.ledger.states == ledger.states


def test_a_slot_cannot_be_forged() -> None:
    assignment = Assignment(partnr(), "secret", TASKS)
    drawn = assignment.form(["ann"], 0.0)
    assert drawn is not None
    assert assignment.deal(drawn.place, ["ann"], 1.0)
    assert assignment.begin(drawn.place, 1.0)
    records = assignment.ledger.records
    with pytest.raises(LedgerError, match="record 3 is not what the seed gives"):
        Assignment(partnr(), "secret", TASKS, [records[0], records[1], records[1]])
