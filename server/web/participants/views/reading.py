"""Instructions and debrief: text to read, and a button."""

from __future__ import annotations

from starlette.responses import Response

from matchmaking.visits import Event
from server.web.forms import Form
from server.web.participants.view import View, leave
from server.web.participants.visit_context import VisitContext


class ReadingView(View):
    async def show(self, at: VisitContext) -> Response:
        return at.render("reading.html")

    async def submit(self, at: VisitContext, form: Form) -> Response:
        async with at.turn() as db:
            await leave(at, db, Event.DONE)
        return at.go_on()
