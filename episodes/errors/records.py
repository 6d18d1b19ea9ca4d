"""Records of the error log: what it says of one action or one goal."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from episodes.trace import ActorKind

REGISTRY_VERSION: Final = "1"
"""Version of the classification, on every record; raised when a trace could get other labels."""

Stage = Literal["grammar", "runtime", "goal", "extension"]
ErrorClass = Literal[
    "OK",
    "PARSING",
    "HALLUCINATION",
    "ARG_NUMBER",
    "AFFORDANCE",
    "ADDITIONAL_STEP",
    "MISSING_STEP",
    "WRONG_ORDER",
    "UNOBSERVED_OBJECT",
    "EXECUTION_FAILURE",
    "UNSATISFIED_STATE",
    "UNSATISFIED_RELATION",
    "UNSATISFIED_ACTION",
]
CLASSES: Final[dict[ErrorClass, tuple[Stage, bool]]] = {
    "OK": ("runtime", False),
    "PARSING": ("grammar", True),
    "HALLUCINATION": ("grammar", True),
    "ARG_NUMBER": ("grammar", True),
    "AFFORDANCE": ("runtime", True),
    "ADDITIONAL_STEP": ("runtime", False),
    "MISSING_STEP": ("runtime", True),
    "WRONG_ORDER": ("runtime", True),
    "UNOBSERVED_OBJECT": ("extension", True),
    "EXECUTION_FAILURE": ("extension", False),
    "UNSATISFIED_STATE": ("goal", True),
    "UNSATISFIED_RELATION": ("goal", True),
    "UNSATISFIED_ACTION": ("goal", True),
}
"""Stage of each class, and whether it would have stopped the Embodied Agent Interface."""

LookbackMode = Literal["violated_joint", "full_joint", "per_literal"]


class Violated(msgspec.Struct, frozen=True, omit_defaults=True):
    """A precondition that did not hold: until when it did, and who ended it."""

    literal: str
    last_true_t: int | None = None
    broken_by: str | None = None
    broken_action: str = ""


class Lookback(msgspec.Struct, frozen=True):
    """Three readings of whether an earlier state would have allowed the action."""

    violated_joint: bool = False
    full_joint: bool = False
    per_literal: bool = False


class ActionName(msgspec.Struct, frozen=True):
    name: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.args)})"


class ErrorRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An action of a seat (class ``OK`` where nothing is wrong), or a goal at the end.

    ``primary`` marks the first fatal error of each seat, which is all that the Embodied Agent
    Interface would have counted. ``cause`` is ``partner_did_it`` where another seat had already
    done what was asked; goals have ``missed``, ``attempted_wrong`` or ``undone`` there.
    """

    episode: str
    t: int
    agent: str | None
    actor_kind: ActorKind
    action: ActionName
    stage: Stage
    error_class: ErrorClass = msgspec.field(name="class")
    subclass: str | None = None
    fatal: bool = False
    primary: bool = False
    violated: tuple[Violated, ...] = ()
    lookback: Lookback | None = None
    cause: str | None = None
    stale_observation: bool = False
    parent_action: str | None = None
    rule: str | None = None
    text: str = ""
    registry_version: str = REGISTRY_VERSION
