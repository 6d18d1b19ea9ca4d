"""Views: what a place of a visit shows, and what becomes of its form."""

from __future__ import annotations

from abc import ABC, abstractmethod

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from matchmaking.visits import Event
from server.store.visit_records import drop_draft
from server.web.forms import Form
from server.web.participants.visit_context import VisitContext

UNPROCESSABLE = 422


class View(ABC):
    """View of a place. It keeps nothing between two requests."""

    keeps_drafts = False
    """Whether its fields are kept while they are filled in."""

    @abstractmethod
    async def show(self, at: VisitContext) -> Response: ...

    @abstractmethod
    async def submit(self, at: VisitContext, form: Form) -> Response: ...


async def leave(at: VisitContext, db: AsyncSession, event: Event) -> None:
    """Move a visit on from a page whose form was taken, in its turn."""
    await drop_draft(db, at.visit.visit_id, at.draft_key)
    await at.move(db, event)
