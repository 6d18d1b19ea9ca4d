"""Retention where words are sealed: whose keys go with people, and what of an id stays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, text

from server.personal.key_folder import KeyFolder, KeysError
from server.privacy.retention import Kind
from server.store import Database
from server.store.missing_keys import note_marks
from server.store.models import ParticipantRow
from server.store.outdated import remove_people
from server.store.sealed_rows import hidden_id, sealed_object, sealed_text
from server.store.study_runs import run_of
from server.store.visit_models import IdentityRow
from tests.server.privacy.test_retention import DAY, Keeper, of_kind
from tests.server.research.exports.made_data import OF, Maker, at, url


@pytest.fixture
def keys(tmp_path: Path) -> KeyFolder:
    return KeyFolder(tmp_path / "keys")


@pytest.fixture
async def database(tmp_path: Path, keys: KeyFolder) -> AsyncIterator[Database]:
    database = Database(url(tmp_path / "a.db"), keys=keys)
    await database.upgrade()
    yield database
    await database.close()


def files_of(keys: KeyFolder) -> list[str]:
    return sorted(file.name for file in keys.path.glob("par_*"))


async def break_off(database: Database) -> None:
    """Remove somebody in a transaction that is taken back."""
    async with database.transaction() as db:
        assert await remove_people(db, at(1), at_most=1) == 1
        raise RuntimeError("the server is stopped")


async def test_who_is_removed_loses_their_key_and_nobody_else_does(
    database: Database, keys: KeyFolder, tmp_path: Path
) -> None:
    keeper = Keeper(database, tmp_path, keep_open_play_days=30)
    for name, ended in (("par_old", at(0)), ("par_new", at(0) + DAY)):
        await keeper.open_play(name, ended)
        for person in (f"{name}1", f"{name}2"):
            keys.made_key(person)
    keeper.now = at(0) + 30 * DAY + timedelta(minutes=1)
    due = of_kind(await keeper.retention.due(), Kind.OPEN_PLAY)
    assert (due.counts["people"], len(files_of(keys))) == (2, 4), "it was only asked"
    done = of_kind(await keeper.retention.run(), Kind.OPEN_PLAY)
    assert done.counts["people"] == 2
    assert files_of(keys) == ["par_new1.key", "par_new2.key"]
    assert keys.forgotten() == {}, "nobody asked for it"


async def test_a_removal_that_breaks_off_is_done_by_the_next(
    database: Database, keys: KeyFolder, tmp_path: Path
) -> None:
    keeper = Keeper(database, tmp_path, keep_open_play_days=30)
    async with database.transaction() as db:
        for person in ("par_a", "par_b"):
            db.add(ParticipantRow(participant_id=person, cookie_hash=person, created_at=at(0)))
            keys.made_key(person)
    keeper.now = at(0) + 31 * DAY
    with pytest.raises(RuntimeError, match="the server is stopped"):
        await break_off(database)
    assert await keeper.count(ParticipantRow) == [2]
    done = of_kind(await keeper.retention.run(), Kind.OPEN_PLAY)
    assert done.counts["people"] == 2
    assert files_of(keys) == []


async def test_the_hash_of_an_id_stays_so_that_nobody_takes_part_twice(
    database: Database, keys: KeyFolder, tmp_path: Path
) -> None:
    keeper = Keeper(database, tmp_path, keep_identities_days=5)
    maker = Maker(database, keeper.settings.recordings_dir, OF)
    await maker.begin()
    async with database.transaction() as db:
        hashes = [hidden_id(db, "direct", name) for name in ("ann", "bob")]
    people = {name: await maker.visit(name, ending="completed") for name in ("ann", "bob")}
    async with database.transaction() as db:
        for (name, person), known in zip(people.items(), hashes, strict=True):
            db.add(
                IdentityRow(
                    visit_id=f"vis_{name}",
                    study=OF.name,
                    mode="live",
                    recruiter="direct",
                    external_id=await sealed_text(db, person, name),
                    external_hash=known,
                    parameters=await sealed_object(db, person, {"PID": name}),
                )
            )
        run = await run_of(db, OF.key)
        assert run is not None
        run.closed_at = at(60)
    # Whose key is lost is removed as well, whatever the row reads as.
    keys.destroy([people["bob"]])
    keeper.now = at(60) + 6 * DAY
    done = of_kind(await keeper.retention.run(), Kind.IDENTITIES)
    assert done.counts == {"ids at recruiters": 2}
    assert of_kind(await keeper.retention.run(), Kind.IDENTITIES).is_empty, "once"
    async with database.transaction() as db:
        rows = list(await db.scalars(select(IdentityRow).order_by(IdentityRow.visit_id)))
        stored = list(
            await db.scalars(text("SELECT parameters FROM identities WHERE visit_id = 'vis_bob'"))
        )
    assert [(row.external_id, row.external_hash, row.parameters) for row in rows] == [
        (None, known, {}) for known in hashes
    ]
    assert stored == ["{}"]
    with pytest.raises(KeysError, match=f"the keys of {people['bob']}"):
        await database.upgrade()
    async with database.transaction() as db:
        keys.made_key(people["bob"])
        await note_marks(db, keys, [people["bob"]])
    await database.upgrade()
    async with database.transaction() as db:
        kept = [
            (await db.get_one(IdentityRow, visit, populate_existing=True)).external_hash
            for visit in ("vis_ann", "vis_bob")
        ]
    assert kept == hashes, "over a restart, too"
    assert len(files_of(keys)) == 2, "what was recorded of them is sealed under theirs still"
