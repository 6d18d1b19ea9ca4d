"""Quiz of comprehension: all answers right in one of some attempts, each of which is stored."""

from __future__ import annotations

from starlette.responses import Response

from matchmaking.study.answers import is_accepted, read_answers
from matchmaking.study.pages import Quiz
from matchmaking.visits import Event
from server.store.visit_records import attempts_at
from server.web.forms import Form
from server.web.participants.view import View, leave
from server.web.participants.views.questions import draw, keep
from server.web.participants.visit_context import VisitContext


class QuizView(View):
    keeps_drafts = True

    async def show(self, at: VisitContext) -> Response:
        return await draw(at, "quiz.html", _page(at).questions, left=await _left(at), wrong=[])

    async def submit(self, at: VisitContext, form: Form) -> Response:
        page = _page(at)
        answers = read_answers(page.questions, form)
        if answers.faults:
            left = await _left(at)
            return await draw(
                at, "quiz.html", page.questions, form, answers.faults, left=left, wrong=[]
            )
        wrong = [q.name for q in page.questions if not is_accepted(q, answers.values[q.name])]
        async with at.turn() as db:
            attempt = await keep(db, at, page.questions, answers)
            left = page.attempts - attempt
            if not wrong:
                await leave(at, db, Event.DONE)
            elif left <= 0:
                await leave(at, db, Event.FAILED)
        if not wrong or left <= 0:
            return at.go_on()
        return await draw(at, "quiz.html", page.questions, form, left=left, wrong=wrong)


async def _left(at: VisitContext) -> int:
    """Return how many attempts are left, this one among them."""
    async with at.state.database.transaction() as db:
        return _page(at).attempts - await attempts_at(db, at.visit.visit_id, at.page_name)


def _page(at: VisitContext) -> Quiz:
    page = at.page
    assert isinstance(page, Quiz)
    return page
