"""Units of an analysis that a study's targets give: attempts, people or groups at each level."""

from __future__ import annotations

import math

from matchmaking.study.analysis import RETRIES, Hypothesis
from matchmaking.study.declared_model import sample_unit
from matchmaking.study.group_conditions import are_within_groups, levels_played
from matchmaking.study.pages import Play
from matchmaking.study.study import Study


def is_within_groups(study: Study, hypothesis: Hypothesis) -> bool:
    """Tell whether a hypothesis compares what the same groups play, rather than other groups."""
    return are_within_groups(study.group_conditions, hypothesis.factor, hypothesis.levels)


def planned_units(study: Study, hypothesis: Hypothesis) -> int:
    """Return the units of the smaller level of a hypothesis when all targets are full.

    Of tries that follow a failed one they are as many as are expected, rounded down.
    """
    most = most_units(study, hypothesis)
    if not hypothesis.outcome.startswith(RETRIES):
        return most
    return math.floor(round(most * _retry_share(study, hypothesis), 6))


def _retry_share(study: Study, hypothesis: Hypothesis) -> float:
    """Return the share of units that are expected to have a try which follows a failed one.

    People and groups have one unless all of their first tries succeed. Where the plan does not say
    how many fail, it is all of them, which is the most that a design can give.
    """
    assert study.analysis is not None, "hypotheses belong to an analysis"
    failing = study.analysis.sample_of(hypothesis).first_tries_failing
    if failing is None:
        return 1.0
    if sample_unit(study, hypothesis) == "episode":
        return failing
    return 1 - (1 - failing) ** most_episodes(study, hypothesis)


def most_units(study: Study, hypothesis: Hypothesis) -> int:
    """Return the same, as if each first try failed.

    A group or a person is one unit of a level, however many conditions with that level they play.
    """
    unit = sample_unit(study, hypothesis)

    def units(level: str) -> int:
        factor, found = hypothesis.factor, 0
        for conditions in study.group_conditions:
            if level in levels_played(conditions, factor):
                at_level = [cell for cell in conditions if cell.levels.get(factor) == level]
                of_group = {
                    "episode": episodes_of(study) * len(at_level),
                    "participant": at_level[0].people,
                    "group": 1,
                }
                found += at_level[0].target * of_group[unit]
        return found

    return min(map(units, hypothesis.levels))


def episodes_of(study: Study) -> int:
    """Return the tasks of a group in one condition; 1 where it does as many as it likes."""
    play = study.page_of(Play)
    return (play.episodes if play is not None else None) or 1


def tasks_of_group(study: Study) -> int:
    """Return the tasks of a group in all its conditions, the most that any group has."""
    return episodes_of(study) * max(map(len, study.group_conditions), default=1)


def most_episodes(study: Study, hypothesis: Hypothesis) -> int:
    """Return the tasks of a group at one level of a hypothesis, the most that any group has."""
    at_level = (
        sum(cell.levels.get(hypothesis.factor) == level for cell in conditions)
        for conditions in study.group_conditions
        for level in hypothesis.levels
    )
    return episodes_of(study) * max(at_level, default=1)
