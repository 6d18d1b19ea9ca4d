"""Visitors one of whom has lost their key: told so, and nobody else notices."""

from __future__ import annotations

import asyncio

import pytest
import structlog

from server.personal.key_folder import KeysError
from server.store import DatabaseError
from server.web.participants import keeper
from tests.server.web.conftest import MakeSite
from tests.server.web.participants.visitors import AGREES, Visitor, short_study


async def test_a_visitor_whose_key_is_gone_is_told_and_loses_nothing(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        ann, ben = Visitor(site), Visitor(site)
        await ann.begin()
        (file,) = site.state.settings.keys.glob("par_*.key")
        away = file.with_name("away")
        file.rename(away)
        await ann.open("/visit/i-have-a-problem")
        told = await ann.send({"text": "the page is grey"})
        assert told.status_code == 503
        assert "Nothing of it was stored" in told.text
        assert not file.exists()
        await ben.begin()
        assert (await ben.send(AGREES)).status_code == 200
        away.rename(file)
        await ann.open("/visit/i-have-a-problem")
        assert (await ann.send({"text": "the page is grey"})).status_code == 200


@pytest.mark.parametrize(
    ("error", "event"),
    [(KeysError("away"), "visits.no_key"), (DatabaseError("locked"), "visits.no_database")],
)
async def test_the_log_says_whether_the_keys_or_the_database_are_away(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch, error: Exception, event: str
) -> None:
    looked = asyncio.Event()

    async def fail(_state: object) -> int:
        looked.set()
        raise error

    async with make_site(short_study()).running() as site:
        monkeypatch.setattr(keeper, "look_after", fail)
        with structlog.testing.capture_logs() as lines:
            keeping = asyncio.create_task(keeper.keep_visits(site.state))
            await looked.wait()
            await asyncio.sleep(0)
            keeping.cancel()
    found = [line["event"] for line in lines if line["event"].startswith("visits.")]
    assert found == [event]
