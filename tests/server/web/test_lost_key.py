"""Visitors one of whom has lost their key: told so, and nobody else notices."""

from __future__ import annotations

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
