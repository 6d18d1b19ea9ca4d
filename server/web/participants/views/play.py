"""Play: the way into the session, and the button between two of its tasks."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response

from server.hosting.episode_turns import SessionGoneError
from server.store.models import SessionRow
from server.store.sessions import session_row
from server.web.errors import session_over
from server.web.forms import Form
from server.web.participants.view import View
from server.web.participants.visit_context import VisitContext


class PlayView(View):
    async def show(self, at: VisitContext) -> Response:
        session = await _session(at)
        at.state.sessions.pages.ask(session.session_id)
        last = session.episodes[-1]
        if last.ended_at is None:
            return RedirectResponse(f"/play/{session.session_id}", 303)
        done = sum(episode.verdict is not None for episode in session.episodes)
        return at.render(
            "play.html",
            last=last.episode_id,
            done=done,
        )

    async def submit(self, at: VisitContext, form: Form) -> Response:
        session = await _session(at)
        at.state.sessions.pages.ask(session.session_id)
        try:
            await at.state.sessions.next(session.session_id, form.get("after", ""))
        except SessionGoneError:
            # What became of it is looked up on the way.
            return at.go_on()
        return RedirectResponse(f"/play/{session.session_id}", 303)


async def _session(at: VisitContext) -> SessionRow:
    async with at.state.database.transaction() as db:
        session = await session_row(db, at.visit.session_id or "")
    if session is None:
        raise session_over()
    return session
