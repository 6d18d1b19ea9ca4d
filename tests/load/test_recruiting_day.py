"""A recruiting day with real processes: everybody has one ending and the right pay."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.recruiting_day import KILLS, SCRIPTS, run, show

LONGEST_S = 600.0


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
