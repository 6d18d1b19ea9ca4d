"""The command for codebooks: adding, agreement of coders, files of ELAN, and what is refused."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from matchmaking.identifiers import make_id
from server.cli.main import app
from server.coding.notes import Note
from server.research.exports.columns import file_of
from server.store import Database
from server.store.codings import Extent, keep_note, set_finished
from server.store.models import EpisodeRow, MatchRow, SessionRow
from tests.server.coding.test_codebook import HELPING
from tests.server.coding.test_elan import read

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
EXTENT = Extent(0, 30, 3000)
EPISODE = make_id("epi", 1.0, bytes(10))


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COHABIT_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    (tmp_path / "helping.yaml").write_text(HELPING)
    return tmp_path / "data"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["codebook", *map(str, arguments)])


def store_codings(data_dir: Path) -> None:
    """Store an episode that two coders have finished, with a stretch and a moment of each."""

    async def work() -> None:
        database = Database(f"sqlite:///{data_dir / 'cohabit.db'}")
        async with database.transaction() as db:
            match, session = make_id("mat", 1.0, bytes(10)), make_id("ses", 1.0, bytes(10))
            db.add(MatchRow(match_id=match, policy="solo", seed=1, formed_at=NOW, n_waiting=1))
            await db.flush()
            db.add(
                SessionRow(
                    session_id=session,
                    match_id=match,
                    state="closed",
                    seed=1,
                    simulator="household",
                    profile="cohabit@2",
                    semantics="documented",
                    dataset="d",
                    spec={},
                    opened_at=NOW,
                )
            )
            await db.flush()
            db.add(
                EpisodeRow(
                    episode_id=EPISODE,
                    session_id=session,
                    order_index=0,
                    dataset="d",
                    task_id="1",
                    try_index=0,
                    opened_at=NOW,
                    simulator="household",
                    profile="cohabit@2",
                    semantics="documented",
                    server_version="0",
                )
            )
            await db.flush()
            key = Random(1)
            for coder, last in (("ann", 330), ("ben", 630)):
                for code, first, end in (("waits", 30, last), ("offers_help", 90, 90)):
                    note = Note(
                        "", EPISODE, "helping", code, coder, first, end, "", f"{key.random()}"[:16]
                    )
                    await keep_note(db, note, EXTENT, NOW)
                await set_finished(db, EPISODE, "helping", coder, EXTENT, NOW, is_finished=True)
        await database.close()

    asyncio.run(work())


def test_a_codebook_is_added_listed_and_removed(tmp_path: Path) -> None:
    added = run("add", tmp_path / "helping.yaml")
    assert added.exit_code == 0, added.output
    assert "helping: 2 codes" in added.output
    assert "there already, and the same" in run("add", tmp_path / "helping.yaml").output
    listed = run("list").output
    assert "waits (stretch): Waits. Stands while the other works." in listed
    assert run("remove", "helping").exit_code == 0
    assert "there is no codebook" in run("list").output


def test_agreement_is_of_finished_episodes(tmp_path: Path, data_dir: Path) -> None:
    run("add", tmp_path / "helping.yaml")
    assert "no coder has finished" in str(run("agreement", "helping").exception)
    store_codings(data_dir)
    told = run("agreement", "helping")
    assert told.exit_code == 0, told.exception
    lines = [line.split() for line in told.output.splitlines()]
    assert lines[0][:4] == ["ann", "and", "ben,", "1"]
    # 100 units: ten of both, ten of ben alone: 90 % alike, by chance 74 %.
    assert ["waits", "0.62", "-", "90", "%", "1", "and", "1"] in lines
    assert ["offers_help", "1.00", "-", "100", "%", "1", "and", "1", "100", "%"] in lines
    assert "it stays" in str(run("remove", "helping").exception)


def test_the_notes_of_an_export_become_files_of_elan(tmp_path: Path) -> None:
    export, folder = tmp_path / "export", tmp_path / "elan"
    (export / "data").mkdir(parents=True)
    codings, notes = export / file_of("codings"), export / file_of("notes")
    codings.write_text("episode_id,codebook,coder,n_notes\nepi_a,helping,coder_1,1\n")
    head = "episode_id,tick,t_s,ends_s,codebook,code,coder\n"
    notes.write_text(f"{head}epi_a,30,1,2.5,helping,waits,coder_1\n")
    told = run("elan", export, "--out", folder)
    assert told.exit_code == 0, told.exception
    _, tiers = read((folder / "epi_a.eaf").read_bytes())
    assert tiers == {"helping:waits@coder_1": [(1000, 2500, "helping:waits")]}
    assert "is there already" in str(run("elan", export, "--out", folder).exception)
    codings.write_text("episode_id,codebook,coder,n_notes\n../../x,helping,coder_1,0\n")
    assert "no export writes" in str(run("elan", export, "--out", tmp_path / "b").exception)
    notes.unlink()
    assert "cannot be read" in str(run("elan", export, "--out", tmp_path / "b").exception)


def test_what_is_wrong_is_named_with_file_and_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(HELPING.replace("shape: moment", "shape: now"))
    assert f"{bad}:6: expected moment or stretch" in str(run("add", bad).exception)
    assert "cannot be read" in str(run("add", tmp_path / "none.yaml").exception)
    run("add", tmp_path / "helping.yaml")
    assert "no codebook other" in str(run("agreement", "other").exception)
