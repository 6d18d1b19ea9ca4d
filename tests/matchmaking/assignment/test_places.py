"""Places: nobody leaves the lobby for another condition, and waits outlive a restart."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.ledger import State
from matchmaking.assignment.places import CLOSED, NO_POLICY, Places
from matchmaking.limits import Limits
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.design import Design
from tests.matchmaking.made_places import TASKS, places_of
from tests.matchmaking.study.made_studies import PAIR_CELL, ROBOT_CELL, study

BOTH = study(cells=(replace(PAIR_CELL, target=60), replace(ROBOT_CELL, target=60)))
ANN = "par_ann"


def after_restart(of: Study, places: Places, seed: str = "secret") -> Places:
    """Return the places of another process, which has read the ledger."""
    records = list(places.assignment.ledger.records)
    return Places(of, Assignment(of, seed, TASKS, records), lambda: 900.0)


def arm_of(places: Places, person: str = ANN) -> str:
    place = places.of(person)
    assert place is not None
    return place.cell.name


@pytest.mark.parametrize("restarts", [False, True])
def test_who_leaves_and_comes_back_keeps_the_condition_that_was_drawn(restarts: bool) -> None:
    first = Counter[str]()
    for seed in range(40):
        places = places_of(BOTH, seed=str(seed))
        mine = arm_of(places)
        first[mine] += 1
        for turn in range(6):
            places.keep(())
            if restarts:
                places = after_restart(BOTH, places, str(seed))
            # Somebody else may be given the place that was left.
            arm_of(places, f"par_{turn}")
            assert arm_of(places) == mine
    assert min(first.values()) > 8, "both conditions are drawn"


def test_the_others_get_what_is_left_of_the_blocks() -> None:
    """Coming and going takes no place beyond the one that is kept."""
    places = places_of(BOTH, seed="7")
    mine = arm_of(places)
    for _ in range(5):
        places.keep(())
        arm_of(places)
    drawn = Counter(arm_of(places, f"par_{n}") for n in range(119))
    assert drawn + Counter([mine]) == {PAIR_CELL.name: 60, ROBOT_CELL.name: 60}
    assert places.of("par_late") is None


def test_a_condition_that_is_full_meanwhile_gives_way_to_another() -> None:
    few = study(cells=(replace(PAIR_CELL, target=1), replace(ROBOT_CELL, target=1)))
    places = places_of(few)
    mine = arm_of(places)
    places.keep(())
    taken = Counter(arm_of(places, f"par_{n}") for n in range(2))
    assert taken == {PAIR_CELL.name: 1, ROBOT_CELL.name: 1}
    assert places.of(ANN) is None
    places.keep([f"par_{n}" for n in range(2) if arm_of(places, f"par_{n}") == mine])
    assert arm_of(places) != mine


def test_a_yoked_wait_is_the_same_after_a_restart() -> None:
    alone = replace(ROBOT_CELL, waits_like=PAIR_CELL.name, target=60)
    limits = Limits(wait_s=120, ready_s=15)
    of = study(cells=(replace(PAIR_CELL, target=60), alone), limits=limits)
    now = [0.0]
    places = Places(of, Assignment(of, "secret", TASKS), lambda: now[0])
    noted: dict[int, list[float]] = {}
    waits: dict[str, tuple[float, float]] = {}
    for number in range(20):
        now[0] += 10.0
        person = f"par_{number}"
        place = places.of(person)
        assert place is not None
        if place.cell.name == alone.name:
            waits[person] = place.wait_s, place.ready_after_s
        else:
            noted[place.number] = [10.0 + number]
            assert places.deal(place.number, [person])
            places.begin(place.number, [person], noted[place.number], [0.5 + number])
    for times, first in zip(zip(*waits.values(), strict=True), (10.0, 0.5), strict=True):
        assert {first + n for n in range(20)} & set(times), "times of people are among them"
    assert max(ready_s for _, ready_s in waits.values()) <= 15, "never later than they may answer"
    again = after_restart(of, places)
    for place_number, waited_s in reversed(noted.items()):
        again.note_waits(place_number, waited_s, [waited_s[0] - 9.5])
    restarted = {person: again.of(person) for person in waits}
    found = {who: (p.wait_s, p.ready_after_s) for who, p in restarted.items() if p}
    assert found == waits


def test_a_cell_that_is_yoked_to_none_waits_for_nobody() -> None:
    cell = Cell(name="robot", team=ROBOT_CELL.team, target=4)
    of = study(factors=(), cells=(cell,))
    place = places_of(of).of(ANN)
    assert place is not None
    assert place.wait_s == 0.0


def test_a_head_whose_policy_falls_silent_gives_the_place_back() -> None:
    answers = [True]
    places = places_of(BOTH, answers=lambda _: answers[0], seed="3")
    heads = [f"par_{n}" for n in range(8)]
    drawn = {head: arm_of(places, head) for head in heads}
    assert set(drawn.values()) == {PAIR_CELL.name, ROBOT_CELL.name}
    answers[0] = False
    assert {arm_of(places, head) for head in heads} == {PAIR_CELL.name}
    ledger = places.assignment.ledger
    silent = [p.place for p in ledger.places if p.arm == ROBOT_CELL.name]
    assert {ledger.states[place] for place in silent} == {State.GIVEN_UP}
    assert {ledger.reasons[place] for place in silent} == {NO_POLICY}


def test_a_closed_cell_takes_no_group_and_who_gathers_for_it_is_drawn_another() -> None:
    places = places_of(BOTH, seed="3")
    heads = [f"par_{n}" for n in range(8)]
    before = {head: arm_of(places, head) for head in heads}
    assert set(before.values()) == {PAIR_CELL.name, ROBOT_CELL.name}
    places.close([ROBOT_CELL.name])
    assert {arm_of(places, head) for head in heads} == {PAIR_CELL.name}
    ledger = places.assignment.ledger
    left = [drawn.place for drawn in ledger.places if drawn.arm == ROBOT_CELL.name]
    assert {ledger.reasons[place] for place in left} == {CLOSED}
    assert after_restart(BOTH, places, "3").assignment.ledger.places == ledger.places
    assert {arm_of(places, f"par_more_{n}") for n in range(52)} == {PAIR_CELL.name}
    assert places.of("par_last") is None, "the cell that is open has all that it takes"
    places.close([])
    assert arm_of(places, "par_last") == ROBOT_CELL.name


def test_a_study_is_full_when_the_cells_that_are_open_are() -> None:
    places = places_of(study(cells=(replace(PAIR_CELL, target=2), ROBOT_CELL)), {"pair": 2})
    assert not places.is_full
    places.close([ROBOT_CELL.name])
    assert (places.is_full, places.are_all_taken) == (True, True)


@pytest.mark.parametrize(
    ("closed", "why"),
    [(["pairs"], "no condition pairs"), ([PAIR_CELL.name, ROBOT_CELL.name], "the last")],
)
def test_what_cannot_be_closed_stays_as_it_is(closed: list[str], why: str) -> None:
    places = places_of(BOTH)
    with pytest.raises(ValueError, match=why):
        places.close(closed)
    assert places.closed == set()


def test_within_groups_no_cell_is_closed() -> None:
    cells = tuple(Cell(name=name, team=PAIR_CELL.team, target=4) for name in ("pair", "second"))
    places = places_of(study(cells=cells, factors=(), design=Design(subjects="within")))
    with pytest.raises(ValueError, match="every condition"):
        places.close([PAIR_CELL.name])
