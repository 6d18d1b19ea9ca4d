"""Problems of a study file, each with its line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class FileProblem(NamedTuple):
    """A line of a study file that cannot be as it is; lines count from 1."""

    line: int
    text: str

    def told(self, name: str) -> str:
        """Return it with the name of the file: ``pilot.yaml:12: …``."""
        return f"{name}:{self.line}: {self.text}"


class StudyFileError(ValueError):
    """A study file that cannot be read, with everything that is wrong with it."""

    def __init__(self, problems: Iterable[FileProblem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(f"line {p.line}: {p.text}" for p in self.problems))
