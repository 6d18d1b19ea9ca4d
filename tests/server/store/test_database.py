"""The schema: migrations make what the models say, on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from random import Random

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, select, text
from sqlalchemy.ext.asyncio import AsyncSession

import server.store.study_models
import server.store.visit_models  # noqa: F401 (all tables are to be known, also in this file alone)
from episodes.teams import Team
from matchmaking.matchmakers.first_come import fifo
from matchmaking.tickets import State, Ticket, Wish
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.store import Database, DatabaseError
from server.store.database import alembic_config
from server.store.episodes import Provenance, add_episode, episode_row, store_result
from server.store.identifiers import new_id
from server.store.models import (
    Base,
    EpisodeRow,
    MatchRow,
    ParticipantRow,
    PropositionRow,
    TicketRow,
)
from server.store.participants import add_participant, participant_with_cookie
from server.store.sessions import (
    add_match,
    add_session,
    close_session,
    has_stayed,
    open_session_of,
    open_sessions,
    others_left_first,
    seat_of,
    session_row,
    vacated_seats,
)
from server.store.tickets import add_ticket, end_all_live, end_ticket, tickets_with_code
from tests.live_server import free_port
from tests.server.web.doubles import proposition, verdict

pytestmark = pytest.mark.processes

EARLIER = "0010"
"""Revision of an earlier release."""
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


async def test_an_upgrade_from_nothing_makes_what_the_models_say(database: Database) -> None:
    def differences(connection: Connection) -> object:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, Base.metadata)

    async with database.engine.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_several_who_meet_at_a_new_database_upgrade_it_once(tmp_path: Path) -> None:
    several = [Database(f"sqlite+aiosqlite:///{tmp_path}/new.sqlite3") for _ in range(4)]
    await asyncio.gather(*(one.upgrade() for one in several))
    for one in several:
        await one.check_release()
        await one.close()


async def test_an_upgrade_of_what_is_current_changes_nothing(database: Database) -> None:
    async with database.transaction() as db:
        add_participant(db, "par_1", "hash", NOW)
    await database.upgrade()
    async with database.transaction() as db:
        assert await participant_with_cookie(db, "hash") == "par_1"


async def test_O4_an_upgrade_keeps_what_an_earlier_release_has_stored(database: Database) -> None:
    async with database.transaction() as db:
        *_, session_id, episode_id = await play(db)

    def back(connection: Connection) -> None:
        command.downgrade(alembic_config(connection), EARLIER)

    async with database.engine.begin() as connection:
        await connection.run_sync(back)
        columns = await connection.execute(text("SELECT * FROM episodes"))
        assert "is_substituted" not in set(columns.keys())
    await database.upgrade()
    async with database.transaction() as db:
        session = await session_row(db, session_id)
        assert session is not None
        (episode,) = session.episodes
        assert (episode.episode_id, episode.is_substituted) == (episode_id, False)
        assert len(session.occupancies) == 2


async def test_a_database_of_a_later_release_is_refused(database: Database) -> None:
    async with database.engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseError, match="another release"):
        await database.upgrade()


async def test_sqlite_is_set_up_to_read_while_writing(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'new' / 'cohabit.db'}")
    async with database.engine.connect() as connection:
        answers = {
            name: (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "busy_timeout", "foreign_keys", "synchronous")
        }
    await database.close()
    assert answers == {
        "journal_mode": "wal",
        "busy_timeout": 5000,
        "foreign_keys": 1,
        "synchronous": 1,
    }


async def test_what_cannot_be_opened_is_explained(tmp_path: Path) -> None:
    (tmp_path / "cohabit.db").write_text("this is no database, it only has the name of one")
    broken = Database(f"sqlite:///{tmp_path / 'cohabit.db'}")
    with pytest.raises(DatabaseError, match="cannot be opened"):
        await broken.upgrade()
    await broken.close()
    away = Database(f"postgresql://cohabit:geheim@127.0.0.1:{free_port()}/x")
    with pytest.raises(DatabaseError) as failure:
        await away.check()
    assert "geheim" not in str(failure.value)
    await away.close()


async def play(
    db: AsyncSession, count: int = 2, wish: Wish = Wish.PERSON, policy: str = ""
) -> tuple[list[Ticket], str, str, str]:
    """Participants, tickets, match, session and a first episode; a policy plays the robot."""
    if policy:
        count, wish = 1, Wish.ROBOT
    tickets = []
    for number in range(count):
        participant = new_id("par")
        add_participant(db, participant, participant, NOW)
        ticket = Ticket(
            new_id("tic"), participant, wish, float(number), State.WAITING, "code", policy
        )
        tickets.append(ticket)
    await db.flush()
    for number, ticket in enumerate(tickets):
        add_ticket(db, ticket, number, NOW + timedelta(seconds=number), member="main")
    await db.flush()
    (match,) = fifo(tickets, 0.0, Random(1))
    match_id, session_id = new_id("mat"), new_id("ses")
    add_match(db, match_id, match, 7, count, NOW)
    await db.flush()
    team = Team.parse(f"human=person,robot={policy or 'person'}")
    spec = SessionSpec.of(session_id, team, 7)
    row = add_session(db, spec, match_id, match, "tasks/first.json.gz", NOW, member="main")
    await db.flush()
    episode = EpisodeSpec(new_id("epi"), "tasks/first.json.gz", "t0")
    add_episode(db, row, episode, 0, Provenance("0.1.0", "Do it."), NOW)
    return tickets, match_id, session_id, episode.episode_id


async def test_a_session_from_match_to_verdict(database: Database) -> None:
    async with database.transaction() as db:
        tickets, match_id, session_id, episode_id = await play(db)
    async with database.transaction() as db:
        for ticket in tickets:
            await end_ticket(db, ticket.ticket_id, State.MATCHED, NOW, match_id)
        assert await open_session_of(db, tickets[0].participant_id) == session_id
        session = await session_row(db, session_id)
        assert session is not None
        assert {seat_of(session, t.participant_id) for t in tickets} == {"robot_0", "human_0"}
        assert seat_of(session, "par_other") is None
    outcome = verdict(proposition(0), proposition(1, valid=False))
    result = EpisodeResult(
        session_id, episode_id, "t0", "finished", 900, outcome, "digest", "Do it, please.",
        clock="waited", clock_ticks=240,
    )  # fmt: skip
    for is_first in (True, False):
        async with database.transaction() as db:
            assert await store_result(db, result, NOW + timedelta(seconds=30)) is is_first
    async with database.transaction() as db:
        row = await episode_row(db, episode_id)
        assert row is not None
        assert row.percent_complete == 0.5
        assert row.success is False
        assert row.verdict is not None
        assert row.verdict["semantics"] == "documented"
        assert row.task_text == "Do it, please."
        assert (row.clock, row.clock_ticks) == ("waited", 240)
        assert [(p.satisfied, p.valid, p.by_seat) for p in row.propositions] == [
            (True, True, "human_0"),
            (True, False, "human_0"),
        ]
        assert await open_session_of(db, tickets[0].participant_id) is None
        assert len((await open_sessions(db, "main")).rows) == 1


async def test_S3_a_substitute_is_noted_of_the_episode_and_of_its_match(database: Database) -> None:
    async with database.transaction() as db:
        _, match_id, session_id, episode_id = await play(db)
    result = EpisodeResult(
        session_id, episode_id, "t0", "finished", 900, verdict(proposition(0)), "digest", "Do it.",
        is_substituted=True, gone={"robot_0": 90},
    )  # fmt: skip
    async with database.transaction() as db:
        await store_result(db, result, NOW)
    async with database.transaction() as db:
        assert (await db.get_one(EpisodeRow, episode_id)).is_substituted
        assert (await db.get_one(MatchRow, match_id)).is_substituted
        session = await session_row(db, session_id)
        assert session is not None
        # Whoever is gone may come back for the next task.
        assert vacated_seats(session) == []


async def test_S3_seats_are_free_since_their_people_left_where_that_ended_the_session(
    database: Database,
) -> None:
    async with database.transaction() as db:
        tickets, _, session_id, episode_id = await play(db)
    result = EpisodeResult(
        session_id, episode_id, "t0", "left", 900, verdict(proposition(0)), "digest", "Do it.",
        gone={"robot_0": 90},
    )  # fmt: skip
    async with database.transaction() as db:
        await store_result(db, result, NOW)
        await close_session(db, session_id, "left", NOW + timedelta(seconds=5))
    async with database.transaction() as db:
        session = await session_row(db, session_id)
    assert session is not None
    until = {o.seat_id: o.until for o in session.occupancies}
    assert until["robot_0"] == NOW - timedelta(seconds=3)
    by_seat = {seat_of(session, t.participant_id): t.participant_id for t in tickets}
    left, stayed = by_seat["robot_0"], by_seat["human_0"]
    assert left is not None
    assert stayed is not None
    assert not others_left_first(session, left)
    assert not has_stayed(session, left)
    assert others_left_first(session, stayed)
    assert has_stayed(session, stayed)


async def test_closing_ends_what_was_played_and_happens_once(database: Database) -> None:
    async with database.transaction() as db:
        tickets, _, session_id, episode_id = await play(db)
    for reason, seconds in (("left", 10), ("operator", 20)):
        async with database.transaction() as db:
            await close_session(db, session_id, reason, NOW + timedelta(seconds=seconds))
    async with database.transaction() as db:
        session = await session_row(db, session_id)
        assert session is not None
        assert (session.state, session.close_reason) == ("closed", "left")
        assert session.closed_at == NOW + timedelta(seconds=10)
        assert all(o.until == session.closed_at for o in session.occupancies)
        episode = await db.get(EpisodeRow, episode_id)
        assert episode is not None
        assert episode.end_reason == "left"
        assert seat_of(session, tickets[0].participant_id) is not None


async def test_an_ended_ticket_stays_as_it_ended(database: Database) -> None:
    async with database.transaction() as db:
        tickets, *_ = await play(db)
    async with database.transaction() as db:
        await end_ticket(db, tickets[0].ticket_id, State.CANCELLED, NOW)
        await end_ticket(db, tickets[0].ticket_id, State.GONE, NOW)
        assert await end_all_live(db, NOW, member="main") == 1
    async with database.transaction() as db:
        states = [row.state for row in await tickets_with_code(db, "code")]
    assert states == ["cancelled", "stopped"]


async def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    async def begin_and_fail() -> None:
        async with database.transaction() as db:
            await play(db)
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        await begin_and_fail()
    async with database.transaction() as db:
        assert (await db.scalars(select(TicketRow))).all() == []


async def test_times_come_back_as_instants(database: Database) -> None:
    tokyo = timezone(timedelta(hours=9))
    async with database.transaction() as db:
        add_participant(db, "par_1", "hash", NOW.astimezone(tokyo))
    async with database.transaction() as db:
        row = await db.get(ParticipantRow, "par_1")
        assert row is not None
        assert row.created_at == NOW
        assert row.created_at.utcoffset() == timedelta(0)


async def test_writers_at_the_same_time_wait_for_each_other(database: Database) -> None:
    async def write(number: int) -> None:
        async with database.transaction() as db:
            add_participant(db, f"par_{number}", f"hash {number}", NOW)

    await asyncio.gather(*(write(n) for n in range(40)))
    async with database.transaction() as db:
        assert (await db.scalars(select(PropositionRow))).all() == []
        for number in range(40):
            assert await participant_with_cookie(db, f"hash {number}") == f"par_{number}"
