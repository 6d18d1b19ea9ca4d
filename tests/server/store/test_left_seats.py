"""Seats that people leave between two tasks: the others keep theirs."""

from __future__ import annotations

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from episodes.teams import Team
from matchmaking.matches import Assignment, Match
from matchmaking.tickets import Ticket, Wish
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.store import Database
from server.store.episodes import Provenance, add_episode
from server.store.identifiers import new_id
from server.store.models import EpisodeRow, SessionRow
from server.store.participants import add_participant
from server.store.sessions import (
    StillPlayingError,
    add_match,
    add_session,
    has_other_people,
    is_present,
    leave_between_tasks,
    seat_of,
    session_row,
    vacated_seats,
)
from server.store.tickets import add_ticket
from tests.server.store.test_database import NOW

pytestmark = pytest.mark.processes

TEAM = Team.parse("human=person,human=person,human=person,robot=expert,robot=cohab:fast,seed=1")


async def open_home(db: AsyncSession, people: list[str]) -> tuple[str, str]:
    """Open a session of three people and two policies; return it and its episode."""
    for person in people:
        add_participant(db, person, person, NOW)
    await db.flush()
    tickets = [Ticket(new_id("tic"), person, Wish.PERSON, 0.0) for person in people]
    for ticket in tickets:
        add_ticket(db, ticket, 3, NOW, member="main")
    assignments = tuple(
        Assignment(ticket.ticket_id, ticket.participant_id, seat)
        for ticket, seat in zip(tickets, TEAM.people, strict=True)
    )
    match = Match("fifo", assignments, TEAM)
    match_id, session_id = new_id("mat"), new_id("ses")
    add_match(db, match_id, match, 7, 3, NOW)
    await db.flush()
    spec = SessionSpec.of(session_id, TEAM, 7)
    row = add_session(db, spec, match_id, match, "tasks/first.json.gz", NOW, member="main")
    await db.flush()
    episode = EpisodeSpec(new_id("epi"), "tasks/first.json.gz", "t0")
    add_episode(db, row, episode, 0, Provenance("0.1.0", "Do it."), NOW)
    return session_id, episode.episode_id


async def stored(db: AsyncSession, session_id: str) -> SessionRow:
    session = await session_row(db, session_id)
    assert session is not None
    return session


async def test_policies_have_rows_and_are_not_people(database: Database) -> None:
    async with database.transaction() as db:
        session_id, _ = await open_home(db, ["ann", "ben", "cat"])
    async with database.transaction() as db:
        session = await stored(db, session_id)
        occupants = {o.seat_id: o.participant_id or o.policy for o in session.occupancies}
        assert occupants == {
            "human_0": "ann",
            "human_1": "ben",
            "human_2": "cat",
            "robot_0": "expert",
            "robot_1": "cohab:fast,seed=1",
        }
        assert has_other_people(session, "ann")
        assert vacated_seats(session) == []


async def test_who_leaves_between_tasks_costs_nobody_else_a_seat(database: Database) -> None:
    async with database.transaction() as db:
        session_id, episode_id = await open_home(db, ["ann", "ben", "cat"])
    with pytest.raises(StillPlayingError):
        async with database.transaction() as db:
            await leave_between_tasks(db, "ben", NOW)
    async with database.transaction() as db:
        episode = await db.get(EpisodeRow, episode_id)
        assert episode is not None
        episode.ended_at = NOW
    for person, seat, state in (
        ("ben", "human_1", "open"),
        ("ann", "human_0", "open"),
        ("cat", "human_2", "closed"),
    ):
        async with database.transaction() as db:
            (left,) = await leave_between_tasks(db, person, NOW)
            assert left == (session_id, seat, state == "open")
        async with database.transaction() as db:
            assert await leave_between_tasks(db, person, NOW) == []
            session = await stored(db, session_id)
            assert session.state == state
            assert not is_present(session, person)
            # Their reports stay theirs.
            assert seat_of(session, person) == seat
            if person == "ben":
                assert vacated_seats(session) == ["human_1"]
                assert is_present(session, "cat")
                assert has_other_people(session, "cat")
            elif person == "ann":
                assert not has_other_people(session, "cat")
    async with database.transaction() as db:
        session = await stored(db, session_id)
        assert session.close_reason == "finished"
        assert all(o.until == NOW for o in session.occupancies)
