"""Clock of the server that somebody sets while people visit: nobody is late for it, nor paid."""

from __future__ import annotations

import re
import time

import pytest

from server.web.participants.keeper import look_after
from tests.server.web.conftest import MakeSite
from tests.server.web.participants.visitors import AGREES, PAIR, Visitor, pair, short_study

HOUR_S = 3600.0


@pytest.mark.parametrize("jump_s", [4 * HOUR_S + 60, -2 * HOUR_S, 31 * 24 * HOUR_S])
async def test_a_clock_that_is_set_ends_no_visit_and_earns_nothing(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    async with make_site(short_study()).running() as site:
        reading, playing = Visitor(site), Visitor(site)
        for visitor in (reading, playing):
            await visitor.begin()
        await playing.send(AGREES)
        await playing.send({})
        address = playing.path
        assert address.startswith("/play/")
        honest = time.time
        monkeypatch.setattr(time, "time", lambda: honest() + jump_s)
        await look_after(site.state)
        await reading.send(AGREES)
        assert reading.path == "/visit/lobby"
        await playing.open("/visit")
        assert playing.path == address
        for visitor in (reading, playing):
            await visitor.open("/visit/stop-here")
            await visitor.send({})
            assert 'data-ending="withdrew"' in visitor.page.text
            assert re.search(r"0\.[01]\d GBP", visitor.page.text)


async def test_a_partner_who_left_has_left_whatever_the_clock_says(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        ann, ben = await pair(site)
        await ben.open("/visit/stop-here")
        await ben.send({})
        honest = time.time
        monkeypatch.setattr(time, "time", lambda: honest() - 2 * HOUR_S)
        session_id = ann.path.removeprefix("/play/")
        site.passed_s += 60
        await site.state.sessions._close(session_id, "left")
        await ann.open("/visit")
        assert (await ann.row()).ending == "partner_left"


async def test_time_that_has_passed_ends_a_visit(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        site.passed_s += 4 * HOUR_S - 60
        await look_after(site.state)
        assert (await ann.row()).ending is None
        site.passed_s += 120
        await look_after(site.state)
        assert (await ann.row()).ending == "timed_out"
