"""Codings in both databases: what coders see of each other, and what goes with whom."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from server.coding.codebook import read_codebook
from server.coding.notes import Note
from server.store import Database, codings
from server.store.codings import CodingError, Extent
from server.store.models import EpisodeRow
from server.store.outdated import remove_sessions
from tests.server.coding.test_codebook import HELPING
from tests.server.store.test_database import NOW
from tests.server.store.test_study_groups import begin, judge

pytestmark = pytest.mark.processes

EXTENT = Extent(-5, 0, 900)


async def coded(database: Database) -> tuple[str, str]:
    """Store an episode that *ann* has finished and *ben* not; return it after its session."""
    session, match = await begin(database)
    await judge(database, session, match, 1)
    async with database.transaction() as db:
        episode = await db.scalar(select(EpisodeRow.episode_id))
        assert episode is not None
        await codings.add_codebook(db, read_codebook(HELPING), NOW)
        for coder in ("ann", "ben"):
            for n, code in enumerate(("waits", "offers_help")):
                last = 90 if code == "waits" else 10
                note = Note("", episode, "helping", code, coder, 10, last, "words", f"{n:016x}")
                await codings.keep_note(db, note, EXTENT, NOW)
        await codings.set_finished(db, episode, "helping", "ann", EXTENT, NOW, is_finished=True)
    return session, episode


async def test_only_finished_codings_are_read_each_with_its_notes(database: Database) -> None:
    _, episode = await coded(database)
    async with database.transaction() as db:
        (found,) = await codings.finished_codings(db)
        assert (found.episode_id, found.coder, found.codebook) == (episode, "ann", "helping")
        assert (found.first, found.start, found.last) == EXTENT
        assert [(n.code, n.first, n.last, n.coder) for n in found.notes] == [
            ("waits", 10, 90, "ann"),
            ("offers_help", 10, 10, "ann"),
        ]
        assert {n.coder for n in await codings.notes_on(db, episode, "ann")} == {"ann"}
        with pytest.raises(CodingError, match="another coder"):
            await codings.remove_note(db, found.notes[0].note_id, "ben")


async def test_a_finished_coding_without_notes_is_one(database: Database) -> None:
    _, episode = await coded(database)
    async with database.transaction() as db:
        await codings.set_finished(db, episode, "helping", "cat", EXTENT, NOW, is_finished=True)
        assert [(c.coder, len(c.notes)) for c in await codings.finished_codings(db)] == [
            ("ann", 2),
            ("cat", 0),
        ]


async def test_notes_go_with_their_session_and_its_codebook_is_free_then(
    database: Database,
) -> None:
    session, episode = await coded(database)
    async with database.transaction() as db:
        with pytest.raises(CodingError, match="it stays"):
            await codings.remove_codebook(db, "helping")
        await remove_sessions(db, [session])
    async with database.transaction() as db:
        assert await codings.finished_codings(db) == []
        assert await codings.notes_on(db, episode, "ben") == []
        await codings.remove_codebook(db, "helping")
