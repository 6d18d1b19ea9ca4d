"""Readings of the models of studies: one at the opening, one a day, one at the end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study_key import StudyKey
from server.store.study_models import ModelReadingRow

Occasion = Literal["open", "daily", "close"]


def add_reading(
    db: AsyncSession,
    key: StudyKey,
    occasion: Occasion,
    at: datetime,
    *,
    model: str = "",
    reading: Mapping[str, Any] | None = None,
    text: str = "",
) -> ModelReadingRow:
    """Store a reading of a model, or why none could be had."""
    row = ModelReadingRow(
        study=key.name,
        version=key.version,
        mode=key.mode,
        occasion=occasion,
        at=at,
        model=model,
        reading=None if reading is None else dict(reading),
        text=text,
    )
    db.add(row)
    return row


async def readings_of(db: AsyncSession, key: StudyKey) -> list[ModelReadingRow]:
    """Return the readings of a study's models in the order of time."""
    rows = await db.scalars(
        select(ModelReadingRow)
        .where(
            ModelReadingRow.study == key.name,
            ModelReadingRow.version == key.version,
            ModelReadingRow.mode == key.mode,
        )
        .order_by(ModelReadingRow.reading_id)
    )
    return list(rows)
