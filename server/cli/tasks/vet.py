"""`cohabit tasks vet`: marks on tasks that people keep failing."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from episodes.tasks.vetting import FAILURES, Attempt, marks, write_marks
from server.cli.options import DATA_DIR, DataDir
from server.cli.tasks.set_files import Name, file_of, read_set
from server.cli.terminal import echo, failed
from server.owner_lock import OwnedError, own
from server.personal.process_keys import use_keys
from server.research.task_sets.attempts import attempts_at
from server.settings import Settings, load_settings
from server.settings_error import SettingsError
from server.store import Database, DatabaseError


def vet(
    name: Name,
    data_dir: DataDir = DATA_DIR,
    failures: Annotated[
        int, typer.Option(min=1, help="Failures, without a success, that mark a task.")
    ] = FAILURES,
) -> None:
    """Mark the tasks that people keep failing, so that nobody is given them any more.

    Counts the attempts in the database by people alone or with each other, and writes the marks
    beside the set.
    """
    file = file_of(name, data_dir)
    known = {(task.task_id, task.instruction) for task in read_set(name, data_dir)}
    try:
        settings = load_settings().model_copy(update={"data_dir": data_dir})
        attempts = asyncio.run(_attempts(settings, file.relative_to(data_dir).as_posix()))
    except ValueError as error:
        raise failed(f"expected a set below {data_dir}, got {file}") from error
    except (DatabaseError, SettingsError) as error:
        raise failed(error) from error
    # A set that was built anew may have other tasks under the same ids.
    counting = [a for a in attempts if (a.task_id, a.instruction) in known]
    found = marks(counting, failures)
    written = write_marks(file, found)
    for mark in found:
        echo(f"task {mark.task_id}: {mark.reason.replace(chr(10), ' ')}")
    echo(f"{len(counting)} attempts, {len(found)} tasks left out ({written})")


async def _attempts(settings: Settings, dataset: str) -> list[Attempt]:
    database = Database(settings.database, keys=use_keys(settings.keys))
    try:
        try:
            with own(settings):
                await database.upgrade()
        except OwnedError:
            # A server runs, and has brought its database up to date; reading disturbs nobody.
            await database.check()
        async with database.transaction() as db:
            return await attempts_at(db, dataset)
    finally:
        await database.close()
