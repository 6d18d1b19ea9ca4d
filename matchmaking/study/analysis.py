"""Analysis of a study, declared before there are data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Literal

import msgspec

from matchmaking.study.conditions import Cell, Factor
from matchmaking.study.problems import Path, Problem
from matchmaking.study.questions import NAME
from matchmaking.visit_signs import SignKind

Unit = Literal["episode", "group", "participant"]


def sign_column(kind: SignKind) -> str:
    """Return the column that counts the signs of a kind of each visit."""
    return f"visits.n_signs_{kind}"


RESPONSES = "responses."
"""Start of columns that are answers; after it stands the name of the question."""
SCORES = "scores."
"""Start of columns that are scores of instruments."""
COLUMNS: Mapping[str, str] = {
    "episodes.success": "whether the task was done",
    "episodes.percent_complete": "share of the goals that hold",
    "episodes.duration_s": "time of the attempt",
    "episodes.ticks": "steps of the simulator",
    "episodes.try_index": "number of the attempt at the task, from 0",
    "episodes.retry_success": "whether the try after a failed one at the task succeeded",
    "episodes.retry_mended": "share of the goals missed in the try before that the next one met",
    "episodes.retry_named_mended": "the same of those that the explanation named",
    "episodes.end_reason": "how it ended",
    "episodes.n_failed_propositions": "goals that do not hold",
    "episodes.n_failed_constraints": "constraints that were broken",
    "seats.work_share": "share of the sub-tasks that the seat did",
    "seats.n_actions": "actions of the seat",
    "seats.n_extraneous_actions": "actions that brought no goal nearer",
    "seats.distance_m": "way that the body went",
    "seats.idle_s": "time without input",
    "seats.disconnected_s": "time without connection",
    "seats.hidden_s": "time in which the page was hidden",
    "visits.ending": "how the visit ended",
    "visits.waited_s": "time in the lobby",
    "visits.duration_s": "time from consent to the end",
    "visits.quiz_attempts": "attempts at the quiz",
    "visits.rtt_median_ms": "median of the round trips",
    **{sign_column(kind): f"signs of the kind {kind} that the visit gave" for kind in SignKind},
}
"""Columns of the export that an analysis may name, and what they are."""
MOST_NEAR = 8
"""Most columns that are told where one is named that there is not."""
RETRIES = "episodes.retry_"
"""Start of columns that are of a try which follows a failed one; all others are of first tries."""


class Hypothesis(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A prediction: how an outcome differs between two levels of a factor."""

    name: str
    text: str
    """The prediction in words."""
    factor: str
    levels: tuple[str, str]
    """Levels that are compared; the first is said to be so against the second."""
    outcome: str
    """Column of the export, such as `episodes.ticks`, `responses.QUESTION` or `scores.SCALE`."""
    direction: Literal["two_sided", "greater", "less", "equivalent"] = "two_sided"
    bound: float | None = None
    """Difference within which two levels count as equivalent, in standard deviations."""
    is_primary: bool = True
    model: str | None = None
    """Statistical model of this hypothesis, as a formula or in words; none: that of the plan."""
    sample: Sample | None = None
    """Sample of this hypothesis, in units of its model and with the plan's alpha; none: that of the
    plan."""


