"""Studies that were opened, by name, for commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.stop import StopError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from matchmaking.study import Study
    from server.store.study_models import StudyRunRow


Version = Annotated[
    int | None, typer.Option("--version", help="Version; without it the one opened last.")
]
ModeOption = Annotated[
    str | None, typer.Option("--mode", help="live, pilot or test; without it the one opened last.")
]


async def found_run(
    db: AsyncSession, name: str, version: int | None = None, mode: str | None = None
) -> StudyRunRow:
    """Return a run of a study: of a version and a mode, or what was opened last.

    Raises StopError: there is none.
    """
    from server.store.study_runs import runs_of

    runs = await runs_of(db, name)
    if not runs:
        raise StopError(
            f"no study {name!r} was ever opened with this database: `cohabit study open FILE`"
        )
    for run in runs:
        if version in (None, run.version) and mode in (None, run.mode):
            return run
    opened = ", ".join(f"version {run.version} ({run.mode})" for run in runs)
    raise StopError(f"no such version of {name} was opened, only {opened}")


async def other_runs(db: AsyncSession, run: StudyRunRow, command: str) -> list[str]:
    """Return a line for each other version or mode of a study, and how to read of it."""
    from server.store.study_runs import runs_of

    return [
        f"also: version {other.version} ({other.mode}), {state_of(other)}: "
        f"`cohabit study {command} {run.study} --version {other.version} --mode {other.mode}`"
        for other in await runs_of(db, run.study)
        if (other.version, other.mode) != (run.version, run.mode)
    ]


def state_of(run: StudyRunRow) -> str:
    """Return whether a run is open, in words."""
    return "open" if run.closed_at is None else f"closed on {run.closed_at:%Y-%m-%d}"


async def found_study(db: AsyncSession, name: str) -> Study:
    """Return a study that was opened once. Raises StopError: none was."""
    from server.store.studies import opened_study

    study = await opened_study(db, name)
    if study is None:
        raise StopError(f"no study {name!r} was ever opened with this database")
    return study
