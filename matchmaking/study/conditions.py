"""Conditions of a study: factors, and cells with the teams that play them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from episodes.teams import Team
from matchmaking.study.problems import Path, Problem
from matchmaking.study.questions import NAME
from matchmaking.study.treatment import Treatment


class Factor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A difference between conditions."""

    name: str
    levels: tuple[str, ...]
    drawn_at: Literal["entry", "match"] = "match"
    """Time of the draw: at entry the level belongs to a person, at the match to a group."""

    def problems(self, where: Path) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        if NAME.fullmatch(self.name) is None:
            yield Problem(
                (*where, "name"),
                "expected small letters, digits and _, a letter first, because it becomes a "
                f"column of the data, got {self.name!r}",
            )
        if len(self.levels) < 2 or len(set(self.levels)) < len(self.levels):
            yield Problem(
                (*where, "levels"),
                f"expected two levels at least, each once, got {list(self.levels)}",
            )


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A condition: a level of each factor, the team that plays, and how many groups are wanted."""

    name: str
    team: Team
    target: int
    """Groups that are to complete it."""
    levels: Mapping[str, str] = {}
    least: int | None = None
    """Fewest people with whom a group begins at the deadline; nothing said: all of them."""
    most_begun: int | None = None
    """Most groups that begin it, whether they complete it or not; nothing said: no limit."""
    treatment: Treatment = Treatment()
    waits_like: str = ""
    """Condition whose waiting times its groups are given, though they need not wait; empty: none.
    """

    @property
    def people(self) -> int:
        """Number of people that a full group has."""
        return len(self.team.people)

    @property
    def least_people(self) -> int:
        return self.people if self.least is None else self.least

    def problems(self, where: Path, factors: Sequence[Factor]) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        if NAME.fullmatch(self.name) is None:
            yield Problem(
                (*where, "name"),
                f"expected small letters, digits and _, a letter first, got {self.name!r}",
            )
        if not self.people:
            yield Problem((*where, "team"), "expected a body for a person, and it has none")
        elif not 1 <= self.least_people <= self.people:
            yield Problem(
                (*where, "least"),
                f"expected 1 to {self.people}, the people of its team, got {self.least}",
            )
        if any(member.occupant.is_open for member in self.team.members):
            yield Problem((*where, "team"), "expected the name of a policy for each body of one")
        if self.target < 1:
            yield Problem((*where, "target"), f"expected 1 group or more, got {self.target}")
        if self.most_begun is not None and self.most_begun < self.target:
            yield Problem(
                (*where, "most_begun"),
                f"expected at least {self.target}, the target, got {self.most_begun}",
            )
        yield from self.treatment.problems((*where, "treatment"))
        by_name = {factor.name: factor.levels for factor in factors}
        for name in by_name.keys() - self.levels.keys():
            yield Problem((*where, "levels"), f"expected a level of the factor {name!r}")
        for name, level in self.levels.items():
            if name not in by_name:
                yield Problem(
                    (*where, "levels", name), f"there is no such factor, only {sorted(by_name)}"
                )
            elif level not in by_name[name]:
                yield Problem(
                    (*where, "levels", name),
                    f"{level!r} is none of its levels: {list(by_name[name])}",
                )
