"""Lobby: what comes next, a button that takes the place, and the way to the waiting page."""

from __future__ import annotations

from math import ceil

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import RedirectResponse, Response

from matchmaking.study.pages import Device
from matchmaking.tickets import Pool
from server.store.visit_records import consent_of, latest_answer
from server.store.visits import NotInLobbyError
from server.web.forms import Form
from server.web.lobby_entry import enter_lobby
from server.web.participants.view import View
from server.web.participants.views.device import RTT_MEDIAN
from server.web.participants.visit_context import VisitContext


class LobbyView(View):
    async def show(self, at: VisitContext) -> Response:
        ticket = at.state.lobby.ticket_of(at.visit.participant_id)
        if ticket is not None:
            return RedirectResponse(f"/lobby/{ticket.ticket_id}", 303)
        study = at.open_study.study
        wait_s = study.limits.wait_s
        return at.render(
            "lobby.html",
            least=min(cell.people for cell in study.cells),
            people=study.most_people,
            # Rounded up, because nobody waits longer than is said.
            wait={
                "minutes": ceil(wait_s / 60) if wait_s > 30 else wait_s // 30 / 2,
                "seconds": ceil(wait_s),
            },
        )

    async def submit(self, at: VisitContext, form: Form) -> Response:
        async with at.state.database.transaction() as db:
            consent = await consent_of(db, at.visit.visit_id)
            rtt_ms = await _rtt_ms(db, at)
        if consent is None:
            # The order of pages sees to it; this holds whatever becomes of that.
            return at.go_on()
        pool = Pool.of_study(at.open_study.study.key)
        try:
            place = await enter_lobby(
                at.request, at.state, at.visit.participant_id, pool, at.texts, rtt_ms=rtt_ms
            )
        except NotInLobbyError:
            return at.go_on()
        return RedirectResponse(place, 303)


async def _rtt_ms(db: AsyncSession, at: VisitContext) -> float | None:
    """Return the median of the round trips that the device check found; None: there was none."""
    page = at.open_study.study.page_of(Device)
    if page is None:
        return None
    found = await latest_answer(db, at.visit.visit_id, page.name, RTT_MEDIAN)
    return float(found) if found is not None else None
