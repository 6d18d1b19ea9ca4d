"""Records of explanations as they were shown, among the answers of a visit and erased with them."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study.treatment import Explanation
from server.store.visit_models import AnswerRow
from server.store.visit_records import add_answers, attempts_at

PAGE: Final = "seen.explanation"
"""Page of the answers that are explanations; no page of a study can be named so."""
QUESTION: Final = "seen.explanation"
MOST: Final = 20
"""Number of different texts of one episode that are stored for one visit."""

ShownKind = Explanation | Literal["delayed"]
"""Kind of what was explained; ``delayed``: nothing yet, since the condition explains it later."""


class ShownExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """Explanation of an attempt as a page showed it to somebody."""

    kind: ShownKind
    place: Literal["between", "report"]
    """Page that showed it: the one between two attempts, or the report."""
    language: str
    """Language that the page declares."""
    text: str
    """Text of the page's marked parts, a line for each block."""


async def add_shown(
    db: AsyncSession, visit_id: str, episode_id: str, shown: ShownExplanation, now: datetime
) -> None:
    """Store what somebody was shown of an episode, once for each text and page."""
    value = msgspec.to_builtins(shown)
    known = await db.scalars(
        select(AnswerRow.value).where(
            AnswerRow.visit_id == visit_id,
            AnswerRow.page == PAGE,
            AnswerRow.occasion == episode_id,
        )
    )
    before = list(known)
    if value in before or len(before) >= MOST:
        return
    number = 1 + await attempts_at(db, visit_id, PAGE, episode_id)
    await add_answers(db, visit_id, PAGE, number, {QUESTION: value}, now, occasion=episode_id)
