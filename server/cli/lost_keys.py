"""`cohabit lost-keys`: an operator says that keys are lost, and a server starts without them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.databases import in_database
from server.cli.settings import read_settings
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.store.missing_keys import MissingKeys


def lost_keys(
    yes: Annotated[
        bool, typer.Option("--yes", help="Make new keys in place of those that are lost for good.")
    ] = False,
) -> None:
    """Say which keys of people's words are missing, or give them up for lost.

    A server starts then. What was sealed under the lost ones stays unreadable, and whoever comes a
    second time is not known where the key is lost that hides ids at recruiters.
    """
    from server.personal.key_folder import KeyFolder
    from server.store.missing_keys import hide_again, missing_keys, note_marks

    settings = read_settings()
    keys = KeyFolder(settings.keys)

    async def work(db: AsyncSession) -> MissingKeys:
        missing = await missing_keys(db, keys)
        if missing and yes:
            # A key that opens nothing stands for the loss, so that nobody is asked again.
            for person in missing.people:
                keys.renewed_key(person)
            keys.make()
            if missing.hides_ids:
                await hide_again(db, keys)
            await note_marks(db, keys, missing.people)
        return missing

    missing = in_database(settings, work)
    if not missing:
        echo(f"No key is missing in {settings.keys}.")
    elif yes:
        echo(f"{settings.keys} lacked {missing}: new ones are there, which open nothing of before.")
    else:
        echo(
            f"{settings.keys} lacks {missing}. Bring them back if there is a copy anywhere. If "
            "not, say --yes: what was sealed under them stays unreadable for good, in recordings, "
            "too." + (" Whoever took part before may take part again." if missing.hides_ids else "")
        )