class Exclusion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A rule by which data are left out."""

    column: str
    relation: Literal["<", "<=", ">", ">=", "==", "!="]
    value: float | str | bool
    reason: str

    @property
    def is_on_attempts(self) -> bool:
        """Whether it takes the attempt away, rather than a person."""
        return self.column.startswith(("episodes.", "seats."))


class Sample(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Sample size and the effect that it detects."""

    effect: float
    """Cohen's d: the difference of means in standard deviations of a unit within a condition."""
    basis: str
    """Source of the effect, or the reason why a smaller one does not matter."""
    per_level: int
    """Units of each level that is compared; of outcomes `episodes.retry_…` those that have one."""
    alpha: float = 0.05
    power: float = 0.8
    group_share: float = 0.0
    """Share of the variance that the episodes of a group have in common."""
    task_share: float = 0.0
    """Share of the variance that attempts at a task have in common."""
    first_tries_failing: float | None = None
    """Share of first tries that are expected to fail: only then there is a next one, of which
    outcomes `episodes.retry_…` are."""


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A test before all data are there."""

    at_share: float
    """Share of the sample at which it is made."""
    alpha: float
    """Error of the first kind that it spends."""


class Analysis(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Plan of the analysis."""

    hypotheses: tuple[Hypothesis, ...]
    unit: Unit = "episode"
    model: str | None = None
    """Statistical model of hypotheses without one of their own, as a formula or in words; none:
    each has means of its people or groups, or with the unit `episode` a mixed model of attempts
    with random intercepts of groups and tasks."""
    exclusions: tuple[Exclusion, ...] = ()
    when_one_is_excluded: Literal["group_is_excluded", "others_stay"] = "group_is_excluded"
    """Data of the others when a member of a group is excluded."""
    sample: Sample
    correction: Literal["none", "bonferroni", "holm"] = "holm"
    """Correction where there are several primary hypotheses."""
    looks: tuple[Look, ...] = ()
    """Tests before the end; without them the study stops when its targets are full."""

    @property
    def primary(self) -> tuple[Hypothesis, ...]:
        return tuple(h for h in self.hypotheses if h.is_primary)

    def sample_of(self, hypothesis: Hypothesis) -> Sample:
        """Return the sample of a hypothesis: its own, or that of the plan."""
        return hypothesis.sample or self.sample

    def sample_place(self, hypothesis: Hypothesis) -> Path:
        """Return where the sample of a hypothesis stands in a study."""
        if hypothesis.sample is None:
            return ("analysis", "sample")
        return ("analysis", "hypotheses", self.hypotheses.index(hypothesis), "sample")

    def problems(
        self,
        where: Path,
        cells: Sequence[Cell],
        factors: Sequence[Factor],
        questions: Collection[str],
        episodes: int | None,
    ) -> Iterator[Problem]:
        """Yield what of it cannot be for a study with these conditions and questions."""
        if not self.primary:
            yield Problem(
                (*where, "hypotheses"), "expected a primary hypothesis, and there is none"
            )
        names = Counter(hypothesis.name for hypothesis in self.hypotheses)
        for number, hypothesis in enumerate(self.hypotheses):
            here = (*where, "hypotheses", number)
            if names[hypothesis.name] > 1 or NAME.fullmatch(hypothesis.name) is None:
                yield Problem(
                    (*here, "name"),
                    "expected a name of its own of small letters, digits and _, got "
                    f"{hypothesis.name!r}",
                )
            yield from _hypothesis_problems(hypothesis, here, factors)
            yield from _column_problems(hypothesis.outcome, questions, (*here, "outcome"))
            yield from _model_problems(hypothesis.model, (*here, "model"))
            yield from self._own_sample_problems(hypothesis, (*here, "sample"))
        for number, exclusion in enumerate(self.exclusions):
            column = (*where, "exclusions", number, "column")
            yield from _column_problems(exclusion.column, questions, column)
        yield from _model_problems(self.model, (*where, "model"))
        yield from _sample_problems(self.sample, (*where, "sample"))
        yield from self._target_problems((*where, "sample", "per_level"), cells, episodes)
        yield from self._look_problems((*where, "looks"))

    def _most_of_targets(self, hypothesis: Hypothesis, cells: Sequence[Cell], episodes: int) -> int:
        """Return the most units of the smaller level, as if other groups played each condition.

        A study is read with it; `planned_units` counts groups within subjects once.
        """
        return min(
            sum(
                cell.target * self._units_of_group(cell, episodes)
                for cell in cells
                if cell.levels.get(hypothesis.factor) == level
            )
            for level in hypothesis.levels
        )

    def _units_of_group(self, cell: Cell, episodes: int) -> int:
        match self.unit:
            case "episode":
                return episodes
            case "participant":
                return cell.people
            case "group":
                return 1

    def _own_sample_problems(self, hypothesis: Hypothesis, where: Path) -> Iterator[Problem]:
        """Yield what cannot be of a sample that a hypothesis has of its own."""
        sample = hypothesis.sample
        if sample is None:
            return
        yield from _sample_problems(sample, where)
        if sample.alpha != self.sample.alpha:
            yield Problem(
                (*where, "alpha"),
                f"expected the plan's alpha, {self.sample.alpha:g}, which the primary hypotheses "
                f"share, got {sample.alpha:g}",
            )

    def _target_problems(
        self, where: Path, cells: Sequence[Cell], episodes: int | None
    ) -> Iterator[Problem]:
        """Yield that the targets give fewer units than the plan's sample has."""
        planned = self.sample.per_level
        for hypothesis in self.primary:
            # What samples of their own count is known where a study opens.
            if hypothesis.sample is not None:
                continue
            given = self._most_of_targets(hypothesis, cells, episodes or 1)
            if given < planned:
                yield Problem(
                    where,
                    f"expected at most {given}, the {self.unit}s that the targets give for "
                    f"{hypothesis.name!r}, got {planned}: raise the targets, or the episodes of a "
                    "group, or name a larger effect",
                )

    def _look_problems(self, where: Path) -> Iterator[Problem]:
        shares = [look.at_share for look in self.looks]
        if shares != sorted(set(shares)) or not all(0 < share < 1 for share in shares):
            yield Problem(where, "expected shares between 0 and 1, each larger than the one before")
        spent = sum(look.alpha for look in self.looks)
        if self.looks and not all(look.alpha > 0 for look in self.looks):
            yield Problem(where, "expected the alpha that each look spends, above 0")
        if spent >= self.sample.alpha:
            yield Problem(
                where,
                f"expected looks that spend less than {self.sample.alpha:g} in all, so that some "
                f"is left for the end, got {spent:g}",
            )


