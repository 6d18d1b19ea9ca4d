"""The scorer of an episode: one path for live ticks, for resuming and for scoring a log again.

Ticks given to the evaluator count from the start of the episode: its tick 0 is the world before
anybody could do anything, as PARTNR's step 0 is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from episodes.dataset import Task
from episodes.evaluation import (
    EvaluationTask,
    PropositionChange,
    SafeEvaluator,
    Verdict,
)
from episodes.evaluation.percent_complete import is_success
from episodes.scene import Catalogue, template_name
from episodes.world import AgentMoved, Change, WorldState
from server.durations import EVALUATION_BOUNDS_S, DurationTally
from server.sessions.facts import FactTable, Question, questions_of
from server.sessions.state import EpisodeState

Changed = Mapping[str, str | None]
"""Things that changed in a tick, and the seat that changed each."""
Decide = Callable[[tuple[PropositionChange, ...]], None]
"""A function that folds into an episode's state which phase it is in after a tick.

It is given the propositions that changed with the tick.
"""


def names_in(args: Any) -> list[str]:
    """Return all strings in a proposition's arguments: handles and room ids."""
    if isinstance(args, str):
        return [args]
    if isinstance(args, dict):
        return [n for value in args.values() for n in names_in(value)]
    if isinstance(args, list | tuple):
        return [n for value in args for n in names_in(value)]
    return []


def classes_of(task: Task, catalogue: Catalogue) -> dict[str, str]:
    """Look up the class of each thing in a task's propositions that the catalogue knows.

    A log keeps them, so that explanations are the same when it is scored again.
    """
    names = {n for p in task.evaluation_propositions for n in names_in(p.args)}
    return {
        name: catalogue.templates[template_name(name)].class_name
        for name in sorted(names)
        if template_name(name) in catalogue.templates
    }


def task_of(task: Task, classes: Mapping[str, str]) -> EvaluationTask:
    """Return the evaluation fields of a task."""
    return EvaluationTask.from_task(task, classes)


def questions_for(evaluator: SafeEvaluator) -> tuple[Question, ...]:
    """Return the primitive questions that an evaluator can ask; none where it cannot evaluate."""
    inner = evaluator.evaluator
    return () if inner is None else questions_of(inner.questions)


EVALUATIONS = DurationTally(EVALUATION_BOUNDS_S)
"""Ticks of this process so far at which an evaluator looked: nothing follows from these times."""


class EpisodeScorer:
    """A guarded evaluator of an episode and the facts that it asks.

    Every tick of the session goes through `score`, whether it is played or read from a log.
    """

    def __init__(self, task: EvaluationTask, evaluator: SafeEvaluator, facts: FactTable) -> None:
        self.task = task
        self.evaluator = evaluator
        self.facts = facts

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions whose answers are kept and logged."""
        return self.facts.questions

    @property
    def watched(self) -> frozenset[str]:
        """The things and rooms that the task names; none once evaluation has failed."""
        inner = self.evaluator.evaluator
        return frozenset() if inner is None else inner.watched

    @property
    def classes(self) -> dict[str, str]:
        """The classes that explanations use."""
        assert not callable(self.task.class_of)
        return dict(self.task.class_of)

    def score(
        self, state: EpisodeState, changed: Changed, decide: Decide
    ) -> tuple[PropositionChange, ...]:
        """Score a tick of the session; return the propositions that changed with it.

        ``changed`` says what changed and through whom (see `changed_in`); the facts know it
        already. A running episode is observed first; what that found goes to ``decide``, which
        folds into the state whether the episode starts, pauses or ends with this tick: the phase
        rules decide while it is played, its log when it is replayed. The evaluator's ticks count
        from the start of the episode.
        """
        evaluator, before = self.evaluator, state.phase
        found: tuple[PropositionChange, ...] = ()
        if before == "running" and (changed or evaluator.needs_observation):
            with EVALUATIONS:
                found = evaluator.observe(_ticks_played(state), self.facts, changed)
        decide(found)
        after = state.phase
        if after == before:
            return found
        if before == "gathering":
            found += evaluator.observe(0, self.facts, {})
        if after == "ended":
            found += evaluator.finish(_ticks_played(state), self.facts)
        return found

    def is_settled(self) -> bool:
        """Tell whether ticks in which nothing changes need not be scored."""
        return not self.evaluator.needs_observation

    def succeeded(self) -> bool:
        """Tell whether the episode would be a success if it ended now."""
        percent = self.evaluator.percent_complete
        return percent is not None and is_success(percent)

    def verdict(self) -> Verdict:
        return self.evaluator.verdict()


def _ticks_played(state: EpisodeState) -> int:
    return 0 if state.started_tick is None else state.tick - state.started_tick


def changed_in(
    changes: Iterable[Change], by: Mapping[str, str], world: WorldState
) -> dict[str, str | None]:
    """Return what changed in a tick and through whom: by actions, and carried along by bodies."""
    changed: dict[str, str | None] = dict(by)
    for change in changes:
        if type(change) is AgentMoved:
            held = world.held.get(change.seat)
            if held is not None:
                changed.setdefault(held, change.seat)
    return changed
