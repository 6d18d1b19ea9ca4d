"""Keys that are lost or mixed up while a server runs: noticed, and never made anew in silence."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import select

from server.personal.key_folder import HIDING, ForgottenError, KeyFolder, KeysError
from server.personal.sealing import opened
from server.recording.line_sealing import LineSealer
from server.store import Database
from server.store.forgetting import forget_participant
from server.store.missing_keys import check_keys, hide_again, missing_keys, note_marks
from server.store.models import ParticipantRow
from server.store.sealed_rows import ensure_key_of, hidden_id, sealed_text
from server.store.visit_models import IdentityRow, VisitRow
from server.wall_clock import utc_now

ANN, BOB = "par_ann", "par_bob"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """Return a database that knows Ann and Bob, who wrote nothing yet."""
    database = Database(f"sqlite:///{tmp_path / 'cohabit.db'}", keys=KeyFolder(tmp_path / "keys"))
    await database.upgrade()
    async with database.transaction() as db:
        for person in (ANN, BOB):
            db.add(
                ParticipantRow(
                    participant_id=person, cookie_hash=person[-3:] * 21, created_at=utc_now()
                )
            )
    yield database
    await database.close()


@pytest.fixture
def keys(tmp_path: Path, database: Database) -> KeyFolder:
    return KeyFolder(tmp_path / "keys")


async def write(database: Database, person: str, text: str) -> str:
    async with database.transaction() as db:
        return await sealed_text(db, person, text)


async def mark(database: Database, person: str) -> str | None:
    async with database.transaction() as db:
        return (await db.get_one(ParticipantRow, person)).key_mark


async def test_a_key_that_is_gone_is_not_made_again(database: Database, keys: KeyFolder) -> None:
    stored = await write(database, ANN, "I live by the sea")
    noted = await mark(database, ANN)
    assert noted is not None
    assert noted.encode() not in (keys.path / f"{ANN}.key").read_bytes()
    file, away = keys.path / f"{ANN}.key", keys.path / "away"
    file.rename(away)
    with pytest.raises(KeysError, match=f"lacks the key of {ANN}.*bring"):
        await write(database, ANN, "and more")
    with pytest.raises(KeysError, match="lacks the key"):
        async with database.transaction() as db:
            await ensure_key_of(db, ANN)
    with pytest.raises(KeysError, match="lacks the key"):
        LineSealer(keys, {"human": ANN})
    assert not file.exists()
    assert await write(database, BOB, "nobody else is disturbed")
    away.rename(file)
    assert opened(keys, await write(database, ANN, "and more")) == "and more"
    assert opened(keys, stored) == "I live by the sea"


async def test_another_key_in_the_place_of_one_is_noticed(
    database: Database, keys: KeyFolder
) -> None:
    await write(database, ANN, "hello")
    kept = (keys.path / f"{ANN}.key").read_bytes()
    (keys.path / f"{ANN}.key").write_bytes(b"ab" * 32)
    with pytest.raises(KeysError, match=f"another key of {ANN}"):
        await write(database, ANN, "hello again")
    with pytest.raises(KeysError, match=f"the keys of {ANN}"):
        await database.upgrade()
    (keys.path / f"{ANN}.key").write_bytes(kept)
    await database.upgrade()


async def test_keys_given_up_for_lost_are_asked_for_no_more(
    database: Database, keys: KeyFolder
) -> None:
    await write(database, ANN, "hello")
    (keys.path / f"{ANN}.key").unlink()
    async with database.transaction() as db:
        assert (await missing_keys(db, keys)).people == (ANN,)
        keys.made_key(ANN)
        await note_marks(db, keys, [ANN])
        assert not await missing_keys(db, keys)
    await database.upgrade()
    assert opened(keys, await write(database, ANN, "after it")) == "after it"


async def test_rows_of_before_learn_which_key_is_theirs(
    database: Database, keys: KeyFolder
) -> None:
    keys.made_key(ANN)
    assert await mark(database, ANN) is None
    await database.upgrade()
    assert await mark(database, ANN) is not None
    assert await mark(database, BOB) is None, "nothing of theirs is sealed"


async def test_the_key_of_hashes_is_not_made_again(database: Database, keys: KeyFolder) -> None:
    async with database.transaction() as db:
        before = hidden_id(db, "prolific", "ann")
        (keys.path / HIDING).rename(keys.path / "away")
        with pytest.raises(KeysError, match=HIDING):
            hidden_id(db, "prolific", "ann")
        assert not (keys.path / HIDING).exists()
        (keys.path / "away").rename(keys.path / HIDING)
        assert hidden_id(db, "prolific", "ann") == before
    (keys.path / HIDING).unlink()
    with pytest.raises(KeysError, match="folder of keys, is gone"):
        await database.check()


async def test_who_was_forgotten_gets_no_key(database: Database, keys: KeyFolder) -> None:
    await write(database, ANN, "hello")
    async with database.transaction() as db:
        await forget_participant(db, ANN, utc_now())
    with pytest.raises(ForgottenError):
        await write(database, ANN, "hello again")
    await database.upgrade()
    assert not (keys.path / f"{ANN}.key").exists()


async def test_a_copy_of_the_folder_from_before_a_forgetting_opens_nothing_for_an_export(
    database: Database, keys: KeyFolder, tmp_path: Path
) -> None:
    stored = await write(database, ANN, "I live by the sea")
    shutil.copytree(keys.path, tmp_path / "copy")
    async with database.transaction() as db:
        await forget_participant(db, ANN, utc_now())
    shutil.rmtree(keys.path)
    (tmp_path / "copy").rename(keys.path)
    assert opened(keys, stored) == "I live by the sea"
    async with database.transaction() as db:
        await check_keys(db, "any-study")
    assert opened(keys, stored) == "(forgotten)"
    assert not (keys.path / f"{ANN}.key").exists()


async def test_a_file_that_is_no_key_is_told_and_given_up_as_a_lost_one(
    database: Database, keys: KeyFolder
) -> None:
    await write(database, ANN, "hello")
    (keys.path / f"{ANN}.key").write_bytes(bytes(64))
    async with database.transaction() as db:
        assert (await missing_keys(db, keys)).people == (ANN,)
        keys.renewed_key(ANN)
        await note_marks(db, keys, [ANN])
        assert not await missing_keys(db, keys)
    assert (keys.path / f"{ANN}.spoiled").exists()


async def test_a_backup_from_before_a_removal_starts_without_the_keys_that_went_with_it(
    database: Database, keys: KeyFolder
) -> None:
    """Retention destroys keys of open play; an older database knows their marks still."""
    for person in (ANN, BOB):
        await write(database, person, "hello")
    keys.destroy([ANN])
    await database.upgrade()
    assert await mark(database, ANN) is None
    assert await mark(database, BOB) is not None
    assert (
        opened(keys, await write(database, ANN, "somebody comes again")) == "somebody comes again"
    )
    async with database.transaction() as db:
        db.add(visit_of(ANN))
    keys.destroy([ANN])
    with pytest.raises(KeysError, match=f"the keys of {ANN}"):
        await database.upgrade()


async def test_a_folder_that_is_none_of_ours_is_no_removal(
    database: Database, keys: KeyFolder, tmp_path: Path
) -> None:
    await write(database, ANN, "hello")
    keys.path.rename(tmp_path / "away")
    with pytest.raises(KeysError, match=HIDING):
        await database.upgrade()
    assert await mark(database, ANN) is not None


def visit_of(person: str, visit: str = "vis_1") -> VisitRow:
    return VisitRow(
        visit_id=visit,
        participant_id=person,
        study="tea",
        study_version=1,
        mode="live",
        recruiter="direct",
        language="en",
        place="survey",
        page=1,
        n_steps=0,
        arrived_at=utc_now(),
        here_since=utc_now(),
    )


async def known(database: Database, visit: str, person: str, external_id: str) -> None:
    """Store a visit that came by an id."""
    async with database.transaction() as db:
        db.add(visit_of(person, visit))
        await db.flush()
        db.add(
            IdentityRow(
                visit_id=visit,
                study="tea",
                mode="live",
                recruiter="direct",
                external_id=await sealed_text(db, person, external_id),
                external_hash=hidden_id(db, "direct", external_id),
                parameters={},
            )
        )


async def hashes(database: Database) -> list[str | None]:
    async with database.transaction() as db:
        rows = await db.scalars(select(IdentityRow).order_by(IdentityRow.visit_id))
        return [row.external_hash for row in rows]


async def test_another_key_of_hashes_is_noticed_at_once_and_at_a_start(
    database: Database, keys: KeyFolder, tmp_path: Path
) -> None:
    await known(database, "vis_1", ANN, "5f0a")
    before = await hashes(database)
    (keys.path / HIDING).write_bytes(b"cd" * 32)
    async with database.transaction() as db:
        with pytest.raises(KeysError, match=f"has another {HIDING}"):
            hidden_id(db, "direct", "5f0a")
    again = Database(f"sqlite:///{tmp_path / 'cohabit.db'}", keys=KeyFolder(tmp_path / "keys"))
    with pytest.raises(KeysError, match=f"lacks the right {HIDING}: bring"):
        await again.upgrade()
    # Given up for lost, the ids are hidden by the key that is there; of two the first keeps it.
    await known(again, "vis_2", BOB, "5f0a")
    async with again.transaction() as db:
        await hide_again(db, keys)
        assert not await missing_keys(db, keys)
    now = await hashes(again)
    assert now[0] not in (None, before[0])
    assert now[1] is None
    await again.upgrade()
    await again.close()


async def test_another_persons_key_that_lies_in_the_place_of_ones_own_is_replaced(
    database: Database, keys: KeyFolder
) -> None:
    for person in (ANN, BOB):
        await write(database, person, "hello")
    shutil.copy(keys.path / f"{BOB}.key", keys.path / f"{ANN}.key")
    assert keys.renewed_key(ANN) != keys.key(BOB)
    assert keys.key(ANN) != keys.key(BOB)
