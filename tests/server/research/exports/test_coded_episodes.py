"""Codings in exports: finished ones of told episodes after closing, words where asked for."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

import pytest
from sqlalchemy import select

from server.coding.codebook import read_codebook
from server.coding.notes import Note
from server.research.exports.columns import file_of
from server.store import Database
from server.store.codings import Extent, add_codebook, keep_note, set_finished
from server.store.models import EpisodeRow
from tests.server.coding.test_codebook import HELPING
from tests.server.research.exports.made_data import Made, at, close_study, exported, make, url

pytestmark = pytest.mark.processes

EXTENT = Extent(0, 30, 3000)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    found = asyncio.run(make(tmp_path_factory.mktemp("study")))
    asyncio.run(code_all(found))
    return found


async def code_all(made: Made) -> None:
    """Have three coders note on each episode; *ben* does not finish."""
    database = Database(url(made.database_file))
    async with database.transaction() as db:
        await add_codebook(db, read_codebook(HELPING), at(0))
        for number, episode in enumerate(await db.scalars(select(EpisodeRow.episode_id))):
            for coder in ("zoe", "ann", "ben"):
                note = Note(
                    "", episode, "helping", "waits", coder, 60, 150, "=1+1", f"{number:016x}"
                )
                await keep_note(db, note, EXTENT, at(1))
                if coder != "ben":
                    await set_finished(
                        db, episode, "helping", coder, EXTENT, at(2), is_finished=True
                    )
    await database.close()


def rows(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / file_of(table)).open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_an_open_study_exports_no_codings(made: Made, tmp_path: Path) -> None:
    exported(made, tmp_path / "open", with_texts=True)
    for table in ("codings", "notes"):
        assert not (tmp_path / "open" / file_of(table)).exists()
    left_out = {row["subject"] for row in rows(tmp_path / "open", "leftout")}
    assert {"table codings", "table notes"} <= left_out


def test_finished_codings_of_told_episodes_are_exported(made: Made, tmp_path: Path) -> None:
    asyncio.run(close_study(made))
    exported(made, tmp_path / "plain")
    exported(made, tmp_path / "texts", with_texts=True)
    told = [row["episode_id"] for row in rows(tmp_path / "plain", "episodes")]
    assert told, "some are told of"
    assert rows(tmp_path / "plain", "codings") == [
        {"episode_id": e, "codebook": "helping", "coder": coder, "n_notes": "1"}
        for e in told
        for coder in ("coder_1", "coder_2")
    ]
    plain, texts = rows(tmp_path / "plain", "notes"), rows(tmp_path / "texts", "notes")
    assert {tuple(row.values())[1:] for row in plain} == {
        ("30", "1", "4", "helping", "waits", coder) for coder in ("coder_1", "coder_2")
    }
    assert {row["note_words"] for row in texts} == {"'=1+1"}
    everything = (tmp_path / "texts" / file_of("notes")).read_text()
    assert not [name for name in ("zoe", "ann", "ben") if name in everything]
