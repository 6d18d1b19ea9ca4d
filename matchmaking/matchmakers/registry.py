"""Registry of the matchmakers of conditions: each class of this folder that has a name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable

import matchmaking.matchmakers
from matchmaking.matchmakers.contract import StudyMatchmaker
from matchmaking.study import Problem, Study, StudyError


def matchmaker_of(study: Study, answers: Callable[[str], bool]) -> StudyMatchmaker:
    """Make the matchmaker that a study names. Raises StudyError where there is none."""
    known = {kind.name: kind for kind in _classes()}
    kind = known.get(study.matchmaker)
    if kind is None:
        names = ", ".join(sorted(known))
        raise StudyError(
            [Problem(("matchmaker",), f"expected one of {names}, got {study.matchmaker!r}")]
        )
    return kind(study, answers)


def _classes() -> list[type[StudyMatchmaker]]:
    """Return the classes of the folder's files that matchmake for studies."""
    found = []
    for entry in pkgutil.iter_modules(matchmaking.matchmakers.__path__):
        module = importlib.import_module(f"matchmaking.matchmakers.{entry.name}")
        found += [
            value
            for value in vars(module).values()
            if isinstance(value, type)
            and value.__module__ == module.__name__
            and isinstance(getattr(value, "name", None), str)
        ]
    return found
