"""Eligibility: age, and questions of whose answers only some let people take part."""

from __future__ import annotations

from starlette.responses import Response

from matchmaking.study.answers import is_accepted, read_answers
from matchmaking.study.pages import Eligibility
from matchmaking.study.questions import Kind, Question
from matchmaking.visits import Event
from server.web.forms import Form
from server.web.participants.view import View, leave
from server.web.participants.views.questions import draw, keep
from server.web.participants.visit_context import VisitContext

OLDEST = 120


class EligibilityView(View):
    keeps_drafts = True

    async def show(self, at: VisitContext) -> Response:
        return await draw(at, "questions.html", _questions(at))

    async def submit(self, at: VisitContext, form: Form) -> Response:
        page = at.page
        assert isinstance(page, Eligibility)
        questions = _questions(at)
        answers = read_answers(questions, form)
        if answers.faults:
            return await draw(at, "questions.html", questions, form, answers.faults)
        age = answers.values["age"]
        assert isinstance(age, int | float)
        is_of_age = page.least_age <= age <= (page.most_age or OLDEST)
        passes = is_of_age and all(is_accepted(q, answers.values[q.name]) for q in page.questions)
        async with at.turn() as db:
            await keep(db, at, questions, answers)
            await leave(at, db, Event.DONE if passes else Event.FAILED)
        return at.go_on()


def _questions(at: VisitContext) -> tuple[Question, ...]:
    """Return the questions of the page, the age first."""
    page = at.page
    assert isinstance(page, Eligibility)
    text = {at.visit.language: at.texts("eligibility-age")}
    age = Question(name="age", kind=Kind.NUMBER, text=text, least=0, most=OLDEST)
    return (age, *page.questions)
