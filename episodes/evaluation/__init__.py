"""The PARTNR evaluator, online: predicates, dependencies and constraints, verdict and credit."""

from episodes.evaluation.errors import EvaluationError
from episodes.evaluation.evaluator import Evaluator, EvaluatorState
from episodes.evaluation.explanation import Explanation, OutOfOrder, Section, describe
from episodes.evaluation.facts import Facts, FactTable, RecordedFacts
from episodes.evaluation.predicates import Cell, holds
from episodes.evaluation.safe import SafeEvaluator
from episodes.evaluation.semantics import DOCUMENTED, RELEASED, Semantics, semantics_named
from episodes.evaluation.task import EvaluationTask
from episodes.evaluation.verdict import (
    EVALUATOR_VERSION,
    ConstraintOutcome,
    PropositionChange,
    PropositionOutcome,
    Verdict,
    unavailable,
)

__all__ = [
    "DOCUMENTED",
    "EVALUATOR_VERSION",
    "RELEASED",
    "Cell",
    "ConstraintOutcome",
    "EvaluationError",
    "EvaluationTask",
    "Evaluator",
    "EvaluatorState",
    "Explanation",
    "FactTable",
    "Facts",
    "OutOfOrder",
    "PropositionChange",
    "PropositionOutcome",
    "RecordedFacts",
    "SafeEvaluator",
    "Section",
    "Semantics",
    "Verdict",
    "describe",
    "holds",
    "semantics_named",
    "unavailable",
]
