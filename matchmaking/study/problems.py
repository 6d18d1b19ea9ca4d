"""Problems of a study: where something stands that cannot be, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

Path = tuple[str | int, ...]
"""Way from a study to one of its parts: names of fields, and positions from 0 in lists."""


class Problem(NamedTuple):
    """A part of a study that cannot be as it is, with a sentence for whoever wrote it."""

    where: Path
    text: str

    def __str__(self) -> str:
        return f"{place(self.where)}: {self.text}" if self.where else self.text


class StudyError(ValueError):
    """A study that cannot be, or cannot open, with everything that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def place(where: Path) -> str:
    """Return a way in words, positions from 1: ``pages 2, questions 1, options``."""
    words: list[str] = []
    for step in where:
        if isinstance(step, int) and words:
            words[-1] += f" {step + 1}"
        else:
            words.append(str(step))
    return ", ".join(words)
