"""Verdict of an evaluation: plain values that go to JSON as they are."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from episodes.evaluation.account import Account
from episodes.evaluation.partnr_explanation import Explanation

EVALUATOR_VERSION = "1.0.0"
"""Version of the evaluator, raised when the same facts could give another verdict."""


Cause = Literal["world", "dependency"]


class PropositionChange(msgspec.Struct, frozen=True, gc=False):
    """A change of a proposition's recorded value at ``tick``.

    ``by_seat`` is the seat it is credited to. ``cause`` is ``world`` where what it names
    changed, ``dependency`` where it came to be looked at or ceased to be.
    """

    tick: int
    index: int
    holds: bool
    by_seat: str | None = None
    cause: Cause = "world"


class PropositionOutcome(msgspec.Struct, frozen=True):
    """An unrolled proposition at the end (or so far).

    ``satisfied_tick`` is the tick of the first satisfaction, ``satisfied_with`` the names recorded
    then and ``by_seat`` the seat credited. ``holds_now`` is its value in the last recorded row.
    ``valid`` says that no constraint invalidates it; it counts when it is satisfied and valid.
    ``broken_tick`` and ``broken_by_seat`` tell since when, and through whom, a satisfied
    proposition no longer holds.
    """

    index: int
    original: int
    text: str
    should_text: str
    satisfied: bool
    satisfied_tick: int | None
    satisfied_with: dict[str, Any] | None
    by_seat: str | None
    holds_now: bool
    valid: bool
    last_changed_tick: int | None
    broken_tick: int | None
    broken_by_seat: str | None


class ConstraintOutcome(msgspec.Struct, frozen=True):
    """An unrolled constraint: ``valid`` has an entry per proposition, ``invalid`` the indices."""

    index: int
    type: str
    satisfied: bool
    valid: tuple[bool, ...]
    invalid: tuple[int, ...]


class Verdict(msgspec.Struct, frozen=True):
    """The result of an episode.

    ``status`` is ``unavailable`` when the task could not be evaluated; ``reason`` then says why,
    and ``percent_complete`` and ``success`` are None, which is not the same as nothing done.
    ``explanation`` is PARTNR's text; ``account`` is our explanation, where somebody who knows the
    scene has added it (`episodes.evaluation.explained`).
    """

    status: Literal["ok", "unavailable"]
    percent_complete: float | None
    success: bool | None
    propositions: tuple[PropositionOutcome, ...]
    constraints: tuple[ConstraintOutcome, ...]
    explanation: str
    explanation_structure: Explanation
    semantics: str
    evaluator_version: str = EVALUATOR_VERSION
    finished: bool = False
    reason: str | None = None
    account: Account | None = None


def unavailable(reason: str, semantics: str) -> Verdict:
    """Return the verdict of a task that cannot be evaluated."""
    return Verdict(
        status="unavailable",
        percent_complete=None,
        success=None,
        propositions=(),
        constraints=(),
        explanation="",
        explanation_structure=Explanation("none"),
        semantics=semantics,
        reason=reason,
    )
