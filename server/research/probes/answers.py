"""Answers of models to each probe: their form, as a schema and as a type, and how they are read."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeVar

import msgspec

from episodes.errors import Action
from server.research.probes.problem import RELATION_PREDICATES, STATE_PREDICATES, Problem

Probe = Literal["goals", "subgoals", "actions", "operators"]
PROBES: tuple[Probe, ...] = ("goals", "subgoals", "actions", "operators")
PASSING_PREDICATES = ("holding", "is_open", "is_closed")
"""Predicates of what is no goal, but may have to be so on the way to one."""


class AnswerError(Exception):
    """An answer is not of the form asked for: EAI's parsing error."""


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statement that ``thing`` is so, or stands so to ``other``."""

    predicate: str
    thing: str
    other: str = ""


class Goals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goals: tuple[Fact, ...]


class Subgoals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Subgoals in order; the facts of each are to be so together."""

    subgoals: tuple[tuple[Fact, ...], ...]


class Called(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    action: str
    arguments: tuple[str, ...]


class Actions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    actions: tuple[Called, ...]

    def as_actions(self) -> list[Action]:
        return [Action(called.action, called.arguments) for called in self.actions]


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A predicate over the parameters of an operator; ``holds`` false negates it."""

    predicate: str
    arguments: tuple[str, ...] = ()
    holds: bool = True


class Operator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    precondition: tuple[Term, ...]
    effect: tuple[Term, ...]


class Operators(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    operators: tuple[Operator, ...]


Form = TypeVar("Form", Goals, Subgoals, Actions, Operators)
_FORMS: dict[Probe, type[Any]] = {
    "goals": Goals,
    "subgoals": Subgoals,
    "actions": Actions,
    "operators": Operators,
}
_THOUGHTS = re.compile(r"<think>.*?</think>", re.S)


def read(text: str, form: type[Form]) -> Form:
    """Read the one JSON object in an answer, whatever stands around it (fences, thoughts, notes).

    Raises AnswerError; an empty list of actions or subgoals is none, as in EAI.
    """
    bare = _THOUGHTS.sub("", text)
    begin, end = bare.find("{"), bare.rfind("}")
    if begin < 0 or end < begin:
        raise AnswerError(f"expected a JSON object, got {text[:80]!r}")
    try:
        found = msgspec.json.decode(bare[begin : end + 1], type=form)
    except (msgspec.MsgspecError, UnicodeEncodeError) as error:
        raise AnswerError(f"expected {form.__name__.lower()} as asked for: {error}") from error
    if isinstance(found, Subgoals | Actions) and not msgspec.structs.astuple(found)[0]:
        raise AnswerError("expected at least one, got an empty list")
    return found


def schema(probe: Probe, problem: Problem, names: list[str]) -> dict[str, Any]:
    """Return the JSON schema of an answer over the names that were told.

    An answer held to it can have no grammar errors: whether it was is part of what is reported.
    """
    made: dict[str, Any] = msgspec.json.schema(_FORMS[probe])
    if probe == "operators":
        return made
    defined = made["$defs"]
    if "Fact" in defined:
        vocabulary = [*STATE_PREDICATES, *RELATION_PREDICATES]
        if probe == "subgoals":
            vocabulary += PASSING_PREDICATES
        fact = defined["Fact"]["properties"]
        fact["predicate"] = {"enum": vocabulary}
        fact["thing"] = {"enum": names}
        fact["other"] = {"enum": ["", *names]}
    if "Called" in defined:
        called = defined["Called"]["properties"]
        called["action"] = {"enum": list(ARGUMENTS)}
        words = ["on", "within", "next_to", "none", *names]
        called["arguments"] = {"type": "array", "items": {"enum": words}, "maxItems": 5}
    return made


ARGUMENTS: dict[str, str] = {
    "Open": "furniture",
    "Close": "furniture",
    "Pick": "object",
    "Place": "object, on or within, furniture or floor, next_to or none, reference or none",
    "Clean": "object or furniture",
    "Fill": "object",
    "Pour": "object",
    "PowerOn": "object or furniture",
    "PowerOff": "object or furniture",
}
"""Arguments of the actions that are offered; walking goes by itself."""
