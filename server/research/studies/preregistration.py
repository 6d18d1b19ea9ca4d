"""Preregistration of a study: its design and analysis as a text to file before there are data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from episodes.dataset import Task
from matchmaking.study import Study
from matchmaking.study.analysis import Analysis, Hypothesis, Sample
from matchmaking.study.analysis_words import (
    ASSIGNED,
    compared_data,
    fit_of,
    taken_along,
    taken_by,
    uncorrected_intervals,
)
from matchmaking.study.declared_model import computed_model, model_text, sample_unit
from matchmaking.study.group_conditions import entry_levels, is_varied_within
from matchmaking.study.opening_rules import groups_wanted, people_wanted
from matchmaking.study.pages import Play
from matchmaking.study.planned_units import is_within_groups
from matchmaking.study.retry_rules import ANALYSED, has_retries
from server.research.power.adequacy import Adequacy, size_line
from server.research.studies.design_words import own_conditions
from server.research.studies.filed_materials import pay_lines, question_lines, task_lines

_DIRECTIONS = {
    "two_sided": "differs from",
    "greater": "is greater than",
    "less": "is less than",
    "equivalent": "is equivalent to",
}
_SIDES = {
    "two_sided": "two-sided",
    "greater": "one-sided",
    "less": "one-sided",
    "equivalent": "one-sided against each bound",
}


def preregistration(
    study: Study,
    plan: Analysis,
    adequacies: Sequence[Adequacy],
    digest: str,
    tasks: Sequence[Task],
) -> str:
    """Return the text, as Markdown; ``digest`` is that of the manifest, ``tasks`` are played."""
    return "\n".join(_lines(study, plan, adequacies, digest, tasks)) + "\n"


def _lines(
    study: Study,
    plan: Analysis,
    adequacies: Sequence[Adequacy],
    digest: str,
    tasks: Sequence[Task],
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
    yield "## Tasks"
    yield ""
    yield from task_lines(study, tasks)
    yield ""
    yield "## Questions"
    yield ""
    yield from question_lines(study)
    yield ""
    yield "## Pay"
    yield ""
    yield from pay_lines(study)
    yield ""
    yield "## Sample"
    yield ""
    yield from _sample(study, plan, adequacies)
    yield ""
    yield "## Analysis"
    yield ""
    yield ASSIGNED
    yield from _models(study, plan)
    yield from _unfitted(study, plan, adequacies)
    yield from _tests(study, plan)
    primary = len(plan.primary)
    if primary > 1:
        yield f"Correction for {primary} primary hypotheses: {plan.correction}."
    yield uncorrected_intervals(plan.sample.alpha)
    if study.tasks.tries > 1:
        retried = f" {ANALYSED}" if has_retries(plan) else ""
        yield f"Of several tries at a task the first is analysed.{retried}"
    else:
        yield "Each task is tried once."
    yield ""
    yield "## Exclusions"
    yield ""
    for rule in plan.exclusions:
        reason = rule.reason.strip().rstrip(".")
        yield f"- `{rule.column} {rule.relation} {rule.value}`: {reason}. It {taken_by(rule)}."
    if not plan.exclusions:
        yield "No data are excluded."
    yield from taken_along(plan)
    yield ""
    yield "## Stopping rule"
    yield ""
    if not plan.looks:
        yield "No look before the end: the study stops when its targets are full."
    for look in plan.looks:
        yield f"- A look at {look.at_share:.0%} of the sample spends alpha {look.alpha:g}."


def _models(study: Study, plan: Analysis) -> Iterator[str]:
    """Yield the model of the hypotheses, or that of each where they are not the same."""
    texts = [model_text(study, one) for one in plan.hypotheses]
    if len(set(texts)) == 1:
        yield f"Unit of analysis: {sample_unit(study, plan.hypotheses[0])}. Model: {texts[0]}"
        return
    for one, text in zip(plan.hypotheses, texts, strict=True):
        yield f"- {one.name}: unit of analysis {sample_unit(study, one)}, model {text}"
    yield ""


def _unfitted(study: Study, plan: Analysis, adequacies: Sequence[Adequacy]) -> Iterator[str]:
    """Yield by what hypotheses are tested whose model is not fitted."""
    sized = {each.hypothesis.name: each.unit for each in adequacies}
    for one in plan.hypotheses:
        found = computed_model(study, one)
        why = found.unfitted or "its outcome is of people and of no attempt"
        told = f"{'This' if one.model is None else 'Its'} model does not fit {one.name} ({why})"
        if found.is_of_people:
            yield f"{told}: means of people are compared for it."
        elif found.unfitted:
            unit = sized.get(one.name, "episode")
            numbers = f"; its numbers above are those of a test on {unit}s"
            yield (
                f"{told}: attempts are compared for it, by least squares with errors clustered by "
                f"group and task{numbers if unit != 'episode' else ''}."
            )


def _tests(study: Study, plan: Analysis) -> Iterator[str]:
    """Yield the test of each hypothesis, which follows from its model and the design."""
    for one in plan.hypotheses:
        model = computed_model(study, one).model
        within = is_within_groups(study, one)
        apart = "within groups" if within else "between groups"
        test, fit = model.test(is_within=within), fit_of(model, is_within=within)
        data = " ".join(compared_data(study, one))
        told = f"Test of {one.name}: {test}, {apart}, {_SIDES[one.direction]}; {fit}. {data}"
        yield told.rstrip()


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
        elif is_varied_within(study.group_conditions, factor.name):
            how = "varied within each group"
        else:
            how = "drawn for each group, at the match"
        yield f"- Factor {factor.name}: {', '.join(factor.levels)}; {how}."
    told = [msgspec.to_builtins(cell.treatment) for cell in study.cells]
    # What all conditions have in common is what people play; what differs is what is asked about.
    differing = [key for key in told[0] if any(one[key] != told[0][key] for one in told)]
    for cell, treatment in zip(study.cells, told, strict=True):
        treated = "".join(f", {key} {_word(treatment[key])}" for key in differing)
        shared = "played by " if study.design.subjects == "within" else ""
        yield f"- Condition {cell.name}: {cell.team}{treated}, {shared}{cell.target} groups."
    common = ", ".join(
        f"{key} {_word(value)}" for key, value in told[0].items() if key not in differing
    )
    yield f"- In all conditions: {common}."
    if study.design.subjects == "within":
        yield f"- Each group plays {own_conditions(study)}; orders: {study.design.order}."
    else:
        yield "- Each group plays one condition, drawn in concealed permuted blocks."
    groups, people = groups_wanted(study), people_wanted(study)
    yield f"- In all {groups} groups of {people} people{_of_strata(study)}."
    play = study.page_of(Play)
    episodes = play.episodes if play is not None else None
    tries = f", with up to {study.tasks.tries} tries at each" if study.tasks.tries > 1 else ""
    yield (
        f"- Tasks of a group in a condition: {episodes} of the set {study.tasks.set}{tries}. "
        "Groups with the same number have the same tasks and seeds in each condition."
    )


def _of_strata(study: Study) -> str:
    """Return how many groups have which levels drawn at entry, of which each plays several."""
    if study.design.subjects != "within":
        return ""
    found = []
    for first, *_ in study.group_conditions:
        drawn = entry_levels(first, study.factors)
        levels = [f"{f.name} {drawn[f.name]}" for f in study.factors if f.name in drawn]
        found.append(f"{first.target} with {' and '.join(levels)}")
    return f": {', '.join(found)}" if len(found) > 1 else ""


def _word(value: object) -> str:
    """Return a value of a treatment as the study's file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


def _sample(study: Study, plan: Analysis, adequacies: Sequence[Adequacy]) -> Iterator[str]:
    if any(one.sample is None for one in plan.primary):
        yield from _sizes(plan.sample, plan.unit)
    for one in plan.hypotheses:
        if one.sample is not None:
            yield f"Sample of {one.name}:"
            yield from _sizes(one.sample, sample_unit(study, one))
    yield ""
    for adequacy in adequacies:
        yield f"- {size_line(adequacy)}."


def _sizes(sample: Sample, unit: str) -> Iterator[str]:
    yield (
        f"{sample.per_level} {unit}s of each level, for d = {sample.effect:g} (or the bound of an "
        f"equivalence), a power of {sample.power:g} and an alpha of {sample.alpha:g}. "
        f"{sample.basis.strip()}"
    )
    yield f"Shares of the variance: groups {sample.group_share:g}, tasks {sample.task_share:g}."
    if sample.first_tries_failing is not None:
        yield f"Share of first tries that are expected to fail: {sample.first_tries_failing:g}."
