"""Questions as data: what is asked, and which answers can be taken."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum

import msgspec

from matchmaking.study.problems import Path, Problem
from matchmaking.study.texts import Text, incomplete

LONGEST_ANSWER = 4000
"""Most characters of an answer in words."""
MOST_POINTS = 101
"""Most points of a scale: 0 to 100."""

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
"""Form of names that become columns of an export."""


class Kind(StrEnum):
    """Form of an answer."""

    CHOICE = "choice"
    """A single one of the options."""
    SEVERAL = "several"
    """Any of the options, from ``least`` to ``most`` of them."""
    SCALE = "scale"
    """A whole number from ``least`` to ``most``; options name its points, or some of them."""
    NUMBER = "number"
    """A number from ``least`` to ``most``."""
    WORDS = "words"
    """A text of at most ``most`` characters."""


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to choose; ``value`` is what is stored."""

    value: str
    text: Text


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question. What ``accepted`` means, its page says."""

    name: str
    kind: Kind
    text: Text
    is_required: bool = True
    options: tuple[Option, ...] = ()
    least: float | None = None
    most: float | None = None
    accepted: tuple[str, ...] = ()
    """Values that are right: what a quiz wants, what eligibility asks for, what somebody who reads
    a survey answers. Empty: any answer is as good."""
    is_identifying: bool = False
    """Whether the answer may tell who somebody is, so that it is kept apart from the others."""

    def problems(self, where: Path, languages: Sequence[str]) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        if NAME.fullmatch(self.name) is None:
            yield Problem(
                (*where, "name"),
                "expected small letters, digits and _, a letter first, because it becomes a "
                f"column of the data, got {self.name!r}",
            )
        yield from incomplete(self.text, languages, (*where, "text"))
        for number, option in enumerate(self.options):
            yield from incomplete(option.text, languages, (*where, "options", number, "text"))
        yield from self._option_problems(where)
        yield from self._bound_problems(where)

    def _option_problems(self, where: Path) -> Iterator[Problem]:
        values = [option.value for option in self.options]
        for value, times in Counter(values).items():
            if times > 1 or not value:
                yield Problem(
                    (*where, "options"),
                    f"expected a value of its own for each option, got {value!r} {times} times",
                )
        if self.kind in (Kind.CHOICE, Kind.SEVERAL):
            if len(values) < 2:
                yield Problem(
                    (*where, "options"), f"expected two options to choose from, got {len(values)}"
                )
            for wanted in self.accepted:
                if wanted not in values:
                    yield Problem(
                        (*where, "accepted"), f"{wanted!r} is none of its options: {values}"
                    )
        elif values and self.kind is not Kind.SCALE:
            yield Problem((*where, "options"), f"a question of the kind {self.kind} has no options")

    def _bound_problems(self, where: Path) -> Iterator[Problem]:
        if self.least is not None and self.most is not None and self.least > self.most:
            yield Problem(
                (*where, "least"),
                f"expected at most {self.most:g}, the most that it takes, got {self.least:g}",
            )
        if self.kind is Kind.SCALE and not self._is_scale():
            yield Problem(
                (*where, "most"),
                f"expected two whole numbers, ``least`` and ``most``, for a scale of 2 to "
                f"{MOST_POINTS} points, got {self.least} and {self.most}",
            )
        if self.kind is Kind.WORDS and not 0 < (self.most or LONGEST_ANSWER) <= LONGEST_ANSWER:
            yield Problem(
                (*where, "most"), f"expected 1 to {LONGEST_ANSWER} characters, got {self.most}"
            )

    def _is_scale(self) -> bool:
        if self.least is None or self.most is None:
            return False
        are_whole = self.least == int(self.least) and self.most == int(self.most)
        return are_whole and 2 <= self.most - self.least + 1 <= MOST_POINTS
