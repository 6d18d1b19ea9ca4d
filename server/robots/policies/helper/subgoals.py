"""A line of a program on its way, and what else than a call of a skill it can come to need."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from server.robots.policies.helper.language import Declared, Line
from server.robots.policies.helper.steps import Step


@dataclass(eq=False)
class Subgoal:
    """A line of the program on its way."""

    line: Line
    status: Literal["open", "done", "left"] = "open"
    why: str = ""
    """Why it was left."""
    steps: list[Step] | None = None
    attempt: int = 0
    """0: as written; 1: after the repair; 2: with something else."""
    patch: list[Subgoal] | None = None
    helped: bool = False
    """The last line of the patch, which does what this one was to do, succeeded."""
    asked: int | None = None
    """The tick at which the partner was asked for it."""
    blocked: int | None = None
    """Since when the partner has what it needs."""
    settled: set[str] = field(default_factory=set)
    """Of all that are meant: those that need no more."""


class Failure(NamedTuple):
    """A call that failed: of which line, of that line or a line of its patch (``active``)."""

    subgoal: Subgoal
    active: Subgoal
    step: Step
    response: str


class Repair(NamedTuple):
    """The model is asked to repair a line."""

    subgoal: Subgoal
    code: str
    error: str


class Locate(NamedTuple):
    """The model is asked where something could be."""

    declared: Declared


class Ask(NamedTuple):
    """The partner could be asked: where something is, or which of several is meant."""

    declared: Declared
    about: Literal["where", "which"]
    among: tuple[str, ...] = ()


Need = Repair | Locate | Ask
