"""Studies that were opened, by name, for commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cli.stop import StopError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from matchmaking.study import Study
    from server.store.study_models import StudyRunRow


async def found_run(db: AsyncSession, name: str) -> StudyRunRow:
    """Return the run of a study that was opened last. Raises StopError: none was."""
    from server.store.study_runs import latest_run

    run = await latest_run(db, name)
    if run is None:
        raise StopError(
            f"no study {name!r} was ever opened with this database: `cohabit study open FILE`"
        )
    return run


async def found_study(db: AsyncSession, name: str) -> Study:
    """Return a study that was opened once. Raises StopError: none was."""
    from server.store.studies import opened_study

    study = await opened_study(db, name)
    if study is None:
        raise StopError(f"no study {name!r} was ever opened with this database")
    return study
