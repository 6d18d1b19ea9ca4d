"""Detours: somebody who takes part in a study goes on with it, wherever they ask for something."""

from __future__ import annotations

from fastapi import Request
from sqlalchemy.ext.asyncio import AsyncSession

from server.store.visits import standing_of, visit_of
from server.web.application_state import ApplicationState
from server.web.participants.texts import Texts, texts_in
from server.web.participants.visit_context import VisitContext, VisitFrame


async def frame_of(
    request: Request, state: ApplicationState, db: AsyncSession, participant: str | None
) -> VisitFrame | None:
    """Return the frame of pages for a participant of a study; None for everybody else."""
    visit = await visit_of(db, participant)
    study = await state.studies.of_visit(db, visit) if visit is not None else None
    if visit is None or study is None:
        return None
    return VisitFrame(VisitContext(state, visit, study, request))


async def is_visiting(state: ApplicationState, db: AsyncSession, participant: str | None) -> bool:
    """Tell whether a participant is in a study that goes on."""
    visit = await visit_of(db, participant)
    if visit is None or await state.studies.of_visit(db, visit) is None:
        return False
    return not standing_of(visit).has_ended


async def lobby_texts(state: ApplicationState, participant: str, otherwise: Texts) -> Texts:
    """Return the texts in the language of a participant's visit; ``otherwise`` in open play."""
    async with state.database.transaction() as db:
        visit = await visit_of(db, participant)
    return otherwise if visit is None else texts_in(visit.language)
