"""`cohabit study close`: invite nobody any more, and let outcomes be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cli.databases import in_database
from server.cli.options import StudyName
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.models import read_models
from server.cli.study.opened_studies import found_run
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from matchmaking.study import Study
    from server.robots.serving.served_model import ServedModel
    from server.settings import Settings


def close(name: StudyName) -> None:
    """Close a study: nobody is invited any more, and its outcomes can be read.

    People who take part go on; pages with the debrief and withdrawal stay. Models that its robots
    ask are read a last time.
    """
    from server.research.studies.model_readings import frozen_models
    from server.research.studies.opening import manifest_of
    from server.store.operator_acts import COMMAND_LINE, note_act
    from server.wall_clock import utc_now

    settings = read_settings()

    async def work(db: AsyncSession) -> tuple[str, Study, list[ServedModel]]:
        run = await found_run(db, name)
        if run.closed_at is not None:
            raise StopError(f"{name} was closed on {run.closed_at:%Y-%m-%d %H:%M} UTC already")
        run.closed_at = utc_now()
        note_act(db, COMMAND_LINE, "close_study", name, run.closed_at, study=name)
        study = manifest_of(run).study
        which = f"version {run.version} ({run.mode})"
        return which, study, await frozen_models(db, study.key)

    which, study, frozen = in_database(settings, work)
    echo(f"{name} {which} is closed. `cohabit study outcomes {name}` prints what came of it.")
    if frozen:
        # Nobody is invited meanwhile, and others write to the database.
        _read_a_last_time(settings, study, frozen)


def _read_a_last_time(settings: Settings, study: Study, frozen: list[ServedModel]) -> None:
    from server.research.studies.model_readings import changes_since, keep
    from server.store.model_readings import add_reading
    from server.wall_clock import utc_now

    models, problem = list["ServedModel"](), ""
    try:
        models = read_models(study, settings)
    except StopError as error:
        problem = str(error)
        echo(f"A last look: {problem}")
    changes = changes_since(frozen, models)

    async def work(db: AsyncSession) -> None:
        if problem:
            add_reading(db, study.key, "close", utc_now(), text=problem)
        keep(db, study.key, "close", models, changes, utc_now())

    in_database(settings, work)
    for model in models:
        change = changes[model.asked]
        came = f"is not what it was: {change.text}" if change.text else "is what it was"
        echo(f"A last look: the model {model.name} {came}.")
