"""Visitors of studies for tests: what they press, over HTTP, and what a site with a study needs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import httpx
from sqlalchemy import select

from episodes.teams import Team
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.endings import Ending
from matchmaking.study.pages import Consent, Debrief, Lobby, Play, Survey
from matchmaking.study.pay import Pay
from matchmaking.study.recruiter import Recruiter
from server.store.participants import participant_with_cookie
from server.store.visit_models import VisitRow
from server.store.visits import visit_of
from server.web.identity import digest_of
from tests.matchmaking.study.made_studies import scale
from tests.patience import PATIENCE_S
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import ORIGIN, Browser, proposition, verdict

ALL_CODES = {ending: f"CODE-{ending.value.replace('_', '-')}" for ending in Ending}
CONSENT = Consent(version="7", text={"en": "We **record** what you do.\n\n<b>Nothing</b> else."})
WITH_ROBOT = Cell(name="robot", team=Team.parse("human=person,robot=expert"), target=5)
PAIR = Cell(name="pair", team=Team.parse("pair"), target=5)
AGREES = {
    "decision": "agree",
    "permit.sharing": "yes",
    "permit.training": "no",
    "permit.replay": "no",
}


def short_study(**changes: Any) -> Study:
    """Return a study of the shortest way: consent, play with a robot, questions, debrief."""
    fields: dict[str, Any] = {
        "name": "short",
        "title": {"en": "Tidying together"},
        "researchers": "A. Lab",
        "contact": "lab@example.org",
        "minutes": 20,
        "recruiter": Recruiter(kind="direct", codes=ALL_CODES),
        "pages": (
            CONSENT,
            Lobby(),
            Play(episodes=1),
            Survey(questions=(scale("fluent"),)),
            Debrief(text={"en": "It was about **teams**."}),
        ),
        "cells": (WITH_ROBOT,),
        "pay": Pay(base=600, hourly=900, cap=100_000),
    }
    return Study(**{**fields, **changes})


class Visitor:
    """Person with a browser who takes part in a study."""

    def __init__(self, site: RunningSite, browser: Browser | None = None) -> None:
        self.site = site
        self.browser = browser or site.browser()
        self.page = httpx.Response(204, request=httpx.Request("GET", ORIGIN))
        """Page that they see."""

    async def open(self, path: str, **headers: str) -> httpx.Response:
        """Open an address and follow where it leads."""
        self.page = await self.browser.client.get(path, headers=headers)
        await self._follow()
        return self.page

    async def send(self, fields: Mapping[str, str], form: int = 0) -> httpx.Response:
        """Send a form of the page, with its hidden fields, and follow where that leads."""
        found = re.findall(r'<form method="post" action="([^"]+)".*?</form>', self.page.text, re.S)
        bodies = re.findall(r"<form method=\"post\" action=.*?</form>", self.page.text, re.S)
        assert bodies, f"no form on\n{self.page.text}"
        hidden = dict(
            re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', bodies[form])
        )
        return await self.post(found[form], {**hidden, **fields})

    async def post(self, action: str, fields: Mapping[str, str]) -> httpx.Response:
        self.page = await self.browser.client.post(
            action, data=dict(fields), headers={"origin": self.browser.origin}
        )
        await self._follow()
        return self.page

    async def _follow(self) -> None:
        while self.page.status_code == 303:
            self.page = await self.browser.client.get(self.page.headers["location"])

    @property
    def path(self) -> str:
        return self.page.request.url.path

    async def begin(self, link: str = "/s/short") -> None:
        await self.open(link)
        await self.send({})

    async def row(self) -> VisitRow:
        """Return what is stored of their visit."""
        cookie = self.browser.client.cookies.get(self.site.state.identity.cookie)
        assert cookie is not None
        async with self.site.state.database.transaction() as db:
            found = await visit_of(db, await participant_with_cookie(db, digest_of(cookie)))
        assert found is not None
        return found


async def rows_of(site: RunningSite, table: type[Any]) -> list[Any]:
    """Return all rows of a table."""
    async with site.state.database.transaction() as db:
        return list(await db.scalars(select(table)))


async def play_to_the_end(site: RunningSite, visitor: Visitor, **changes: Any) -> str:
    """End the task that a visitor plays with a verdict; return the episode's id."""
    session_id = visitor.path.removeprefix("/play/")
    done = verdict(proposition(0), **changes)
    return await asyncio.wait_for(site.host.finish(session_id, done), PATIENCE_S)


async def pair(site: RunningSite) -> tuple[Visitor, Visitor]:
    """Bring two visitors of a study for pairs into their home."""
    visitors, outcomes = (Visitor(site), Visitor(site)), []
    for visitor in visitors:
        await visitor.begin()
        await visitor.send(AGREES)
        await visitor.send({})
        assert 'href="/visit/stop-here"' in visitor.page.text
        assert 'href="/visit/i-have-a-problem"' in visitor.page.text
        ticket = visitor.path.removeprefix("/lobby/")
        assert await site.state.lobby.connect(ticket, ticket)
        outcome = site.state.lobby.outcome(ticket)
        assert outcome is not None
        outcomes.append(outcome)
    await asyncio.gather(*outcomes)
    for visitor in visitors:
        await visitor.open("/visit/play")
    return visitors


async def through(visitor: Visitor) -> None:
    """Answer what is asked after play, until the visit has its ending."""
    await visitor.open("/visit")
    if visitor.path == "/visit/survey":
        await visitor.send({"q.fluent": "5"})
    if visitor.path == "/visit/debrief":
        await visitor.send({})
    assert visitor.path == "/visit/the-end", visitor.path
