"""Power by simulation: agrees with the closed form, and keeps the error of the first kind."""

from __future__ import annotations

from collections import Counter

import pytest

from server.research.power.closed_form import Goal, needed, power_of
from server.research.power.clusters import Clusters
from server.research.power.simulation import layout, simulated_power

STUDIES = 600
CLUSTERS = Clusters(episodes_per_group=4, tasks=60, group_share=0.2, task_share=0.3)
ALONE = Clusters(episodes_per_group=1, tasks=240)


def test_the_layout_matches_conditions_task_by_task() -> None:
    plan = layout(8, Clusters(episodes_per_group=4, tasks=6), is_matched=True)
    assert list(plan.condition) == [0] * 8 + [1] * 8
    assert Counter(plan.group.tolist()) == {0: 4, 1: 4, 2: 4, 3: 4}
    assert list(plan.task[:8]) == list(plan.task[8:]) == [0, 1, 2, 3, 4, 5, 0, 1]
    apart = layout(8, Clusters(episodes_per_group=4, tasks=6), is_matched=False)
    assert not set(apart.task[:8]) & set(apart.task[8:])


@pytest.mark.parametrize("is_matched", [True, False])
def test_without_an_effect_one_study_in_twenty_finds_one(is_matched: bool) -> None:
    simulated = simulated_power(0.0, 240, CLUSTERS, is_matched=is_matched, studies=STUDIES)
    assert 0.025 < simulated.power < 0.085


def test_independent_episodes_have_the_power_of_the_closed_form() -> None:
    simulated = simulated_power(0.3, 240, ALONE, is_matched=False, studies=STUDIES)
    assert simulated.power == pytest.approx(power_of(0.3, 240, Goal()), abs=0.05)


def test_clustered_and_paired_sizes_reach_the_power_that_they_promise() -> None:
    sizes = needed(0.4, CLUSTERS, Goal())
    paired = simulated_power(0.4, round(sizes.paired_and_clustered), CLUSTERS, studies=STUDIES)
    apart = simulated_power(
        0.4, round(sizes.clustered), CLUSTERS, is_matched=False, studies=STUDIES
    )
    assert paired.power == pytest.approx(0.8, abs=0.06)
    assert apart.power == pytest.approx(0.8, abs=0.06)


def test_the_same_seed_gives_the_same_power() -> None:
    first = simulated_power(0.3, 40, CLUSTERS, studies=20, seed=7)
    assert simulated_power(0.3, 40, CLUSTERS, studies=20, seed=7) == first
    assert first.standard_error <= 0.5 / 20**0.5


def test_a_study_without_groups_is_refused() -> None:
    with pytest.raises(ValueError, match="expected two groups"):
        simulated_power(0.3, 4, CLUSTERS)
