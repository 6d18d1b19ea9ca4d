"""`cohabit study forget`: a key is destroyed, and no copy of the data brings the words back."""

from __future__ import annotations

import asyncio
import csv
import gzip
import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.main import app
from server.personal.key_folder import HIDING, KeyFolder
from server.personal.sealing import FORGOTTEN
from server.recording.archive import archive
from server.recording.log_checksums import verify
from server.recording.replay import rescore
from server.store import Database
from server.store.participants import participant_with_cookie
from server.store.studies import note_opened
from server.wall_clock import utc_now
from tests.server.cli.test_study_runs import ok, refused
from tests.server.research.exports.made_data import KEY, OF, Made, close_study, make, url

pytestmark = pytest.mark.processes

IDENTITY = "Marker-Identity"
DRAFT, TROUBLE, REMARK, STREET = "Marker-Draft", "Marker-Trouble", "Marker-Remark", "Elm Street"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """Return data of a release that sealed nothing, with a key of tokens and what people wrote."""
    found = asyncio.run(make(tmp_path / "data"))
    asyncio.run(close_study(found))
    monkeypatch.setenv("COHABIT_DATA_DIR", str(found.database_file.parent))
    key = found.database_file.parent / "secret_key"
    key.write_text("".join(f"{number:x}" for number in range(16)) * 2 + KEY)
    key.chmod(0o600)
    _pack(found, "ses_one")
    asyncio.run(_open_study(found))
    with closing(sqlite3.connect(found.database_file)) as db:
        for name in ("ann", "bob"):
            db.execute(
                "INSERT INTO identities VALUES (?, ?, 'live', 'prolific', ?, ?, NULL)"
                if _columns(db)[-1] == "external_hash"
                else "INSERT INTO identities VALUES (?, ?, 'live', 'prolific', ?, ?)",
                (f"vis_{name}", OF.name, f"{IDENTITY}-{name}", json.dumps({"PID": IDENTITY})),
            )
            db.execute(
                "INSERT INTO drafts VALUES (?, 'survey', ?, '2026-11-01 00:00:00.000000')",
                (f"vis_{name}", json.dumps({"remarks": f"{DRAFT}-{name}"})),
            )
            db.execute(
                "INSERT INTO troubles (visit_id, place, page, text, reported_at) "
                "VALUES (?, 'play', 1, ?, '2026-11-01 00:00:00.000000')",
                (f"vis_{name}", f"{TROUBLE}-{name}"),
            )
        db.execute("UPDATE answers SET value = ? WHERE question = 'remarks'", (json.dumps(REMARK),))
        db.commit()
    return found


def _pack(made: Made, session_id: str) -> None:
    """Put the log of a release that sealed nothing into the archive, as its server did."""
    log = made.recordings_dir / f"{session_id}.jsonl"
    archived = archive(log, made.recordings_dir / "archive")
    log.unlink()
    with closing(sqlite3.connect(made.database_file)) as db:
        db.execute(
            "INSERT INTO recordings VALUES (?, ?, 1, 1, ?, ?, ?, 0, ?, '2026-11-01 00:00:00')",
            (
                session_id,
                archived.file,
                archived.ticks,
                archived.bytes,
                archived.packed_bytes,
                archived.sha256,
            ),
        )
        db.commit()


async def _open_study(made: Made) -> None:
    database = Database(url(made.database_file))
    async with database.transaction() as db:
        await note_opened(db, [OF], utc_now())
    await database.close()


def _columns(db: sqlite3.Connection) -> list[str]:
    return [row[1] for row in db.execute("PRAGMA table_info(identities)")]


def keys_of(made: Made) -> KeyFolder:
    return KeyFolder(made.database_file.parent.with_name("data-keys"))


SAID = "=1+1 hello"


def packed_log(folder: Path) -> bytes:
    """Return the only log of an archive, unpacked."""
    (file,) = (folder / "recordings" / "archive").glob("*.jsonl.gz")
    return gzip.decompress(file.read_bytes())


def holds(folder: Path, *markers: str) -> list[str]:
    """Return which of some texts are in a file below a folder, and where."""
    return [
        f"{marker} in {file.name}"
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        for marker in markers
        if marker.encode() in file.read_bytes()
    ]


ALL = (IDENTITY, DRAFT, TROUBLE, REMARK, STREET)


