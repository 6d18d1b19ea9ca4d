"""Stays that the lobby does not have any more, as their rows tell of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from msgspec.structs import replace

from matchmaking.tickets import State, Ticket, Wish
from matchmaking.tutorials import PRACTICE
from server.lobby.ticket_outcomes import CLOSED_BY_STATE, GOING_AWAY
from server.lobby.ticket_records import TicketRecords
from server.store import Database
from server.store.sessions import LeftSeat
from server.store.tickets import add_ticket, end_ticket, unopened_stays
from tests.server.store.test_database import NOW
from tests.server.store.test_stored_matches import join

pytestmark = pytest.mark.processes


async def test_a_stay_that_has_not_ended_goes_on_in_the_next_process(database: Database) -> None:
    """A page that comes back while the server stops must not hear that it was away too long."""

    async def left(_: Sequence[LeftSeat]) -> None:
        raise AssertionError("nobody has left")

    records = TicketRecords(database, "main", left)
    (waits, gone) = await join(database, "par_a", "par_b")
    assert await records.outcome_of(waits.ticket_id) == GOING_AWAY
    async with database.transaction() as db:
        await end_ticket(db, gone.ticket_id, State.GONE, NOW)
    assert await records.outcome_of(gone.ticket_id) == CLOSED_BY_STATE[State.GONE]
    assert await records.outcome_of("tic_unknown") == CLOSED_BY_STATE[State.GONE]


async def test_stays_without_a_session_are_counted_since_the_last_one_that_had_one(
    database: Database,
) -> None:
    states = [State.UNOPENED, State.MATCHED, State.UNOPENED, State.GONE, State.UNOPENED]
    await join(database, "par_a", "par_b")
    async with database.transaction() as db:
        for number, state in enumerate(states):
            ticket = Ticket(f"tic_{number}", "par_a", Wish.STUDY, 0.0)
            row = add_ticket(db, ticket, 0, NOW + timedelta(seconds=60 + number), member="main")
            row.state = state
        # A practice is no stay of a study, whether it opened or not.
        for state in (State.UNOPENED, State.MATCHED):
            ticket = Ticket(f"tic_practice_{state}", "par_a", Wish.ROBOT, 0.0, team=PRACTICE[0])
            row = add_ticket(db, ticket, 0, NOW + timedelta(seconds=90), member="main")
            row.state = state
    async with database.transaction() as db:
        assert await unopened_stays(db, "par_a") == 2
        assert await unopened_stays(db, "par_b") == 0


async def test_a_stay_keeps_where_it_stood_in_the_next_process(database: Database) -> None:
    """At the front, with the least people, or let go by an operator: nobody has to say it again."""

    async def left(_: Sequence[LeftSeat]) -> None:
        raise AssertionError("nobody has left")

    records = TicketRecords(database, "main", left, now=lambda: NOW + timedelta(seconds=10))
    after = TicketRecords(database, "main", left, now=lambda: NOW + timedelta(seconds=50))
    first, least, sent, plain, gone = await join(database, *(f"par_{n}" for n in "abcde"))
    await records.ticket_moved(replace(first, is_first=True))
    # A note of an earlier moment that was stored late takes nothing back.
    await records.ticket_moved(replace(first, sent_on_at=3.0))
    await records.ticket_moved(replace(least, wants_to_begin=True))
    await records.ticket_moved(replace(sent, sent_on_at=3.0))
    async with database.transaction() as db:
        await end_ticket(db, gone.ticket_id, State.GONE, NOW)
    await records.ticket_moved(replace(gone, is_first=True))
    assert {t.ticket_id: t for t in await after.live_tickets(1000.0)} == {
        first.ticket_id: replace(first, joined_at=950.0, is_first=True, sent_on_at=960.0),
        least.ticket_id: replace(least, joined_at=950.0, wants_to_begin=True),
        sent.ticket_id: replace(sent, joined_at=950.0, sent_on_at=960.0),
        plain.ticket_id: replace(plain, joined_at=950.0),
    }


async def test_a_stay_of_tomorrow_begins_now(database: Database) -> None:
    """The wall's clock was a day ahead, and set right before the restart: nobody waits a day."""

    async def left(_: Sequence[LeftSeat]) -> None:
        raise AssertionError("nobody has left")

    after = TicketRecords(database, "main", left, now=lambda: NOW - timedelta(days=1))
    await join(database, "par_a")
    (ticket,) = await after.live_tickets(1000.0)
    assert ticket.joined_at == 1000.0
