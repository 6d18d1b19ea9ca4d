"""`cohabit study outcomes`: what came of each condition, once the study is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.databases import in_database
from server.cli.options import StudyName
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.opened_studies import (
    ModeOption,
    Version,
    found_run,
    other_runs,
    state_of,
)
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.research.studies.outcomes import Recorded


def outcomes(
    name: StudyName,
    unblind_as: Annotated[
        str, typer.Option(help="Your name, to see outcomes before the end. It is stored.")
    ] = "",
    because: Annotated[str, typer.Option(help="Reason for that. It is stored, too.")] = "",
    version: Version = None,
    mode: ModeOption = None,
) -> None:
    """Print the outcomes of each condition of a study that is closed: first try and best of tries.

    Before that only to somebody who gives their name and a reason, which `status` shows to all.
    """
    from server.research.studies.counted_attempts import outcome_lines
    from server.research.studies.opening import manifest_of
    from server.research.studies.outcomes import outcomes_of
    from server.store.study_runs import key_of, note_unblinding
    from server.wall_clock import utc_now

    async def work(db: AsyncSession) -> tuple[str, str, Recorded, list[str]]:
        run = await found_run(db, name, version, mode)
        if run.closed_at is None:
            if not (unblind_as.strip() and because.strip()):
                raise StopError(
                    f"{name} is open, and its outcomes by condition are hidden until it is closed "
                    f"(`cohabit study close {name}`). Who must see them gives a name and a "
                    "reason, which are stored: --unblind-as NAME --because REASON"
                )
            note_unblinding(db, run, unblind_as.strip(), because.strip(), utc_now())
        return (
            f"{name} version {run.version} ({run.mode}), {state_of(run)}",
            manifest_of(run).study.purpose,
            await outcomes_of(db, key_of(run)),
            await other_runs(db, run, "outcomes"),
        )

    title, purpose, found, others = in_database(read_settings(), work)
    echo(title)
    if purpose == "exploratory":
        echo("exploratory: no analysis was declared before these data")
    groups = len({row.place for row in found.attempts})
    echo(
        f"groups that completed: {groups}; left out, because they did not, or somebody of them has "
        f"withdrawn: {found.left_out}"
    )
    for line in (*outcome_lines(found.attempts), *others):
        echo(line)
