"""`cohabit study open`: freeze a study and invite people to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cli.databases import in_database
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.check import problems_of
from server.cli.study.models import read_models, told_model
from server.cli.study.study_files import File, read_file, tell, tell_warnings
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from matchmaking.study import Study
    from server.settings import Settings


def open_study(file: File) -> None:
    """Open a study: check it, freeze it in a manifest, and have the server invite people to it.

    A study that has a problem is not opened, nor one that has changed since it was opened, nor one
    whose robots or simulator cannot play here now. Of one that is open already that is only said.
    """
    import typer

    from server.cli.study.players import missing_players
    from server.recruiting.printed_links import link_lines
    from server.recruiting.registry import recruiter_of
    from server.research.studies.manifest import Manifest
    from server.research.studies.opening import CannotOpenError
    from server.research.studies.opening import open_study as freeze_and_open
    from server.store.operator_acts import COMMAND_LINE, note_act
    from server.wall_clock import utc_now
    from server.web.secret_key import secret_key

    settings, read = read_settings(), read_file(file)
    study = read.study
    problems = list(problems_of(study, settings.data_dir, settings.dataset))
    missing = list(missing_players(study, settings))
    goes_on = bool(missing) and _is_open(study, settings)
    if problems or (missing and not goes_on):
        tell(file, map(read.problem, (*problems, *missing)))
        raise typer.Exit(1)
    tell_warnings(file, read)

    async def work(db: AsyncSession) -> tuple[Manifest, bool]:
        now = utc_now()
        manifest, is_new = await freeze_and_open(db, study, settings.data_dir, now, models)
        if is_new:
            which = f"version {study.version} ({study.mode})"
            note_act(
                db, COMMAND_LINE, "open_study", study.name, now, study=study.name, detail=which
            )
        return manifest, is_new

    try:
        models = None if goes_on else read_models(study, settings)
        manifest, is_new = in_database(settings, work, upgrades=True)
    except CannotOpenError as error:
        raise StopError(str(error)) from error
    how = "is open" if is_new else "was open already, and nothing has changed"
    echo(
        f"{study.name} version {study.version} ({study.mode}, {study.purpose}) {how}. Manifest "
        f"{manifest.digest}."
    )
    for model in models or ():
        echo(f"Its robots ask {told_model(model)}.")
    for lack in missing:
        echo(f"At this moment not everything that it needs is here: {lack.text}.")
    recruiter = recruiter_of(study, secret_key(settings.data_dir))
    for line in link_lines(study, recruiter, settings.address):
        echo(line)
    if is_new:
        echo("A server that runs already takes it up within half a minute.")


def _is_open(study: Study, settings: Settings) -> bool:
    """Tell whether people are invited to a study already; a database that cannot say: no."""
    from server.research.studies.opening import is_open

    try:
        return in_database(settings, lambda db: is_open(db, study))
    except StopError:
        # What is wrong with it is told when the study is to be opened in it.
        return False
