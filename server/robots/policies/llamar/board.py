"""What ``llamar`` carries from one decision to the next: subtasks, memory, and how each body that
it decides for has fared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from server.robots.grammar.calls import DONE
from server.skills.call import Unparsed, WrittenCall


class Order(Enum):
    """What the Actor can decide that is no call of a skill."""

    DONE = DONE
    EXPLORE = "Explore[]"

    def __str__(self) -> str:
        return str(self.value)


Action = WrittenCall | Order
"""What the Actor decided for a body; without text where nothing could be read."""
NO_CALL = Unparsed("no call", "")
"""How an action without text is told."""


@dataclass(frozen=True)
class Board:
    """The subtasks and the memory, shared by all modules (LLaMAR section 3)."""

    open: tuple[str, ...] = ()
    completed: tuple[str, ...] = ()
    memory: str = ""

    def verified(self, claimed: Iterable[str]) -> tuple[Board, list[str]]:
        """With the open subtasks among ``claimed`` completed, and the claims that are none.

        What was completed stays so: a model's list can only add.
        """
        by_key = {key_of(subtask): subtask for subtask in self.open}
        done, rejected = list(self.completed), []
        for claim in claimed:
            subtask = by_key.pop(key_of(claim), None)
            if subtask is not None:
                done.append(subtask)
            elif key_of(claim) not in map(key_of, done):
                rejected.append(claim)
        still = tuple(s for s in self.open if s in by_key.values())
        return Board(still, tuple(dict.fromkeys(done)), self.memory), rejected

    def informed(self, completed: Iterable[str]) -> Board:
        """With a list of what is completed that comes from somewhere else than a model."""
        done = tuple(dict.fromkeys(completed))
        keys = set(map(key_of, done))
        return Board(tuple(s for s in self.open if key_of(s) not in keys), done, self.memory)

    def planned(self, listed: Sequence[str], *, reopens: bool) -> Board:
        """With a new list of open subtasks, equal ones once. One that was completed is open again
        with ``reopens``, else left out."""
        unique: dict[str, str] = {}
        for subtask in listed:
            unique.setdefault(key_of(subtask), subtask)
        unique.pop("", None)
        if reopens:
            done = tuple(s for s in self.completed if key_of(s) not in unique)
            return Board(tuple(unique.values()), done, self.memory)
        for subtask in self.completed:
            unique.pop(key_of(subtask), None)
        return Board(tuple(unique.values()), self.completed, self.memory)


def key_of(subtask: str) -> str:
    """The same for subtasks that differ in case, spaces and punctuation only."""
    return " ".join(re.findall(r"\w+", subtask.casefold()))


class Correction(NamedTuple):
    """What the Corrector says of a failure, and the call that it suggests, if any."""

    cause: str
    call: Action | None


@dataclass(frozen=True)
class Fared:
    """How one body has fared so far."""

    subtask: str = ""
    """Which it was on."""
    tried: Action | None = None
    """Its last action; None before the first."""
    result: str = ""
    succeeded: bool = True
    failures: tuple[Action, ...] = ()
    """The actions that failed since its last success."""
    correction: Correction | None = None

    def after(self, result: str, *, succeeded: bool) -> Fared:
        """When what it tried is over."""
        failures = () if succeeded or self.tried is None else (*self.failures, self.tried)
        return Fared(self.subtask, self.tried, result, succeeded, failures)

    def trying(self, action: Action, subtask: str) -> Fared:
        return Fared(subtask, action if str(action) else NO_CALL, failures=self.failures)

    def failed_in_a_row(self, action: Action) -> int:
        """How often this very action has failed, nothing else having been tried since."""
        times = 0
        for failed in reversed(self.failures):
            if failed != action:
                break
            times += 1
        return times
