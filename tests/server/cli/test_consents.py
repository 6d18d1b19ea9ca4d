"""Consents obeyed by commands and ghosts: recordings of people who did not agree are left out."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, cast

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from typer.testing import CliRunner

from episodes.teams import Team
from matchmaking.matchmakers.first_come import fifo
from matchmaking.study.pages import Permission
from matchmaking.tickets import State, Ticket, Wish
from server.cli.consents import refuse_withdrawn
from server.cli.main import app as cohabit
from server.cli.robots import app as robots
from server.cli.stop import StopError
from server.hosting import ghost_consents
from server.hosting.hosted_session import HostError
from server.hosting.session_manager import SessionManager
from server.recording.log_writer import LogWriter
from server.recording.recordings import RecordingError
from server.robots.baselines.ghost import Ghost
from server.robots.baselines.settings import GhostSettings
from server.sessions.intents import Ready
from server.store import Database
from server.store.consents import common_permissions, sessions_without
from server.store.models import MatchRow, OccupancyRow, ParticipantRow, SessionRow
from server.store.participants import add_participant
from server.store.tickets import add_ticket
from server.store.visit_models import ConsentRow, VisitRow
from tests.server.sessions.first_house_sessions import Recording, core_of
from tests.server.web.doubles import FakeHost, make_settings

if TYPE_CHECKING:
    from server.hosting.session_host import SessionHost

NOW = datetime(2026, 11, 25, 9, 0, tzinfo=UTC)
COMMANDS = ["traces", "export-sft"]


def _recorded(folder: Path, **spec: Any) -> Path:
    """Record a session in which nothing happens; return its file."""
    core = core_of(**spec)
    path = folder / f"{core.spec.session_id}.jsonl"
    with path.open("wb") as file:
        log = LogWriter(file)
        log.open_episode(core, 0.0)
        log.close(1.0)
    return path


def _begun(folder: Path, **spec: Any) -> Path:
    """Record a session whose episode began; return its file."""
    recording = Recording(core_of(**spec))
    core = recording.core
    recording.step([(seat, Ready()) for seat in core.state.occupied()])
    path = folder / f"{core.spec.session_id}.jsonl"
    path.write_bytes(recording.data())
    return path


def _run(command: str, path: Path, folder: Path) -> str:
    runner = CliRunner(env={"COLUMNS": "400", "COHABIT_DATA_DIR": str(folder / "data")})
    done = runner.invoke(robots, [command, str(path), "--out", str(folder / f"{command}.out")])
    return f"{done.exit_code} {done.output}"


@pytest.mark.parametrize("command", ["metrics", "score"])
def test_C1_measures_leave_out_who_did_not_agree_to_research(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = _begun(tmp_path, permits=("sharing",))
    runner = CliRunner(env={"COLUMNS": "400", "COHABIT_DATA_DIR": str(tmp_path / "data")})
    done = runner.invoke(cohabit, [command, str(path)])
    assert "left out" in done.output
    assert "not everybody in it agreed to research" in done.output


@pytest.mark.parametrize("command", COMMANDS)
def test_C1_what_models_learn_from_leaves_out_who_did_not_agree_to_training(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = _recorded(tmp_path, permits=("research", "sharing", "replay"))
    said = _run(command, refused, tmp_path)
    assert f"left out: {refused}: not everybody in it agreed to training" in said
    for permits in (("research", "training"), UNSET):
        said = _run(command, _recorded(tmp_path, permits=permits), tmp_path)
        assert "agreed" not in said


@pytest.mark.parametrize("command", COMMANDS)
def test_what_models_learn_from_leaves_out_who_has_withdrawn_since(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = _recorded(tmp_path, permits=("research", "training"))
    (tmp_path / "data").mkdir()
    database = Database(f"sqlite:///{tmp_path / 'data' / 'cohabit.db'}")
    asyncio.run(_store(database, path.stem, {"par_a": (True, False), "par_b": (True, False)}))
    assert "left out" not in _run(command, path, tmp_path)
    asyncio.run(_withdraw(database, "par_b"))
    said = _run(command, path, tmp_path)
    assert f"left out: {path}: somebody in it has withdrawn" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_recordings_of_studies_that_the_database_does_not_know_are_told_of(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = "1 of the recordings of studies that were taken are of no session in the database"
    path = _recorded(tmp_path, permits=("research", "training"))
    assert told in _run(command, path, tmp_path), "there is no database"
    (tmp_path / "data").mkdir()
    database = Database(f"sqlite:///{tmp_path / 'data' / 'cohabit.db'}")
    asyncio.run(_store(database, "ses_other", {"par_a": (True, False)}))
    assert told in _run(command, path, tmp_path)
    # Nobody was asked anything there.
    assert told not in _run(command, _recorded(tmp_path), tmp_path)


def test_C1_nobody_is_replayed_as_a_partner_who_did_not_agree(tmp_path: Path) -> None:
    path = _recorded(tmp_path, permits=("research", "training", "sharing"))
    with pytest.raises(RecordingError, match="not everybody in it agreed to be replayed"):
        Ghost.of("human_0", GhostSettings(recording=str(path)))


def test_a_ghost_of_somebody_who_has_withdrawn_since_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COHABIT_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    path = _recorded(tmp_path, permits=("research", "replay"))
    database = Database(f"sqlite:///{tmp_path / 'data' / 'cohabit.db'}")
    asyncio.run(_store(database, path.stem, {"par_a": (False, False), "par_b": (False, False)}))
    ghost = f"ghost:recording={path}"
    team = Team.parse(f"human=person,robot={ghost}")
    refuse_withdrawn(["expert", ghost])
    asyncio.run(ghost_consents.refuse_withdrawn(database, team))
    asyncio.run(_withdraw(database, "par_b"))
    with pytest.raises(StopError, match="somebody in it has withdrawn"):
        refuse_withdrawn(["expert", ghost])
    with pytest.raises(HostError, match="somebody in it has withdrawn"):
        asyncio.run(ghost_consents.refuse_withdrawn(database, team))
    refuse_withdrawn(["expert"])


def test_a_ghost_whose_session_the_database_does_not_know_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COHABIT_DATA_DIR", str(tmp_path / "data"))
    told = "1 of the recordings of studies that were taken are of no session in the database"
    path = _recorded(tmp_path, permits=("research", "replay"))
    refuse_withdrawn(["expert", f"ghost:recording={path}"])
    assert told in capsys.readouterr().err, "there is no database"
    (tmp_path / "data").mkdir()
    database = Database(f"sqlite:///{tmp_path / 'data' / 'cohabit.db'}")
    asyncio.run(_store(database, path.stem, {"par_a": (False, False)}))
    refuse_withdrawn([f"ghost:recording={path}"])
    assert told not in capsys.readouterr().err


async def test_no_session_begins_with_a_ghost_of_somebody_who_has_withdrawn(
    tmp_path: Path,
) -> None:
    settings = make_settings(tmp_path)
    path = _recorded(tmp_path, permits=("research", "replay"))
    database = Database(settings.database)
    await _store(database, path.stem, {"par_a": (False, False)})
    manager = SessionManager(
        settings,
        database,
        "test",
        lambda s, results, ends: cast("SessionHost", FakeHost(results, ends, s.recordings_dir)),
    )
    ticket = Ticket("tic_b", "par_b", Wish.ROBOT, 0.0, State.WAITING, "", "expert")
    async with database.transaction() as db:
        add_participant(db, "par_b", "b", NOW)
        await db.flush()
        add_ticket(db, ticket, 0, NOW, member="main")
    (match,) = fifo([ticket], 0.0, Random(1))
    match = replace(match, team=Team.parse(f"human=person,robot=ghost:recording={path}"))
    await _withdraw(database, "par_a")
    with pytest.raises(HostError, match="somebody in it has withdrawn"):
        await manager.start(match, 7, 1)
    async with database.transaction() as db:
        withdrawn = await db.get_one(VisitRow, "vis_a")
        withdrawn.withdrawn_at = None
    assert await manager.start(match, 7, 1)
    await database.close()


def test_no_trial_begins_with_a_ghost_of_somebody_who_has_withdrawn(
    houses_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COHABIT_DATA_DIR", str(houses_dir))
    monkeypatch.setenv("COHABIT_DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path / 'cohabit.db'}")
    path = _begun(tmp_path, permits=("research", "replay"))
    database = Database(f"sqlite:///{tmp_path / 'cohabit.db'}")
    asyncio.run(_store(database, path.stem, {"par_a": (False, False)}))
    asyncio.run(_withdraw(database, "par_a"))
    ghost, folder = f"ghost:recording={path}", str(tmp_path / "trial")
    done = CliRunner(env={"COLUMNS": "400"}).invoke(
        cohabit, ["trial", folder, "--robot", ghost, "--count", "1", "--processes", "1"]
    )
    assert isinstance(done.exception, StopError), done.output
    assert "somebody in it has withdrawn" in str(done.exception)
    assert not list((tmp_path / "trial").rglob("*.jsonl*"))


@pytest.mark.parametrize(
    ("people", "is_out"),
    [
        ({"par_a": (True, False), "par_b": (True, False)}, False),
        ({"par_a": (True, False), "par_b": (False, False)}, True),
        ({"par_a": (True, True), "par_b": (True, False)}, True),
        # Of open play nobody was asked.
        ({"par_a": None}, False),
        ({"par_a": (False, False), "par_b": None}, True),
    ],
)
async def test_C1_one_who_did_not_agree_or_has_withdrawn_is_enough(
    people: dict[str, tuple[bool, bool] | None], is_out: bool, tmp_path: Path
) -> None:
    database = Database(f"sqlite:///{tmp_path / 'cohabit.db'}")
    await _store(database, "ses_1", people)
    async with database.transaction() as db:
        found = await sessions_without(db, Permission.TRAINING)
        assert found == (frozenset({"ses_1"}) if is_out else frozenset())
        if None not in people.values():
            common = await common_permissions(db, set(people))
            assert (Permission.TRAINING in common) is all(p[0] for p in people.values() if p)
            assert Permission.RESEARCH in common
            assert Permission.SHARING not in common
        else:
            assert await common_permissions(db, set(people)) == ()
    await database.close()


async def _store(
    database: Database, session_id: str, people: dict[str, tuple[bool, bool] | None]
) -> None:
    """Store a session of people: whether each agreed to training, and has withdrawn; None: of none.

    Everybody agreed to research, and nobody to sharing.
    """
    await database.upgrade()
    async with database.transaction() as db:
        db.add(MatchRow(match_id="mat_1", policy="x", seed=1, formed_at=NOW, n_waiting=1))
        await db.flush()
        db.add(
            SessionRow(
                session_id=session_id, match_id="mat_1", state="closed", seed=1,
                simulator="household", profile="cohabit", semantics="documented", dataset="d",
                spec={}, opened_at=NOW, member="main",
            )
        )  # fmt: skip
        await db.flush()
        for number, (name, answers) in enumerate(people.items()):
            db.add(ParticipantRow(participant_id=name, cookie_hash=name, created_at=NOW))
            await db.flush()
            db.add(
                OccupancyRow(
                    session_id=session_id, seat_id=f"s{number}", participant_id=name, since=NOW,
                    until=NOW,
                )
            )  # fmt: skip
            if answers is None:
                continue
            trains, has_withdrawn = answers
            visit_id = name.replace("par", "vis")
            db.add(
                VisitRow(
                    visit_id=visit_id, participant_id=name, study="s", study_version=1,
                    mode="live", recruiter="direct", language="en", place="ended", page=1,
                    ending="completed", n_steps=1, arrived_at=NOW, here_since=NOW,
                    withdrawn_at=NOW if has_withdrawn else None,
                )
            )  # fmt: skip
            await db.flush()
            for answer in (not trains, trains):
                # The latest answer counts.
                db.add(
                    ConsentRow(
                        visit_id=visit_id, version="1", language="en", text_digest="d",
                        given_at=NOW, research=True, sharing=False, training=answer, replay=True,
                    )
                )  # fmt: skip
                await db.flush()


async def _withdraw(database: Database, name: str) -> None:
    async with database.transaction() as db:
        visit = await db.get_one(VisitRow, name.replace("par", "vis"))
        visit.withdrawn_at = NOW
    await database.close()
