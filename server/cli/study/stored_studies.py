"""Data of studies that were opened, as the commands that export them read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cli.databases import in_database
from server.cli.study.opened_studies import found_run

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.research.exports.played_episodes import Logs
    from server.research.exports.stored_study import StoredStudy
    from server.settings import Settings
    from server.store.operator_acts import Act


def read_stored(
    settings: Settings, name: str, version: int | None = None, mode: str | None = None
) -> StoredStudy:
    """Read what is stored of a study, as it is at one moment. Raises StopError: there is none."""
    from server.research.exports.stored_study import stored_study
    from server.store.snapshots import hold_snapshot

    async def read(db: AsyncSession) -> StoredStudy:
        await hold_snapshot(db)
        return await stored_study(db, await found_run(db, name, version, mode))

    return in_database(settings, read)


def logs_of(settings: Settings) -> Logs:
    """Return the logs of a server's sessions."""
    from server.research.exports.played_episodes import Logs

    return Logs(settings.recordings_dir, settings.archive_dir, settings.data_dir)


def note_handed_out(settings: Settings, act: Act, name: str, what: str) -> None:
    """Log that data of a study are written; before they are, so that none leave without a row."""
    from server.store.operator_acts import COMMAND_LINE, note_act
    from server.wall_clock import utc_now

    async def work(db: AsyncSession) -> None:
        note_act(db, COMMAND_LINE, act, name, utc_now(), study=name, detail=what)

    in_database(settings, work)
