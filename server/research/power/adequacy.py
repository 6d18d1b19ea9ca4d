"""Adequacy of a study's sample for the effect that its analysis says it detects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from matchmaking.study import Problem, Study
from matchmaking.study.analysis import RETRIES, Analysis, Hypothesis, Unit
from matchmaking.study.declared_model import sample_unit
from matchmaking.study.planned_units import (
    is_within_groups,
    most_episodes,
    most_units,
    planned_units,
)
from server.research.power.closed_form import Goal, Needed, equivalence_n, needed, paired_n
from server.research.power.clusters import Clusters


class Adequacy(NamedTuple):
    """Sample of a hypothesis: what the targets give, and what the effect needs."""

    hypothesis: Hypothesis
    unit: Unit
    """Unit that all numbers count."""
    planned: int
    """Units of the smaller level when all targets are full; of tries that follow a failed one as
    many as are expected."""
    most: int
    """Units if each first try fails; the same where an outcome is of first tries."""
    required: float
    """Units of each level that the declared design needs."""
    sizes: Needed
    goal: Goal
    is_within: bool = False
    """Whether the same groups play both levels, so that they are compared with themselves."""


def adequacies(study: Study, n_tasks: int) -> list[Adequacy]:
    """Return the adequacy of each primary hypothesis; ``n_tasks`` are played in all."""
    plan = study.analysis
    if plan is None:
        return []
    found = []
    for hypothesis in plan.primary:
        goal = _goal(plan, hypothesis)
        unit = sample_unit(study, hypothesis)
        planned = planned_units(study, hypothesis)
        most = most_units(study, hypothesis)
        sizes = _sizes(study, plan, hypothesis, max(2, n_tasks), goal)
        is_within = is_within_groups(study, hypothesis)
        found.append(Adequacy(hypothesis, unit, planned, most, *sizes, goal, is_within))
    return found


def inadequate(study: Study, n_tasks: int) -> Iterator[Problem]:
    """Yield a problem for each primary hypothesis whose sample does not detect its effect."""
    for adequacy in adequacies(study, n_tasks):
        plan = study.analysis
        assert plan is not None, "what has hypotheses has an analysis"
        hypothesis = adequacy.hypothesis
        per_level = plan.sample_of(hypothesis).per_level
        if per_level < adequacy.required:
            yield Problem(
                (*plan.sample_place(hypothesis), "per_level"),
                f"expected {number(adequacy.required)} {adequacy.unit}s of each level at least for "
                f"{hypothesis.name!r} (d = {_effect(plan, hypothesis):g}, "
                f"{_errors(adequacy)}, clusters as declared), got {per_level}: raise it and the "
                "targets, or name a larger effect",
            )


def _effect(plan: Analysis, hypothesis: Hypothesis) -> float:
    return hypothesis.bound or plan.sample_of(hypothesis).effect


def _goal(plan: Analysis, hypothesis: Hypothesis) -> Goal:
    """Return the error rates that are left for one hypothesis at the end, with its sides."""
    alpha = plan.sample.alpha - sum(look.alpha for look in plan.looks)
    if plan.correction != "none":
        alpha /= len(plan.primary)
    power = plan.sample_of(hypothesis).power
    return Goal(alpha, power, hypothesis.direction in ("greater", "less"))


def _errors(adequacy: Adequacy) -> str:
    """Return power and alpha with the sides of the declared test, in words."""
    is_equivalence = adequacy.hypothesis.direction == "equivalent"
    sides = "in each of two one-sided tests" if is_equivalence else adequacy.goal.sides
    return f"power {adequacy.goal.power:g}, alpha {adequacy.goal.alpha:.3g} {sides}"


def _sizes(
    study: Study,
    plan: Analysis,
    hypothesis: Hypothesis,
    n_tasks: int,
    goal: Goal,
) -> tuple[float, Needed]:
    sample, unit = plan.sample_of(hypothesis), sample_unit(study, hypothesis)
    episodes = most_episodes(study, hypothesis)
    if hypothesis.outcome.startswith(RETRIES):
        # As many of a group's attempts as follow a failed one.
        episodes = math.ceil(episodes * (sample.first_tries_failing or 1.0))
    members = {"episode": episodes, "participant": study.most_people, "group": 1}[unit]
    clusters = Clusters(
        episodes_per_group=members,
        tasks=n_tasks,
        group_share=sample.group_share,
        # People and groups are measured over all of their tasks.
        task_share=sample.task_share if unit == "episode" else 0.0,
    )
    sizes = needed(_effect(plan, hypothesis), clusters, goal)
    required = sizes.paired_and_clustered
    if is_within_groups(study, hypothesis):
        # The group's own level cancels out, and it plays each condition once.
        required = paired_n(_effect(plan, hypothesis), sample.group_share, goal)
    if hypothesis.direction == "equivalent":
        # The design effect is the same as for a difference.
        required = equivalence_n(hypothesis.bound or 0.0, goal) * required / sizes.independent
    return required, sizes


def size_line(adequacy: Adequacy) -> str:
    """Return the sizes of a hypothesis in words."""
    sizes = adequacy.sizes
    told = ""
    if adequacy.hypothesis.outcome.startswith(RETRIES):
        told = f" expected with a try after a failed one, {adequacy.most} at most"
    if adequacy.is_within:
        others = f"{number(sizes.clustered)} if other groups played each"
        why = " (each group plays both, so that what its own values share cancels out)"
    else:
        others = (
            f"{number(sizes.independent)} independent, {number(sizes.clustered)} clustered, "
            f"{number(sizes.paired)} paired by task, {number(sizes.paired_and_clustered)} paired "
            "and clustered"
        )
        why = ""
    name, unit = adequacy.hypothesis.name, adequacy.unit
    return (
        f"{name} ({_errors(adequacy)}): {unit}s of each level: {others}; "
        f"needed {number(adequacy.required)}, planned {adequacy.planned}{told}{why}"
    )


def number(size: float) -> str:
    """Return a size as it is told: rounded up, or that no number is enough."""
    return f"{math.ceil(size)}" if math.isfinite(size) else "never enough"
