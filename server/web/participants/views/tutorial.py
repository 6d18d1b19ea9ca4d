"""Tutorial: practice alone in the real session engine, body after body, until its task is done."""

from __future__ import annotations

from datetime import datetime
from math import floor
from typing import NamedTuple

from starlette.responses import RedirectResponse, Response

from episodes.bodies import SeatKind
from matchmaking.study.pages import Tutorial
from matchmaking.tickets import Pool, Wish
from matchmaking.tutorials import TUTORIALS
from matchmaking.visits import Event
from server.recording.tutorial_criterion import Skill
from server.store.tickets import tasks_done
from server.web.forms import Form
from server.web.lobby_entry import enter_lobby
from server.web.open_homes import leave_home, open_home_of
from server.web.participants.practice import missing_practice, practice_left_s
from server.web.participants.view import View, leave
from server.web.participants.visit_context import VisitContext


class TutorialView(View):
    async def show(self, at: VisitContext) -> Response:
        page = _page(at)
        async with at.state.database.transaction() as db:
            home = await open_home_of(db, at.visit.participant_id)
        body, missing, done_at = await _next_body(at, page)
        # Whoever was done in time is, however late the page is looked at.
        left_s = await practice_left_s(at, done_at)
        is_late = _is_late(left_s)
        if body is None or is_late:
            if home is not None:
                await leave_home(at.state, home)
            async with at.turn() as db:
                await leave(at, db, Event.FAILED if is_late else Event.DONE)
            return at.go_on()
        # Rounded down, so that nobody has less than is said.
        limit = None
        if left_s is not None:
            limit = {"minutes": floor(left_s / 30) / 2, "seconds": max(1, floor(left_s))}
        return at.render(
            "tutorial.html",
            body=body,
            home=home,
            missing=missing,
            limit=limit,
            has_begun=left_s != page.limit_s,
        )

    async def submit(self, at: VisitContext, form: Form) -> Response:
        page = _page(at)
        body = form.get("body", "")
        if body not in page.bodies or _is_late(await practice_left_s(at)):
            return at.go_on()
        pool = Pool(Wish.ROBOT, team=TUTORIALS[body].name)
        async with at.state.database.transaction() as db:
            home = await open_home_of(db, at.visit.participant_id)
        if home is not None:
            return RedirectResponse(f"/play/{home.session_id}", 303)
        place = await enter_lobby(at.request, at.state, at.visit.participant_id, pool, at.texts)
        return RedirectResponse(place, 303)


def _is_late(left_s: float | None) -> bool:
    """Tell whether a practice has taken longer than it may; None: it may take any time."""
    return left_s is not None and left_s < 0


class _Practice(NamedTuple):
    body: SeatKind | None
    """The body that is to be learnt; None: all are."""
    missing: list[Skill]
    """Steps that its last practice lacked."""
    done_at: datetime | None
    """Time at which the last of all was learnt; None: one is to be learnt."""


async def _next_body(at: VisitContext, page: Tutorial) -> _Practice:
    learnt_at = []
    for body in page.bodies:
        async with at.state.database.transaction() as db:
            done = await tasks_done(db, at.visit.participant_id, TUTORIALS[body].name)
        lacks = [await missing_practice(at.state.settings, task) for task in done]
        passed = [task.ended_at for task, lack in zip(done, lacks, strict=True) if not lack]
        if not passed:
            return _Practice(body, lacks[0] if lacks else [], None)
        learnt_at.append(min(passed))
    return _Practice(None, [], max(learnt_at))


def _page(at: VisitContext) -> Tutorial:
    page = at.page
    assert isinstance(page, Tutorial)
    return page
