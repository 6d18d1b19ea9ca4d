"""`cohabit study outcomes`: what came of each condition, once the study is closed."""

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


def outcomes(
    name: Annotated[str, typer.Argument(help="Name of the study.")],
    unblind_as: Annotated[
        str, typer.Option(help="Your name, to see outcomes before the end. It is stored.")
    ] = "",
    because: Annotated[str, typer.Option(help="Reason for that. It is stored, too.")] = "",
) -> None:
    """Print the outcomes of each condition of a study that is closed.

    Before that only to somebody who gives their name and a reason, which `status` shows to all.
    """
    from server.research.studies.opening import manifest_of
    from server.research.studies.outcomes import Outcome, outcomes_of
    from server.store.study_runs import key_of, note_unblinding
    from server.wall_clock import utc_now

    async def work(db: AsyncSession) -> tuple[str, dict[str, Outcome]]:
        run = await found_run(db, name)
        if run.closed_at is None:
            if not (unblind_as.strip() and because.strip()):
                raise StopError(
                    f"{name} is open, and its outcomes by condition are hidden until it is closed "
                    f"(`cohabit study close {name}`). Who must see them gives a name and a "
                    "reason, which are stored: --unblind-as NAME --because REASON"
                )
            note_unblinding(db, run, unblind_as.strip(), because.strip(), utc_now())
        return manifest_of(run).study.purpose, dict(await outcomes_of(db, key_of(run)))

    purpose, found = in_database(read_settings(), work, upgrades=True)
    if purpose == "exploratory":
        echo("exploratory: no analysis was declared before these data")
    width = max(map(len, ["condition", *found]))
    echo(f"{'condition':<{width}}  attempts  success  percent complete   ticks")
    for cell, outcome in found.items():
        echo(
            f"{cell:<{width}}  {outcome.attempts:>8}  {outcome.successes / outcome.attempts:>7.3f}"
            f"  {outcome.percent_complete:>16.3f}  {outcome.ticks:>6.0f}"
        )
