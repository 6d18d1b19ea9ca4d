"""Records of reading: times that pages told, among the answers of a visit and erased with them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from server.store.visit_records import add_answers, attempts_at

PAGE: Final = "seen.between"
"""Page of the answers that are times of reading; no page of a study can be named so."""
QUESTION: Final = "seen.reading_ms"


async def add_reading(
    db: AsyncSession, visit_id: str, episode_id: str, read_ms: int, now: datetime
) -> None:
    """Store for how long the explanation of an episode was read, beside what was told before."""
    number = 1 + await attempts_at(db, visit_id, PAGE, episode_id)
    await add_answers(db, visit_id, PAGE, number, {QUESTION: read_ms}, now, occasion=episode_id)
