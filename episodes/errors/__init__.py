"""Error log after the Embodied Agent Interface: every action classified, goals at the end."""

from episodes.errors.classify import classify
from episodes.errors.goals import goal_errors
from episodes.errors.history import History
from episodes.errors.literals import Literal, SymbolicState
from episodes.errors.log import ErrorLog, error_log
from episodes.errors.records import CLASSES, REGISTRY_VERSION, ErrorRecord, Lookback, Violated
from episodes.errors.rules import RULES, RuleMeaning
from episodes.errors.schemas import SCHEMAS, Action, Domain, Entity, domain_of, expand

__all__ = [
    "CLASSES",
    "REGISTRY_VERSION",
    "RULES",
    "SCHEMAS",
    "Action",
    "Domain",
    "Entity",
    "ErrorLog",
    "ErrorRecord",
    "History",
    "Literal",
    "Lookback",
    "RuleMeaning",
    "SymbolicState",
    "Violated",
    "classify",
    "domain_of",
    "error_log",
    "expand",
    "goal_errors",
]
