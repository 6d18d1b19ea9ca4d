"""Rules for analyses: what a design cannot give a plan, told before anybody is invited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from matchmaking.study.analysis import RESPONSES, RETRIES, Analysis, Hypothesis
from matchmaking.study.compared_conditions import balance_of
from matchmaking.study.declared_model import (
    FORMS,
    ORDER,
    UnknownModelError,
    computed_model,
    declared_model,
    is_of_people,
    sample_unit,
)
from matchmaking.study.group_conditions import is_varied_within
from matchmaking.study.other_factors import are_apart, other_factors
from matchmaking.study.pages import Quiz
from matchmaking.study.planned_units import is_within_groups, planned_units
from matchmaking.study.problems import Path, Problem
from matchmaking.study.study import Study


def analysis_problems(study: Study) -> Iterator[Problem]:
    """Yield what no data of a study can give its primary hypotheses."""
    if study.analysis is None:
        return
    for hypothesis in study.analysis.primary:
        yield from _sample_problems(study, study.analysis, hypothesis)
        yield from _impossible(study, study.analysis, hypothesis)


def analysis_warnings(study: Study) -> Iterator[Problem]:
    """Yield what of the plan is not computed as it stands."""
    analysis = study.analysis
    if analysis is None:
        return
    for hypothesis in analysis.hypotheses:
        if not hypothesis.is_primary:
            yield from _impossible(study, analysis, hypothesis)
    yield from _model_warnings(study, analysis)
    yield from _condition_warnings(study, analysis)
    yield from _term_warnings(study, analysis)
    yield from _quiz_warnings(study, analysis)


def _sample_problems(study: Study, analysis: Analysis, hypothesis: Hypothesis) -> Iterator[Problem]:
    """Yield that the targets give fewer units than are planned, where groups play several levels.

    Others are told when a study is read, and tries after a failed one by their own rules.
    """
    unit, sample = sample_unit(study, hypothesis), analysis.sample_of(hypothesis)
    if unit != analysis.unit and hypothesis.sample is None:
        yield Problem(
            (*_where(analysis, hypothesis), "sample"),
            f"expected a `sample` of its own for {hypothesis.name!r}, because its model is of "
            f"{unit}s, and the plan's sample counts {analysis.unit}s",
        )
        return
    planned = planned_units(study, hypothesis)
    if planned < sample.per_level and not hypothesis.outcome.startswith(RETRIES):
        yield Problem(
            (*analysis.sample_place(hypothesis), "per_level"),
            f"expected at most {planned}, the {unit}s that the targets give for "
            f"{hypothesis.name!r}, got {sample.per_level}: a group is one unit of a level, however "
            "many conditions it plays there; raise the targets, or name a larger effect",
        )


def _impossible(study: Study, analysis: Analysis, hypothesis: Hypothesis) -> Iterator[Problem]:
    """Yield why a hypothesis cannot be analysed, whatever the data will be."""
    name = hypothesis.name
    if is_of_people(study, hypothesis):
        if is_within_groups(study, hypothesis):
            yield Problem(
                (*_where(analysis, hypothesis), "outcome"),
                f"{hypothesis.outcome} of {name!r} is asked once, after a group has played both "
                "levels, so that it is of neither: ask it after each episode (`after_each`)",
            )
        return
    try:
        model = declared_model(study, hypothesis)
    except UnknownModelError:
        # Told among the warnings.
        return
    where = _model_place(analysis, hypothesis)
    cells = [c for c in study.cells if c.levels.get(hypothesis.factor) in hypothesis.levels]
    terms = [term for term in model.covariates if term != ORDER]
    if ORDER in model.covariates and study.tasks_of_a_visit == 1:
        yield Problem(
            where, f"each group does one task, so that {ORDER} has one value: leave it out"
        )
    for term in terms:
        if len({cell.levels[term] for cell in cells}) < 2:
            yield Problem(
                where,
                f"{term} has one level in the conditions that {name!r} compares, which cannot be "
                "analysed with it: leave the term out, or add conditions",
            )
            return
    if not are_apart(cells, [hypothesis.factor, *terms]):
        yield Problem(
            where,
            f"expected terms that can be told apart for {name!r}: in the conditions that it "
            f"compares {' and '.join([hypothesis.factor, *terms])} say the same, so that it cannot "
            "be analysed; leave terms out, or add conditions",
        )


def _model_warnings(study: Study, analysis: Analysis) -> Iterator[Problem]:
    """Yield that another model is computed than the plan declares."""
    told: set[tuple[Path, str]] = set()
    of_all = [h for h in analysis.hypotheses if h.model is None]
    without = [h for h in of_all if computed_model(study, h).unfitted]
    for hypothesis in analysis.hypotheses:
        found, where = computed_model(study, hypothesis), _model_place(analysis, hypothesis)
        if found.unfitted:
            is_own = hypothesis.model is not None or len(without) == len(of_all)
            whose = "" if is_own else f" for {hypothesis.name!r}"
            how = (
                "means of people"
                if found.is_of_people
                else "attempts by least squares with clustered errors"
            )
            own = "" if is_own else " as its own `model`"
            text = (
                f"no program of Cohabit fits it{whose} ({found.unfitted}): the report and the "
                f"scripts compare {how}, and say that it is a deviation; write {FORMS}{own}, or "
                "analyse the export yourself"
            )
            told.add((where, text))
        elif found.is_of_people:
            column = hypothesis.outcome.rpartition(".")[2]
            text = (
                f"{hypothesis.outcome} is asked once, of people and of no attempt: the report "
                "compares means of people, and says that it is a deviation; write `mean of "
                f"{column} per person ~ {hypothesis.factor}`"
            )
            told.add((where, text))
    for where, text in sorted(told, key=str):
        yield Problem(where, text)


def _condition_warnings(study: Study, analysis: Analysis) -> Iterator[Problem]:
    """Yield that a rule on attempts can leave groups with fewer conditions to be compared on."""
    rules = [number for number, rule in enumerate(analysis.exclusions) if rule.is_on_attempts]
    for hypothesis in analysis.primary if rules else ():
        model, held = computed_model(study, hypothesis).model, balance_of(study, hypothesis).factors
        if model.unit == "episode" or not held or is_of_people(study, hypothesis):
            continue
        column = hypothesis.outcome.rpartition(".")[2]
        terms = " + ".join([hypothesis.factor, *held])
        yield Problem(
            ("analysis", "exclusions", rules[0]),
            f"an exclusion of attempts that takes a whole condition from a group leaves fewer to "
            f"compare {hypothesis.name!r} on: means of groups are compared over the conditions "
            f"with the same {' and '.join(held)} that a group has, and a group without any is left "
            f"out. `{column} ~ {terms} + (1 | group)` takes all attempts",
        )


def _term_warnings(study: Study, analysis: Analysis) -> Iterator[Problem]:
    """Yield that attempts are compared by a model whose words lack another factor.

    A mixed model is computed as it is written. What an intercept of groups has in it anyway, a
    factor that does not vary within them, need be no term.
    """
    rules = [rule.column for rule in analysis.exclusions if rule.is_on_attempts]
    for hypothesis in analysis.primary:
        try:
            model = declared_model(study, hypothesis)
        except UnknownModelError:
            # Told of with the models that cannot be computed.
            continue
        if model.unit != "episode" or is_of_people(study, hypothesis):
            continue
        lacking = [
            name
            for name in other_factors(study, hypothesis, model.covariates)
            if "group" not in model.random or is_varied_within(study.group_conditions, name)
        ]
        if not lacking or (model.random and not rules):
            continue
        named, random = " and ".join(lacking), [f"(1 | {name})" for name in model.random]
        terms = " + ".join([hypothesis.factor, *model.covariates, *lacking, *random])
        column = hypothesis.outcome.rpartition(".")[2]
        told = (
            f"the model of {hypothesis.name!r} lacks {named}, which the attempts that it compares "
            f"differ in, too: write `{column} ~ {terms}`. "
        )
        if model.random:
            told += (
                f"The exclusion by {rules[0]} takes attempts away, of which more can be missing in "
                f"some conditions: what comes of {named} would then stand in the difference of "
                f"{hypothesis.factor}"
            )
        else:
            told += f"Least squares take {named} as further terms, named or not"
        yield Problem(_model_place(analysis, hypothesis), told)


def _quiz_warnings(study: Study, analysis: Analysis) -> Iterator[Problem]:
    """Yield that a rule on answers to a quiz looks at each of its attempts."""
    attempts: Mapping[str, int] = {
        RESPONSES + question.name: page.attempts
        for page in study.pages
        if isinstance(page, Quiz)
        for question in page.questions
    }
    for number, exclusion in enumerate(analysis.exclusions):
        if attempts.get(exclusion.column, 1) > 1:
            yield Problem(
                ("analysis", "exclusions", number),
                f"{exclusion.column} has an answer for each of up to "
                f"{attempts[exclusion.column]} attempts at the quiz, and one that meets the rule "
                "excludes, also of somebody who passed afterwards",
            )


def _where(analysis: Analysis, hypothesis: Hypothesis) -> tuple[str | int, ...]:
    return ("analysis", "hypotheses", analysis.hypotheses.index(hypothesis))


def _model_place(analysis: Analysis, hypothesis: Hypothesis) -> Path:
    """Return where the model of a hypothesis stands, or would."""
    if hypothesis.model is None and analysis.model is not None:
        return ("analysis", "model")
    return (*_where(analysis, hypothesis), "model")
