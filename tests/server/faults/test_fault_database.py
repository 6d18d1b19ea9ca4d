"""The database is away: play goes on, verdicts wait for it, pages say so kindly."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import select

from server.store import Database
from server.store.models import EpisodeRow
from server.wire.messages import DidEvent, FinishInput
from tests.postgres_server import PostgresServer
from tests.server.faults.visitor import Visitor, replayed


@pytest.fixture
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    server = PostgresServer(tmp_path_factory.mktemp("pg", numbered=True))
    server.start()
    yield server
    server.stop()


@pytest.mark.parametrize("away_s", [1, pytest.param(20, marks=pytest.mark.long)])
async def test_play_goes_on_and_the_verdict_lands(near_server, postgres, away_s: int) -> None:
    server = near_server(database_url=postgres.url)
    visitor = Visitor(server)
    await visitor.move_in()
    async with visitor.client() as client:
        await client.until_playing()
        await asyncio.to_thread(postgres.stop)
        ready = await visitor.browser.get("/readyz")
        assert ready.status_code == 503
        assert "does not answer" in ready.json()["problems"][0]
        page = await visitor.browser.get(visitor.home)
        assert page.status_code == 503
        assert "A game that is going on goes on" in page.text
        thing = client.model.index(server.reach.handle)
        assert isinstance(await client.act("pick", thing), DidEvent)
        frames = client.frames
        for step in range(10 * away_s):
            await client.drive(200 if step % 2 else -200, 100)
            await asyncio.sleep(0.1)
        await client.until(lambda: client.frames > frames + 20 * away_s)
        await client.send(FinishInput())
        await client.until(lambda: client.model.phase == "ended")
        await asyncio.sleep(0.5)
        assert client.over == [], "told before it was stored"
        await asyncio.to_thread(postgres.start)
        await client.until(lambda: client.over, timeout_s=30)
        report = await visitor.browser.get(f"/report/{client.over[0].episode_id}")
        assert report.status_code == 200
        assert (await visitor.browser.get("/readyz")).status_code == 200
    database = Database(postgres.url)
    async with database.transaction() as db:
        row = await db.scalar(select(EpisodeRow).where(EpisodeRow.session_id == visitor.session_id))
    await database.close()
    assert row is not None
    assert row.end_reason == "finished"
    log = server.data_dir / "recordings" / f"{visitor.session_id}.jsonl"
    assert replayed(log).digest() == row.state_digest
