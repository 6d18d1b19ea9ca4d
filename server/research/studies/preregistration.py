"""Preregistration of a study: its design and analysis as a text to file before there are data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from matchmaking.study import Study
from matchmaking.study.analysis import Analysis, Hypothesis
from matchmaking.study.analysis_rules import is_of_people
from matchmaking.study.declared_model import unfitted
from matchmaking.study.pages import Play
from matchmaking.study.retry_rules import ANALYSED, has_retries
from server.research.power.adequacy import Adequacy, size_line
from server.research.studies.design_words import is_varied_within, own_conditions

_DIRECTIONS = {
    "two_sided": "differs from",
    "greater": "is greater than",
    "less": "is less than",
    "equivalent": "is equivalent to",
}
_EXCLUDED = {
    "group_is_excluded": "the data of the whole group are excluded",
    "others_stay": "the data of the others stay",
}


def preregistration(
    study: Study, plan: Analysis, adequacies: Sequence[Adequacy], digest: str
) -> str:
    """Return the text, as Markdown; ``digest`` is that of the manifest."""
    return "\n".join(_lines(study, plan, adequacies, digest)) + "\n"


def _lines(
    study: Study, plan: Analysis, adequacies: Sequence[Adequacy], digest: str
) -> Iterator[str]:
    yield f"# {study.title[study.languages[0]]}"
    yield ""
    yield f"Study `{study.name}`, version {study.version}. Manifest {digest}."
    yield f"Researchers: {study.researchers or 'not named'}."
    yield ""
    yield "## Hypotheses"
    yield ""
    for hypothesis in plan.hypotheses:
        yield from _hypothesis(hypothesis)
    yield ""
    yield "## Design"
    yield ""
    yield from _design(study)
    yield ""
    yield "## Sample"
    yield ""
    yield from _sample(plan, adequacies)
    yield ""
    yield "## Analysis"
    yield ""
    yield f"Unit of analysis: {plan.unit}. Model: {plan.model.strip()}"
    yield from _unfitted(study, plan, adequacies)
    primary = len(plan.primary)
    if primary > 1:
        yield f"Correction for {primary} primary hypotheses: {plan.correction}."
    if study.tasks.tries > 1:
        retried = f" {ANALYSED}" if has_retries(plan) else ""
        yield f"Of several tries at a task the first is analysed.{retried}"
    yield ""
    yield "## Exclusions"
    yield ""
    for rule in plan.exclusions:
        yield f"- `{rule.column} {rule.relation} {rule.value}`: {rule.reason}"
    if not plan.exclusions:
        yield "No data are excluded."
    yield f"When a member of a group is excluded, {_EXCLUDED[plan.when_one_is_excluded]}."
    yield ""
    yield "## Stopping rule"
    yield ""
    if not plan.looks:
        yield "No look before the end: the study stops when its targets are full."
    for look in plan.looks:
        yield f"- A look at {look.at_share:.0%} of the sample spends alpha {look.alpha:g}."


def _unfitted(study: Study, plan: Analysis, adequacies: Sequence[Adequacy]) -> Iterator[str]:
    """Yield by what hypotheses are tested which the model of the plan does not fit."""
    found = unfitted(plan, {factor.name for factor in study.factors})
    sized = {each.hypothesis.name for each in adequacies}
    for one in (hypothesis for hypothesis in plan.hypotheses if hypothesis.name in found):
        told = f"This model does not fit {one.name} ({found[one.name]})"
        if is_of_people(study, one):
            yield f"{told}: means of people are compared for it."
            continue
        other = plan.unit != "episode" and one.name in sized
        numbers = f"; its numbers above are those of a test on {plan.unit}s" if other else ""
        yield (
            f"{told}: attempts are compared for it, by least squares with errors clustered by "
            f"group and task{numbers}."
        )


def _hypothesis(hypothesis: Hypothesis) -> Iterator[str]:
    rank = "primary" if hypothesis.is_primary else "secondary"
    first, second = hypothesis.levels
    bound = f" within {hypothesis.bound:g} standard deviations" if hypothesis.bound else ""
    yield f"- **{hypothesis.name}** ({rank}): {hypothesis.text.strip()}"
    yield (
        f"  `{hypothesis.outcome}` at {hypothesis.factor} = {first} "
        f"{_DIRECTIONS[hypothesis.direction]} that at {second}{bound}."
    )


def _design(study: Study) -> Iterator[str]:
    for factor in study.factors:
        if factor.drawn_at == "entry":
            how = "drawn for each person, at entry"
        elif is_varied_within(study, factor):
            how = "varied within each group"
        else:
            how = "drawn for each group, at the match"
        yield f"- Factor {factor.name}: {', '.join(factor.levels)}; {how}."
    told = [msgspec.to_builtins(cell.treatment) for cell in study.cells]
    # What all conditions have in common is what people play; what differs is what is asked about.
    differing = [key for key in told[0] if any(one[key] != told[0][key] for one in told)]
    for cell, treatment in zip(study.cells, told, strict=True):
        treated = "".join(f", {key} {_word(treatment[key])}" for key in differing)
        yield f"- Condition {cell.name}: {cell.team}{treated}, {cell.target} groups."
    common = ", ".join(
        f"{key} {_word(value)}" for key, value in told[0].items() if key not in differing
    )
    yield f"- In all conditions: {common}."
    if study.design.subjects == "within":
        yield f"- Each group plays {own_conditions(study)}; orders: {study.design.order}."
    else:
        yield "- Each group plays one condition, drawn in concealed permuted blocks."
    play = study.page_of(Play)
    episodes = play.episodes if play is not None else None
    tries = f", with up to {study.tasks.tries} tries at each" if study.tasks.tries > 1 else ""
    yield (
        f"- Tasks of a group in a condition: {episodes} of the set {study.tasks.set}{tries}. "
        "Groups with the same number have the same tasks and seeds in each condition."
    )


def _word(value: object) -> str:
    """Return a value of a treatment as the study's file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


def _sample(plan: Analysis, adequacies: Sequence[Adequacy]) -> Iterator[str]:
    sample = plan.sample
    yield (
        f"{sample.per_level} {plan.unit}s of each level, for d = {sample.effect:g} (or the bound "
        f"of an equivalence), a power of {sample.power:g} and an alpha of {sample.alpha:g}. "
        f"{sample.basis.strip()}"
    )
    yield f"Shares of the variance: groups {sample.group_share:g}, tasks {sample.task_share:g}."
    if sample.first_tries_failing is not None:
        yield f"Share of first tries that are expected to fail: {sample.first_tries_failing:g}."
    yield ""
    for adequacy in adequacies:
        yield f"- {size_line(adequacy, plan.unit)}."
