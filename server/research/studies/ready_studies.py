"""Ready studies: commented files to begin from."""

from __future__ import annotations

import re
from pathlib import Path

from matchmaking.study_file import read_study

FOLDER = Path(__file__).parent / "ready"


class NoSuchStudyError(ValueError):
    """A ready study that does not exist."""


def ready_names() -> list[str]:
    """Return the names of the ready studies."""
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


def ready_text(name: str) -> str:
    """Return the text of a ready study. Raises NoSuchStudyError."""
    if name not in ready_names():
        raise NoSuchStudyError(
            f"there is no ready study {name!r}; there are: {', '.join(ready_names())}"
        )
    return (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


def ready_codes() -> frozenset[str]:
    """Return the codes of ready studies, which everybody knows."""
    return frozenset(
        code
        for name in ready_names()
        for code in read_study(ready_text(name)).study.recruiter.codes.values()
    )


def begun_like(name: str, like: str) -> str:
    """Return the text of a new study that begins as a ready one. Raises NoSuchStudyError."""
    return re.sub(r"(?m)^name: .*$", f"name: {name}", ready_text(like), count=1)
