"""`cohabit study close`: invite nobody any more, and let outcomes be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.databases import in_database
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.opened_studies import found_run
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession


def close(name: Annotated[str, typer.Argument(help="Name of the study.")]) -> None:
    """Close a study: nobody is invited any more, and its outcomes can be read.

    People who take part go on; pages with the debrief and withdrawal stay.
    """
    from server.wall_clock import utc_now

    async def work(db: AsyncSession) -> str:
        run = await found_run(db, name)
        if run.closed_at is not None:
            raise StopError(f"{name} was closed on {run.closed_at:%Y-%m-%d %H:%M} UTC already")
        run.closed_at = utc_now()
        return f"version {run.version} ({run.mode})"

    which = in_database(read_settings(), work)
    echo(f"{name} {which} is closed. `cohabit study outcomes {name}` prints what came of it.")
