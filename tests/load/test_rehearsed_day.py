"""A recruiting day with real processes: everybody has one ending and the right pay."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from matchmaking.study.endings import Ending
from tests.load.rehearsal import KILLS, LONGEST_S, SCRIPTS, even, run, show
from tests.load.rehearsal_studies import PAIR, ROBOT
from tests.load.rehearsal_visitor import Home, Script, Span, Visitor


@pytest.mark.long
def test_R2_everybody_has_one_ending_and_the_right_pay_though_processes_are_killed(
    houses_dir: Path,
) -> None:
    outcome = run(houses_dir)
    show(outcome)
    assert outcome.problems == []
    assert outcome.endings.total() == 40
    # All endings of the scripts came about, and all deaths.
    expected = {script.ending.value for script in SCRIPTS} | {"technical_failure"}
    assert expected <= set(outcome.endings)
    assert len(outcome.kills) == len(KILLS) + 2
    assert outcome.seconds < LONGEST_S


@pytest.mark.parametrize(
    ("ending", "least", "most"),
    [
        # 650 with the bonus, and 20 to 40 s of waiting, thirty times as long, at 900 an hour.
        (Ending.COMPLETED, 650 + 150, 650 + 300),
        (Ending.NO_CONSENT, 0, 0),
        # 100 to 130 s, rounded up in two parts.
        (Ending.WITHDREW, 750, 976),
        # No sooner than the longest visit of 9000 s.
        (Ending.TIMED_OUT, 2250, 2251),
    ],
)
async def test_pay_that_is_due_lies_between_what_a_visitor_saw(
    ending: Ending, least: int, most: int
) -> None:
    visitor = Visitor(
        "http://127.0.0.1:1", 1, Script(ROBOT, ending), lambda _: Home(Random(1)), "", Random(1)
    )
    visitor.successes = 1
    visitor.arrived, visitor.ended = Span(0, 10), Span(110, 130)
    visitor.joined, visitor.left = Span(20, 30), Span(50, 60)
    if ending is Ending.TIMED_OUT:
        visitor.ended = Span(110, 300)
    assert visitor.due(30.0) == (least, most)
    await visitor.close()


@pytest.mark.parametrize("count", range(1, 17))
def test_nobody_of_a_pair_is_left_over(count: int) -> None:
    scripts = even(SCRIPTS[:count])
    assert len(scripts) == count
    pairs = [s for s in scripts if s.study == PAIR and s.ending is Ending.COMPLETED]
    assert len(pairs) % 2 == 0
