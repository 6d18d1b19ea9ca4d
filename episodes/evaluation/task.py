"""Evaluation fields of a task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from episodes.dataset.model import Constraint, Dependency, Proposition, Task
from episodes.evaluation.partnr_explanation import short_name


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """A task's evaluation fields, and the class of each thing for the explanations.

    ``class_of`` is a function or a mapping from handle to class name; one that does not know a
    handle raises LookupError.
    """

    propositions: Sequence[Proposition]
    dependencies: Sequence[Dependency] = ()
    constraints: Sequence[Constraint] = ()
    class_of: Callable[[str], str] | Mapping[str, str] = field(default=short_name)

    @classmethod
    def from_task(
        cls, task: Task, class_of: Callable[[str], str] | Mapping[str, str] = short_name
    ) -> EvaluationTask:
        """Take the evaluation fields of a data set's task."""
        return cls(
            tuple(task.evaluation_propositions),
            tuple(task.evaluation_proposition_dependencies),
            tuple(task.evaluation_constraints),
            class_of,
        )
