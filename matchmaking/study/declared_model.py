"""Declared model: what the words of a frozen plan say that is to be computed."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, NamedTuple

from matchmaking.study.analysis import Analysis, Hypothesis, Unit

Random = Literal["group", "task"]
ORDER = "order"
"""Term of a model that is the position of an attempt in the session."""
FORMS = (
    "`ticks ~ FACTOR + (1 | group) + (1 | task)`, `ticks ~ FACTOR + order`, or `mean of success "
    "per person ~ FACTOR`"
)

_FORMULA = re.compile(
    r"(?:two one-sided tests of )?(?P<mean>mean of )?(?P<outcome>[\w.]+)"
    r"(?: per (?P<unit>person|participant|group|attempt|episode))?\s*~(?P<terms>[^~]+)",
    re.IGNORECASE,
)
_RANDOM = re.compile(r"\(\s*1\s*\|\s*(\w+)\s*\)")
_UNITS: dict[str, Unit] = {
    "person": "participant",
    "participant": "participant",
    "group": "group",
    "attempt": "episode",
    "episode": "episode",
}
_RANDOMS: dict[str, Random] = {"group": "group", "group_id": "group", "task": "task"}


class Model(NamedTuple):
    """Model of an outcome: what a value is of, what it depends on, and what values share."""

    unit: Unit
    covariates: tuple[str, ...] = ()
    """Fixed terms beside the factor that is compared: other factors, or `ORDER`."""
    random: tuple[Random, ...] = ()
    """Groups and tasks with an intercept of their own."""


CLUSTERED = Model("episode")
"""Least squares on attempts, with groups and tasks as clusters of the errors."""


PER_PERSON = Model("participant")
"""Means of people: the model of what is of no attempt, such as answers at the end."""


class UnknownModelError(Exception):
    """Error for a model that a report cannot fit; the text says why."""


def other_outcome(plan: Analysis, hypothesis: Hypothesis) -> str:
    """Return the outcome that a plan's model names where it is not the hypothesis's; else empty."""
    found = _FORMULA.fullmatch(plan.model.strip().rstrip("."))
    named = "" if found is None else found["outcome"]
    return "" if named in (hypothesis.outcome, hypothesis.outcome.partition(".")[2]) else named


def declared_model(plan: Analysis, hypothesis: Hypothesis, factors: Collection[str]) -> Model:
    """Return the model that a plan declares for a hypothesis. Raises UnknownModelError.

    Its outcome is the hypothesis's own. Without a unit and random terms, a value is of the plan's
    unit.
    """
    found = _FORMULA.fullmatch(plan.model.strip().rstrip("."))
    if found is None:
        raise UnknownModelError(f"expected a formula such as {FORMS}")
    fixed, random = [], []
    for term in (part.strip() for part in found["terms"].split("+")):
        if match := _RANDOM.fullmatch(term):
            if match[1] not in _RANDOMS:
                raise UnknownModelError(f"({term[1:-1]}) is none of (1 | group) and (1 | task)")
            random.append(_RANDOMS[match[1]])
        elif term in factors or term == ORDER:
            fixed.append(term)
        else:
            raise UnknownModelError(
                f"{term!r} is no factor, and none of {ORDER}, (1 | group) and (1 | task)"
            )
    if hypothesis.factor not in fixed:
        raise UnknownModelError(f"it does not have the factor {hypothesis.factor}")
    covariates = tuple(term for term in fixed if term != hypothesis.factor)
    unit = _unit(plan, found["unit"], has_random=bool(random))
    if unit != "episode" and (random or covariates):
        raise UnknownModelError("means of a unit with other terms than the factor")
    return Model(unit, covariates, tuple(dict.fromkeys(random)))


def unfitted(plan: Analysis, factors: Collection[str]) -> dict[str, str]:
    """Return the hypotheses that a plan's model does not fit, by name, each with the reason."""
    found = {}
    for hypothesis in plan.hypotheses:
        try:
            declared_model(plan, hypothesis, factors)
        except UnknownModelError as error:
            found[hypothesis.name] = str(error)
    return found


def _unit(plan: Analysis, named: str | None, *, has_random: bool) -> Unit:
    if named is not None:
        return _UNITS[named.lower()]
    return "episode" if has_random else plan.unit
