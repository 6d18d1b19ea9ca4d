"""Order of forgetting: rows first, the key then; and who cannot be forgotten yet."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from matchmaking.tickets import State
from server.personal.key_folder import KeyFolder, KeysError
from server.store import Database
from server.store.forgetting import StillHereError, forget_participant
from server.store.models import ParticipantRow, TicketRow
from server.store.tickets import end_ticket
from server.wall_clock import utc_now

ANN = "par_ann"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """Return a database that knows Ann, who has a key."""
    keys = KeyFolder(tmp_path / "keys")
    database = Database(f"sqlite:///{tmp_path / 'cohabit.db'}", keys=keys)
    await database.upgrade()
    async with database.transaction() as db:
        db.add(ParticipantRow(participant_id=ANN, cookie_hash="a" * 64, created_at=utc_now()))
    keys.made_key(ANN)
    yield database
    await database.close()


@pytest.fixture
def keys(tmp_path: Path, database: Database) -> KeyFolder:
    return KeyFolder(tmp_path / "keys")


async def is_noted(database: Database) -> bool:
    async with database.transaction() as db:
        return (await db.get_one(ParticipantRow, ANN)).forgotten_at is not None


async def test_a_key_is_kept_where_nothing_was_committed(
    database: Database, keys: KeyFolder
) -> None:
    with pytest.raises(LookupError):  # noqa: PT012, because it fails when all is done
        async with database.transaction() as db:
            await forget_participant(db, ANN, utc_now())
            raise LookupError("something else of the transaction failed")
    assert not await is_noted(database)
    assert keys.key(ANN) is not None, "else the rest of what was promised is lost with it"
    assert keys.forgotten() == {}
    async with database.transaction() as db:
        await forget_participant(db, ANN, utc_now())
    assert keys.key(ANN) is None


async def test_what_was_committed_is_finished_by_the_next_start(
    database: Database, keys: KeyFolder
) -> None:
    file = keys.path / f"{ANN}.key"
    kept = file.read_bytes()
    file.unlink()
    file.mkdir()
    with pytest.raises(KeysError, match="cannot be written"):
        async with database.transaction() as db:
            await forget_participant(db, ANN, utc_now())
    assert await is_noted(database), "rows say so, whatever became of the key"
    file.rmdir()
    file.write_bytes(kept)
    await database.upgrade()
    assert not file.exists()
    assert list(keys.forgotten()) == [ANN]


async def test_who_waits_in_the_lobby_is_not_forgotten_before_they_leave(
    database: Database, keys: KeyFolder
) -> None:
    async with database.transaction() as db:
        db.add(
            TicketRow(
                ticket_id="tic_1",
                participant_id=ANN,
                wish="person",
                state=State.DROPPED,
                member="main",
                joined_at=utc_now(),
                n_waiting_at_join=0,
            )
        )
    with pytest.raises(StillHereError, match="lobby"):
        async with database.transaction() as db:
            await forget_participant(db, ANN, utc_now())
    assert keys.key(ANN) is not None
    async with database.transaction() as db:
        await end_ticket(db, "tic_1", State.CANCELLED, utc_now())
        await forget_participant(db, ANN, utc_now())
    assert keys.key(ANN) is None
