"""Declared model: what the words of a frozen plan say that is to be computed, and what is.

A hypothesis has a model of its own, or that of the plan; without either its means are compared, or
its attempts where these are the unit. How a test is named, and what it counts, follows from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from matchmaking.study.analysis import Hypothesis, Unit
from matchmaking.study.other_factors import other_factors
from matchmaking.study.study import Study

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
_NAMES: dict[Unit, str] = {"participant": "person", "group": "group"}
_RANDOMS: dict[str, Random] = {"group": "group", "group_id": "group", "task": "task"}


class Model(NamedTuple):
    """Model of an outcome: what a value is of, what it depends on, and what values share."""

    unit: Unit
    covariates: tuple[str, ...] = ()
    """Fixed terms beside the factor that is compared: other factors, or `ORDER`."""
    random: tuple[Random, ...] = ()
    """Groups and tasks with an intercept of their own."""
    added: tuple[str, ...] = ()
    """Terms of the ``covariates`` that nobody declared: left out of data in which they tell nothing
    apart."""

    def test(self, *, is_within: bool) -> str:
        """Return the name of the test, for a sentence; ``is_within``: groups have both levels."""
        if self.unit != "episode":
            return "paired t test" if is_within else "Welch's t test"
        if not self.random:
            return f"least squares with errors clustered by group and task{self._beside}"
        named = " and ".join(f"{name}s" for name in self.random)
        return f"linear mixed model with random intercepts of {named}{self._beside}"

    @property
    def _beside(self) -> str:
        if not self.covariates:
            return ""
        terms = "a further term" if len(self.covariates) == 1 else "further terms"
        return f", with {' and '.join(self.covariates)} as {terms}"


CLUSTERED = Model("episode")
"""Least squares on attempts, with groups and tasks as clusters of the errors."""


def clustered_model(study: Study, hypothesis: Hypothesis, terms: Sequence[str] = ()) -> Model:
    """Return least squares on attempts, with some terms and every other factor as a term.

    Without those, what another factor does to attempts of which more are missing at one level would
    stand in the difference.
    """
    added = other_factors(study, hypothesis, terms)
    return CLUSTERED._replace(covariates=(*terms, *added), added=added)


PER_PERSON = Model("participant")
"""Means of people: the model of what is of no attempt, such as answers at the end."""


class UnknownModelError(Exception):
    """Error for a model that a report cannot fit; the text says why."""


def model_text(study: Study, hypothesis: Hypothesis) -> str:
    """Return the model of a hypothesis in the words of the plan, or else the one that it has.

    The latter is means, of the same groups where these play both levels and of others otherwise, or
    a mixed model where the plan's unit is the episode.
    """
    plan = study.analysis
    assert plan is not None, "hypotheses belong to an analysis"
    text = plan.model if hypothesis.model is None else hypothesis.model
    if text is not None:
        return text.strip()
    outcome, unit = hypothesis.outcome.partition(".")[2], plan.unit
    if unit == "episode" and not is_of_people(study, hypothesis):
        return f"{outcome} ~ {hypothesis.factor} + (1 | group) + (1 | task)"
    return f"mean of {outcome} per {_NAMES.get(unit, 'person')} ~ {hypothesis.factor}"


def other_outcome(study: Study, hypothesis: Hypothesis) -> str:
    """Return the outcome that a model names where it is not the hypothesis's; else empty."""
    found = _FORMULA.fullmatch(model_text(study, hypothesis).rstrip("."))
    named = "" if found is None else found["outcome"]
    return "" if named in (hypothesis.outcome, hypothesis.outcome.partition(".")[2]) else named


def declared_model(study: Study, hypothesis: Hypothesis) -> Model:
    """Return the model that is declared for a hypothesis. Raises UnknownModelError.

    Its outcome is the hypothesis's own. Without a unit and random terms, a value is of the plan's
    unit.
    """
    found = _FORMULA.fullmatch(model_text(study, hypothesis).rstrip("."))
    if found is None:
        raise UnknownModelError(f"expected a formula such as {FORMS}")
    fixed, random = [], []
    for term in (part.strip() for part in found["terms"].split("+")):
        if match := _RANDOM.fullmatch(term):
            if match[1] not in _RANDOMS:
                raise UnknownModelError(f"({term[1:-1]}) is none of (1 | group) and (1 | task)")
            random.append(_RANDOMS[match[1]])
        elif term == ORDER or any(term == factor.name for factor in study.factors):
            fixed.append(term)
        else:
            raise UnknownModelError(
                f"{term!r} is no factor, and none of {ORDER}, (1 | group) and (1 | task)"
            )
    if hypothesis.factor not in fixed:
        raise UnknownModelError(f"it does not have the factor {hypothesis.factor}")
    covariates = tuple(term for term in fixed if term != hypothesis.factor)
    unit = _unit(study, found["unit"], has_random=bool(random))
    if unit != "episode" and (random or covariates):
        raise UnknownModelError("means of a unit with other terms than the factor")
    return Model(unit, covariates, tuple(dict.fromkeys(random)))


class Computed(NamedTuple):
    """Model that is computed for a hypothesis."""

    model: Model
    unfitted: str = ""
    """Reason for which no program fits the declared one; empty: it is fitted, or could be."""
    is_of_people: bool = False
    """Whether means of people are compared though the model is of attempts, as there are none."""


def computed_model(
    study: Study, hypothesis: Hypothesis, *, of_people: bool | None = None
) -> Computed:
    """Return the model that programs compute for a hypothesis: the declared one if they can.

    Least squares on attempts has the other factors as terms, also where its words do not.
    ``of_people`` says whether values turned out to be of people; nothing said: by the design.
    """
    if of_people is None:
        of_people = is_of_people(study, hypothesis)
    try:
        model, unfitted = declared_model(study, hypothesis), ""
    except UnknownModelError as error:
        model, unfitted = CLUSTERED, str(error)
    if of_people and model.unit == "episode":
        return Computed(PER_PERSON, unfitted, is_of_people=True)
    if model.unit == "episode" and not model.random:
        model = clustered_model(study, hypothesis, model.covariates)
    return Computed(model, unfitted)


def sample_unit(study: Study, hypothesis: Hypothesis) -> Unit:
    """Return the unit that the sample of a hypothesis counts.

    It is that of a model of its own; the plan's model has the plan's unit, whatever it says.
    """
    plan = study.analysis
    assert plan is not None, "hypotheses belong to an analysis"
    found = computed_model(study, hypothesis)
    is_of_plan = hypothesis.model is None and plan.model is not None
    return plan.unit if is_of_plan or found.unfitted else found.model.unit


def is_of_people(study: Study, hypothesis: Hypothesis) -> bool:
    """Tell whether an outcome is of people and of no attempt, such as answers at the end."""
    outcome = hypothesis.outcome
    return outcome in study.asked_once or outcome.startswith("visits.")


def _unit(study: Study, named: str | None, *, has_random: bool) -> Unit:
    if named is not None:
        return _UNITS[named.lower()]
    assert study.analysis is not None, "hypotheses belong to an analysis"
    return "episode" if has_random else study.analysis.unit
