"""Payments: reckoned from what is stored, written for the researcher and for Prolific."""

from __future__ import annotations

import asyncio
import csv
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.study.pay import Pay
from matchmaking.study.recruiter import Recruiter
from matchmaking.visits import Event, Standing, route_of
from server.cli.main import app
from server.recruiting.payments import (
    UnknownStudyError,
    not_in_bulk,
    payments_csv,
    payments_of,
    prolific_bulk,
)
from server.store import Database
from server.store.identifiers import new_id
from server.store.participants import add_participant
from server.store.studies import note_opened
from server.store.visits import Arrival, begin_visit, move_visit
from tests.matchmaking.study.made_studies import study

BEGAN = datetime(2026, 11, 25, 9, 0, tzinfo=UTC)
TO_LOBBY = [(Event.DONE, 60)] * 5
COMPLETED = [
    *TO_LOBBY,
    (Event.MATCHED, 300),
    (Event.PLAYED, 900),
    (Event.DONE, 60),
    (Event.DONE, 30),
]
ANN, BEN = "5f3a" + "0" * 19 + "a", "5f3a" + "0" * 19 + "b"
"""Ids as Prolific has them."""
PAID = study(
    recruiter=Recruiter(kind="prolific", codes={Ending.COMPLETED: "CC1"}),
    pay=Pay(base=600, hourly=900, low_hourly=1500, cap=2000, time_ceiling=600),
)


async def visit(
    database: Database,
    declared: Study,
    external_id: str,
    steps: list[tuple[Event, int]],
    mode: str = "live",
) -> None:
    """Store a visit whose steps took some seconds each."""
    route, at = route_of(declared.pages), BEGAN
    arrival = Arrival(
        declared.name, declared.version, mode, "prolific", "en", external_id, {"X": external_id}
    )
    async with database.transaction() as db:
        participant = new_id("par")
        add_participant(db, participant, participant, at)
        await db.flush()
        start = Standing.at_start(route)
        row = await begin_visit(db, new_id("vis"), participant, arrival, start, at)
        for event, seconds in steps:
            at += timedelta(seconds=seconds)
            assert await move_visit(db, row, event, route, at)


@pytest.fixture
async def database(tmp_path: Path) -> Database:
    database = Database(f"sqlite:///{tmp_path / 'cohabit.db'}")
    await database.upgrade()
    async with database.transaction() as db:
        await note_opened(db, [PAID], BEGAN)
    await visit(database, PAID, ANN, COMPLETED)
    await visit(database, PAID, BEN, [*TO_LOBBY, (Event.NO_PARTNER, 120)])
    await visit(database, PAID, "=cmd", [(Event.DONE, 60), (Event.REFUSED, 30)])
    await visit(database, PAID, "dan", TO_LOBBY)
    await visit(database, PAID, "eve", COMPLETED, mode="pilot")
    return database


async def test_R4_payments_have_base_bonus_and_waiting_by_the_time(database: Database) -> None:
    async with database.transaction() as db:
        found = await payments_of(db, PAID.name, BEGAN)
    rows = {row.external_id: row for row in found.rows}
    assert set(rows) == {ANN, BEN, "=cmd"}
    assert found.going_on == 1
    # Five minutes of waiting at 9.00 an hour beside the base.
    assert rows[ANN].owed == (600, 0, 75)
    assert (rows[ANN].spent_s, rows[ANN].waited_s) == (1590, 300)
    # Five minutes on the pages, and two in the lobby.
    assert rows[BEN].owed == (75, 0, 30)
    assert rows["=cmd"].owed.total == 0
    assert found.total == 780
    assert rows[BEN].hourly == pytest.approx(900)
    # The median is of those who completed, and nobody else did.
    assert found.hourly == pytest.approx(675 * 3600 / 1590)
    assert [row.external_id for row in found.too_low()] == [BEN]


async def test_R4_what_no_code_hands_in_is_paid_beside_approvals(database: Database) -> None:
    left = [
        *TO_LOBBY,
        (Event.MATCHED, 0),
        (Event.PARTNER_LEFT, 600),
        (Event.DONE, 60),
        (Event.DONE, 30),
    ]
    await visit(database, PAID, "c" * 24, left)
    async with database.transaction() as db:
        found = await payments_of(db, PAID.name, BEGAN)
    (row,) = [row for row in found.rows if row.external_id == "c" * 24]
    assert (row.ending, row.code, row.owed.base) == (Ending.PARTNER_LEFT, "", 600)
    assert (row.on_approval, row.beside_approval) == (0, row.owed.total)
    assert f"{'c' * 24},{row.owed.total / 100:.2f}" in prolific_bulk(found)


async def test_R4_bulk_lines_have_what_an_approval_does_not_pay(database: Database) -> None:
    async with database.transaction() as db:
        found = await payments_of(db, PAID.name, BEGAN)
    assert prolific_bulk(found) == f"{ANN},0.75\n{BEN},1.05\n"


async def test_R4_bulk_lines_have_only_ids_of_prolifics_form(database: Database) -> None:
    for external_id in ("=1+1", "5f3a", ANN.upper(), f"{ANN}0"):
        await visit(database, PAID, external_id, [*TO_LOBBY, (Event.NO_PARTNER, 120)])
    async with database.transaction() as db:
        found = await payments_of(db, PAID.name, BEGAN)
    assert prolific_bulk(found) == f"{ANN},0.75\n{BEN},1.05\n"
    assert len(not_in_bulk(found)) == 4


