"""Quiz of comprehension: all answers right in one of some attempts, each of which is stored."""

from __future__ import annotations

from starlette.responses import Response

from matchmaking.study.answers import is_accepted, read_answers
from matchmaking.study.pages import Quiz
from matchmaking.visits import Event
from server.store.visit_records import attempts_at, latest_answer
from server.web.forms import Form
from server.web.participants.view import View, leave
from server.web.participants.views.questions import draw, keep
from server.web.participants.visit_context import VisitContext


class QuizView(View):
    keeps_drafts = True

    async def show(self, at: VisitContext) -> Response:
        left, wrong = await _attempted(at)
        return await draw(at, "quiz.html", _page(at).questions, left=left, wrong=wrong)

    async def submit(self, at: VisitContext, form: Form) -> Response:
        page = _page(at)
        answers = read_answers(page.questions, form)
        if answers.faults:
            left, _ = await _attempted(at)
            return await draw(
                at, "quiz.html", page.questions, form, answers.faults, left=left, wrong=[]
            )
        wrong = [q.name for q in page.questions if not is_accepted(q, answers.values[q.name])]
        async with at.turn() as db:
            stored = await attempts_at(db, at.visit.visit_id, at.page_name)
            if form.get("attempt") != str(stored):
                # A double press, or another tab: one look at the questions is one attempt.
                return at.go_on()
            attempt = await keep(db, at, page.questions, answers)
            left = page.attempts - attempt
            if not wrong:
                await leave(at, db, Event.DONE)
            elif left <= 0:
                await leave(at, db, Event.FAILED)
        if not wrong or left <= 0:
            return at.go_on()
        return await draw(at, "quiz.html", page.questions, form, left=left, wrong=wrong)


async def _attempted(at: VisitContext) -> tuple[int, list[str]]:
    """Return how many attempts are left, and the questions that the last one had wrong."""
    page, visit_id = _page(at), at.visit.visit_id
    async with at.state.database.transaction() as db:
        stored = await attempts_at(db, visit_id, page.name)
        wrong = [
            q.name
            for q in (page.questions if stored else ())
            if not is_accepted(q, await latest_answer(db, visit_id, page.name, q.name))
        ]
    return page.attempts - stored, wrong


def _page(at: VisitContext) -> Quiz:
    page = at.page
    assert isinstance(page, Quiz)
    return page