def _model_problems(model: str | None, where: Path) -> Iterator[Problem]:
    if model is not None and not model.strip():
        yield Problem(where, "expected the statistical model in words, or no such line")


def _sample_problems(sample: Sample, where: Path) -> Iterator[Problem]:
    if not sample.effect or abs(sample.effect) > 5:
        yield Problem(
            (*where, "effect"), f"expected an effect (d) up to 5, not 0, got {sample.effect:g}"
        )
    if not sample.basis.strip():
        yield Problem((*where, "basis"), "expected where the effect is taken from")
    if not 0 < sample.alpha < sample.power < 1:
        yield Problem(
            (*where, "alpha"),
            f"expected an alpha below the power, both between 0 and 1, got {sample.alpha:g} "
            f"and {sample.power:g}",
        )
    shares = (sample.group_share, sample.task_share)
    if not all(0 <= share < 1 for share in shares) or sum(shares) >= 1:
        yield Problem((*where, "group_share"), "expected shares from 0 whose sum is below 1")


def _hypothesis_problems(
    hypothesis: Hypothesis, where: Path, factors: Sequence[Factor]
) -> Iterator[Problem]:
    by_name = {factor.name: factor.levels for factor in factors}
    if not hypothesis.text.strip():
        yield Problem((*where, "text"), "expected the prediction in words")
    if hypothesis.factor not in by_name:
        yield Problem(
            (*where, "factor"),
            f"there is no factor {hypothesis.factor!r}, only {sorted(by_name)}",
        )
        return
    levels = by_name[hypothesis.factor]
    if len(set(hypothesis.levels)) < 2 or not set(hypothesis.levels) <= set(levels):
        yield Problem(
            (*where, "levels"),
            f"expected two of its levels, {list(levels)}, got {list(hypothesis.levels)}",
        )
    if (hypothesis.direction == "equivalent") != ((hypothesis.bound or 0) > 0):
        yield Problem(
            (*where, "bound"),
            "expected a bound above 0 with the direction 'equivalent', and none with another",
        )


def _column_problems(column: str, questions: Collection[str], where: Path) -> Iterator[Problem]:
    known = {*COLUMNS, *questions}
    if column not in known:
        # Who names an instrument has it with several scales.
        near = sorted(name for name in known if name.startswith(f"{column}_"))
        near = near[:MOST_NEAR] or get_close_matches(column, known, n=1, cutoff=0.5)
        verb = "nearest is" if len(near) == 1 else "nearest are"
        hint = f"; the {verb} {', '.join(map(repr, near))}" if near else ""
        yield Problem(where, f"the export has no column {column!r}{hint}")
