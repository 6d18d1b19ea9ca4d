"""A few runs of the experiment whether explanations suffice; `tests/benchmarks` has the figures."""

from __future__ import annotations

import pytest

from tests.benchmarks.explanations import Bench, compare, trials


@pytest.mark.slow
def test_a_fixer_with_our_explanation_succeeds() -> None:
    bench = Bench()
    found = trials(bench, 18, seed=3)
    assert len({trial.kind for trial in found}) == 9
    outcomes = [compare(bench, trial, number) for number, trial in enumerate(found)]
    assert sum(o.ours for o in outcomes) >= 17
    assert sum(o.ours for o in outcomes) >= sum(o.theirs for o in outcomes)
