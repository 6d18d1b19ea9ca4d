"""Draws of studies: records of their ledgers, one after another."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.assignment.records import Record
from matchmaking.study_key import StudyKey
from server.store.study_models import DrawRow


class ForkedLedgerError(Exception):
    """Error for a ledger that another process has written to, too."""


async def draws_of(db: AsyncSession, key: StudyKey, first: int = 0) -> list[Record]:
    """Return the records of a study's ledger from one on."""
    rows = await db.scalars(
        select(DrawRow)
        .where(
            DrawRow.study == key.name,
            DrawRow.version == key.version,
            DrawRow.mode == key.mode,
            DrawRow.number >= first,
        )
        .order_by(DrawRow.number)
    )
    return [msgspec.convert(row.record, Record) for row in rows]


async def append_draws(
    db: AsyncSession, key: StudyKey, first: int, records: Sequence[Record]
) -> None:
    """Store records of a ledger, the first of which has the number ``first``.

    Those that are stored already are left as they are. Raises ForkedLedgerError where they are
    others.
    """
    there = await draws_of(db, key, first)
    if list(records[: len(there)]) != there:
        raise ForkedLedgerError(
            f"record {first} of the ledger of {key.name} is another one: two servers draw for it"
        )
    for number, record in enumerate(records[len(there) :], first + len(there)):
        db.add(
            DrawRow(
                study=key.name,
                version=key.version,
                mode=key.mode,
                number=number,
                record=msgspec.to_builtins(record),
            )
        )
