"""Checks of the machine by `cohabit preflight`: each fails for its own fault, made for real."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from server.cli.preflight.checks import Check, Found, Result, Subject, in_thread, ok, run_checks
from server.owner_lock import own
from server.personal.key_folder import KeyFolder
from server.settings import Settings
from server.store import Database
from server.store.models import MatchRow, ParticipantRow, RecordingRow, SessionRow
from server.store.visit_models import IdentityRow, VisitRow
from server.wall_clock import utc_now
from tests.live_server import free_port
from tests.server.cli.preflight_subjects import checked, made_database, study_of
from tests.server.recruiting.test_operator_notices import MailServer, WebhookServer

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    made = Settings(data_dir=tmp_path / "data", port=free_port(), _env_file=None)
    made.data_dir.mkdir()
    made_database(made)
    KeyFolder(made.keys).make()
    return made


def add(settings: Settings, *rows: object) -> None:
    async def store() -> None:
        database = Database(settings.database)
        for row in rows:
            async with database.transaction() as db:
                db.add(row)
        await database.close()

    asyncio.run(store())


def a_visit(visit_id: str = "vis_1", arrived_at: datetime = NOW) -> list[object]:
    person = f"par_{visit_id}"
    return [
        ParticipantRow(participant_id=person, cookie_hash=visit_id, created_at=NOW),
        VisitRow(
            visit_id=visit_id,
            participant_id=person,
            study="homes",
            study_version=1,
            mode="live",
            recruiter="direct",
            language="en",
            place="consent",
            page=0,
            arrived_at=arrived_at,
            here_since=arrived_at,
        ),
    ]


def a_recording(number: int, ticks: int, log_bytes: int, packed_bytes: int) -> list[object]:
    return [
        MatchRow(match_id=f"mat_{number}", policy="p", seed=0, formed_at=NOW, n_waiting=2),
        SessionRow(
            session_id=f"ses_{number}",
            match_id=f"mat_{number}",
            state="closed",
            seed=0,
            simulator="household",
            profile="cohabit@2",
            semantics="documented",
            dataset="d",
            spec={},
            opened_at=NOW,
        ),
        RecordingRow(
            session_id=f"ses_{number}",
            file="f",
            format=1,
            episodes=1,
            ticks=ticks,
            log_bytes=log_bytes,
            packed_bytes=packed_bytes,
            lost_bytes=0,
            sha256="",
            archived_at=NOW,
        ),
    ]


# The runner


def test_a_check_that_crashes_or_takes_too_long_is_its_own_failure_alone() -> None:
    async def crashes(_subject: Subject) -> Found:
        raise ValueError("nobody thought of this")

    async def hangs(_subject: Subject) -> Found:
        await asyncio.Event().wait()
        raise AssertionError

    async def blocks(_subject: Subject) -> Found:
        await in_thread(lambda: socket.socketpair()[0].recv(1))
        raise AssertionError

    async def is_well(_subject: Subject) -> Found:
        return ok("well")

    told: list[Result] = []
    checks = [
        Check("crash", crashes, 1),
        Check("hang", hangs, 0.01),
        Check("block", blocks, 0.01),
        Check("well", is_well, 1),
    ]
    asyncio.run(run_checks(checks, Subject(Settings(_env_file=None)), told.append))
    assert [(r.check, r.level) for r in told] == [
        ("crash", "fail"),
        ("hang", "fail"),
        ("block", "fail"),
        ("well", "ok"),
    ]
    assert "ValueError: nobody thought of this" in told[0].found
    assert "after 0.01 s" in told[1].found
    assert all(r.remedy for r in told if r.level != "ok")


# Database and keys


def test_a_database_that_is_there_was_removed_or_is_of_another_release(settings: Settings) -> None:
    assert checked("database", settings).level == "ok"
    file = settings.sqlite_file
    assert file is not None
    with sqlite3.connect(file) as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
    other = checked("database", settings)
    assert (other.level, "another release" in other.found) == ("fail", True)
    file.unlink()
    gone = checked("database", settings)
    assert gone.level == "fail"
    assert "cohabit serve" in gone.remedy
    assert not file.exists()


def test_a_database_that_cannot_be_written(settings: Settings) -> None:
    file = settings.sqlite_file
    assert file is not None
    quick = settings.model_copy(update={"database_wait_s": 0.1})
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert checked("database", quick).level == "fail"
    assert checked("database", quick).level == "ok"


def test_a_database_that_does_not_answer(settings: Settings) -> None:
    away = f"postgresql://cohabit@127.0.0.1:{free_port()}/x"
    found = checked("database", settings.model_copy(update={"database_url": away}))
    assert (found.level, bool(found.remedy)) == ("fail", True)


def test_a_key_that_is_missing(settings: Settings) -> None:
    assert checked("keys", settings).level == "ok"
    hash_of_id = IdentityRow(
        visit_id="vis_1",
        study="homes",
        mode="live",
        recruiter="prolific",
        external_hash="h",
        parameters={},
    )
    add(settings, *a_visit(), hash_of_id)
    for file in settings.keys.iterdir():
        file.unlink()
    lacking = checked("keys", settings)
    assert lacking.level == "fail"
    assert "lacks hiding.key" in lacking.found
    assert lacking.remedy.startswith("bring the files back")


def test_a_folder_of_keys_on_a_full_disk(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("server.cli.preflight.machine_checks.os.fsync", full)
    found = checked("keys", settings)
    assert (found.level, "No space left" in found.found) == ("fail", True)
    assert "with room" in found.remedy


def test_the_server_that_runs_and_the_one_that_does_not(settings: Settings) -> None:
    assert checked("server", settings).remedy == "cohabit serve"
    with own(settings, lambda _line: None) as ownership:
        running = checked("server", settings)
        assert running.level == "ok"
        assert "process" in running.found
        ownership.announce_end(5)
        assert "about to stop" in checked("server", settings).found


def test_operators_without_accounts(settings: Settings) -> None:
    public = settings.model_copy(update={"public_url": "https://h.org"})
    assert checked("operators", public).level == "fail"


# Disk


def test_a_disk_without_room_for_the_declared_sample(settings: Settings) -> None:
    study = study_of()
    assert checked("disk", settings, study).level == "ok"
    assert "none measured yet" in checked("disk", settings, study).found
    full = settings.model_copy(update={"disk_reserve_mb": 1e9})
    assert checked("disk", full, study).level == "fail"
    # Ten minutes of play that took a gigabyte a second in the archive.
    add(settings, *a_recording(1, 600 * 30, 10**13, 10**13))
    measured = checked("disk", settings, study)
    assert measured.level == "fail"
    assert "measured of 1 sessions" in measured.found
    assert "GB of room" in measured.remedy


# Clock


def test_a_clock_that_is_wrong(settings: Settings) -> None:
    assert checked("clock", settings).level == "ok"
    add(settings, *a_visit(arrived_at=utc_now() + timedelta(hours=2)))
    behind = checked("clock", settings)
    assert behind.level == "fail"
    assert "timedatectl" in behind.remedy


def test_a_clock_that_jumps_or_goes_too_fast(settings: Settings) -> None:
    times = iter([NOW, NOW + timedelta(hours=1), NOW])
    jumping = checked("clock", settings, now=lambda: next(times))
    assert (jumping.level, "moved" in jumping.found) == ("fail", True)
    fast = settings.model_copy(update={"clock_rate": 30.0})
    assert "COHABIT_CLOCK_RATE" in checked("clock", fast).remedy


# Notices


async def test_a_mail_server_that_takes_mail_and_one_that_does_not(settings: Settings) -> None:
    server = MailServer()
    async with server.running() as port:
        mail = {"operator_mail": "lab@uni.edu", "smtp_url": f"smtp://127.0.0.1:{port}"}
        there = settings.model_copy(update=mail)
        found = await asyncio.to_thread(checked, "notices", there)
        assert (found.level, server.mails) == ("ok", [])
        server.refuses = True
        refused = await asyncio.to_thread(checked, "notices", there)
        assert (refused.level, "550 nobody here" in refused.found) == ("fail", True)
    closed = await asyncio.to_thread(checked, "notices", there)
    assert (closed.level, closed.remedy) == ("fail", "see COHABIT_SMTP_URL")
    assert (await asyncio.to_thread(checked, "notices", settings)).level == "warn"


async def test_a_webhook_is_asked_without_a_notice(settings: Settings) -> None:
    server = WebhookServer()
    async with server.running() as url:
        there = settings.model_copy(update={"operator_webhook": url})
        found = await asyncio.to_thread(checked, "notices", there)
        assert (found.level, server.posted) == ("ok", [])
    gone = await asyncio.to_thread(checked, "notices", there)
    assert (gone.level, gone.remedy) == ("fail", "see COHABIT_OPERATOR_WEBHOOK")
    assert url not in gone.found
