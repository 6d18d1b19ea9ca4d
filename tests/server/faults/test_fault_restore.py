"""A backup of a server in mid-episode, restored elsewhere: its sessions go on there."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from server.cli.main import app
from server.cli.stop import StopError
from server.recording.replay import rescore
from server.store import Database
from server.store.models import EpisodeRow
from server.wire.messages import DidEvent, FinishInput
from tests.live_server import LiveServer
from tests.postgres_server import PostgresServer
from tests.server.faults.conftest import StartNearServer
from tests.server.faults.visitor import Visitor, replayed

pytestmark = pytest.mark.processes


def given(data_dir: Path, settings: dict[str, str]) -> dict[str, str]:
    """Return the variables for these settings."""
    named = {f"COHABIT_{name.upper()}": value for name, value in settings.items()}
    return {**named, "COHABIT_DATA_DIR": str(data_dir)}


def cohabit_here(
    *arguments: object, path: str = "", data_dir: Path, **settings: str
) -> tuple[int, str]:
    """Run a command in this process, which need not start; return its status and its words."""
    env: dict[str, str | None] = dict.fromkeys(k for k in os.environ if k.startswith("COHABIT_"))
    env |= given(data_dir, settings)
    env |= {"PATH": path} if path else {}
    done = CliRunner().invoke(app, [str(a) for a in arguments], env=env)
    if isinstance(done.exception, StopError):
        # The program prints it and exits with 1.
        return 1, str(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


async def cohabit(*arguments: object, data_dir: Path, **settings: str) -> tuple[int, str]:
    """Run a command in a process of its own; return its status and its words."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("COHABIT_")}
    env |= given(data_dir, settings)
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "server.cli", *(str(a) for a in arguments)],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stdout, done.stdout
    return done.returncode, done.stdout


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
async def test_sessions_go_on_where_a_backup_was_restored(
    kind: str, near_server: StartNearServer, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    here: dict[str, str] = {}
    there: dict[str, str] = {}
    if kind == "postgresql":
        postgres: PostgresServer = request.getfixturevalue("postgres")
        here = {"database_url": postgres.new_database()}
        there = {"database_url": postgres.new_database()}
    server = near_server(**here)
    visitor, done_before = Visitor(server), Visitor(server)
    await done_before.move_in()
    async with done_before.client() as client:
        await client.until_playing()
        await client.send(FinishInput())
        await client.until(lambda: client.over)
    await visitor.move_in()
    archive = tmp_path / "backup.tar"
    async with visitor.client() as client:
        await client.until_playing()
        thing = client.model.index(server.reach.handle)
        assert isinstance(await client.act("pick", thing), DidEvent)
        for way in (1, -1) * 3:
            await client.drive(300 * way, 200 * way, way)
            await asyncio.sleep(0.2)
        tick = client.model.tick
        status, words = await cohabit("backup", archive, data_dir=server.data_dir, **here)
        assert (status, "2 sessions" in words) == (0, True), words
        print(f"\n{words.strip()}; {client.model.tick - tick} ticks meanwhile")
        assert archive.stat().st_mode & 0o777 == 0o600
        assert [name for name in os.listdir(tmp_path) if "backup" in name] == ["backup.tar"]
        assert (client.snapshots, client.notices) == (1, [])
        impatient = {"owner_wait_s": "0.5", **here}
        refused = await cohabit("restore", archive, data_dir=server.data_dir, **impatient)
        assert refused[0] == 1
        assert "is held by the server 'main'" in refused[1]
    server.kill()
    shutil.move(server.data_dir, tmp_path / "gone")

    elsewhere = tmp_path / "elsewhere"
    status, words = await cohabit("restore", archive, data_dir=elsewhere, **there)
    assert status == 0, words
    # No backup has the keys: they are kept, and brought back, apart from it.
    keys = server.data_dir.with_name(f"{server.data_dir.name}-keys")
    shutil.copytree(keys, tmp_path / "elsewhere-keys")
    again = LiveServer(elsewhere, client_dir=tmp_path / "client", **there)
    again.start()
    try:
        follower = Visitor(again)
        follower.session_id, follower.token = visitor.session_id, visitor.token
        for cookie in visitor.browser.client.cookies.jar:
            follower.browser.client.cookies.set(cookie.name, str(cookie.value))
        assert (await follower.browser.get(visitor.home)).status_code == 200
        async with follower.client() as client:
            await client.until_playing()
            assert client.model.tick >= tick - 30
            assert client.model.things[client.model.index(server.reach.handle)].holder == client.me
            assert isinstance(await client.place(server.reach.place_at, -1), DidEvent)
            await client.send(FinishInput())
            await client.until(lambda: client.over)
        report = await follower.browser.get(f"/report/{client.over[0].episode_id}")
        assert report.status_code == 200
    finally:
        again.stop()
    url = str(there.get("database_url", f"sqlite:///{elsewhere / 'cohabit.db'}"))
    database = Database(url)
    async with database.transaction() as db:
        rows = {row.session_id: row for row in await db.scalars(select(EpisodeRow))}
    await database.close()
    for session_id in (visitor.session_id, done_before.session_id):
        log = elsewhere / "recordings" / f"{session_id}.jsonl"
        assert rows[session_id].end_reason == "finished"
        assert replayed(log).digest() == rows[session_id].state_digest
        again_scored = rescore(log.read_bytes())
        assert again_scored.percent_complete == rows[session_id].percent_complete
        assert again_scored.explanation == rows[session_id].explanation


@pytest.fixture
def some_backup(tmp_path: Path, houses_dir: Path) -> tuple[Path, Path]:
    """Return a data directory that no server has, and its backup."""
    folder = tmp_path / "data"
    (folder / "recordings").mkdir(parents=True)
    shutil.copytree(houses_dir / "tasks", folder / "tasks")
    (folder / "secret_key").write_text("k" * 64)
    asyncio.run(_upgraded(folder))
    archive = tmp_path / "backup.tar"
    status, words = cohabit_here("backup", archive, data_dir=folder)
    assert status == 0, words
    return folder, archive


async def _upgraded(folder: Path) -> None:
    database = Database(f"sqlite:///{folder / 'cohabit.db'}")
    await database.upgrade()
    await database.close()


def test_the_documented_commands(some_backup: tuple[Path, Path], tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "deployment.md").read_text()
    section = page.split("## Backup and restoration", 1)[1]
    block = section.split("```console\n", 1)[1].split("```", 1)[0]
    folder, archive = some_backup
    archive.unlink()
    env = {**os.environ, "COHABIT_DATA_DIR": str(folder)}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    assert len(commands) == 2
    for command in commands:
        shell = ["bash", "-c", command]
        done = subprocess.run(shell, capture_output=True, check=False, cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "elsewhere" / "secret_key").read_text() == "k" * 64


def spoilt(archive: Path, name: str, data: bytes | None, link: str = "") -> Path:
    """Return a copy of a backup in which one file is another one, or is added."""
    target = archive.with_name("spoilt.tar")
    with tarfile.open(archive) as old, tarfile.open(target, "w") as new:
        for member in old.getmembers():
            if member.name != name:
                new.addfile(member, old.extractfile(member))
        if data is not None:
            info = tarfile.TarInfo(name)
            if link:
                info.type, info.linkname = tarfile.SYMTYPE, link
            info.size = 0 if link else len(data)
            new.addfile(info, io.BytesIO(data))
    return target


def test_what_is_not_restored(some_backup: tuple[Path, Path], tmp_path: Path) -> None:
    folder, archive = some_backup
    place = tmp_path / "place"

    def refused(backup: Path, data_dir: Path = place, **settings: str) -> str:
        status, words = cohabit_here("restore", backup, data_dir=data_dir, **settings)
        assert status == 1, words
        # A refusal leaves nothing, so that the next attempt can succeed.
        assert not place.exists()
        return words

    assert "is not empty" in refused(archive, data_dir=folder)
    assert "COHABIT_MEMBER=main" in refused(archive, member="other")
    url = "postgresql://x@127.0.0.1:1/y"
    assert "name an empty sqlite" in refused(archive, database_url=url)
    key = (folder / "secret_key").read_bytes()
    assert "wrong checksum" in refused(spoilt(archive, "secret_key", bytes(len(key))))
    assert "has another size" in refused(spoilt(archive, "secret_key", b"forged"))
    assert "not both in it" in refused(spoilt(archive, "secret_key", None))
    assert "not both in it" in refused(spoilt(archive, "houses/more.json", b"x"))
    assert "expected files of a data" in refused(spoilt(archive, "../escaped", b"x"))
    assert "expected files of a data" in refused(spoilt(archive, "houses/../../escaped", b"x"))
    assert "expected files of a data" in refused(spoilt(archive, "/tmp/escaped", b"x"))
    assert "expected files of a data" in refused(spoilt(archive, "houses/l", b"", "/etc"))
    assert "is no backup" in refused(spoilt(archive, "manifest.json", b"[]"))
    assert "was it cut off?" in refused(spoilt(archive, "manifest.json", None))
    cut = tmp_path / "cut.tar"
    cut.write_bytes(archive.read_bytes()[: archive.stat().st_size // 2])
    assert "damaged" in refused(cut)
    assert not (tmp_path / "escaped").exists()
    status, words = cohabit_here("restore", archive, data_dir=place)
    assert status == 0, words
    assert (place / "secret_key").stat().st_mode & 0o777 == 0o600
    assert (place / "secret_key").read_text() == "k" * 64
    assert not list(place.glob(".restoring-*"))


def test_what_is_not_backed_up(some_backup: tuple[Path, Path], tmp_path: Path) -> None:
    folder, archive = some_backup

    def refused(target: Path, **options: str) -> str:
        status, words = cohabit_here("backup", target, data_dir=folder, **options)
        assert status == 1, words
        return words

    assert "exists" in refused(archive)
    assert "is no folder" in refused(tmp_path / "nowhere" / "b.tar")
    assert "inside the data directory" in refused(folder / "b.tar")
    url = "postgresql://x@127.0.0.1:1/y"
    assert "expected pg_dump on the path" in refused(
        tmp_path / "b.tar", database_url=url, path="/nowhere"
    )
    (folder / "cohabit.db").write_text("this is no database, it only has the name of one")
    assert "another file has its name" in refused(tmp_path / "b.tar")
    (folder / "cohabit.db").unlink()
    assert "no database to back up" in refused(tmp_path / "b.tar")
    assert sorted(p.name for p in tmp_path.glob("*b*.tar")) == ["backup.tar"]
