"""`cohabit study close`: invite nobody any more, and let outcomes be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.databases import in_database
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.models import read_models
from server.cli.study.opened_studies import found_run
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from matchmaking.study import Study
    from server.robots.serving.served_model import ServedModel
    from server.store.study_models import StudyRunRow


def close(name: Annotated[str, typer.Argument(help="Name of the study.")]) -> None:
    """Close a study: nobody is invited any more, and its outcomes can be read.

    People who take part go on; pages with the debrief and withdrawal stay. Models that its robots
    ask are read a last time.
    """
    from server.research.studies.model_readings import changes_since, frozen_models, keep
    from server.research.studies.opening import manifest_of
    from server.store.model_readings import add_reading
    from server.wall_clock import utc_now

    settings = read_settings()

    async def look(db: AsyncSession) -> tuple[Study, list[ServedModel]]:
        run = await _open_run(db, name)
        study = manifest_of(run).study
        return study, await frozen_models(db, study.key)

    study, frozen = in_database(settings, look)
    models, problem = list["ServedModel"](), ""
    if frozen:
        # Between two transactions: others write to the database meanwhile.
        try:
            models = read_models(study, settings)
        except StopError as error:
            # A server that is gone keeps no study open.
            problem = str(error)
    changes = changes_since(frozen, models)

    async def work(db: AsyncSession) -> str:
        run = await _open_run(db, name)
        now = utc_now()
        run.closed_at = now
        if problem:
            add_reading(db, study.key, "close", now, text=problem)
        keep(db, study.key, "close", models, changes, now)
        return f"version {run.version} ({run.mode})"

    which = in_database(settings, work)
    echo(f"{name} {which} is closed. `cohabit study outcomes {name}` prints what came of it.")
    if problem:
        echo(f"A last look: {problem}")
    for model, change in changes.items():
        came = f"is not what it was: {change.text}" if change.text else "is what it was"
        echo(f"A last look: the model {model} {came}.")


async def _open_run(db: AsyncSession, name: str) -> StudyRunRow:
    """Return the run of a study that is open. Raises StopError."""
    run = await found_run(db, name)
    if run.closed_at is not None:
        raise StopError(f"{name} was closed on {run.closed_at:%Y-%m-%d %H:%M} UTC already")
    return run
