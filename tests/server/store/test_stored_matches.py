"""A match is stored whole or not at all: tickets that have ended, and people who play elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from episodes.teams import Team
from matchmaking.matches import Assignment, Match
from matchmaking.tickets import State, Ticket, Wish
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.store import Database
from server.store.episodes import Provenance
from server.store.identifiers import new_id
from server.store.matches import MatchRecord, MatchRefusedError, match_is_stored, store_match
from server.store.models import (
    EpisodeRow,
    MatchRow,
    OccupancyRow,
    ParticipantRow,
    SessionRow,
    TicketRow,
)
from server.store.participants import add_participant
from server.store.tickets import add_ticket, end_all_live, end_ticket
from tests.server.store.test_database import NOW

pytestmark = pytest.mark.processes

TEAM = Team.parse("human=person,robot=person")
DATASET = "tasks/first.json.gz"

End = Callable[[AsyncSession, str], Awaitable[object]]


async def join(database: Database, *people: str) -> list[Ticket]:
    """Store people, if they are new, and a live ticket of each."""
    tickets = [Ticket(new_id("tic"), person, Wish.PERSON, 0.0) for person in people]
    async with database.transaction() as db:
        for ticket in tickets:
            if await db.get(ParticipantRow, ticket.participant_id) is None:
                add_participant(db, ticket.participant_id, ticket.participant_id, NOW)
        await db.flush()
        for ticket in tickets:
            add_ticket(db, ticket, len(tickets), NOW, member="main")
    return tickets


def record_of(tickets: list[Ticket]) -> MatchRecord:
    assignments = tuple(
        Assignment(ticket.ticket_id, ticket.participant_id, seat)
        for ticket, seat in zip(tickets, TEAM.people, strict=True)
    )
    return MatchRecord(
        new_id("mat"),
        Match("fifo", assignments, TEAM),
        7,
        len(tickets),
        SessionSpec.of(new_id("ses"), TEAM, 7),
        DATASET,
        "main",
        EpisodeSpec(new_id("epi"), DATASET, "t0"),
        Provenance("0.1.0", "Do it."),
    )


async def store(database: Database, record: MatchRecord) -> None:
    async with database.transaction() as db:
        await store_match(db, record, NOW)


async def counts(database: Database) -> tuple[int, ...]:
    """Count matches, sessions, occupants and episodes."""
    async with database.transaction() as db:
        rows = (MatchRow, SessionRow, OccupancyRow, EpisodeRow)
        return tuple([await db.scalar(select(func.count()).select_from(r)) or 0 for r in rows])


async def state_of(database: Database, ticket: Ticket) -> tuple[str, str | None]:
    async with database.transaction() as db:
        row = await db.get(TicketRow, ticket.ticket_id)
        assert row is not None
        return row.state, row.match_id


async def cancel(db: AsyncSession, ticket_id: str) -> object:
    return await end_ticket(db, ticket_id, State.CANCELLED, NOW)


async def stop_server(db: AsyncSession, ticket_id: str) -> object:
    return await end_all_live(db, NOW, member="main")


ENDS: dict[str, End] = {"cancelled": cancel, "its server died": stop_server}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
async def test_a_ticket_that_has_ended_is_in_no_match(database: Database, end: End) -> None:
    tickets = await join(database, "ann", "ben")
    record = record_of(tickets)
    async with database.transaction() as db:
        await end(db, tickets[1].ticket_id)
    before = [await state_of(database, ticket) for ticket in tickets]
    with pytest.raises(MatchRefusedError) as refused:
        await store(database, record)
    assert tickets[1].ticket_id in refused.value.ticket_ids
    assert await counts(database) == (0, 0, 0, 0)
    # The other one waits on, and whoever had gone has gone as they did.
    assert [await state_of(database, ticket) for ticket in tickets] == before
    async with database.transaction() as db:
        assert not await match_is_stored(db, record)


async def test_a_ticket_that_another_match_has_is_in_no_second_one(database: Database) -> None:
    ann, ben, cat = await join(database, "ann", "ben", "cat")
    first, second = record_of([ann, ben]), record_of([cat, ann])
    await store(database, first)
    with pytest.raises(MatchRefusedError) as refused:
        await store(database, second)
    assert refused.value.ticket_ids == {ann.ticket_id}
    assert await counts(database) == (1, 1, 2, 1)
    assert await state_of(database, ann) == (State.MATCHED, first.match_id)
    assert (await state_of(database, cat))[1] is None


async def test_of_two_matches_at_once_with_the_same_person_one_is_stored(
    database: Database,
) -> None:
    ann, ben, cat = await join(database, "ann", "ben", "cat")
    records = [record_of([ann, ben]), record_of([ann, cat])]
    done = await asyncio.gather(*(store(database, r) for r in records), return_exceptions=True)
    assert [type(d) for d in done if d is not None] == [MatchRefusedError]
    assert await counts(database) == (1, 1, 2, 1)


async def test_who_plays_with_one_ticket_is_in_no_match_with_another(database: Database) -> None:
    tickets = await join(database, "ann", "ben")
    await store(database, record_of(tickets))
    again, cat = await join(database, "ann", "cat")
    with pytest.raises(MatchRefusedError) as refused:
        await store(database, record_of([again, cat]))
    assert refused.value.ticket_ids == {again.ticket_id}
    assert await counts(database) == (1, 1, 2, 1)


async def test_a_match_is_stored_once_however_often_that_is_tried(database: Database) -> None:
    record = record_of(await join(database, "ann", "ben"))
    for _ in range(2):
        await store(database, record)
    assert await counts(database) == (1, 1, 2, 1)
    async with database.transaction() as db:
        assert await match_is_stored(db, record)
