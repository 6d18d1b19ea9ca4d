"""Moves that the planner proposes, and its memory of what was done."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from server.skills.call import Call

NO_GOAL = -1
"""Stand-in for a goal's number: looking for things, or putting away what has no goal."""


class Move(NamedTuple):
    """A call to make, or (``ask``) a request to the partner, and the ``goal`` it serves."""

    call: Call | None = None
    ask: str = ""
    goal: int = NO_GOAL
    thing: str = ""
    """Subject of the move: a handle, or a room id."""
    opens: bool = False
    """Whether the move opens furniture in order to look inside."""


@dataclass
class Memory:
    """Memory of what was done, tried and seen so far."""

    beside: set[tuple[int, str, str]] = field(default_factory=set)
    """Reached next-to goals, each with its two things."""
    once: set[int] = field(default_factory=set)
    """Goals that have been reached at some time: what comes after them may be done."""
    mine: set[str] = field(default_factory=set)
    """Things that this seat has put down for a goal."""
    undone: set[str] = field(default_factory=set)
    """Things of ``mine`` that the partner has taken away again."""
    chosen: dict[int, str] = field(default_factory=dict)
    """Place of the goals whose things all belong in one place, by the goal's position."""
    failed: Counter[tuple[int, str]] = field(default_factory=Counter)
    passed: set[str] = field(default_factory=set)
    """Furniture that the body has been close to."""
    looked: set[str] = field(default_factory=set)
    """Furniture that the body has walked up to in order to look."""
    opened: set[str] = field(default_factory=set)
    """Furniture of which nothing more can be opened."""
    opening: str = ""
    """Furniture that is being opened, door by door."""
    doors: Counter[str] = field(default_factory=Counter)
    """Number of doors and drawers that were opened of each piece of furniture."""
    missed: set[str] = field(default_factory=set)
    """Words for what a whole round has not brought to light."""
    nowhere: set[str] = field(default_factory=set)
    """Words for what no round has brought to light."""
    asked: set[tuple[int, str]] = field(default_factory=set)
    rounds: int = 1
    """Number of the current search round through the home, from 1."""

    def look_again(self) -> None:
        """Begin another search round; what is open stays open, and is not opened again."""
        self.passed.clear()
        self.looked.clear()
        # What could not be opened at all is tried again.
        self.opened = {furniture for furniture in self.opened if self.doors[furniture]}
        self.rounds += 1

    def closed(self, furniture: str) -> None:
        """Take note that somebody has closed a part of furniture: it can be opened again."""
        self.opened.discard(furniture)
        self.doors.pop(furniture, None)

    def forget_goals(self) -> None:
        """Forget what was tried and reached for the last goals, which says nothing about new ones.

        What was put down and taken away again stays recorded.
        """
        self.beside.clear()
        self.once.clear()
        self.chosen.clear()
        self.failed.clear()
        self.asked.clear()
        self.missed.clear()
        self.nowhere.clear()