def exported(made: Made, target: Path, table: str, *options: str) -> list[dict[str, str]]:
    ok("export", OF.name, "--with-texts", "--out", target, *options)
    with (target / "data" / f"description-{table}_data.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_what_an_earlier_release_stored_is_sealed_and_read_as_before(
    made: Made, tmp_path: Path
) -> None:
    assert len(holds(made.database_file.parent, *ALL)) >= len(ALL)
    # The first command that brings the schema up to date seals.
    ok("forget", OF.name, "vis_ann")
    assert holds(made.database_file.parent, *ALL) == []
    rows = exported(made, tmp_path / "out", "responses")
    assert REMARK in [row["value"] for row in rows]
    assert TROUBLE in ok("problems", OF.name)
    with closing(sqlite3.connect(made.database_file)) as db:
        hashes = db.execute("SELECT external_hash FROM identities").fetchall()
    hidden = keys_of(made).hidden
    wanted = {(hidden("prolific", f"{IDENTITY}-{name}"),) for name in ("ann", "bob")}
    assert set(hashes) == wanted


def test_O1_forgetting_destroys_the_key_and_leaves_what_is_others(
    made: Made, tmp_path: Path
) -> None:
    told = ok("forget", OF.name, "vis_ann")
    assert "would forget" in told
    assert "say --yes" in told
    keys = keys_of(made)
    assert keys.forgotten() == {}
    before = exported(made, tmp_path / "before", "episodes")
    asyncio.run(_checks_cookie(made, keys, known=True))
    log = packed_log(made.database_file.parent)
    assert SAID.encode() in log
    told = ok("forget", OF.name, "vis_ann", "--yes")
    assert "is forgotten" in told
    rewritten = packed_log(made.database_file.parent)
    assert SAID.encode() not in rewritten
    assert rewritten.count(FORGOTTEN.encode()) == 2, "as it was asked, and as it was said"
    assert not verify(rewritten).rest
    assert rescore(rewritten) == rescore(log)
    with closing(sqlite3.connect(made.database_file)) as db:
        (known,) = db.execute("SELECT sha256 FROM recordings").fetchone()
    (file,) = (made.recordings_dir / "archive").glob("*.jsonl.gz")
    assert known == hashlib.sha256(file.read_bytes()).hexdigest()
    assert list(keys.forgotten()) == ["par_ann"]
    assert keys.key("par_ann") is None
    assert "was forgotten before" in ok("forget", OF.name, "vis_ann", "--yes")
    told = ok("problems", OF.name)
    assert f"{TROUBLE}-bob" in told
    assert f"{TROUBLE}-ann" not in told
    assert FORGOTTEN in told
    rows = exported(made, tmp_path / "after", "responses")
    assert REMARK not in [row["value"] for row in rows]
    assert FORGOTTEN in [row["value"] for row in rows]
    assert "5" in [row["value"] for row in rows], "marks on scales say nothing of who it was"
    assert exported(made, tmp_path / "again", "episodes") == before
    asyncio.run(_checks_cookie(made, keys, known=False))
    with closing(sqlite3.connect(made.database_file)) as db:
        acts = db.execute("SELECT who, act, target, study FROM operator_acts").fetchall()
        hashes = db.execute("SELECT external_hash FROM identities ORDER BY visit_id").fetchall()
    assert ("command line", "forget", "vis_ann", OF.name) in acts
    assert hashes[0] == (keys.hidden("prolific", f"{IDENTITY}-ann"),), "so nobody comes twice"
    refusal = refused("forget", OF.name, "vis_eve", "--yes")
    assert "cannot be forgotten yet, because the visit goes on" in refusal
    assert list(keys.forgotten()) == ["par_ann"]


async def _checks_cookie(made: Made, keys: KeyFolder, *, known: bool) -> None:
    """Check whether the browser that Ann used is still hers."""
    database = Database(url(made.database_file), keys=keys)
    async with database.transaction() as db:
        assert (await participant_with_cookie(db, "ann") is not None) == known
    await database.close()


