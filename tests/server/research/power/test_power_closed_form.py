"""Power in closed form, against published tables."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.research.power.closed_form import (
    Goal,
    detected,
    equivalence_n,
    independent_n,
    needed,
    paired_n,
    power_of,
    proportions_n,
)
from server.research.power.clusters import Clusters

GOAL = Goal()


@pytest.mark.parametrize(
    ("effect", "goal", "size"),
    [
        # Cohen, A power primer (Psychological Bulletin 112:155, 1992), table 2: two means.
        (0.2, Goal(0.05), 393),
        (0.5, Goal(0.05), 64),
        (0.8, Goal(0.05), 26),
        (0.2, Goal(0.01), 586),
        (0.5, Goal(0.01), 95),
        (0.8, Goal(0.01), 38),
        (0.5, Goal(0.10), 50),
    ],
)
def test_sizes_are_those_of_cohens_table(effect: float, goal: Goal, size: int) -> None:
    assert independent_n(effect, goal) == pytest.approx(size, abs=1)
    assert power_of(effect, size + 1, goal) >= goal.power


def test_one_side_has_all_of_alpha() -> None:
    # As a two-sided test with twice the alpha, whose other side finds next to nothing.
    one, both = Goal(0.05, is_one_sided=True), Goal(0.10)
    assert independent_n(0.5, one) == pytest.approx(independent_n(0.5, both), rel=1e-3)
    assert paired_n(-0.5, 0.3, one) == pytest.approx(paired_n(0.5, 0.3, both), rel=1e-3)
    assert power_of(0.5, independent_n(0.5, one), one) == pytest.approx(0.8)
    assert (one.sides, both.sides) == ("one-sided", "two-sided")


def test_partnrs_slower_than_alone_needs_about_515_independent_episodes() -> None:
    """D = 0.175 from PARTNR's printed standard errors, with n taken as 1000."""
    size = independent_n(0.175, GOAL)
    assert 513 < size < 515
    clusters = Clusters(episodes_per_group=5, tasks=200, group_share=0.1, task_share=0.2)
    sizes = needed(0.175, clusters, GOAL)
    assert sizes.independent == size
    assert sizes.paired < size < sizes.clustered
    assert sizes.paired < sizes.paired_and_clustered < sizes.clustered


@given(
    st.floats(0.05, 1.5),
    st.builds(
        Clusters,
        episodes_per_group=st.integers(1, 10),
        tasks=st.integers(2, 500),
        group_share=st.floats(0, 0.4),
        task_share=st.floats(0, 0.4),
    ),
)
def test_clusters_never_save_episodes_and_pairs_never_cost_any(
    effect: float, clusters: Clusters
) -> None:
    sizes = needed(effect, clusters, GOAL)
    assert sizes.clustered >= sizes.independent
    # A paired test has half the degrees of freedom, which is a pair or two.
    assert sizes.paired <= sizes.independent + 2
    assert sizes.paired_and_clustered >= sizes.paired


def test_few_tasks_of_each_condition_never_reach_the_power() -> None:
    assert needed(0.175, Clusters(tasks=20, task_share=0.2), GOAL).clustered == math.inf


def test_half_correlated_pairs_need_half_as_many() -> None:
    """G*Power's example: d_z = 0.5 needs 34 pairs; with r = 0.5, d_z is d."""
    assert math.ceil(paired_n(0.5, 0.5, GOAL)) == 34


def test_rates_are_compared_as_in_cohens_example() -> None:
    """H of 0.65 and 0.45 is 0.405: n = 2 (1.96 + 0.8416)² / h², 96."""
    h = 2 * math.asin(math.sqrt(0.65)) - 2 * math.asin(math.sqrt(0.45))
    assert proportions_n(0.65, 0.45, GOAL) == pytest.approx(2 * 7.84888 / h**2, rel=1e-4)


def test_equivalence_within_half_a_deviation() -> None:
    """2 (1.6449 + 1.2816)² / 0.25 = 68.5."""
    assert equivalence_n(0.5, GOAL) == pytest.approx(68.5, abs=0.05)


def test_the_effect_that_a_size_detects_needs_that_size() -> None:
    assert independent_n(detected(80, GOAL), GOAL) == pytest.approx(80, abs=0.01)


@pytest.mark.parametrize("effect", [0.0, math.nan, math.inf])
def test_no_effect_has_no_size(effect: float) -> None:
    with pytest.raises(ValueError, match="expected an effect"):
        independent_n(effect, GOAL)


@pytest.mark.parametrize("goal", [Goal(0.0), Goal(0.05, 0.04), Goal(0.05, 1.0)])
def test_goals_that_cannot_be_are_refused(goal: Goal) -> None:
    with pytest.raises(ValueError, match="expected alpha"):
        independent_n(0.5, goal)


@pytest.mark.parametrize(
    "wrong",
    [
        {"episodes_per_group": 0},
        {"tasks": 1},
        {"group_share": -0.1},
        {"group_share": 0.5, "task_share": 0.5},
    ],
)
def test_clusters_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Clusters(**wrong)  # type: ignore[arg-type]
