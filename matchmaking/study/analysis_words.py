"""Words for an analysis: which data it is of, what a unit's value is, and how models are fitted.

Preregistrations say with them what will be computed, and reports what was.
"""

from __future__ import annotations

from collections.abc import Iterator

from matchmaking.study.analysis import RESPONSES, RETRIES, SCORES, Analysis, Exclusion, Hypothesis
from matchmaking.study.compared_conditions import Balance, balance_of
from matchmaking.study.declared_model import Model, computed_model, is_of_people
from matchmaking.study.planned_units import is_within_groups
from matchmaking.study.study import Study

ANSWERS = (RESPONSES, SCORES)
ASSIGNED = (
    "The analysis is by assigned condition, and counts groups whose first task began, whatever "
    "became of them afterwards; of attempts it takes the judged ones, without practice."
)
"""Sentence on the set of the data that hypotheses are tested on."""
_DF = "degrees of freedom: "
_REML = f"fitted by restricted maximum likelihood (REML), {_DF}"


def uncorrected_intervals(alpha: float) -> str:
    """Return the sentence on what intervals are of."""
    return (
        f"Intervals are those of single tests, of {100 * (1 - alpha):g} %: they are not corrected "
        "for the number of hypotheses."
    )


def fit_of(model: Model, *, is_within: bool) -> str:
    """Return how the test of a model is computed, and with how many degrees of freedom."""
    if model.unit != "episode":
        rule = "pairs, less one" if is_within else "those of Welch and Satterthwaite"
    elif not model.random:
        rule = "the smaller number of groups and of tasks where there are several, less one"
    elif "group" not in model.random:
        rule = "attempts, less one, less one for each column of the terms"
    elif is_within:
        rule = "attempts, less groups, less one for each column of the terms that vary within them"
    else:
        return f"{_REML}groups, less one, less one for each column of the terms between them"
    if "task" in model.random:
        rule += ", and for each task but one"
    return f"{_REML if model.random else _DF}{rule}"


def averaged_of(hypothesis: Hypothesis, *, is_of_people: bool) -> str:
    """Return what the mean of a unit is of."""
    if is_of_people:
        return "answers" if hypothesis.outcome.startswith(ANSWERS) else "values"
    return "tries after a failed one" if hypothesis.outcome.startswith(RETRIES) else "first tries"


def mean_of_unit(averaged: str, held: str, *, is_paired: bool) -> str:
    """Return what the value of a unit is; ``held``: factors that are held equal."""
    if not held:
        return f"the mean of its {averaged}"
    over = f"the same {held} at both levels" if is_paired else f"each {held}"
    return f"the mean over conditions with {over} of the means of its {averaged}"


def held_equal(model: Model, balance: Balance) -> str:
    """Return the factors that a model of means holds equal, for a sentence; empty: none."""
    return " and ".join(balance.factors) if model.unit != "episode" else ""


def compared_data(study: Study, hypothesis: Hypothesis) -> Iterator[str]:
    """Yield what a unit's value is in the test of a hypothesis, and which groups have none."""
    model, (first, second) = computed_model(study, hypothesis).model, hypothesis.levels
    is_within, of_people = is_within_groups(study, hypothesis), is_of_people(study, hypothesis)
    if model.unit == "episode":
        if is_within:
            yield f"It takes all attempts, also of groups with one of {first} and {second} alone."
        return
    balance = Balance() if of_people else balance_of(study, hypothesis)
    held = held_equal(model, balance)
    averaged = averaged_of(hypothesis, is_of_people=of_people)
    value = mean_of_unit(averaged, held, is_paired=is_within)
    is_alone = all(cell.people == 1 for cell in study.cells)
    together = "" if is_alone else "; people who play together are one unit"
    yield f"A group has one value at a level, {value}{together}."
    if is_within:
        apart = f", or both but never with the same {held}," if held else ""
        yield f"A group that has one of {first} and {second} alone{apart} is left out."
    if held:
        yield "Each condition weighs the same; a group that lacks some is compared on the others."


def taken_by(rule: Exclusion) -> str:
    """Return what an exclusion rule takes away."""
    return "takes the attempt" if rule.is_on_attempts else "takes the person"


def taken_along(plan: Analysis) -> Iterator[str]:
    """Yield what else goes with what the rules of a plan take away."""
    if any(rule.is_on_attempts for rule in plan.exclusions):
        yield (
            "With an attempt that is excluded go the later tries of its group at the task, and "
            "nothing else of the group; no later try takes the place of an excluded one."
        )
    if any(not rule.is_on_attempts for rule in plan.exclusions):
        whole = plan.when_one_is_excluded == "group_is_excluded"
        yield (
            "With a person who is excluded "
            f"{'the data of the whole group go' if whole else 'nothing of the others goes'}."
        )
