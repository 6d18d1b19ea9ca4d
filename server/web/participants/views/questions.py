"""Questions of a survey: shown, checked on the server, stored; one wrong keeps all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from matchmaking.study.answers import Answers, Fault, field_of, is_accepted, read_answers
from matchmaking.study.pages import Survey
from matchmaking.study.questions import Kind, Question
from matchmaking.visit_signs import Sign, SignKind
from matchmaking.visits import Event
from server.store.visit_records import add_answers, add_sign, attempts_at, draft_of
from server.web.forms import Form
from server.web.participants.view import UNPROCESSABLE, View, leave
from server.web.participants.visit_context import VisitContext


async def draw(
    at: VisitContext,
    template: str,
    questions: Sequence[Question],
    form: Form | None = None,
    faults: dict[str, Fault] | None = None,
    **values: Any,
) -> Response:
    """Draw a page of questions, with what was sent or else with what was kept of it."""
    fields: Any = form
    if fields is None:
        async with at.state.database.transaction() as db:
            fields = await draft_of(db, at.visit.visit_id, at.draft_key)
    return at.render(
        template,
        status=UNPROCESSABLE if form is not None else 200,
        questions=questions,
        fields=fields,
        faults=faults or {},
        field_of=field_of,
        **values,
    )


async def keep(
    db: AsyncSession, at: VisitContext, questions: Sequence[Question], answers: Answers
) -> int:
    """Store the answers of an attempt at the page; return the attempt's number."""
    visit_id, page = at.visit.visit_id, at.page_name
    attempt = await attempts_at(db, visit_id, page, at.occasion) + 1
    await add_answers(
        db,
        visit_id,
        page,
        attempt,
        answers.values,
        at.state.now(),
        occasion=at.occasion,
        identifying=frozenset(q.name for q in questions if q.is_identifying),
        words=frozenset(q.name for q in questions if q.kind is Kind.WORDS),
    )
    return attempt


class SurveyView(View):
    """View of a survey, at the end or after a task."""

    keeps_drafts = True

    async def show(self, at: VisitContext) -> Response:
        return await draw(at, "survey.html", _page(at).questions)

    async def submit(self, at: VisitContext, form: Form) -> Response:
        questions = _page(at).questions
        answers = read_answers(questions, form)
        if answers.faults:
            return await draw(at, "survey.html", questions, form, answers.faults)
        missed = [q.name for q in questions if not is_accepted(q, answers.values[q.name])]
        async with at.turn() as db:
            if missed:
                # For the researcher: nobody is sent away for it where consent has not said so.
                sign = Sign(SignKind.INATTENTION, {"questions": missed})
                await add_sign(db, at.visit.visit_id, sign, at.page_name, at.state.now())
            await keep(db, at, questions, answers)
            ends = bool(missed) and _page(at).ends_inattentive
            await leave(at, db, Event.FAILED if ends else Event.DONE)
        return at.go_on()


def _page(at: VisitContext) -> Survey:
    page = at.page
    assert isinstance(page, Survey)
    return page
