"""Last page of a visit: how it ended, the code, what is paid, and the debrief."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from matchmaking.study.endings import Ending
from matchmaking.study.pages import Debrief
from matchmaking.visits import Place
from server.recruiting.earnings import earnings_of
from server.store.visit_records import consent_of
from server.store.visits import link_of, steps_of
from server.web.participants.debrief_pages import debrief_link
from server.web.participants.visit_context import VisitContext
from server.web.security import CONTENT_POLICY


async def show_the_end(at: VisitContext) -> Response:
    """Show the end of a visit, the same however often it is loaded."""
    study = at.open_study
    ending = at.standing.ending
    assert ending is not None
    async with at.state.database.transaction() as db:
        parameters = await link_of(db, at.visit.visit_id)
        earned = await earnings_of(db, at.visit, study.study, at.state.now())
        consent = await consent_of(db, at.visit.visit_id)
        was_late = ending is Ending.SCREENED_OUT and await _left_from_a_tutorial(db, at)
        link = await debrief_link(db, at.state, at.visit, study.study)
    way = study.recruiter.way_back(study.study, ending, parameters)
    debrief = study.study.page_of(Debrief)
    was_debriefed = ending is Ending.COMPLETED or consent is None
    response = at.render(
        "the_end.html",
        ending=ending,
        was_late=was_late,
        code=study.code(ending),
        back=way,
        recruiter=study.recruiter,
        owed=earned.owed if earned is not None and study.study.pay.is_paid else None,
        debrief_link=link,
        debrief=debrief if debrief is not None and not was_debriefed else None,
    )
    if way is not None and way.origin:
        # Only here, and only to where the recruiter takes results.
        allowed = f"form-action 'self' {way.origin}"
        policy = CONTENT_POLICY.replace("form-action 'self'", allowed)
        response.headers["content-security-policy"] = policy
    return response


async def _left_from_a_tutorial(db: AsyncSession, at: VisitContext) -> bool:
    """Tell whether a visit that ended stood at a tutorial, which only its limit screens out of."""
    places = [step.place for step in await steps_of(db, at.visit.visit_id)]
    return places[-2:-1] == [Place.TUTORIAL]
