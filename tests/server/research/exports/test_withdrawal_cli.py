"""`cohabit study withdraw` and `export`, one after the other, as a researcher runs them."""

from __future__ import annotations

import asyncio
import csv
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.cli.test_study_runs import ok, refused
from tests.server.research.exports.made_data import KEY, OF, close_study, make

pytestmark = pytest.mark.processes


def answered(target: Path) -> set[str]:
    """Return the people of whom an export has answers."""
    with (target / "data" / "description-responses_data.csv").open(newline="") as stream:
        return {row["participant_id"] for row in csv.DictReader(stream)}


def episodes(target: Path) -> list[str]:
    """Return the episodes that an export has."""
    with (target / "data" / "description-episodes_data.csv").open(newline="") as stream:
        return [row["episode_id"] for row in csv.DictReader(stream)]


def test_D8_who_writes_to_the_researchers_is_in_no_later_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = asyncio.run(make(tmp_path / "data"))
    asyncio.run(close_study(made))
    monkeypatch.setenv("COHABIT_DATA_DIR", str(made.database_file.parent))
    key = made.database_file.parent / "secret_key"
    key.write_text("".join(f"{number:x}" for number in range(16)) * 2 + KEY)
    key.chmod(0o600)
    before, after, last = tmp_path / "before", tmp_path / "after", tmp_path / "last"
    assert "5 participants" in ok("export", OF.name, "--out", before)
    assert len(answered(before)) == 4, "who withdrew is not among five"
    told = ok("withdraw", OF.name, "vis_ann")
    (ann,) = (word for word in told.split() if word.startswith("par_"))
    ok("export", OF.name, "--out", after)
    assert answered(before) - answered(after) == {ann}
    assert episodes(before) == ["epi_1", "epi_2"]
    assert episodes(after) == []
    # Another one by the pseudonym of an export.
    (bob, *_) = sorted(answered(after))
    assert bob in ok("withdraw", OF.name, bob)
    ok("export", OF.name, "--out", last)
    assert answered(last) == answered(after) - {bob}
    told = refused("withdraw", OF.name, "par_nobody")
    assert "no version of partners has a visit or participant 'par_nobody'" in told


def test_D8_people_of_an_earlier_version_are_exported_and_withdrawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = asyncio.run(make(tmp_path / "data"))
    asyncio.run(close_study(made))
    monkeypatch.setenv("COHABIT_DATA_DIR", str(made.database_file.parent))
    key = made.database_file.parent / "secret_key"
    key.write_text("".join(f"{number:x}" for number in range(16)) * 2 + KEY)
    key.chmod(0o600)
    with closing(sqlite3.connect(made.database_file)) as db:
        db.execute(
            "INSERT INTO study_runs SELECT study, version + 1, mode, manifest, "
            "'2099-01-01 00:00:00.000000', NULL FROM study_runs"
        )
        db.commit()
    before, after = tmp_path / "before", tmp_path / "after"
    ok("export", OF.name, "--version", OF.version, "--out", before)
    (ann,) = (word for word in ok("withdraw", OF.name, "vis_ann").split() if word[:4] == "par_")
    ok("export", OF.name, "--version", OF.version, "--mode", "live", "--out", after)
    assert answered(before) - answered(after) == {ann}
    with (after / "data" / "description-visits_data.csv").open(newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["participant_id"] == ann]
    filled = {name for row in rows for name, value in row.items() if value}
    assert filled == {"visit_id", "participant_id", "recruiter", "place", "ending"}


def test_D8_a_purge_removes_answers_and_recordings_and_nothing_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = asyncio.run(make(tmp_path / "data"))
    asyncio.run(close_study(made))
    monkeypatch.setenv("COHABIT_DATA_DIR", str(made.database_file.parent))
    key = made.database_file.parent / "secret_key"
    key.write_text("".join(f"{number:x}" for number in range(16)) * 2 + KEY)
    key.chmod(0o600)
    archive = made.recordings_dir / "archive"
    archive.mkdir()
    log = made.recordings_dir / "ses_one.jsonl"
    others = [archive / "ses_one2.jsonl.gz", made.recordings_dir / "ses_two.jsonl"]
    own = [log, archive / "ses_one.jsonl.gz", archive / "ses_one.summary.json.gz"]
    for file in (*others, *own[1:]):
        file.write_bytes(b"")
    assert "would withdraw" in ok("purge", OF.name, "vis_ann")
    assert all(file.exists() for file in own)
    assert count(made.database_file, "answers", "vis_ann") > 0
    kept = count(made.database_file, "answers", "vis_bob")
    told = ok("purge", OF.name, "vis_ann", "--yes")
    assert not any(file.exists() for file in own)
    assert all(file.exists() for file in others)
    assert count(made.database_file, "answers", "vis_ann") == 0
    assert count(made.database_file, "answers", "vis_bob") == kept > 0
    assert ok("purge", OF.name, "vis_ann", "--yes") == told, "doing it again changes nothing"
    with closing(sqlite3.connect(made.database_file)) as db:
        acts = db.execute("SELECT who, act, target, study FROM operator_acts").fetchall()
    assert acts == [("command line", "purge", "vis_ann", OF.name)] * 2
    with closing(sqlite3.connect(made.database_file)) as db:
        db.execute("UPDATE sessions SET state = 'open' WHERE session_id = 'ses_three'")
        db.commit()
    assert "which is open" in refused("purge", OF.name, "vis_eve", "--yes")


def count(database: Path, table: str, visit_id: str) -> int:
    with closing(sqlite3.connect(database)) as db:
        asked = f"SELECT count(*) FROM {table} WHERE visit_id = ?"
        return int(db.execute(asked, (visit_id,)).fetchone()[0])
