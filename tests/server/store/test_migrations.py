"""Databases of older releases are mended as they are upgraded."""

from __future__ import annotations

import pytest
from alembic import command
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import IntegrityError

from server.store import Database
from server.store.database import alembic_config
from server.store.models import MatchRow, OccupancyRow, TicketRow
from tests.server.store.test_database import NOW, play

pytestmark = pytest.mark.processes

LONG_NAME = "cohab:fast,seed=3,model=a-name-that-is-longer-than-thirty-two-letters"


async def move_to(database: Database, revision: str) -> None:
    """Bring a database to a revision, up or down."""

    def migrate(connection: Connection) -> None:
        move = command.upgrade if revision == "head" else command.downgrade
        move(alembic_config(connection), revision)

    async with database.engine.begin() as connection:
        await connection.run_sync(migrate)


async def test_nobody_has_two_open_seats_and_old_databases_are_mended(database: Database) -> None:
    """Older releases let somebody play anew between two tasks; the later seat is kept."""
    async with database.transaction() as db:
        tickets, _, first, _ = await play(db)
        _, _, second, _ = await play(db)
        ann = tickets[0].participant_id
    await move_to(database, "0004")
    async with database.transaction() as db:
        later = OccupancyRow(session_id=second, seat_id="robot_0", participant_id=ann, since=NOW)
        db.add(later)
    await move_to(database, "head")
    async with database.transaction() as db:
        seats = await db.scalars(
            select(OccupancyRow).where(
                OccupancyRow.participant_id == ann, OccupancyRow.until.is_(None)
            )
        )
        assert [seat.session_id for seat in seats] == [second]
    with pytest.raises(IntegrityError):
        async with database.transaction() as db:
            db.add(OccupancyRow(session_id=first, seat_id="robot_0", participant_id=ann, since=NOW))


async def test_policies_of_older_sessions_get_rows_among_the_occupants(database: Database) -> None:
    """Older releases wrote none; what a session was opened with says which policy sat where."""
    async with database.transaction() as db:
        _, _, session_id, _ = await play(db, policy=LONG_NAME)
        _, _, of_people, _ = await play(db)
    await move_to(database, "0005")
    async with database.engine.connect() as connection:
        rows = await connection.execute(text("SELECT policy FROM occupancies"))
        assert {policy for (policy,) in rows} == {None}
    await move_to(database, "head")
    async with database.transaction() as db:
        (robot,) = await db.scalars(select(OccupancyRow).where(OccupancyRow.policy.is_not(None)))
        assert (robot.session_id, robot.seat_id, robot.policy) == (
            session_id,
            "robot_0",
            LONG_NAME,
        )
        assert (robot.participant_id, robot.since, robot.until) == (None, NOW, None)
        assert session_id != of_people
        assert {match.team for match in await db.scalars(select(MatchRow))} == {""}
        tickets = list(await db.scalars(select(TicketRow)))
        assert {(ticket.team, ticket.seat) for ticket in tickets} == {("", "")}
