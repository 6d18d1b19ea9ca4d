"""`cohabit study withdraw`: the withdrawal of somebody who wrote to the researchers."""

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


def withdraw(
    name: Annotated[str, typer.Argument(help="Name of the study.")],
    person: Annotated[
        str, typer.Argument(help="Visit as payments print it, or pseudonym as exports have it.")
    ],
    erase: Annotated[
        bool, typer.Option("--erase", help="Erase the answers, too. They cannot be brought back.")
    ] = False,
) -> None:
    """Leave the data of somebody who withdraws out of all exports from now on.

    What is owed for the visit stays.
    """
    from server.research.exports.pseudonyms import Pseudonyms
    from server.store.study_runs import key_of
    from server.store.visit_records import erase_answers
    from server.store.visits import note_withdrawal, visits_in_mode
    from server.wall_clock import utc_now
    from server.web.secret_key import secret_key

    settings = read_settings()
    key = secret_key(settings.data_dir)

    async def work(db: AsyncSession) -> str:
        run = await found_run(db, name)
        pseudonym = Pseudonyms(key, key_of(run))
        for visit in await visits_in_mode(db, run.study, run.mode):
            names = (visit.visit_id, pseudonym(visit.visit_id), pseudonym(visit.participant_id))
            if visit.study_version == run.version and person in names:
                await note_withdrawal(db, visit.visit_id, utc_now())
                if erase:
                    await erase_answers(db, visit.visit_id)
                return pseudonym(visit.participant_id)
        raise StopError(
            f"version {run.version} of {name} ({run.mode}) has no visit or participant {person!r}: "
            "expected one as `cohabit study payments` or `cohabit study export` write it"
        )

    who = in_database(settings, work, upgrades=True)
    erased = ", and the answers are erased" if erase else ""
    echo(
        f"{who} has withdrawn from {name}{erased}. Exports from now on leave them and the episodes "
        "of their group out: delete those that were made before."
    )