def test_R4_files_that_are_there_are_for_their_owner_alone_too(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COHABIT_DATA_DIR", str(tmp_path))
    asyncio.run(visit(database, PAID, "=1+1", [*TO_LOBBY, (Event.NO_PARTNER, 120)]))
    bulk, table = tmp_path / "bulk.txt", tmp_path / "payments.csv"
    for file in (bulk, table):
        file.write_text("old" * 2000)
        file.chmod(0o644)
    arguments = ["study", "payments", PAID.name, "--prolific", str(bulk), "--csv", str(table)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert [file.stat().st_mode & 0o777 for file in (bulk, table)] == [0o600, 0o600]
    assert bulk.read_text() == f"{ANN},0.75\n{BEN},1.05\n"
    assert "old" not in table.read_text()
    assert "warning: 1 visits are not in" in done.output


async def test_the_table_of_payments_runs_nothing_in_a_spreadsheet(database: Database) -> None:
    async with database.transaction() as db:
        text = payments_csv(await payments_of(db, PAID.name, BEGAN))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["external_id"] for row in rows] == [ANN, BEN, "'=cmd"]
    ann = rows[0]
    assert (ann["total"], ann["on_approval"], ann["waiting"]) == ("6.75", "6.00", "0.75")
    assert (ann["currency"], ann["code"], ann["ending"]) == ("GBP", "CC1", "completed")


async def test_a_version_is_paid_as_it_was_opened(database: Database) -> None:
    later = replace(PAID, version=2, pay=Pay(base=1000, hourly=1200, cap=5000))
    async with database.transaction() as db:
        await note_opened(db, [later], BEGAN + timedelta(days=1))
    await visit(database, later, "fay", COMPLETED)
    async with database.transaction() as db:
        found = await payments_of(db, PAID.name, BEGAN)
    bases = {row.external_id: row.owed.base for row in found.rows}
    assert (bases[ANN], bases["fay"]) == (600, 1000)


async def test_a_visit_whose_version_is_lost_is_told_and_not_paid_by_another(
    database: Database,
) -> None:
    await visit(database, replace(PAID, version=3), "fay", COMPLETED)
    async with database.transaction() as db:
        found = await payments_of(db, PAID.name, BEGAN)
    (lost,) = found.lost
    assert lost not in {row.visit_id for row in found.rows}
    assert {row.external_id for row in found.rows} == {ANN, BEN, "=cmd"}


async def test_R4_time_that_a_clock_jumped_over_is_paid_up_to_the_ceiling(
    database: Database,
) -> None:
    jump = 3 * 3600
    await visit(database, PAID, "gus", [(Event.DONE, 60), (Event.LATE, jump)])
    await visit(database, PAID, "hal", [*TO_LOBBY, (Event.WITHDREW, jump)])
    await visit(database, PAID, "ida", [*TO_LOBBY, (Event.MATCHED, jump), *COMPLETED[6:]])
    async with database.transaction() as db:
        found = await payments_of(db, PAID.name, BEGAN)
    rows = {row.external_id: row for row in found.rows}
    assert rows["gus"].owed == (600, 0, 0)
    assert rows["hal"].owed == (75, 0, 525)
    assert rows["ida"].owed == (600, 0, 600)
    assert {row.external_id for row in found.at_ceiling()} == {"gus", "hal", "ida"}
    table = list(csv.DictReader(io.StringIO(payments_csv(found))))
    at_ceiling = [row["external_id"] for row in table if row["is_at_ceiling"] == "true"]
    assert at_ceiling == ["gus", "hal", "ida"]


def test_R4_the_command_names_visits_at_the_ceiling(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COHABIT_DATA_DIR", str(tmp_path))
    asyncio.run(visit(database, PAID, "gus", [(Event.DONE, 60), (Event.LATE, 4 * 3600)]))
    done = CliRunner().invoke(app, ["study", "payments", PAID.name])
    assert done.exit_code == 0, done.output
    assert "warning: the time of 1 visits came to more" in done.output
    assert "vis_" in done.output
    assert "gus" not in done.output


async def test_a_study_that_was_never_opened_owes_nothing(database: Database) -> None:
    with pytest.raises(UnknownStudyError, match="'nothing'"):
        async with database.transaction() as db:
            await payments_of(db, "nothing", BEGAN)


def test_the_command_writes_the_files_and_warns_of_low_pay(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COHABIT_DATA_DIR", str(tmp_path))
    bulk, table = tmp_path / "bulk.txt", tmp_path / "payments.csv"
    arguments = ["study", "payments", PAID.name, "--prolific", str(bulk), "--csv", str(table)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert bulk.read_text() == f"{ANN},0.75\n{BEN},1.05\n"
    assert table.read_text().count("\n") == 4
    assert bulk.stat().st_mode & 0o077 == 0
    assert "completed" in done.output
    assert "warning: 1 visits were paid less than 15.00 GBP an hour" in done.output
    assert ANN not in done.output
