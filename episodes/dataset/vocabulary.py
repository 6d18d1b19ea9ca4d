"""Words of PARTNR's evaluation fields: predicates, relations, modes, constraint types.

Both the data set (validation) and the evaluator (meaning) read this table, so that what loads is
exactly what can be evaluated. Source: PARTNR's data set format, sections 2.2 to 2.4 of the
evaluator specification in the project's documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

STATE_NAMES: Final = ("is_clean", "is_filled", "is_powered_on")


@dataclass(frozen=True, slots=True)
class PredicateSignature:
    """Arguments that one predicate takes.

    ``first`` and ``second`` name the handle lists (``second`` is None for unary predicates),
    ``same`` names the ``is_same_*`` flag, ``has_threshold`` says whether ``l2_threshold`` is
    allowed. ``state`` is the state that is looked up and ``negated`` whether it must be false.
    ``is_clustered`` takes ``*args``, a list of groups, in place of ``first`` and ``second``.
    """

    name: str
    first: str
    second: str | None = None
    same: str | None = None
    has_threshold: bool = False
    state: str | None = None
    negated: bool = False

    @property
    def is_clustered(self) -> bool:
        return self.first == GROUPS_ARG

    @property
    def list_names(self) -> tuple[str, ...]:
        """Argument names that a satisfied proposition records."""
        return (self.first,) if self.second is None else (self.first, self.second)


GROUPS_ARG: Final = "*args"
DEFAULT_L2_THRESHOLD_M: Final = 0.5

PREDICATES: Final[dict[str, PredicateSignature]] = {
    signature.name: signature
    for signature in (
        PredicateSignature(
            "is_on_top", "object_handles", "receptacle_handles", "is_same_receptacle"
        ),
        PredicateSignature(
            "is_inside", "object_handles", "receptacle_handles", "is_same_receptacle"
        ),
        PredicateSignature("is_in_room", "object_handles", "room_ids", "is_same_room"),
        PredicateSignature("is_on_floor", "object_handles"),
        PredicateSignature(
            "is_next_to", "entity_handles_a", "entity_handles_b", "is_same_b", has_threshold=True
        ),
        PredicateSignature("is_clustered", GROUPS_ARG, has_threshold=True),
        PredicateSignature("is_clean", "object_handles", state="is_clean"),
        PredicateSignature("is_dirty", "object_handles", state="is_clean", negated=True),
        PredicateSignature("is_filled", "object_handles", state="is_filled"),
        PredicateSignature("is_empty", "object_handles", state="is_filled", negated=True),
        PredicateSignature("is_powered_on", "object_handles", state="is_powered_on"),
        PredicateSignature("is_powered_off", "object_handles", state="is_powered_on", negated=True),
    )
}

RELATIONS: Final = (
    "while_satisfied",
    "after_satisfied",
    "after_unsatisfied",
    "before_satisfied",
)
MODES: Final = ("all", "any")

TEMPORAL: Final = "TemporalConstraint"
SAME_ARG: Final = "SameArgConstraint"
DIFFERENT_ARG: Final = "DifferentArgConstraint"
TERMINAL: Final = "TerminalSatisfactionConstraint"
CONSTRAINT_TYPES: Final = (TEMPORAL, SAME_ARG, DIFFERENT_ARG, TERMINAL)
