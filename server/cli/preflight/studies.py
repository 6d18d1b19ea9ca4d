"""Study of a preflight, from the database or a file, and the row of the log that it leaves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study import Study
from matchmaking.study.opening_rules import PREFLIGHT
from matchmaking.study_file import StudyFileError, read_study
from server.cli.preflight.checks import Result, Subject, told
from server.cli.preflight.machine_checks import in_database
from server.research.studies.opening import is_open, manifest_of
from server.settings import Settings
from server.store import DatabaseError
from server.store.operator_acts import COMMAND_LINE, note_act
from server.store.study_models import StudyRunRow
from server.store.study_runs import all_runs, runs_of
from server.wall_clock import utc_now
from server.web.preflight_runs import outcome_of


class _UnreadError(Exception):
    """Error for a study that cannot be read: what is wrong, and what to do."""

    def __init__(self, text: str, remedy: str) -> None:
        super().__init__(text)
        self.remedy = remedy


async def read_subject(settings: Settings, name: str) -> tuple[Subject, Result | None]:
    """Return what is looked at, and the failure of a study that cannot be read."""
    server_alone = Subject(settings)
    try:
        if (study := _from_file(name)) is not None:
            return Subject(settings, study, await _is_open(settings, study)), None
        run = await _run(settings, name)
    except _UnreadError as error:
        return server_alone, Result("study", "fail", str(error), error.remedy, 0.0)
    except DatabaseError:
        # What is wrong with it is told by its own check.
        remedy = "see the check of the database, then run this again"
        return server_alone, Result("study", "fail", "it could not be looked up", remedy, 0.0)
    except Exception as error:
        # A manifest that an earlier release wrote, say, and this one cannot read.
        text = f"it could not be read ({type(error).__name__}: {error})"
        remedy = "open it again with a new version: `cohabit study open FILE`"
        return server_alone, Result("study", "fail", text, remedy, 0.0)
    if run is None:
        return server_alone, None
    return Subject(settings, manifest_of(run).study, run.closed_at is None), None


def _from_file(name: str) -> Study | None:
    """Read the study of a file; None: the name is of no file. Raises _UnreadError."""
    file = Path(name)
    if not name or not (file.suffix in {".yaml", ".yml"} or file.is_file()):
        return None
    try:
        return read_study(file.read_text(encoding="utf-8")).study
    except (OSError, UnicodeDecodeError) as error:
        raise _UnreadError(f"{file} cannot be read: {error}", "name the study's file") from error
    except StudyFileError as error:
        texts = [problem.told(str(file)) for problem in sorted(error.problems)]
        raise _UnreadError(told(texts), f"mend it: `cohabit study check {file}`") from error


async def _is_open(settings: Settings, study: Study) -> bool:
    with suppress(DatabaseError):
        return await in_database(settings, lambda db: is_open(db, study))
    return False


async def _run(settings: Settings, name: str) -> StudyRunRow | None:
    async def find(db: AsyncSession) -> StudyRunRow | None:
        if name:
            runs = await runs_of(db, name)
            if not runs:
                text = f"no study {name!r} was ever opened with this database"
                raise _UnreadError(text, "cohabit study open FILE")
            return runs[0]
        opened = [
            run
            for run in await all_runs(db)
            if run.closed_at is None and not run.study.startswith(PREFLIGHT)
        ]
        if len(opened) > 1:
            names = ", ".join(sorted(run.study for run in opened))
            raise _UnreadError(f"several are open: {names}", "say which: cohabit preflight NAME")
        return opened[0] if opened else None

    return await in_database(settings, find)


async def note_run(subject: Subject, name: str, results: Sequence[Result]) -> None:
    """Log that a preflight was run by the command; a database that is away is told of already."""
    study = subject.study.name if subject.study is not None else None

    async def note(db: AsyncSession) -> None:
        note_act(
            db,
            COMMAND_LINE,
            "preflight",
            name or study or "",
            utc_now(),
            study=study,
            detail=outcome_of(results),
        )

    with suppress(DatabaseError):
        await in_database(subject.settings, note)
