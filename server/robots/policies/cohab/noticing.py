"""Noticing of ``cohab``: what it had not expected, which may mean that it has misread something.

A partner who sees to what no goal is about, a thing that is nowhere, and work that looks done and
does not end: the model is told of each once, and reads again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from server.robots.policies.cohab.moves import Memory
from server.robots.policies.cohab.partner_model import Partners
from server.robots.policies.cohab.planner import Planner
from server.robots.policy import PolicyView

NO_END = "All of that is done, as far as you can see, and the others have not finished."
NOWHERE = "There is no {0} anywhere, as far as you have looked."


@dataclass
class Noticing:
    """Surprises of an episode, each told once."""

    happened: list[str] = field(default_factory=list)
    """Surprises to tell the model at the next reading."""
    sought: set[str] = field(default_factory=set)
    """Words that it has asked the place of."""
    nowhere: set[str] = field(default_factory=set)
    """Words for what is nowhere, as the model was told."""
    unplanned: set[str] = field(default_factory=set)
    """Things that no goal is about and a partner has seen to, as the model was told."""
    has_doubted: bool = False
    """Whether the model was told that work which looks done does not end."""

    def fork(self) -> Noticing:
        """Return a copy that takes note by itself."""
        return Noticing(
            list(self.happened), set(self.sought), set(self.nowhere), set(self.unplanned),
            self.has_doubted,
        )  # fmt: skip

    def take_away(self, name: str, who: str) -> None:
        """Take note that a partner took away what stood where it belongs."""
        self.happened.append(f"The {who} took {name} away from where you had put it.")

    def doubt(self) -> None:
        """Take note that all looks done, for some time, and somebody goes on."""
        if not self.has_doubted:
            self.has_doubted = True
            self.happened.append(NO_END)

    def what_is_nowhere(self, memory: Memory) -> None:
        """Take note of what all rounds through the home have not brought to light."""
        for word in sorted(memory.nowhere - self.nowhere):
            self.nowhere.add(word)
            self.happened.append(NOWHERE.format(kind_of(word)))

    def what_is_unplanned(self, view: PolicyView, planner: Planner, partners: Partners) -> None:
        """Take note of what a partner has put somewhere and left there, and no goal is about."""
        for thing, name in partners.arrangements():
            if thing in self.unplanned or partners.is_busy_with(view, thing):
                continue
            status, place = planner.status(view), view.graph.find(name)
            if place is None or status.place(thing) != place or status.is_wanted(thing):
                continue
            self.unplanned.add(thing)
            names = view.graph.names.graph
            self.happened.append(f"A partner put {names[thing]} on {name} and left it there.")


def kind_of(word: str) -> str:
    """Return a word as people say it, without a number: ``puzzle cube`` for ``puzzle_cube_2``."""
    stem, _, number = word.rpartition("_")
    return (stem if number.isdigit() else word).replace("_", " ")
