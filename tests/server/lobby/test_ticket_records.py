"""Records of stays beside a database that does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from matchmaking.tickets import Ticket, Wish
from server.lobby.ticket_records import TicketRecords
from server.store import Database, DatabaseError
from server.store.sessions import LeftSeat


class SilentDatabase:
    """A database that never answers."""

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Any]:
        await asyncio.Event().wait()
        yield None


async def test_a_stay_that_is_not_stored_in_time_is_the_databases_fault() -> None:
    async def left(_: Sequence[LeftSeat]) -> None:
        raise AssertionError("nobody has left")

    records = TicketRecords(cast(Database, SilentDatabase()), "m", left, attempt_s=0.01)
    with pytest.raises(DatabaseError, match="a stay could not be stored, try again"):
        await records.ticket_joined(Ticket("tic_1", "par_1", Wish.PERSON, 0.0), 0)
