"""Progress of visits that wait or play: what became of their stay in the lobby and their tasks.

Nobody has to tell a visit. Whatever asks for it looks up what is stored, so that a crash between
two writes loses nothing: the next look finds the same.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.limits import MOST_UNREADY, AtDeadline
from matchmaking.study import Study
from matchmaking.study.pages import Play
from matchmaking.tickets import State
from matchmaking.tutorials import PRACTICE
from matchmaking.visits import Event, Place
from server.recruiting.open_studies import OpenStudy
from server.sessions.events import LAST_REASONS
from server.store.models import SessionRow
from server.store.sessions import (
    has_stayed,
    is_present,
    left_before_the_end,
    lost_together,
    others_left_first,
    session_row,
)
from server.store.study_groups import has_played_all, plan_of_session
from server.store.tickets import latest_ticket, stays_that_ended
from server.store.visit_models import VisitRow
from server.store.visit_records import attempts_at
from server.store.visits import new_session_of

_BROKE = frozenset({"failed", "server_stopped", "operator"})
"""Ends of a session that are none of its people's doing."""


class News(NamedTuple):
    """Event of a visit, with the columns that change with it."""

    event: Event
    session_id: str | None = None
    occasion: str | None = None

    @property
    def changes(self) -> dict[str, str | None]:
        found = {"session_id": self.session_id, "occasion": self.occasion}
        return {name: value for name, value in found.items() if value is not None}


async def news_of(db: AsyncSession, visit: VisitRow, study: OpenStudy) -> News | None:
    """Return what has happened to a visit in the lobby or among its tasks; None: nothing."""
    match Place(visit.place):
        case Place.LOBBY:
            return await _lobby_news(db, visit, study.study)
        case Place.PLAY:
            return await _play_news(db, visit, study.study)
        case Place.EPISODE_SURVEY:
            return await _survey_news(db, visit)
        case _:
            return None


async def _lobby_news(db: AsyncSession, visit: VisitRow, study: Study) -> News | None:
    if (session_id := await new_session_of(db, visit)) is not None:
        return News(Event.MATCHED, session_id)
    ticket = await latest_ticket(db, visit.participant_id, besides=PRACTICE)
    if ticket is None:
        return None
    match ticket.state:
        case State.EXPIRED:
            is_sent_on = study.at_deadline is AtDeadline.SURVEY
            return News(Event.SENT_ON if is_sent_on else Event.NO_PARTNER)
        case State.OVER_RECRUITED:
            return News(Event.OVER_RECRUITED)
        case State.NO_TASKS | State.NOT_OPENED:
            # What they have met stays so, and their wait is over: they cannot join again.
            return News(Event.BROKE)
        case State.UNREADY if await _is_never_ready(db, visit.participant_id):
            # Whoever waits with them would be asked again and again for nothing.
            return News(Event.LATE)
        case _:
            # Whoever left, was away for too long or not ready in time may join again.
            return None


async def _is_never_ready(db: AsyncSession, participant_id: str) -> bool:
    return await stays_that_ended(db, participant_id, State.UNREADY) >= MOST_UNREADY


async def _play_news(db: AsyncSession, visit: VisitRow, study: Study) -> News | None:
    session = await session_row(db, visit.session_id) if visit.session_id else None
    page = study.page_of(Play)
    if session is None or page is None:
        return None
    last_reason = session.episodes[-1].end_reason if session.episodes else None
    plan = await plan_of_session(db, session.session_id)
    is_done = has_played_all(plan, session.episodes)
    if is_done and left_before_the_end(session, visit.participant_id):
        # It was done without them, whoever else had gone: there is nothing to ask them.
        return News(Event.WITHDREW)
    judged = [episode for episode in session.episodes if episode.verdict is not None]
    survey = page.after_each
    if judged and survey is not None:
        last = judged[-1].episode_id
        if not await attempts_at(db, visit.visit_id, survey.name, last):
            return News(Event.EPISODE_OVER, occasion=last)
    if is_done:
        return News(Event.PLAYED)
    goes_on = session.state == "open" and last_reason not in LAST_REASONS
    if goes_on and is_present(session, visit.participant_id):
        return None
    return News(_event_of_end(session, last_reason, visit.participant_id))


async def _survey_news(db: AsyncSession, visit: VisitRow) -> News | None:
    """Return the end of a visit whose person was counted as gone before their last task was done.

    Nobody answers its questions, and answers would lead nowhere. Everybody else has their time.
    """
    session = await session_row(db, visit.session_id) if visit.session_id else None
    if session is None or is_present(session, visit.participant_id):
        return None
    plan = await plan_of_session(db, session.session_id)
    if has_played_all(plan, session.episodes):
        went = left_before_the_end(session, visit.participant_id)
        return News(Event.WITHDREW) if went else None
    last_reason = session.episodes[-1].end_reason if session.episodes else None
    event = _event_of_end(session, last_reason, visit.participant_id)
    return News(event) if event is Event.WITHDREW else None


def _event_of_end(session: SessionRow, last_reason: str | None, participant_id: str) -> Event:
    """Return what a session that is over for somebody before their last task is to them.

    ``last_reason`` is why its last episode ended; None: it has not.
    """
    # A session that waits to be closed may be closed for another reason, by the next process.
    reason = last_reason if last_reason in LAST_REASONS else session.close_reason
    if reason in _BROKE:
        return Event.BROKE
    if lost_together(session, participant_id):
        # Neither has left the other: both have gone away.
        return Event.WITHDREW
    if others_left_first(session, participant_id):
        return Event.PARTNER_LEFT
    if not has_stayed(session, participant_id):
        return Event.WITHDREW
    # It was over for everybody in it at once.
    people = {o.participant_id for o in session.occupancies if o.participant_id is not None}
    is_alone = people == {participant_id}
    if reason == "left":
        # Who of several made it end is not stored: each counts as left by the others.
        return Event.WITHDREW if is_alone else Event.PARTNER_LEFT
    if reason == "abandoned":
        # No page of it asked for anything: all of them have gone away.
        return Event.LATE if is_alone else Event.WITHDREW
    # Between two tasks, nobody went on for too long.
    return Event.LATE
