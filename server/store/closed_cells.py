"""Cells of studies that operators closed, as the log of what they did has it.

The log is only added to, and a cell is closed and opened by its rows alone: nothing else says it.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study_key import StudyKey
from server.store.operator_models import OperatorActRow

CLOSE_CELL, OPEN_CELL = "close_cell", "open_cell"


class Closing(NamedTuple):
    """Closing or opening of a cell, by whom and when."""

    condition: str
    is_closed: bool
    at: datetime
    who: str


def cell_name(key: StudyKey, condition: str) -> str:
    """Return the name of a cell in the log and in addresses."""
    return f"{key.name}:{key.version}:{key.mode}:{condition}"


async def closings_of(db: AsyncSession, key: StudyKey) -> list[Closing]:
    """Return how the cells of a version of a study were closed and opened, oldest first."""
    rows = await db.scalars(
        select(OperatorActRow)
        .where(
            OperatorActRow.study == key.name,
            OperatorActRow.act.in_((CLOSE_CELL, OPEN_CELL)),
            OperatorActRow.outcome == "done",
        )
        .order_by(OperatorActRow.act_id)
    )
    prefix = cell_name(key, "")
    return [
        Closing(row.target.removeprefix(prefix), row.act == CLOSE_CELL, row.at, row.who)
        for row in rows
        if row.target.startswith(prefix)
    ]


async def closed_cells(db: AsyncSession, key: StudyKey) -> frozenset[str]:
    """Return the conditions of a version of a study that take no more groups."""
    last = {closing.condition: closing.is_closed for closing in await closings_of(db, key)}
    return frozenset(condition for condition, is_closed in last.items() if is_closed)
