"""Lobby of a visit: what its page says of the group, and what the matchmaker is told."""

from __future__ import annotations

import asyncio
import re

import pytest
from msgspec.structs import replace

from episodes.teams import Team
from matchmaking.limits import Limits
from matchmaking.pair_rules import LatencyBound
from matchmaking.study.conditions import Cell
from matchmaking.study.pages import Device, Lobby, Play
from server.store.models import TicketRow
from server.web.participants.texts import texts_in
from tests.patience import PATIENCE_S
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.participants.visitors import (
    AGREES,
    CONSENT,
    PAIR,
    WITH_ROBOT,
    Visitor,
    pair,
    rows_of,
    short_study,
)
from tests.server.web.test_operators import PASSWORD, enter

MEASURED = {"width": "1280", "height": "720", "fps": "60.0", "inputs": "keyboard,mouse"}
TRIO = Cell(name="trio", team=Team.parse("3human"), target=5)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ((PAIR,), "with one other person"),
        ((TRIO,), "in a group of 3."),
        ((PAIR, TRIO), "in a group of 2 to 3."),
        ((WITH_ROBOT, TRIO), "alone or in a group of up to 3."),
        ((WITH_ROBOT,), "your home opens and the first task begins"),
    ],
)
async def test_the_page_speaks_of_the_groups_of_all_conditions(
    make_site: MakeSite, cells: tuple[Cell, ...], words: str
) -> None:
    async with make_site(short_study(cells=cells)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        assert words in ann.page.text


@pytest.mark.parametrize(
    ("wait_s", "words"),
    [
        (20.0, "20 seconds"),
        (30.0, "half a minute"),
        (60.0, "1 minute"),
        (61.0, "2 minutes"),
        (3600.0, "60 minutes"),
    ],
)
async def test_the_longest_wait_is_told_rounded_up(
    make_site: MakeSite, wait_s: float, words: str
) -> None:
    study = short_study(cells=(PAIR,), limits=Limits(wait_s=wait_s))
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        assert f"You may have to wait for them, {words} at most." in ann.page.text


@pytest.mark.parametrize(("cell", "company"), [(PAIR, "a partner"), (TRIO, "a team")])
async def test_whoever_waits_for_one_other_person_waits_for_a_partner(
    make_site: MakeSite, cell: Cell, company: str
) -> None:
    async with make_site(short_study(cells=(cell,))).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        assert f"Finding you {company}</h1>" in ann.page.text
        # Nor how many others wait, which would tell whether the partner is a person.
        assert 'id="lobby-waiting"' not in ann.page.text
        assert 'id="lobby-left"' in ann.page.text


async def test_where_some_wait_for_nobody_no_page_speaks_of_others_who_are_waited_for(
    make_site: MakeSite,
) -> None:
    cells = (PAIR, replace(WITH_ROBOT, waits_like=PAIR.name))
    async with make_site(short_study(cells=cells, limits=Limits(ready_s=20))).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        assert "until it is your turn" in ann.page.text
        assert "others" not in ann.page.text
        await ann.send({})
        assert ann.path.startswith("/lobby/")
        assert "When it is your turn, you are asked whether you are ready" in ann.page.text
        assert not re.search("your group|a partner|for others", ann.page.text)


async def test_the_ways_out_of_the_lobby_open_beside_it_so_that_nobody_loses_their_place(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        ann = Visitor(site)
        await ann.begin()
        assert 'target="_blank"' not in ann.page.text.partition("<footer")[2]
        await ann.send(AGREES)
        await ann.send({})
        assert ann.path.startswith("/lobby/")
        for way in ("visit-help", "visit-stop"):
            (link,) = re.findall(f'<a [^>]*data-testid="{way}"', ann.page.text)
            assert 'target="_blank" rel="noopener"' in link


async def test_two_of_a_study_speak_of_each_other_as_partners(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        for visitor in await pair(site):
            assert visitor.path.startswith("/play/")
            assert '"named":false' in visitor.page.text.replace(" ", "")


async def test_L8_people_who_are_too_far_away_wait_for_somebody_nearer(
    make_site: MakeSite,
) -> None:
    study = short_study(
        cells=(PAIR,),
        pages=(Device(), CONSENT, Lobby(), Play()),
        latency=LatencyBound(most_ms=100.0, widest_ms=100.0),
    )
    async with make_site(study).running() as site:
        far = await _waiting(site, "400,380,420,390,410")
        near = await _waiting(site, "20,25,30,35,900")
        rows = {row.ticket_id: row.rtt_ms for row in await rows_of(site, TicketRow)}
        assert rows == {far: 400.0, near: 30.0}
        nearer = await _waiting(site, "15,10,12,20,11")
        outcome = site.state.lobby.outcome(near)
        assert outcome is not None
        await asyncio.wait_for(outcome, 10)
        states = {row.ticket_id: row.state for row in await rows_of(site, TicketRow)}
        # The row of somebody who waits keeps the state with which it was stored.
        assert states == {far: "arriving", near: "matched", nearer: "matched"}


async def test_L3_a_reload_shows_what_is_left_of_the_same_wait(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = short_study(cells=(PAIR,), limits=Limits(wait_s=120.0))
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        page = ann.path
        ticket = page.removeprefix("/lobby/")
        assert await site.state.lobby.connect(ticket, ticket)
        first = _left_s(ann)
        assert 60 < first <= 120
        waited = site.state.lobby._now
        monkeypatch.setattr(site.state.lobby, "_now", lambda: waited() + 50)
        for address in (page, "/visit", "/visit/lobby"):
            await ann.open(address)
            assert ann.path == page
            assert _left_s(ann) <= first - 50
        status = site.state.lobby.status(ticket, texts_in("en"))
        assert status is not None
        assert status.left_s <= first - 50 + 1
        assert (status.position, status.waiting) == (0, 0), "nobody is told who else waits"


@pytest.mark.parametrize(("ready_s", "says_so"), [(0.0, False), (15.0, True)])
async def test_who_is_asked_to_be_ready_is_told_before_and_nobody_else(
    make_site: MakeSite, ready_s: float, says_so: bool
) -> None:
    study = short_study(cells=(PAIR,), limits=Limits(wait_s=900.0, ready_s=ready_s))
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        assert ann.path.startswith("/lobby/")
        assert ("you are asked whether you are ready" in ann.page.text) == says_so


async def test_L15_an_operator_sends_somebody_on_who_is_paid_and_strangers_cannot(
    make_site: MakeSite,
) -> None:
    study = short_study(cells=(PAIR,), limits=Limits(wait_s=900.0))
    async with make_site(study, metrics_token=PASSWORD).running() as site:
        ann, operator = Visitor(site), site.browser()
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        ticket = ann.path.removeprefix("/lobby/")
        assert await site.state.lobby.connect(ticket, ticket)
        outcome = site.state.lobby.outcome(ticket)
        assert outcome is not None
        act = f"/operator/act/send_on/{ticket}"
        stranger = await ann.post(act, token_of(ann))
        assert stranger.status_code == 403
        await enter(operator, PASSWORD)
        page = (await operator.get("/operator")).text
        assert act in page
        answer = await operator.press(act, act)
        assert answer.status_code == 303
        await asyncio.wait_for(asyncio.shield(outcome), PATIENCE_S)
        await ann.open("/visit")
        assert 'data-ending="no_partner"' in ann.page.text
        assert ticket not in (await operator.get("/operator")).text


def token_of(visitor: Visitor) -> dict[str, str]:
    """Return the hidden field that a form of the visitor's page has."""
    found = re.search(r'name="(form_token)" value="(\w+)"', visitor.page.text)
    assert found, visitor.page.text
    return {found[1]: found[2]}


def _left_s(visitor: Visitor) -> int:
    """Return the time (s) that the page of the lobby says is left."""
    found = re.search(r'id="lobby-left"[^>]*>(\d+):(\d\d)<', visitor.page.text)
    assert found, visitor.page.text
    return 60 * int(found[1]) + int(found[2])


async def _waiting(site: RunningSite, rtt_ms: str) -> str:
    """Bring somebody with some round trips into the lobby; return the ticket."""
    visitor = Visitor(site)
    await visitor.begin()
    await visitor.send({**MEASURED, "rtt_ms": rtt_ms})
    await visitor.send(AGREES)
    await visitor.send({})
    ticket = visitor.path.removeprefix("/lobby/")
    assert await site.state.lobby.connect(ticket, ticket)
    return ticket
