"""Retention: what is older than its limit goes by itself, all of it, and nothing else does."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from typer.testing import CliRunner, Result

from server.cli.main import app
from server.privacy.kept_words import words_of
from server.privacy.retention import Kind, Removal, Retention
from server.privacy.retention_watch import FIRST_S, ROUND_S, keep_retention
from server.settings import Settings
from server.store import Database
from server.store.models import (
    Base,
    EpisodeRow,
    MatchRow,
    OccupancyRow,
    ParticipantRow,
    PropositionRow,
    RecordingRow,
    SessionRow,
    TicketRow,
)
from server.store.operator_models import OperatorActRow, OperatorRow, OperatorSignInRow
from server.store.study_runs import run_of
from server.store.visit_models import AnswerRow, DraftRow, IdentityRow, SignRow, TroubleRow
from tests.server.research.exports.made_data import OF, Maker, at, make, url

DAY = timedelta(days=1)


@pytest.fixture(params=["sqlite", "postgresql"])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    is_file = request.param == "sqlite"
    address = url(tmp_path / "a.db") if is_file else request.getfixturevalue("postgres_url")
    database = Database(address)
    await database.upgrade()
    yield database
    await database.close()


class Keeper:
    """Retention on a clock that is moved by hand, with files to remove."""

    def __init__(self, database: Database, folder: Path, **limits: float) -> None:
        self.settings = Settings(data_dir=folder, _env_file=None, **limits)  # type: ignore[arg-type]
        self.now = at(0)
        self.database = database
        self.retention = Retention(self.settings, database, lambda: self.now)
        self.settings.archive_dir.mkdir(parents=True, exist_ok=True)

    async def open_play(self, name: str, ended: datetime, **changes: Any) -> str:
        """Store a session of open play that two people had, with its files; return its id."""
        session = f"ses_{name}"
        async with self.database.transaction() as db:
            for person in (f"{name}1", f"{name}2"):
                row = ParticipantRow(participant_id=person, cookie_hash=person, created_at=at(0))
                db.add(row)
            match = f"mat_{name}"
            db.add(MatchRow(match_id=match, policy="p", seed=1, formed_at=at(0), n_waiting=2))
            await db.flush()
            fields: dict[str, Any] = {
                "state": "closed",
                "closed_at": ended,
                "seed": 1,
                "simulator": "household",
                "profile": "cohabit",
                "semantics": "documented",
                "dataset": "first",
                "spec": {},
                "opened_at": at(0),
            }
            db.add(SessionRow(session_id=session, match_id=match, **fields | changes))
            await db.flush()
            for seat, person in (("human_0", f"{name}1"), ("robot_0", f"{name}2")):
                db.add(ticket(f"tic_{person}", person, ended, match_id=match))
                await db.flush()
                db.add(
                    OccupancyRow(
                        session_id=session,
                        seat_id=seat,
                        participant_id=person,
                        ticket_id=f"tic_{person}",
                        since=at(0),
                        until=ended,
                    )
                )
            db.add(episode(f"epi_{name}", session))
            await db.flush()
            db.add(
                PropositionRow(
                    episode_id=f"epi_{name}",
                    proposition_index=0,
                    text="it",
                    satisfied=True,
                    valid=True,
                )
            )
        for file in self.files(session):
            file.write_bytes(b"x")
        return session

    def files(self, session: str) -> list[Path]:
        archive = self.settings.archive_dir
        return [
            self.settings.log_path(session),
            archive / f"{session}.jsonl.gz",
            archive / f"{session}.summary.json.gz",
        ]

    async def count(self, *tables: type[Base]) -> list[int]:
        async with self.database.transaction() as db:
            found = [await db.scalar(select(func.count()).select_from(table)) for table in tables]
        return [n or 0 for n in found]

    async def acts(self) -> list[tuple[str, str, str]]:
        async with self.database.transaction() as db:
            rows = await db.scalars(select(OperatorActRow).order_by(OperatorActRow.act_id))
            return [(row.who, row.act, row.detail) for row in rows]


def ticket(name: str, person: str, left: datetime, **changes: Any) -> TicketRow:
    return TicketRow(
        ticket_id=name,
        participant_id=person,
        wish="person",
        state="matched",
        joined_at=at(0),
        left_at=left,
        n_waiting_at_join=1,
        **changes,
    )


def episode(name: str, session: str) -> EpisodeRow:
    return EpisodeRow(
        episode_id=name,
        session_id=session,
        order_index=0,
        dataset="first",
        task_id="1",
        try_index=0,
        opened_at=at(0),
        simulator="household",
        profile="cohabit",
        semantics="documented",
        server_version="1",
    )


def of_kind(removals: list[Removal], kind: Kind) -> Removal:
    return next(removal for removal in removals if removal.kind is kind)


OPEN_PLAY = (
    SessionRow,
    MatchRow,
    EpisodeRow,
    PropositionRow,
    OccupancyRow,
    TicketRow,
    ParticipantRow,
)


async def test_open_play_goes_with_all_that_is_of_it(database: Database, tmp_path: Path) -> None:
    keeper = Keeper(database, tmp_path)
    old = await keeper.open_play("old", at(0))
    new = await keeper.open_play("new", at(0) + DAY)
    still_open = await keeper.open_play("open", at(0), state="open", closed_at=None)
    elsewhere = await keeper.open_play("else", at(0), member="other")
    keeper.now = at(0) + 30 * DAY
    assert all(removal.is_empty for removal in await keeper.retention.due()), "to the day"
    keeper.now += timedelta(minutes=1)
    due = of_kind(await keeper.retention.due(), Kind.OPEN_PLAY)
    assert due.sessions == [old]
    assert due.counts["people"] == 2
    assert await keeper.count(*OPEN_PLAY) == [4, 4, 4, 4, 8, 8, 8], "it was only asked"
    assert await keeper.acts() == []
    assert all(file.exists() for file in keeper.files(old))
    done = of_kind(await keeper.retention.run(), Kind.OPEN_PLAY)
    assert (done.sessions, done.counts) == (due.sessions, due.counts)
    assert await keeper.count(*OPEN_PLAY) == [3, 3, 3, 3, 6, 6, 6]
    assert await keeper.count(RecordingRow) == [0]
    assert not any(file.exists() for file in keeper.files(old))
    for session in (new, still_open, elsewhere):
        assert all(file.exists() for file in keeper.files(session))
    assert await keeper.acts() == [
        ("server", "retention", "1 recordings (COHABIT_KEEP_OPEN_PLAY_DAYS=30)"),
        ("server", "retention", "2 people (COHABIT_KEEP_OPEN_PLAY_DAYS=30)"),
    ]
    assert all(removal.is_empty for removal in await keeper.retention.run()), "nothing is left"
    assert len(await keeper.acts()) == 2


async def test_who_waited_and_never_played_is_forgotten_too(
    database: Database, tmp_path: Path
) -> None:
    keeper = Keeper(database, tmp_path, keep_open_play_days=1)
    async with database.transaction() as db:
        for name in ("waited", "waits", "looked"):
            db.add(ParticipantRow(participant_id=name, cookie_hash=name, created_at=at(0)))
        db.add(MatchRow(match_id="mat_1", policy="p", seed=1, formed_at=at(0), n_waiting=2))
        await db.flush()
        db.add(ticket("tic_1", "waited", at(1), match_id="mat_1"))
        live = ticket("tic_2", "waits", at(1))
        live.left_at, live.state = None, "waiting"
        db.add(live)
    keeper.now = at(0) + 2 * DAY
    done = of_kind(await keeper.retention.run(), Kind.OPEN_PLAY)
    assert done.counts == {"stays in the lobby": 1, "groups": 1, "people": 2}
    async with database.transaction() as db:
        assert list(await db.scalars(select(ParticipantRow.participant_id))) == ["waits"]


async def test_nothing_of_a_study_goes_with_open_play(database: Database, tmp_path: Path) -> None:
    keeper = Keeper(database, tmp_path, keep_open_play_days=1)
    maker = Maker(database, keeper.settings.recordings_dir, OF)
    await maker.begin()
    ann, bob = await maker.visit("ann", ending="completed"), await maker.visit("bob")
    await maker.group("one", [ann, bob], "human=person,robot=person")
    # What a visitor practises is of no study by its match.
    practice = await keeper.open_play("practice", at(10))
    async with database.transaction() as db:
        row = await db.scalar(select(OccupancyRow).where(OccupancyRow.session_id == practice))
        assert row is not None
        row.participant_id = ann
    for file in keeper.files("ses_one"):
        file.write_bytes(b"x")
    before = await keeper.count(SessionRow, OccupancyRow, AnswerRow)
    keeper.now = at(0) + 4000 * DAY
    await keeper.retention.run()
    assert await keeper.count(SessionRow, OccupancyRow, AnswerRow) == before
    for session in ("ses_one", practice):
        assert all(file.exists() for file in keeper.files(session))


@pytest.mark.parametrize("n_studies_over", [0, 1])
async def test_who_was_once_in_a_study_plays_openly_as_others_do(
    database: Database, tmp_path: Path, n_studies_over: int
) -> None:
    limits = {"keep_open_play_days": 30, "keep_study_recordings_days": 10}
    keeper = Keeper(database, tmp_path, **limits)
    maker = Maker(database, keeper.settings.recordings_dir, OF)
    await maker.begin()
    ann = await maker.visit("ann", ending="completed")
    before = await keeper.open_play("before", at(1), opened_at=at(-9))
    after = await keeper.open_play("after", at(0) + 90 * DAY, opened_at=at(31))
    async with database.transaction() as db:
        for session in (before, after):
            row = await db.get_one(OccupancyRow, (await _seat_of(db, session)))
            row.participant_id = ann
        run = await run_of(db, OF.key)
        assert run is not None
        run.closed_at = at(60) if n_studies_over else None
    keeper.now = at(0) + 91 * DAY
    done = await keeper.retention.run()
    assert of_kind(done, Kind.OPEN_PLAY).sessions == [before]
    assert of_kind(done, Kind.STUDY_RECORDINGS).sessions == [], "it closed yesterday"
    assert all(file.exists() for file in keeper.files(after))
    keeper.now += 30 * DAY
    assert of_kind(await keeper.retention.run(), Kind.OPEN_PLAY).sessions == [after]
    assert not any(file.exists() for file in keeper.files(after))
    assert await keeper.count(SessionRow, ParticipantRow) == [0, 1], "their visit stays"


async def _seat_of(db: AsyncSession, session: str) -> int:
    """Return the first seat of a session that somebody had."""
    found = await db.scalar(
        select(OccupancyRow.occupancy_id).where(OccupancyRow.session_id == session).limit(1)
    )
    assert found is not None
    return found


def cohabit(*options: str) -> Result:
    return CliRunner().invoke(app, ["retention", *options])


LIMITS = {
    "keep_study_answers_days": 10.0,
    "keep_study_recordings_days": 20.0,
    "keep_identities_days": 5.0,
}


async def test_limits_of_a_study_count_from_its_end(database: Database, tmp_path: Path) -> None:
    keeper = Keeper(database, tmp_path, **LIMITS)
    maker = Maker(database, keeper.settings.recordings_dir, OF)
    await maker.begin()
    ann, bob = await maker.visit("ann", ending="completed"), await maker.visit("bob")
    await maker.group("one", [ann, bob], "human=person,robot=person")
    async with database.transaction() as db:
        for name in ("ann", "bob"):
            db.add(
                IdentityRow(
                    visit_id=f"vis_{name}",
                    study=OF.name,
                    mode="live",
                    recruiter="direct",
                    external_id=name,
                    parameters={"PID": name},
                )
            )
    for file in keeper.files("ses_one"):
        file.write_bytes(b"x")
    keeper.now = at(0) + 4000 * DAY
    assert all(removal.is_empty for removal in await keeper.retention.due()), "it is open"
    async with database.transaction() as db:
        run = await run_of(db, OF.key)
        assert run is not None
        run.closed_at = keeper.now
    gone: dict[int, set[str]] = {}
    for day in range(1, 25):
        keeper.now += DAY
        done = await keeper.retention.run()
        gone[day] = {removal.text for removal in done if not removal.is_empty}
        assert all(removal.is_empty for removal in await keeper.retention.run())
    assert {day: told for day, told in gone.items() if told} == {
        6: {"2 ids at recruiters"},
        11: {"4 answers"},
        21: {"1 recordings"},
    }
    assert not any(file.exists() for file in keeper.files("ses_one"))
    assert await keeper.count(SessionRow, RecordingRow) == [1, 1], "its verdicts stay"
    async with database.transaction() as db:
        rows = list(await db.scalars(select(IdentityRow)))
    assert [(row.external_id, row.parameters) for row in rows] == [(None, {})] * 2


async def test_drafts_reports_and_sign_ins_have_limits_of_their_own(
    database: Database, tmp_path: Path
) -> None:
    keeper = Keeper(database, tmp_path)
    maker = Maker(database, keeper.settings.recordings_dir, OF)
    await maker.visit("ann")
    async with database.transaction() as db:
        db.add(DraftRow(visit_id="vis_ann", page="survey", fields={"a": "b"}, saved_at=at(0)))
        db.add(TroubleRow(visit_id="vis_ann", place="play", page=1, text="help", reported_at=at(0)))
        db.add(SignRow(visit_id="vis_ann", kind="k", page="p", detail={}, seen_at=at(0)))
        db.add(
            OperatorRow(
                name="anna", role="run", password_hash="x", added_at=at(0), password_at=at(0)
            )
        )
        await db.flush()
        db.add(
            OperatorSignInRow(
                sign_in="s", operator="anna", began_at=at(0), used_at=at(0), ends_at=at(0)
            )
        )
    gone = {}
    for day in (7.5, 30.5, 180.5):
        keeper.now = at(0) + day * DAY
        gone[day] = [r.text for r in await keeper.retention.run() if not r.is_empty]
    assert gone == {7.5: ["1 drafts"], 30.5: ["1 sign-ins"], 180.5: ["1 reports of problems"]}
    assert await keeper.count(SignRow, AnswerRow) == [1, 2]


async def test_a_file_that_cannot_go_keeps_its_rows_for_the_next_run(
    database: Database, tmp_path: Path
) -> None:
    keeper = Keeper(database, tmp_path)
    old = await keeper.open_play("old", at(0))
    keeper.now = at(0) + 31 * DAY
    stuck = keeper.settings.log_path(old)
    stuck.unlink()
    stuck.mkdir()
    done = of_kind(await keeper.retention.run(), Kind.OPEN_PLAY)
    assert (done.left, done.sessions) == ([old], [])
    assert (await keeper.count(SessionRow)) == [1]
    stuck.rmdir()
    assert of_kind(await keeper.retention.run(), Kind.OPEN_PLAY).sessions == [old]
    assert (await keeper.count(SessionRow, RecordingRow)) == [0, 0]


async def test_the_server_runs_it_by_itself_every_hour(tmp_path: Path) -> None:
    class Count:
        def __init__(self) -> None:
            self.runs = 0

        async def run(self) -> None:
            self.runs += 1
            if self.runs == 1:
                raise OSError("the disk is away")

    counted, waits = Count(), list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 4:
            raise asyncio.CancelledError

    settings = Settings(data_dir=tmp_path, _env_file=None)
    with pytest.raises(asyncio.CancelledError):
        await keep_retention(counted, settings, sleep)  # type: ignore[arg-type]
    assert waits == [FIRST_S, ROUND_S, ROUND_S, ROUND_S]
    assert counted.runs == 3, "one that fails is not the last"


@pytest.mark.processes
def test_the_command_says_what_would_go_and_removes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = asyncio.run(make(tmp_path / "data"))
    monkeypatch.setenv("COHABIT_DATA_DIR", str(made.database_file.parent))
    with closing(sqlite3.connect(made.database_file)) as db:
        db.execute(
            "INSERT INTO drafts VALUES ('vis_ann', 'survey', '{}', '2020-01-01 00:00:00.000000')"
        )
        db.commit()
    for options in ((), ("--dry-run",)):
        told = cohabit(*options)
        assert told.exit_code == 0
        assert "after 7 days (COHABIT_KEEP_DRAFTS_DAYS): would remove 1 drafts" in told.output
        assert "recordings, of studies that are over: kept without an end" in told.output
        assert "say --yes" in told.output
    assert "removed 1 drafts" in cohabit("--yes").output
    assert "removed 1 drafts" not in cohabit("--yes").output
    with closing(sqlite3.connect(made.database_file)) as db:
        acts = db.execute("SELECT who, act, detail FROM operator_acts").fetchall()
    assert acts == [("command line", "retention", "1 drafts (COHABIT_KEEP_DRAFTS_DAYS=7)")]
    assert cohabit("--yes", "--dry-run").exit_code == 1


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (0, ""),
        (30, "30 days"),
        (1, "a day"),
        (0.5, "12 hours"),
        (0.01, "an hour"),
        (2.5, "2.5 days"),
    ],
)
def test_times_read_well(days: float, words: str) -> None:
    assert words_of(days) == words
