"""State of a program's line while it is run, and what it can need besides a skill call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from server.robots.policies.helper.program_parser import Declared, Line
from server.robots.policies.helper.steps import Step


@dataclass(eq=False)
class Subgoal:
    """Line of the program while it is run."""

    line: Line
    status: Literal["open", "done", "left"] = "open"
    why: str = ""
    """Reason for which it was left."""
    steps: list[Step] | None = None
    attempt: int = 0
    """Stage of the attempts: 0 as written, 1 after the repair, 2 with something else."""
    patch: list[Subgoal] | None = None
    helped: bool = False
    """Whether the last line of the patch, which does what this one was to do, succeeded."""
    asked: int | None = None
    """Tick at which the partner was asked for it."""
    blocked: int | None = None
    """Tick since which the partner has what it needs."""
    settled: set[str] = field(default_factory=set)
    """Members of the kind that need no more."""


class Failure(NamedTuple):
    """Call that failed, with its line, and the line (or line of a patch) that ran: ``active``."""

    subgoal: Subgoal
    active: Subgoal
    step: Step
    response: str


class Repair(NamedTuple):
    """Need for a repair of a line by the model."""

    subgoal: Subgoal
    code: str
    error: str


class Locate(NamedTuple):
    """Need for a guess of the model's as to where something could be."""

    declared: Declared


class Ask(NamedTuple):
    """Need for an answer of the partner's: where something is, or which of several is meant."""

    declared: Declared
    about: Literal["where", "which"]
    among: tuple[str, ...] = ()


Need = Repair | Locate | Ask
