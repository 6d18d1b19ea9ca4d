"""Evaluator for sessions: it never raises, it becomes unavailable."""

from __future__ import annotations

from collections.abc import Mapping

from episodes.evaluation.evaluator import Evaluator, EvaluatorState
from episodes.evaluation.facts import Facts
from episodes.evaluation.semantics import DOCUMENTED, Semantics
from episodes.evaluation.task import EvaluationTask
from episodes.evaluation.verdict import PropositionChange, Verdict, unavailable


class SafeEvaluator:
    """`Evaluator` with its errors turned into the verdict ``unavailable`` with a reason.

    The first error ends the evaluation, as it does in PARTNR; ``reason`` tells it at once. One that
    ended it before is given to the constructor.
    """

    def __init__(
        self,
        task: EvaluationTask,
        *,
        semantics: Semantics | str = DOCUMENTED,
        state: EvaluatorState | None = None,
        reason: str | None = None,
    ) -> None:
        self.reason = reason
        self._semantics = semantics if isinstance(semantics, str) else semantics.name
        self._evaluator: Evaluator | None = None
        try:
            self._evaluator = Evaluator(task, semantics=semantics, state=state)
        except Exception as error:
            self._fail("the task cannot be evaluated", error)

    def _fail(self, what: str, error: Exception) -> None:
        self.reason = f"{what}: {type(error).__name__}: {error}"

    @property
    def evaluator(self) -> Evaluator | None:
        """Evaluator inside, or None once something went wrong."""
        return self._evaluator if self.reason is None else None

    @property
    def needs_observation(self) -> bool:
        evaluator = self.evaluator
        return evaluator is not None and evaluator.needs_observation

    @property
    def percent_complete(self) -> float | None:
        """Percent complete so far, or None when unavailable."""
        evaluator = self.evaluator
        if evaluator is None:
            return None
        try:
            return evaluator.percent_complete
        except Exception as error:
            self._fail("percent complete", error)
            return None

    def observe(
        self, tick: int, facts: Facts, changed: Mapping[str, str | None]
    ) -> tuple[PropositionChange, ...]:
        """Call `Evaluator.observe`; do nothing once unavailable."""
        if self.reason is not None or self._evaluator is None:
            return ()
        try:
            return self._evaluator.observe(tick, facts, changed)
        except Exception as error:
            self._fail(f"tick {tick}", error)
            return ()

    def finish(self, tick: int, facts: Facts | None = None) -> tuple[PropositionChange, ...]:
        """Call `Evaluator.finish`; do nothing once unavailable."""
        if self.reason is not None or self._evaluator is None:
            return ()
        try:
            return self._evaluator.finish(tick, facts)
        except Exception as error:
            self._fail(f"finish at tick {tick}", error)
            return ()

    def state(self) -> EvaluatorState | None:
        """Return `Evaluator.state`, or None when unavailable."""
        evaluator = self.evaluator
        return None if evaluator is None else evaluator.state()

    def verdict(self) -> Verdict:
        """Return the verdict, or the one that says why there is none."""
        if self.reason is None and self._evaluator is not None:
            try:
                return self._evaluator.verdict()
            except Exception as error:
                return unavailable(f"verdict: {type(error).__name__}: {error}", self._semantics)
        return unavailable(self.reason or "not evaluated", self._semantics)
