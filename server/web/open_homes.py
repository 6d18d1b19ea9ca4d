"""Open homes of people who want to begin something else: what they are told, and how they leave.

One person plays in one session. Somebody who is alone in it may leave, which ends it; where
somebody else is in it too, it goes on: they leave it on its own page, and play elsewhere when its
task is over or once they have left.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.tickets import Pool
from server.store.models import SessionRow
from server.store.sessions import (
    has_other_people,
    last_session_of,
    leave_session,
    open_session_of,
    session_row,
)
from server.store.tickets import ticket_row
from server.web.application_state import ApplicationState
from server.web.errors import PageError

ONE_PRESS_S = 10.0
"""Seconds after which the same button is not taken for having been pressed twice any more."""


NEWS_MINUTES = 60
"""Minutes for which somebody is told that their home was given back."""


class OpenHome(NamedTuple):
    """Session in which a participant has an episode to play."""

    session: SessionRow
    participant_id: str
    wish: str
    """Wish with which they came."""
    team: str
    """Name of the team that they asked for."""

    @property
    def session_id(self) -> str:
        return self.session.session_id

    @property
    def is_shared(self) -> bool:
        """Whether another person plays in it."""
        return has_other_people(self.session, self.participant_id)

    def is_of_press(self, pool: Pool, state: ApplicationState) -> bool:
        """Tell whether a button that was pressed just now, perhaps twice, has opened this home."""
        age = state.now() - self.session.opened_at
        return (self.wish, self.team) == (pool.wish, pool.team) and age < timedelta(
            seconds=ONE_PRESS_S
        )


async def given_back_of(db: AsyncSession, participant: str | None, now: datetime) -> str | None:
    """Return the last episode of a home that was closed because its player was not there.

    None where that was not the last home, or long ago.
    """
    session = await last_session_of(db, participant) if participant else None
    if session is None or session.closed_at is None or session.close_reason != "abandoned":
        return None
    is_news = now - session.closed_at < timedelta(minutes=NEWS_MINUTES)
    return session.episodes[-1].episode_id if is_news and session.episodes else None


async def open_home_of(db: AsyncSession, participant: str | None) -> OpenHome | None:
    """Return the open home of a participant; None if they have none."""
    session_id = await open_session_of(db, participant) if participant else None
    session = await session_row(db, session_id) if session_id else None
    if session is None or participant is None:
        return None
    mine = [o.ticket_id for o in session.occupancies if o.participant_id == participant]
    ticket = await ticket_row(db, mine[0]) if mine[0] else None
    wish, team = (ticket.wish, ticket.team) if ticket else ("", "")
    return OpenHome(session, participant, wish, team)


async def leave_for_good(state: ApplicationState, home: OpenHome) -> None:
    """Take somebody out of their home at once: others go on in it, and nobody waits for them.

    Raises PageError where it would have to be closed and cannot be just now.
    """
    if not home.is_shared:
        await leave_home(state, home)
        return
    async with state.database.transaction() as db:
        left = await leave_session(db, home.session_id, home.participant_id, state.now())
    await state.sessions.left(left)


async def leave_home(state: ApplicationState, home: OpenHome) -> None:
    """End and close the session of somebody who is alone in it. Raises PageError otherwise."""
    if home.is_shared:
        raise PageError(
            409,
            "Somebody else is in this home",
            "It stays open until its task is over. Go back in and press Finish, or play on.",
        )
    await state.sessions.end(home.session, "left")
    if state.sessions.is_open(home.session_id):
        raise PageError(
            503,
            "Your home could not be closed just now",
            "Something is slow on our side. Go back, and press the button once more in a moment.",
        )
