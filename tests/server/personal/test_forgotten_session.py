"""A study on a whole server, played over pages and sockets by somebody who is forgotten then."""

from __future__ import annotations

import gzip
import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from sqlalchemy import select

from server.personal import process_keys
from server.personal.process_keys import use_keys
from server.personal.sealing import FORGOTTEN
from server.recording.archive import read_log
from server.recording.recordings import read_recording
from server.recording.replay import fold_all, rescore
from server.store import Database
from server.store.forgetting import Forgotten, forget_participant
from server.store.visit_models import VisitRow
from server.wall_clock import utc_now
from server.wire.messages import FinishInput
from tests.live_server import LiveServer
from tests.load.protocol_client import ProtocolClient
from tests.patience import PATIENCE_S
from tests.server.faults.test_fault_restore import cohabit
from tests.server.faults.visitor import eventually
from tests.server.personal.forgettable_study import NAME
from tests.server.web.doubles import Browser, boot_of, write_client
from tests.server.web.participants.visitors import AGREES, Visitor

pytestmark = pytest.mark.processes

PID = "5f3ab1e1d00d5ca1ab1e0dd5"
SAID = "Marker-Said by somebody from the Marker-Village"
REMARK, HOME, DRAFT, TROUBLE = "Marker-Remark", "Marker-Home", "Marker-Draft", "Marker-Trouble"
MARKERS = (PID, "Marker-")
LINK = f"/s/{NAME}?PROLIFIC_PID={PID}&STUDY_ID=1&SESSION_ID=2"


def found_in(folder: Path) -> list[str]:
    """Return the files below a folder, unpacked where they are packed, that hold a marker."""
    found = []
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = file.read_bytes()
        if file.suffix == ".gz":
            data = gzip.decompress(data)
        if any(marker.encode() in data for marker in MARKERS):
            found.append(file.name)
    return found


async def take_part(server: LiveServer) -> Visitor:
    """Take part from the link to the end; say, write and report something on the way."""
    client = httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=PATIENCE_S)
    ann = Visitor(cast("Any", None), Browser(client, server.url))
    await ann.begin(LINK)
    await ann.send(AGREES)
    await ann.send({})
    assert ann.path.startswith("/play/"), ann.page.text
    address = server.url.replace("http", "ws") + "/ws/play"
    async with ProtocolClient(address, server.url, boot_of(ann.page.text)["token"]) as player:
        await player.until_playing()
        await player.say(SAID)
        await player.until(lambda: len(player.model.chat) >= 2)
        await player.send(FinishInput())
        await player.until(lambda: player.over)
    await ann.open("/visit/i-have-a-problem")
    await ann.send({"text": TROUBLE})
    await ann.open("/visit")
    assert ann.path == "/visit/survey", ann.page.text
    await ann.send({"q.remarks": DRAFT, "draft": "1"})
    assert DRAFT in (await ann.open("/visit")).text
    await ann.send({"q.remarks": REMARK, "q.home": HOME})
    await ann.send({})
    assert ann.path == "/visit/the-end", ann.page.text
    return ann


async def forget(data: Path, keys: Path) -> Forgotten:
    """Forget whoever took part, as the page of a participant's own data does."""
    database = Database(f"sqlite:///{data / 'cohabit.db'}", keys=use_keys(keys))
    try:
        async with database.transaction() as db:
            person = await db.scalar(select(VisitRow.participant_id))
            assert person is not None
            return await forget_participant(db, person, utc_now())
    finally:
        await database.close()


def recording_of(data: Path) -> Path:
    """Return the recording of the only session."""
    (found,) = [
        *(data / "recordings").glob("ses_*.jsonl"),
        *(data / "recordings" / "archive").glob("ses_*.jsonl.gz"),
    ]
    return found


def chat_of(log: Path) -> list[str]:
    (recording,) = read_recording(log)
    return [line.text for line in fold_all(recording.header, recording.lines).state.chat]


async def test_O1_nothing_of_what_somebody_wrote_is_left_in_data_and_backups(
    tmp_path: Path, houses_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_keys._Process, "keys", None)
    monkeypatch.delenv(process_keys.VARIABLE, raising=False)
    data, keys = tmp_path / "data", tmp_path / "data-keys"
    shutil.copytree(houses_dir, data, ignore=shutil.ignore_patterns("*.glb"))
    write_client(tmp_path / "client")
    server = LiveServer(
        data,
        client_dir=tmp_path / "client",
        studies="tests.server.personal.forgettable_study:studies",
        robot_wait_s=1,
        late_limit_ms=0,
        between_tasks_s=1,
        abandoned_s=2,
    )
    server.start()
    try:
        ann = await take_part(server)

        def is_closed() -> bool:
            with closing(sqlite3.connect(data / "cohabit.db")) as db:
                states = db.execute("SELECT state FROM sessions").fetchall()
                packed = db.execute("SELECT count(*) FROM recordings").fetchone()
            return states == [("closed",)] and packed == (1,)

        await eventually(is_closed)
        backup = tmp_path / "backup.tar"
        status, words = await cohabit("backup", backup, data_dir=data)
        assert status == 0, words
        use_keys(keys)
        log = recording_of(data)
        assert chat_of(log)[0] == SAID, "whoever has the keys reads it"
        verdict = rescore(read_log(log))
        assert found_in(data) == [], "it is sealed from the first moment"

        found = await forget(data, keys)
        assert len(found.sessions) == 1
        assert found_in(data) == []
        with tarfile.open(backup) as packed:
            packed.extractall(tmp_path / "unpacked", filter="data")
        assert found_in(tmp_path / "unpacked") == []
        for place in (log, recording_of(tmp_path / "unpacked")):
            assert chat_of(place)[0] == FORGOTTEN
            assert rescore(read_log(place)) == verdict

        # The server noticed without being told, and whoever comes again is told what is left.
        again = await ann.open(LINK)
        assert again.status_code == 200
        assert 'data-testid="forgotten"' in again.text
        assert "takes part" not in again.text
        assert (await ann.open("/visit")).status_code == 404, "no browser is theirs any more"
    finally:
        server.stop()
    assert PID not in server.output()
    assert "Marker-" not in server.output()

    restored = tmp_path / "restored"
    status, words = await cohabit("restore", backup, data_dir=restored, keys_dir=str(keys))
    assert status == 0, words
    assert found_in(restored) == []
    with closing(sqlite3.connect(restored / "cohabit.db")) as db:
        rows = db.execute("SELECT external_id, parameters FROM identities").fetchall()
        forgotten = db.execute("SELECT count(*) FROM participants WHERE forgotten_at > ''")
        assert (rows, forgotten.fetchone()) == ([(None, "{}")], (1,))
