"""Snapshots: readings of several tables as they were at one moment, while others write."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession


async def hold_snapshot(db: AsyncSession) -> None:
    """Let all that a transaction reads be of one moment; called before it has read anything."""
    if db.get_bind().dialect.name == "sqlite":
        # Python's driver begins a transaction at the first write only.
        await db.execute(text("BEGIN"))
    else:
        await db.connection(execution_options={"isolation_level": "REPEATABLE READ"})
