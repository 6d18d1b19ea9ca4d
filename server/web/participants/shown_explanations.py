"""Keeping of what a page has shown somebody of an attempt, at the time at which it is sent."""

from __future__ import annotations

import asyncio
from typing import Literal

from starlette.responses import Response

from matchmaking.assignment.group_plan import GroupPlan
from server.store.models import EpisodeRow, SessionRow
from server.store.shown_explanations import ShownExplanation, ShownKind, add_shown
from server.store.study_groups import attempts_of
from server.store.visit_records import may_be_noted
from server.store.visits import held_visit, visit_of
from server.web.application_state import ApplicationState
from server.web.participants.recorded_text import recorded_text


async def keep_shown(
    state: ApplicationState,
    participant: str,
    episode: EpisodeRow,
    kind: ShownKind,
    place: Literal["between", "report"],
    page: Response,
) -> None:
    """Store what a page that is about to be sent shows a participant of an episode.

    Only of whoever takes part in a study, plays in this session and has agreed; nothing once the
    visit has ended.
    """
    async with state.database.transaction() as db:
        known = await visit_of(db, participant)
    if known is None or known.session_id != episode.session_id:
        return
    # A report with its drawings is long, and other people's sessions go on meanwhile.
    said = await asyncio.to_thread(recorded_text, bytes(page.body).decode())
    shown = ShownExplanation(kind=kind, place=place, language=said.language, text=said.text)
    async with state.database.transaction() as db:
        visit = await held_visit(db, known.visit_id)
        if await may_be_noted(db, visit):
            await add_shown(db, visit.visit_id, episode.episode_id, shown, state.now())


def kind_shown(plan: GroupPlan, episode: EpisodeRow, session: SessionRow) -> ShownKind:
    """Return what a group is shown of an episode now."""
    attempts = attempts_of(session.episodes)
    explanation = plan.explanation(episode.task_id, attempts)
    return "delayed" if plan.is_delayed(episode.task_id, attempts) else explanation
