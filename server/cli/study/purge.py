"""`cohabit study purge`: the removal of what somebody said, answered and did."""

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
    from sqlalchemy.ext.asyncio import AsyncSession


def purge(
    name: StudyName,
    person: Person,
    yes: Annotated[
        bool, typer.Option("--yes", help="Remove it. Without this it is only said what goes.")
    ] = False,
) -> None:
    """Remove the answers of somebody who withdraws, and the recordings that they are in.

    Recordings have what the others of the group did and said, too: they go as a whole. Verdicts,
    steps of the visit, and who is owed what stay.
    """
    from server.recording.removal import remove_recording
    from server.store.operator_acts import COMMAND_LINE, note_act
    from server.store.recordings import note_removal, recorded_sessions
    from server.store.visit_records import erase_answers, erase_troubles
    from server.store.visits import note_withdrawal
    from server.wall_clock import utc_now
    from server.web.secret_key import secret_key

    settings = read_settings()
    key = secret_key(settings.data_dir)

    elsewhere: set[str] = set()

    async def work(db: AsyncSession) -> tuple[str, list[str]]:
        visit, pseudonym = await found_visit(db, name, person, key)
        sessions = await recorded_sessions(db, visit.participant_id)
        still_open = [session.session_id for session in sessions if session.state != "closed"]
        if still_open:
            raise StopError(
                f"{pseudonym} is in session {still_open[0]}, which is open: purge them when it is "
                "over"
            )
        if visit.ended_at is None:
            raise StopError(f"the visit of {pseudonym} goes on: purge it when it is over")
        # The files of other servers of this database are not here.
        elsewhere.update({session.member for session in sessions} - {settings.member})
        found = [s.session_id for s in sessions if s.member == settings.member]
        if yes:
            now = utc_now()
            await note_withdrawal(db, visit.visit_id, now)
            await erase_answers(db, visit.visit_id)
            await erase_troubles(db, visit.visit_id)
            for session_id in found:
                await note_removal(db, session_id, now)
            recordings = f"recordings: {', '.join(found) or 'none'}"
            note_act(db, COMMAND_LINE, "purge", visit.visit_id, now, study=name, detail=recordings)
        return pseudonym, found

    who, sessions = in_database(settings, work, upgrades=True)
    recordings = f"{len(sessions)} recording{'' if len(sessions) == 1 else 's'}"
    if not yes:
        echo(
            f"would withdraw {who} from {name}, and remove their answers and {recordings} with all "
            "that others did in them: say --yes. It cannot be brought back."
        )
        return
    try:
        for session_id in sessions:
            remove_recording(settings.log_path(session_id), settings.archive_dir)
    except OSError as error:
        raise StopError(f"not all is removed; do it again when it can be: {error}") from error
    echo(
        f"{who} has withdrawn from {name}. Removed: their answers and {recordings}. Delete "
        "exports, releases and backups that were made before."
    )
    if elsewhere:
        servers = ", ".join(sorted(elsewhere))
        echo(f"They are in recordings of {servers}, too: do the same there, where the files are.")
