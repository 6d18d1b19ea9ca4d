"""What the planner says, and what it remembers of what it has done."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from server.skills.call import Call

LOOKING = -1
"""In place of a goal's number: looking for things, or putting away what has no goal."""


class Move(NamedTuple):
    """A call to make, or (``ask``) something to ask the partner for; ``goal`` is what it is for."""

    call: Call | None = None
    ask: str = ""
    goal: int = LOOKING
    thing: str = ""
    """What it is about: a handle, or a room id."""
    opens: bool = False
    """It is for opening furniture, to look inside."""


@dataclass
class Memory:
    """What was done, tried and seen so far."""

    beside: set[tuple[int, str, str]] = field(default_factory=set)
    """Goals of being next to each other that were reached, with the two things."""
    once: set[int] = field(default_factory=set)
    """Goals that have been reached at some time: what comes after them may be done."""
    mine: set[str] = field(default_factory=set)
    """What this seat has put down for a goal."""
    undone: set[str] = field(default_factory=set)
    """Of these, what the partner has taken away again."""
    chosen: dict[int, str] = field(default_factory=dict)
    """Where the things of a goal go that all belong in one place."""
    failed: Counter[tuple[int, str]] = field(default_factory=Counter)
    passed: set[str] = field(default_factory=set)
    """Furniture that the body has been close to."""
    looked: set[str] = field(default_factory=set)
    """Furniture that it has walked up to, to look."""
    opened: set[str] = field(default_factory=set)
    """Furniture of which nothing more can be opened."""
    opening: str = ""
    """Furniture that is being opened, door by door."""
    asked: set[tuple[int, str]] = field(default_factory=set)
    rounds: int = 1
    """How often it goes through the home to look."""

    def look_again(self) -> None:
        """Another round."""
        self.passed.clear()
        self.looked.clear()
        self.opened.clear()
        self.rounds += 1

    def forget_goals(self) -> None:
        """Other goals: what was tried and reached for the last ones says nothing about them. What
        was put down and taken away again stays so."""
        self.beside.clear()
        self.once.clear()
        self.chosen.clear()
        self.failed.clear()
        self.asked.clear()
