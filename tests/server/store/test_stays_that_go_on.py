"""Stays that the lobby does not have any more, as their rows tell of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from matchmaking.tickets import State
from server.lobby.ticket_outcomes import CLOSED_BY_STATE, GOING_AWAY
from server.lobby.ticket_records import TicketRecords
from server.store import Database
from server.store.sessions import LeftSeat
from server.store.tickets import end_ticket
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
