"""The evaluator of an episode, driven the same way live, on resume and when scoring a log again.

Ticks given to the evaluator count from the start of the episode: its tick 0 is the world before
anybody could do anything, as PARTNR's step 0 is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from episodes.dataset import Task
from episodes.evaluation import (
    EvaluationTask,
    EvaluatorState,
    PropositionChange,
    SafeEvaluator,
    Verdict,
)
from episodes.evaluation.percent import is_success
from episodes.scene import Catalogue, template_name
from episodes.world import AgentMoved, Change, WorldState
from server.sessions.events import Phase
from server.sessions.facts import FactTable, Question, questions_of

Changed = Mapping[str, str | None]


def names_in(args: Any) -> list[str]:
    """All strings in the arguments of a proposition: handles and room ids."""
    if isinstance(args, str):
        return [args]
    if isinstance(args, dict):
        return [n for value in args.values() for n in names_in(value)]
    if isinstance(args, list | tuple):
        return [n for value in args for n in names_in(value)]
    return []


def classes_of(task: Task, catalogue: Catalogue) -> dict[str, str]:
    """The class of each thing in a task's propositions that the catalogue knows: a value that a
    log can keep, so that explanations are the same when it is scored again."""
    names = {n for p in task.evaluation_propositions for n in names_in(p.args)}
    return {
        name: catalogue.templates[template_name(name)].class_name
        for name in sorted(names)
        if template_name(name) in catalogue.templates
    }


def task_of(task: Task, classes: Mapping[str, str]) -> EvaluationTask:
    """The evaluation fields of a task."""
    return EvaluationTask.from_episode(task, classes)


class EpisodeEvaluation:
    """A guarded evaluator and the facts that it asks."""

    def __init__(
        self, task: EvaluationTask, semantics: str, state: EvaluatorState | None = None
    ) -> None:
        self.task = task
        self.semantics = semantics
        self.evaluator = SafeEvaluator(task, semantics=semantics, state=state)
        inner = self.evaluator.evaluator
        self.questions: tuple[Question, ...] = (
            () if inner is None else questions_of(inner.questions)
        )
        self.watched: frozenset[str] = frozenset() if inner is None else inner.watched
        self.facts = FactTable(self.questions)

    @property
    def classes(self) -> dict[str, str]:
        """The classes that explanations use."""
        assert not callable(self.task.class_of)
        return dict(self.task.class_of)

    def use(self, facts: FactTable) -> None:
        """Ask this table from now on."""
        self.facts = facts

    def start(self) -> tuple[PropositionChange, ...]:
        """The world before anything happens."""
        return self.evaluator.observe(0, self.facts, {})

    def observe(self, tick: int, changed: Changed) -> tuple[PropositionChange, ...]:
        """A tick of the running episode, counted from its start."""
        if changed or self.evaluator.needs_observation:
            return self.evaluator.observe(tick, self.facts, changed)
        return ()

    def finish(self, tick: int) -> tuple[PropositionChange, ...]:
        return self.evaluator.finish(tick, self.facts)

    def succeeded(self) -> bool:
        """Whether the episode would be a success if it ended now."""
        percent = self.evaluator.percent_complete
        return percent is not None and is_success(percent)

    def verdict(self) -> Verdict:
        return self.evaluator.verdict()


class Moment(NamedTuple):
    """The phase before and after a tick, the tick, and when the episode started."""

    before: Phase
    after: Phase
    tick: int
    started_tick: int | None


def score(
    scoring: EpisodeEvaluation, moment: Moment, changed: Changed
) -> tuple[PropositionChange, ...]:
    """What a tick means for the evaluator, given the phases around it."""
    found: tuple[PropositionChange, ...] = ()
    started = moment.tick if moment.started_tick is None else moment.started_tick
    if moment.before == "running":
        found += scoring.observe(moment.tick - started, changed)
    elif moment.before == "gathering" and moment.after != "gathering":
        found += scoring.start()
    if moment.before != "ended" and moment.after == "ended":
        found += scoring.finish(moment.tick - started)
    return found


def changed_in(
    changes: Iterable[Change], by: Mapping[str, str], world: WorldState
) -> dict[str, str | None]:
    """What changed in a tick and through whom: what actions did, and what bodies carried along."""
    changed: dict[str, str | None] = dict(by)
    for change in changes:
        if type(change) is AgentMoved:
            held = world.held.get(change.seat)
            if held is not None:
                changed.setdefault(held, change.seat)
    return changed
