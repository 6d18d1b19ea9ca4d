"""`cohabit recordings list`: what is recorded in the data directory."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from rich.markup import escape
from rich.table import Column

from server.cli.recordings import LARGEST_MIB, LargestOption
from server.cli.settings import read_settings
from server.cli.terminal import PlainTable, echo, error_console, output_console

if TYPE_CHECKING:
    from server.recording.inventory import Known, Listed
    from server.settings import Settings

GONE = ("vanished", "unreadable")
"""States of recordings of which nothing can be read."""


def list_all(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a line of JSON for each instead of a table.")
    ] = False,
    largest: LargestOption = LARGEST_MIB,
) -> None:
    """List the recordings, and what each of them lacks; the server may run."""
    from episodes.bounded_files import MIB
    from server.recording.inventory import list_recordings

    settings = read_settings()
    known = _known_sessions(settings)
    found = list_recordings(settings.recordings_dir, settings.archive_dir, known, largest * MIB)
    if as_json:
        for listed in found:
            echo(msgspec.json.encode(listed).decode())
        return
    # An identifier that is cut cannot be looked up.
    session = Column(
        "session", no_wrap=True, min_width=max((len(f.session_id) for f in found), default=0)
    )
    table = PlainTable(session, "state", "episodes", "ticks", "size", "lacks")
    for listed in found:
        table.add_row(
            listed.session_id,
            listed.state,
            str(listed.episodes),
            str(listed.ticks),
            f"{listed.bytes / 1e3:.0f} kB",
            "; ".join(_lacks(listed)) or "nothing",
        )
    console = output_console()
    console.print(table)
    lacking = sum(bool(_lacks(listed)) for listed in found)
    lost_s = sum(listed.lost_s for listed in found)
    lost_events = sum(listed.lost_events for listed in found)
    # Where nothing is left, nothing tells all that was done.
    least = "at least " if any(f.state in GONE for f in found) else ""
    console.print(
        f"{len(found)} recordings, {lacking} lack something; "
        f"{least}{lost_s:.1f} s, with {lost_events} acts and lines of chat, "
        "were seen and then lost",
        highlight=False,
    )


def _lacks(listed: Listed) -> list[str]:
    """Return what a recording lacks, in words."""
    found = []
    if listed.state == "vanished":
        found.append("all of it: its file is not there")
    if listed.state == "orphaned":
        found.append("its session, which the database does not know (cohabit doctor)")
    if listed.problem:
        found.append(listed.problem)
    if listed.state in GONE:
        # Nothing tells what was done in it.
        if listed.lost_ticks:
            found.append(f"at least {listed.lost_s} s ({listed.lost_ticks} ticks) were played")
    elif listed.lost_ticks or listed.lost_events:
        places = "place" if listed.gaps == 1 else "places"
        found.append(
            f"{listed.lost_s} s ({listed.lost_ticks} ticks, {listed.lost_events} acts and lines of "
            f"chat) at {listed.gaps} {places}"
        )
    if listed.unrecorded_ticks or listed.unrecorded_events:
        found.append(
            f"not in it yet, the running server has it: {listed.unrecorded_s} s "
            f"({listed.unrecorded_events} acts and lines of chat)"
        )
    if listed.salvaged:
        found.append(f"the end of {listed.salvaged} of its episodes: salvaged up to there")
    if listed.lost_bytes:
        found.append(f"{listed.lost_bytes} bytes of a torn end")
    return found


def _known_sessions(settings: Settings) -> Known:
    """Return what the database knows of sessions; say so where it cannot be asked."""
    from server.hosting.orphaned_logs import OrphanedLogs
    from server.recording.inventory import Known
    from server.store import Database, DatabaseError
    from server.store.recordings import removed_recordings
    from server.store.sessions import played_sessions, played_ticks

    file = settings.sqlite_file
    if file is not None and not file.exists():
        return _nothing_known(f"there is no database {file}, which knows the sessions")

    async def ask() -> Known:
        database = Database(settings.database)
        try:
            async with database.transaction() as db:
                removed = await removed_recordings(db)
                played = await played_sessions(db, settings.member)
                played = {name: on for name, on in played.items() if name not in removed}
                ticks = await played_ticks(db, settings.member)
            return Known(played, ticks, await OrphanedLogs(settings, database).look())
        finally:
            await database.close()

    try:
        return asyncio.run(ask())
    except DatabaseError as error:
        return _nothing_known(str(error))


def _nothing_known(reason: str) -> Known:
    from server.recording.inventory import NOTHING_KNOWN

    error_console().print(
        f"[yellow]not checked for recordings that vanished:[/] {escape(reason)}",
        highlight=False,
        soft_wrap=True,
    )
    return NOTHING_KNOWN
