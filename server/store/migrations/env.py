"""Alembic's environment: `Database.upgrade` hands the connection in; the command line makes one.

To write a migration after changing the models, with the settings of the checkout:
``alembic -c server/store/alembic.ini revision --autogenerate -m "what changes"``.
"""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import Connection

import server.store.coding_models
import server.store.operator_models
import server.store.study_models
import server.store.visit_models  # noqa: F401 (their tables belong to the schema, too)
from server.store.models import Base


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        # SQLite cannot alter tables in place.
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


async def run_alone() -> None:
    from server.owner_lock import own
    from server.settings import load_settings
    from server.store.database import Database
    from server.store.member_lock import member_lock

    settings = load_settings()
    database = Database(settings.database)
    try:
        # Not beside a server: its tables would change under it.
        with own(settings):
            async with member_lock(settings), database.engine.begin() as connection:
                await connection.run_sync(run)
    finally:
        await database.close()


if (given := context.config.attributes.get("connection")) is not None:
    run(given)
else:
    asyncio.run(run_alone())
