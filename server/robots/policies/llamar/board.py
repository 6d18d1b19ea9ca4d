"""State of ``llamar`` between decisions: subtasks, memory, and the record of each body."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from server.robots.grammar.calls import DONE
from server.skills.call import Unparsed, WrittenCall


class Order(Enum):
    """Decision of the Actor that is no call of a skill."""

    DONE = DONE
    EXPLORE = "Explore[]"

    def __str__(self) -> str:
        return str(self.value)


Action = WrittenCall | Order
"""Decision of the Actor for a body; without text where nothing could be read."""
NO_CALL = Unparsed("no call", "")
"""Stand-in for an action without text."""


@dataclass(frozen=True)
class Board:
    """Subtasks and memory, shared by all modules (LLaMAR section 3)."""

    open: tuple[str, ...] = ()
    completed: tuple[str, ...] = ()
    memory: str = ""

    def verified(self, claimed: Iterable[str]) -> tuple[Board, list[str]]:
        """Complete the open subtasks among ``claimed``; return also the claims that are not open.

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
        """Return the board with a list of completed subtasks from another source than a model."""
        done = tuple(dict.fromkeys(completed))
        keys = set(map(key_of, done))
        return Board(tuple(s for s in self.open if key_of(s) not in keys), done, self.memory)

    def planned(self, listed: Sequence[str], *, reopens: bool) -> Board:
        """Return the board with a new list of open subtasks, equal ones only once.

        A subtask that was completed is open again with ``reopens``, else left out.
        """
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
    """Return a key that ignores case, spaces and punctuation of a subtask."""
    return " ".join(re.findall(r"\w+", subtask.casefold()))


class Correction(NamedTuple):
    """The Corrector's cause of a failure, and the call that it suggests, if any."""

    cause: str
    call: Action | None


@dataclass(frozen=True)
class TrackRecord:
    """Record of one body: its subtask, its last action, and what came of it."""

    subtask: str = ""
    """Subtask that the body was on."""
    tried: Action | None = None
    """Last action of the body; None before the first."""
    result: str = ""
    succeeded: bool = True
    failures: tuple[Action, ...] = ()
    """Actions that failed since the last success."""
    correction: Correction | None = None

    def after(self, result: str, *, succeeded: bool) -> TrackRecord:
        """Return the record once the last action is over."""
        failures = () if succeeded or self.tried is None else (*self.failures, self.tried)
        return TrackRecord(self.subtask, self.tried, result, succeeded, failures)

    def trying(self, action: Action, subtask: str) -> TrackRecord:
        return TrackRecord(subtask, action if str(action) else NO_CALL, failures=self.failures)

    def failed_in_a_row(self, action: Action) -> int:
        """Return how often ``action`` has just failed in a row."""
        times = 0
        for failed in reversed(self.failures):
            if failed != action:
                break
            times += 1
        return times
