"""Play: the way into the session, and the page between two of its attempts."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.responses import RedirectResponse, Response

from episodes.evaluation import Verdict
from matchmaking.assignment.group_plan import GroupPlan, Progress
from matchmaking.study.pages import Play
from server.hosting.episode_turns import SessionGoneError
from server.reports.hand_words import YOU
from server.reports.page import Actor, Report, explained, make_report
from server.reports.recorded_words import NO_WORDS, recorded_words
from server.reports.task_clock import TaskClock
from server.sessions.spec import SessionSpec
from server.store.models import SessionRow
from server.store.sessions import session_row
from server.store.study_groups import attempts_of, plan_of_session
from server.web.errors import session_over
from server.web.forms import Form
from server.web.participants.shown_explanations import keep_shown, kind_shown
from server.web.participants.view import View
from server.web.participants.visit_context import VisitContext


class PlayView(View):
    async def show(self, at: VisitContext) -> Response:
        session = await _session(at)
        at.state.sessions.pages.ask(session.session_id)
        last = session.episodes[-1]
        if last.ended_at is None:
            return RedirectResponse(f"/play/{session.session_id}", 303)
        async with at.state.database.transaction() as db:
            plan = await plan_of_session(db, session.session_id)
        kind = "none" if plan is None else kind_shown(plan, last, session)
        people = {o.participant_id for o in session.occupancies if o.participant_id is not None}
        page = at.render(
            "play.html",
            after=last.episode_id,
            last=last.episode_id,
            progress=_progress(session, plan, at),
            report=None if plan is None else await _explained(at, session, plan),
            people=len(people),
        )
        participant = at.visit.participant_id
        await keep_shown(at.state, participant, last, kind, "between", page)
        return page

    async def submit(self, at: VisitContext, form: Form) -> Response:
        session = await _session(at)
        at.state.sessions.pages.ask(session.session_id)
        try:
            await at.state.sessions.next(session.session_id, form.get("after", ""))
        except SessionGoneError:
            # What became of it is looked up on the way.
            return at.go_on()
        return RedirectResponse(f"/play/{session.session_id}", 303)


def _progress(session: SessionRow, plan: GroupPlan | None, at: VisitContext) -> Progress:
    """Return how far a group is; one without a plan plays each task once."""
    progress = None if plan is None else plan.progress(attempts_of(session.episodes))
    if progress is not None:
        return progress
    tasks = {episode.task_id for episode in session.episodes if episode.verdict is not None}
    page = at.page
    of = page.episodes or 0 if isinstance(page, Play) else 0
    return Progress("task", 1, 1, len(tasks), of)


async def _explained(at: VisitContext, session: SessionRow, plan: GroupPlan) -> Report | None:
    """Return what the condition shows of the last attempt; None: nothing of it."""
    last, attempts = session.episodes[-1], attempts_of(session.episodes)
    explanation = plan.explanation(last.task_id, attempts)
    if last.verdict is None or explanation == "none":
        return None
    verdict = msgspec.convert(last.verdict, Verdict)
    said = NO_WORDS
    if explanation == "ours" and (log := at.state.pictures.recording(session.session_id)):
        said = await asyncio.to_thread(recorded_words, log, last.episode_id, verdict)
    report = make_report(
        verdict,
        last.end_reason or "",
        last.ticks or 0,
        _pair(session, at.visit.participant_id),
        said.numbers,
        said.words,
        TaskClock(last.clock_ticks or 0, said.pauses),
        said.placements,
    )
    return explained(report, explanation, last.explanation or "")


def _pair(session: SessionRow, participant_id: str) -> dict[str, Actor]:
    """Return the names that somebody of a pair uses, as the report has them; none in a team."""
    seats = {seat.seat.seat_id for seat in msgspec.convert(session.spec, SessionSpec).seats}
    mine = {o.seat_id for o in session.occupancies if o.participant_id == participant_id}
    if len(seats) != 2 or len(mine) != 1:
        return {}
    return {seat: Actor(YOU if seat in mine else "your partner", "", "") for seat in seats}


async def _session(at: VisitContext) -> SessionRow:
    async with at.state.database.transaction() as db:
        session = await session_row(db, at.visit.session_id or "")
    if session is None:
        raise session_over()
    return session
