"""Findings: what the data say of each declared hypothesis, by the model that was declared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd
from markupsafe import Markup

from matchmaking.study.analysis import (
    COLUMNS,
    Analysis,
    Hypothesis,
    Sample,
    Unit,
)
from matchmaking.study.analysis_words import averaged_of, mean_of_unit
from matchmaking.study.compared_conditions import Balance, balance_of
from matchmaking.study.declared_model import (
    CLUSTERED,
    Model,
    clustered_model,
    computed_model,
    model_text,
    other_outcome,
    sample_unit,
)
from matchmaking.study.planned_units import is_within_groups
from server.research.exports.tables.factors import PREFIX
from server.research.study_report.comparison import Comparison, Difference
from server.research.study_report.estimates import Interval, Mean, corrected, mean_of
from server.research.study_report.export_tables import Export, Frame
from server.research.study_report.figures import differences_figure, means_figure
from server.research.study_report.outcome_values import (
    CHOICES,
    NoValuesError,
    are_of_people,
    values_of,
)
from server.research.study_report.unit_means import attempt_means, labels, unit_means

DECLARED = "by assigned condition"
"""Set of the data that the declared analysis is of: first tries, without what is excluded."""
SHARES = frozenset(
    {
        "episodes.success",
        "episodes.percent_complete",
        "episodes.retry_success",
        "episodes.retry_mended",
        "episodes.retry_named_mended",
        "seats.work_share",
    }
)
"""Outcomes whose values are from 0 to 1."""
RATES = frozenset({"episodes.success", "episodes.retry_success"})
"""Outcomes whose values are 0 or 1, of attempts."""
LABELS = {
    "episodes.success": "success rate",
    "episodes.percent_complete": "percent complete",
    "episodes.duration_s": "time of the attempt (s)",
    "episodes.ticks": "steps of the attempt",
    "episodes.retry_success": "success rate of the try after a failed one",
    "episodes.retry_mended": "share of missed goals that the next try met",
    "episodes.retry_named_mended": "share of named goals that the next try met",
    "seats.idle_s": "time without input (s)",
    "seats.distance_m": "way of the body (m)",
}
_UNITS = {"episode": ("attempt", "attempts"), "group": ("group", "groups")}
_PERSON = ("person", "people")
_SIDES = {
    "two_sided": "two-sided",
    "greater": "one-sided",
    "less": "one-sided",
    "equivalent": "twice, one-sided against each bound",
}
_P = {
    "two_sided": "two-sided p",
    "greater": "one-sided p",
    "less": "one-sided p",
    "equivalent": "p of equivalence",
}


class Finding(NamedTuple):
    """A hypothesis with what the data say of it; ``problem`` says why they say nothing."""

    hypothesis: Hypothesis
    comparison: Comparison
    unit: tuple[str, str]
    """Name of the unit that a value is of, for one and for many."""
    means: list[Mean]
    found: list[tuple[str, Difference]]
    """Differences by set of the data; the first is the declared one."""
    p_corrected: float | None
    means_figure: Markup
    differences_figure: Markup
    declared: str
    """Model that is declared, in words."""
    sample: Sample
    sample_unit: Unit
    """Unit that the sample counts."""
    problem: str = ""
    unfitted: str = ""
    """Reason for which the declared model is not fitted; empty: it is."""
    is_of_people: bool = False
    """Whether values are of people and of no attempt."""
    takes_means: bool = False
    """Whether means of people are compared though the model is of attempts."""
    interval: Interval = "t"
    """Kind of the interval of a mean."""
    other_outcome: str = ""
    """Outcome that the words of the model name, where it is another one."""
    clustered: Model = CLUSTERED
    """Model by which single attempts are compared beside the declared one."""

    @property
    def beside_clustered(self) -> str:
        """Terms of `clustered`, and those of the declared model that it lacks, for a sentence."""
        own, declared = self.clustered.covariates, self.comparison.model.covariates
        lacking = [term for term in declared if term not in own]
        told = ""
        if own:
            told += f", with {' and '.join(own)} as {'a term' if len(own) == 1 else 'terms'}"
            told += " where that tells attempts apart"
        if lacking:
            told += f", and without {' and '.join(lacking)}, which the declared model has"
        return told

    @property
    def main(self) -> Difference:
        """Difference in the declared set."""
        return self.found[0][1]

    @property
    def planned(self) -> int:
        """Units of each level that were planned; 0 where nothing was, of a secondary one."""
        return self.sample.per_level if self.hypothesis.is_primary else 0

    @property
    def averaged(self) -> str:
        """Name of what the mean of a unit is of."""
        return averaged_of(self.hypothesis, is_of_people=self.is_of_people)

    @property
    def mean_of_unit(self) -> str:
        """Mean that is a unit's value, in words."""
        compared = self.comparison
        return mean_of_unit(self.averaged, compared.held, is_paired=compared.is_paired)

    @property
    def rank(self) -> str:
        return "primary" if self.hypothesis.is_primary else "secondary"

    @property
    def sides(self) -> str:
        """Sides of the declared test, in words."""
        return _SIDES[self.hypothesis.direction]

    @property
    def counted_units(self) -> str:
        """Numbers of units that are compared; of a paired test those with both levels."""
        one, many = self.unit
        first, second = self.main.n
        if self.comparison.is_paired:
            return f"{first} {one if first == 1 else many} with both levels"
        return f"{first} and {second} {many}"

    @property
    def p_name(self) -> str:
        """Name of the p value, with its sides."""
        return _P[self.hypothesis.direction]