def test_O1_a_restored_backup_knows_nobody_who_was_forgotten_since(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, sealed = tmp_path / "plain.tar", tmp_path / "sealed.tar"
    from tests.server.faults.test_fault_restore import cohabit_here

    here = made.database_file.parent
    assert cohabit_here("backup", plain, data_dir=here)[0] == 0
    ok("forget", OF.name, "vis_bob")
    assert cohabit_here("backup", sealed, data_dir=here)[0] == 0
    assert b"Marker-Identity" in plain.read_bytes(), "it was made before words were sealed"
    assert b"Marker-Identity" not in sealed.read_bytes()
    ok("forget", OF.name, "vis_ann", "--yes")
    keys = keys_of(made)
    for number, backup in enumerate((plain, sealed)):
        there = tmp_path / f"there{number}"
        status, words = cohabit_here("restore", backup, data_dir=there, keys_dir=str(keys.path))
        assert status == 0, words
        assert "There are no keys in" not in words
        assert holds(there, *ALL) == []
        assert SAID.encode() not in packed_log(there), "logs of older releases, too"
        monkeypatch.setenv("COHABIT_DATA_DIR", str(there))
        monkeypatch.setenv("COHABIT_KEYS_DIR", str(keys.path))
        told = ok("problems", OF.name)
        assert f"{TROUBLE}-bob" in told
        assert f"{TROUBLE}-ann" not in told
        monkeypatch.delenv("COHABIT_KEYS_DIR")
    status, words = cohabit_here("restore", sealed, data_dir=tmp_path / "bare")
    assert status == 0
    assert "There are no keys in" in words
    # Without the keys nothing begins that would forget whom it knows.
    monkeypatch.setenv("COHABIT_DATA_DIR", str(tmp_path / "bare"))
    refusal = refused("forget", OF.name, "vis_bob", "--yes")
    assert "the folder of the keys" in refusal
    assert "bring the files back" in refusal


def test_a_key_file_that_is_missing_is_told_and_nothing_is_written(
    made: Made, tmp_path: Path
) -> None:
    ok("forget", OF.name, "vis_ann")
    keys = keys_of(made)
    (keys.path / "par_bob.key").unlink()
    refusal = refused("export", OF.name, "--out", tmp_path / "out")
    assert "lacks the keys of 1 people" in refusal
    assert "par_bob" in refusal
    assert not (tmp_path / "out").exists()
    refusal = refused("payments", OF.name)
    assert "par_bob" in refusal


def test_nothing_starts_with_a_folder_that_lacks_keys(made: Made, tmp_path: Path) -> None:
    ok("forget", OF.name, "vis_ann", "--yes")
    keys, away = keys_of(made), tmp_path / "away"
    lost = "lacks hiding.key and the keys of par_bob: bring the files back"
    # A volume that is not mounted, an empty one as `install -d` makes it, and another server's.
    keys.path.rename(away)
    assert lost in refused("forget", OF.name, "vis_bob")
    assert not keys.path.exists()
    keys.path.mkdir(mode=0o700)
    assert lost in refused("forget", OF.name, "vis_bob")
    assert list(keys.path.iterdir()) == [], "nothing is made that would clash with the right keys"
    keys.make()
    assert "lacks the keys of par_bob: bring" in refused("forget", OF.name, "vis_bob")
    (keys.path / HIDING).unlink()
    told = CliRunner().invoke(app, ["lost-keys"])
    assert "lacks hiding.key and the keys of par_bob" in told.output
    assert "may take part again" in told.output
    assert list(keys.path.iterdir()) == []
    keys.path.rmdir()
    away.rename(keys.path)
    assert "No key is missing" in CliRunner().invoke(app, ["lost-keys"]).output
    ok("forget", OF.name, "vis_bob")
    # Whoever says that they are lost starts without them.
    shutil.rmtree(keys.path)
    assert "new ones are there" in CliRunner().invoke(app, ["lost-keys", "--yes"]).output
    ok("forget", OF.name, "vis_bob")
    assert list(keys.forgotten()) == ["par_ann"], "as the database knows"


def test_an_older_folder_of_keys_learns_who_was_forgotten(made: Made, tmp_path: Path) -> None:
    ok("forget", OF.name, "vis_ann")
    keys = keys_of(made)
    shutil.copytree(keys.path, tmp_path / "copy")
    ok("forget", OF.name, "vis_ann", "--yes")
    shutil.rmtree(keys.path)
    (tmp_path / "copy").rename(keys.path)
    assert keys.key("par_ann") is not None
    ok("withdraw", OF.name, "vis_bob")
    assert keys.key("par_ann") is None
    assert list(keys.forgotten()) == ["par_ann"]


def test_a_folder_of_keys_inside_the_data_is_no_place_for_a_backup(
    made: Made, tmp_path: Path
) -> None:
    from tests.server.faults.test_fault_restore import cohabit_here

    here = made.database_file.parent
    inside = str(here / "keys")
    status, words = cohabit_here("backup", tmp_path / "b.tar", data_dir=here, keys_dir=inside)
    assert status == 1
    assert "is inside the data directory" in words
