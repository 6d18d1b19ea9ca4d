"""PARTNR's evaluator, online: predicates, dependencies and constraints, verdict and credit."""

from episodes.evaluation.account import Account, without_mending
from episodes.evaluation.errors import EvaluationError
from episodes.evaluation.evaluator import Evaluator, EvaluatorState
from episodes.evaluation.facts import Facts, FactTable, RecordedFacts
from episodes.evaluation.final_places import (
    Place,
    Surroundings,
    WhereIs,
    WorldWhere,
    player_names,
    surroundings_of,
)
from episodes.evaluation.partnr_explanation import Explanation, OutOfOrder, Section, describe
from episodes.evaluation.player_explanation import account_text, explain, explained, explained_in
from episodes.evaluation.predicates import Cell, holds
from episodes.evaluation.safe_evaluator import SafeEvaluator
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
    "Account",
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
    "Place",
    "PropositionChange",
    "PropositionOutcome",
    "RecordedFacts",
    "SafeEvaluator",
    "Section",
    "Semantics",
    "Surroundings",
    "Verdict",
    "WhereIs",
    "WorldWhere",
    "account_text",
    "describe",
    "explain",
    "explained",
    "explained_in",
    "holds",
    "player_names",
    "semantics_named",
    "surroundings_of",
    "unavailable",
    "without_mending",
]
