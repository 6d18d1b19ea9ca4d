"""`cohabit study withdraw`: the withdrawal of somebody who wrote to the researchers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cli.databases import in_database
from server.cli.options import Person, StudyName
from server.cli.settings import read_settings
from server.cli.study.visits_by_name import found_visit
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession


def withdraw(
    name: StudyName,
    person: Person,
) -> None:
    """Leave the data of somebody who withdraws out of all exports from now on.

    What is owed for the visit stays. `cohabit study purge` removes their data, too.
    """
    from server.store.operator_acts import COMMAND_LINE, note_act
    from server.store.visits import note_withdrawal
    from server.wall_clock import utc_now
    from server.web.secret_key import secret_key

    settings = read_settings()
    key = secret_key(settings.data_dir)

    async def work(db: AsyncSession) -> str:
        visit, pseudonym = await found_visit(db, name, person, key)
        await note_withdrawal(db, visit.visit_id, utc_now())
        note_act(db, COMMAND_LINE, "withdraw", visit.visit_id, utc_now(), study=name)
        return pseudonym

    who = in_database(settings, work, upgrades=True)
    echo(
        f"{who} has withdrawn from {name}. Exports from now on leave them and the episodes "
        "of their group out: delete those that were made before."
    )
