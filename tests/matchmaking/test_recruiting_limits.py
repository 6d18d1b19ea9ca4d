"""Limits of recruiting: what a visit can cost at most, when a study is full, when it pauses."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from matchmaking.limits import Limits
from matchmaking.recruiting_limits import Cause, Course, Spending, after_pause, cause_of_pause
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.conduct import Pauses
from matchmaking.study.design import Design, Tasks
from matchmaking.study.endings import Ending
from matchmaking.study.opening import obstacles
from matchmaking.study.pages import Play
from matchmaking.study.pay import Measure, Pay, Payment
from matchmaking.study.treatment import Treatment
from tests.matchmaking.made_places import places_of
from tests.matchmaking.study.made_studies import PAIR_CELL, all_pages, study

PAY = Pay(base=600, hourly=900, cap=2000)
CALM = Course(Spending(0, 0), (), 0.0)


def paid(**changes: object) -> Study:
    # Nobody waits for longer than a minute, which is no matter of most tests here.
    return study(minutes=20, limits=Limits(wait_s=60), pay=replace(PAY, **changes))


def test_R4_the_most_of_a_visit_is_base_bonuses_and_the_ceiling_of_its_time() -> None:
    # A minute of waiting at 9.00 an hour is 0.15.
    assert paid().most_of_a_visit == 615
    play = next(page for page in paid().pages if isinstance(page, Play))
    assert play.episodes is not None
    assert paid(bonus_per_success=50).most_of_a_visit == 615 + 50 * play.episodes
    dear = Payment(Measure.FIXED, 5000)
    assert paid(endings={Ending.NO_PARTNER: dear}).most_of_a_visit == 5000
    assert study(pay=Pay()).most_of_a_visit == 0
    # Without minutes it is what the longest visit can earn.
    hourly = Pay(hourly=600, cap=9000)
    assert study(pay=hourly, minutes=None, visit_limit_s=7200.0).most_of_a_visit == 1200
    unbounded = study(pay=hourly, minutes=None, visit_limit_s=None)
    assert unbounded.most_of_a_visit is None
    assert any("a cap cannot hold" in problem.text for problem in obstacles(unbounded))
    assert any("which one visit can earn" in p.text for p in obstacles(paid(cap=614)))


PAYMENTS = st.builds(
    lambda measure, amount: Payment(measure, amount if measure is Measure.FIXED else 0),
    st.sampled_from(Measure),
    st.integers(1, 5000),
)
PAYS = st.builds(
    Pay,
    base=st.integers(0, 1000),
    hourly=st.integers(1, 2000),
    waiting_hourly=st.none() | st.integers(0, 3000),
    waiting_free_s=st.floats(0, 900),
    bonus_per_success=st.integers(0, 1000),
    time_ceiling=st.none() | st.integers(0, 3000),
    endings=st.dictionaries(st.sampled_from(Ending), PAYMENTS, max_size=3),
)


@given(
    pay=PAYS,
    minutes=st.none() | st.floats(1, 90),
    subjects=st.sampled_from(["between", "within"]),
    n_cells=st.integers(1, 3),
    practice=st.sampled_from([(), ("task_39",), ("task_38", "task_39")]),
    episodes=st.integers(1, 3),
    ending=st.sampled_from(Ending),
    spent_s=st.floats(0, 1e6),
    share=st.floats(0, 1),
)
def test_R4_no_visit_of_any_study_earns_more_than_its_most(
    pay: Pay,
    minutes: float | None,
    subjects: Literal["between", "within"],
    n_cells: int,
    practice: tuple[str, ...],
    episodes: int,
    ending: Ending,
    spent_s: float,
    share: float,
) -> None:
    if subjects == "within":
        n_cells += 1
    cells = tuple(
        Cell(name=f"c{n}", team=PAIR_CELL.team, target=12, treatment=Treatment(latency_ms=99 * n))
        for n in range(n_cells)
    )
    declared = study(
        factors=(),
        cells=cells,
        design=Design(subjects=subjects),
        tasks=Tasks(practice=practice),
        minutes=minutes,
        pay=pay,
        pages=tuple(
            replace(p, episodes=episodes) if isinstance(p, Play) else p for p in all_pages()
        ),
    )
    places = places_of(declared)
    place = places.of("p1")
    assert place is not None
    plan = places.deal(place.number, ["p1", "p2"])
    assert plan is not None
    successes = sum(not task.is_practice for task in plan.tasks)
    assert successes == declared.tasks_of_a_visit
    owed = declared.owed(ending, spent_s=spent_s, waited_s=spent_s * share, successes=successes)
    assert owed.total <= (declared.most_of_a_visit or 0)


@given(st.lists(st.integers(0, 615), max_size=40), st.integers(615, 30_000))
def test_the_cap_is_never_passed_whatever_the_visits_come_to(owed: list[int], cap: int) -> None:
    declared, spent = paid(cap=cap), 0
    going_on: list[int] = []
    for amount in owed:
        if Spending(spent, 900 * len(going_on)).takes_another(declared):
            going_on.append(amount)
        else:
            spent += going_on.pop() if going_on else 0
    assert spent + sum(going_on) <= cap


def test_a_study_is_full_while_visits_go_on_and_pauses_once_nothing_is_left() -> None:
    assert Spending(770, 615).takes_another(paid())
    assert not Spending(771, 615).takes_another(paid())
    assert not Spending(1385, 615).is_exhausted(paid())
    assert cause_of_pause(paid(), Course(Spending(1385, 1845), (), 0.0)) is None
    found = cause_of_pause(paid(), Course(Spending(1386, 0), (), 0.0))
    assert found is not None
    assert found[0] is Cause.BUDGET
    assert "13.86 GBP are spent" in found[1]
    unpaid = study(pay=Pay())
    assert Spending(0, 10_000).takes_another(unpaid)
    assert cause_of_pause(unpaid, CALM) is None


def test_a_study_that_has_all_its_groups_pauses_whatever_else_is_wrong() -> None:
    found = cause_of_pause(paid(), Course(Spending(1386, 0), (), 0.0, is_full=True))
    assert found is not None
    assert found[0] is Cause.COMPLETE
    assert "resume" not in after_pause(Cause.COMPLETE, "short")
    assert "`cohabit study resume short` takes people again" in after_pause(Cause.WAIT, "short")


def test_a_budget_below_the_cap_pauses_first() -> None:
    declared = replace(paid(cap=50_000), pauses=Pauses(spent=1000))
    assert cause_of_pause(declared, Course(Spending(999, 8100), (), 0.0)) is None
    found = cause_of_pause(declared, Course(Spending(1000, 0), (), 0.0))
    assert found is not None
    assert found[0] is Cause.BUDGET


@pytest.mark.parametrize(
    ("endings", "pauses"),
    [
        ([Ending.TECHNICAL_FAILURE] * 2, False),
        ([Ending.TECHNICAL_FAILURE] * 3, True),
        ([*[Ending.TECHNICAL_FAILURE] * 3, *[Ending.COMPLETED] * 7], True),
        # Ten visits later it is forgotten.
        ([*[Ending.TECHNICAL_FAILURE] * 3, *[Ending.COMPLETED] * 8], False),
        ([Ending.WITHDREW] * 10, False),
    ],
)
def test_three_technical_failures_in_ten_visits_pause(endings: list[Ending], pauses: bool) -> None:
    found = cause_of_pause(paid(), CALM._replace(endings=endings))
    assert (found is not None and found[0] is Cause.FAILURES) is pauses


def test_a_wait_beyond_its_limit_pauses_where_there_is_one() -> None:
    waits = CALM._replace(longest_wait_s=61.0)
    assert cause_of_pause(paid(), waits) is None
    declared = replace(paid(), pauses=Pauses(wait_s=60))
    assert cause_of_pause(declared, waits._replace(longest_wait_s=60.0)) is None
    found = cause_of_pause(declared, waits)
    assert found is not None
    assert found[0] is Cause.WAIT