def findings_of(export: Export, kept: Export, alpha: float) -> list[Finding]:
    """Return the findings, primary ones first; ``kept``: the export without what is excluded."""
    plan = export.study.analysis
    if plan is None:
        return []
    ordered = sorted(plan.hypotheses, key=lambda hypothesis: not hypothesis.is_primary)
    found = [_finding(export, kept, plan, hypothesis, alpha) for hypothesis in ordered]
    primary = [one for one in found if one.hypothesis.is_primary]
    p_values = corrected([one.main.p for one in primary], plan.correction)
    family = [one._replace(p_corrected=p) for one, p in zip(primary, p_values, strict=True)]
    return family + [one for one in found if not one.hypothesis.is_primary]


def deviations_of(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield what in the findings is not as the plan declared it, each as a sentence."""
    for one in findings:
        name = one.hypothesis.name.replace("_", " ")
        unit = one.sample_unit
        if one.takes_means:
            yield (
                f"{name}: {one.hypothesis.outcome} is of people and of no attempt, so that means "
                "of people are compared, whatever the model says of attempts. Computed: "
                f"{one.comparison.test}."
            )
        elif one.unfitted:
            yield (
                f"{name}: the declared model \N{LEFT DOUBLE QUOTATION MARK}{one.declared}"
                f"\N{RIGHT DOUBLE QUOTATION MARK} was not fitted ({one.unfitted}). Computed "
                f"instead: {one.comparison.test}."
            )
        elif one.comparison.model.unit != unit:
            declared = _PERSON if unit == "participant" else _UNITS[unit]
            yield (
                f"{name}: the plan's unit is the {declared[0]}, but its model is of "
                f"{one.unit[1]}; the model is what is fitted."
            )
        elif unit == "participant" and one.unit != _PERSON:
            yield (
                f"{name}: the declared unit is the person; computed with the {one.unit[0]}, "
                "because people who played together are not independent."
            )
        is_counted = not one.problem and one.comparison.model.unit == unit
        if is_counted and min(one.main.n) < one.planned:
            yield f"{name}: {_analysed(one)} analysed, planned were {one.planned} each."
        yield from _unbalanced(one, name)


def _unbalanced(one: Finding, name: str) -> Iterator[str]:
    """Yield which groups are not compared on all the conditions that were planned for them."""
    main, held = one.main, one.comparison.held
    if main.apart:
        has = "group has" if main.apart == 1 else "groups have"
        yield (
            f"{name}: {main.apart} {has} both levels, but never with the same {held}, and "
            f"{'is' if main.apart == 1 else 'are'} left out."
        )
    if not main.fewer:
        return
    told = f"{name}: {main.fewer} of {main.n_groups} groups "
    was = "was" if main.fewer == 1 else "were"
    if one.comparison.is_paired:
        yield (
            f"{told}{was} compared on fewer conditions than planned, on those that the group has "
            f"at both levels with the same {held}."
        )
    else:
        yield (
            f"{told}{was} compared on fewer conditions than planned: the mean of such a group is "
            "over those that it has, so that what it lacks can be part of the difference."
        )


def _analysed(one: Finding) -> str:
    """Return how many units are analysed; of a paired test they are those with both levels."""
    (first, second), (n, other) = one.hypothesis.levels, one.main.n
    if one.comparison.is_paired:
        unit, verb = (one.unit[0], "is") if n == 1 else (one.unit[1], "are")
        return f"{n} {unit} with both {first} and {second} {verb}"
    return f"{n} and {other} {one.unit[1]} of {first} and {second} are"


def _is_same(one: Model, other: Model) -> bool:
    """Tell whether two models have the same terms, in any order."""
    mine, theirs = ((m.unit, m.random, set(m.covariates)) for m in (one, other))
    return mine == theirs


def _finding(
    export: Export, kept: Export, plan: Analysis, hypothesis: Hypothesis, alpha: float
) -> Finding:
    is_of_people = _is_of_people(kept, hypothesis.outcome)
    model, unfitted, takes_means = computed_model(export.study, hypothesis, of_people=is_of_people)
    is_share = hypothesis.outcome in SHARES
    balance = Balance() if is_of_people else balance_of(export.study, hypothesis)
    is_within = is_within_groups(export.study, hypothesis)
    declared = Comparison(model, is_within, alpha, is_share, balance)
    clustered = declared._replace(model=clustered_model(export.study, hypothesis))
    sets = [
        (DECLARED, kept, CHOICES[0], False, declared),
        ("without exclusions", export, CHOICES[0], False, declared),
        ("per protocol", kept, CHOICES[0], True, declared),
    ]
    if not is_of_people and export.study.tasks.tries > 1:
        sets.append(("best of tries", kept, CHOICES[1], False, declared))
    if not (is_of_people or _is_same(model, clustered.model)):
        sets.insert(1, ("attempts, clustered", kept, CHOICES[0], False, clustered))
    found: list[tuple[str, Difference]] = []
    problem, rows = "", None
    for name, data, choice, per_protocol, comparison in sets:
        try:
            values = values_of(data, hypothesis.outcome, choice, per_protocol=per_protocol)
        except NoValuesError as error:
            found.append((name, Difference((0, 0), 0, problem=str(error))))
            problem = problem or (str(error) if name == DECLARED else "")
            continue
        values = attempt_means(values.assign(level=values[PREFIX + hypothesis.factor]))
        rows = _shown(declared, hypothesis, values) if name == DECLARED else rows
        found.append((name, comparison.difference(hypothesis, comparison.values(values))))
    interval = interval_of(hypothesis.outcome, model.unit)
    means = [] if rows is None else _means(export, rows, alpha, interval)
    unit = _unit(export, model)
    label = LABELS.get(hypothesis.outcome) or COLUMNS.get(hypothesis.outcome, hypothesis.outcome)
    first, second = hypothesis.levels
    return Finding(
        hypothesis,
        declared,
        unit,
        means,
        found,
        None,
        Markup("" if rows is None else means_figure(rows, means, label, is_share=is_share)),  # noqa: S704
        Markup(differences_figure(found, f"{first} less {second}: {label}")),  # noqa: S704
        model_text(export.study, hypothesis),
        plan.sample_of(hypothesis),
        sample_unit(export.study, hypothesis),
        problem,
        unfitted,
        is_of_people,
        takes_means,
        interval,
        other_outcome(export.study, hypothesis),
        clustered.model,
    )


def _shown(comparison: Comparison, hypothesis: Hypothesis, rows: Frame) -> Frame:
    """Return the values whose means are shown.

    Those of a paired test are of the groups that it is of, and at its levels of what it compares.
    """
    if comparison.model.unit == "episode":
        return rows
    if comparison.is_paired:
        cells = comparison.compared(hypothesis, comparison.values(rows)).cells
        names = ["group_id", "level", "cell"]
        own = rows.assign(cell=labels(rows, comparison.balance.factors))[names]
        is_compared = pd.MultiIndex.from_frame(own).isin(pd.MultiIndex.from_frame(cells[names]))
        is_other = ~rows["level"].isin(hypothesis.levels)
        rows = rows[is_compared | (is_other & rows["group_id"].isin(cells["group_id"]))]
    return unit_means(rows)


def _is_of_people(export: Export, outcome: str) -> bool:
    try:
        return are_of_people(values_of(export, outcome))
    except NoValuesError:
        return False


def _unit(export: Export, model: Model) -> tuple[str, str]:
    """Return the name of the unit: a person is one only where all play alone."""
    if model.unit == "participant":
        is_alone = all(cell.people == 1 for cell in export.study.cells)
        return _PERSON if is_alone else _UNITS["group"]
    return _UNITS[model.unit]


def interval_of(outcome: str, unit: Unit) -> Interval:
    """Return the kind of interval that a mean of an outcome has, for values of a unit.

    Wilson's is of attempts that succeeded or did not. The mean of a person's successes, or of
    shares, is no rate.
    """
    if outcome in RATES and unit == "episode":
        return "Wilson"
    return "t, cut at 0 and 1" if outcome in SHARES else "t"


def _means(export: Export, rows: Frame, alpha: float, interval: Interval) -> list[Mean]:
    return [
        mean_of(cell.name, rows[rows["condition"] == cell.name], alpha, interval)
        for cell in export.study.cells
    ]
