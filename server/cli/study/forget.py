"""`cohabit study forget`: the key of somebody who wants to be forgotten is destroyed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.databases import in_database
from server.cli.options import Person, StudyName
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.visits_by_name import found_visit
from server.cli.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.ext.asyncio import AsyncSession

    from server.settings import Settings
    from server.store.forgetting import Forgotten


def forget(
    name: StudyName,
    person: Person,
    yes: Annotated[
        bool, typer.Option("--yes", help="Forget them. Without this it is only said what goes.")
    ] = False,
) -> None:
    """Destroy the key of somebody's identity and words, here and in every backup.

    Verdicts, what others did and said, and who is owed what stay. `cohabit study withdraw` leaves
    the rest of their data out of exports, `cohabit study purge` removes recordings.
    """
    from server.store.forgetting import StillHereError, forget_participant, to_forget
    from server.store.operator_acts import COMMAND_LINE, note_act
    from server.wall_clock import utc_now
    from server.web.secret_key import secret_key

    settings = read_settings()
    key = secret_key(settings.data_dir)

    async def work(db: AsyncSession) -> tuple[str, Forgotten]:
        visit, pseudonym = await found_visit(db, name, person, key)
        try:
            if not yes:
                return pseudonym, await to_forget(db, visit.participant_id)
            now = utc_now()
            note_act(db, COMMAND_LINE, "forget", visit.visit_id, now, study=name)
            return pseudonym, await forget_participant(db, visit.participant_id, now)
        except StillHereError as error:
            raise StopError(
                f"{pseudonym} cannot be forgotten yet, because {error}: do it when it is over"
            ) from error

    who, found = in_database(settings, work, upgrades=True)
    if found.was_before:
        _remove_older_words(settings, found.sessions)
        echo(f"{who} was forgotten before.")
        return
    recordings = f"{len(found.sessions)} recording{'' if len(found.sessions) == 1 else 's'}"
    if not yes:
        echo(
            f"would forget {who} of {name}: destroy the key of who they are, what they wrote, and "
            f"what they said in {recordings}. It cannot be brought back: say --yes. What others "
            "wrote, exports and backups of the folder of keys are not reached."
        )
        return
    _remove_older_words(settings, found.sessions)
    echo(
        f"{who} of {name} is forgotten: nobody can read who they are, what they wrote, or what "
        f"they said in {recordings}, here or in a backup of these data. Delete exports that "
        f"have their words, and copies of {settings.keys} that were made before."
    )


def _remove_older_words(settings: Settings, sessions: Collection[str]) -> None:
    """Remove their words from logs of releases that sealed nothing. Raises StopError."""
    import msgspec

    from server.recording.durable_file import LockedError
    from server.store.forgotten_words import remove_older_words

    async def work(db: AsyncSession) -> None:
        await remove_older_words(db, settings.recordings_dir, settings.archive_dir, sessions)

    try:
        in_database(settings, work)
    except (OSError, LockedError, msgspec.DecodeError) as error:
        raise StopError(
            f"the key is destroyed, but a log of an older release still has their words: do it "
            f"again when it can be written ({error})"
        ) from error
