"""Signs of scripts and shared accounts: noted for the researcher, and acted on by nobody."""

from __future__ import annotations

from msgspec.structs import replace

from matchmaking.study.pages import Debrief, Instructions, Lobby, Play, Quiz
from matchmaking.study.recruiter import Recruiter
from server.store.visit_models import SignRow
from tests.matchmaking.study.made_studies import choice
from tests.server.web.conftest import MakeSite
from tests.server.web.participants.visitors import (
    AGREES,
    ALL_CODES,
    CONSENT,
    Visitor,
    rows_of,
    short_study,
)

LONG_TEXT = {"en": "You share a house. " * 30}
QUIZ = Quiz(questions=(choice("who", accepted=("yes",)),))
STUDY = short_study(
    pages=(
        replace(CONSENT, text=LONG_TEXT),
        Instructions(text=LONG_TEXT),
        QUIZ,
        Lobby(),
        Play(episodes=1),
        Debrief(text={"en": "Thanks."}),
    ),
    recruiter=Recruiter(kind="prolific", codes=ALL_CODES),
)
EVEN = ",".join(["120.0"] * 20)
UNEVEN = "120.5,340,88,190,510,77.1,230,145,99,310,260,180"


def link(number: int) -> str:
    return f"/s/short?PROLIFIC_PID={number:024x}&STUDY_ID=1&SESSION_ID=2"


async def test_a_script_leaves_signs_and_goes_on_like_everybody(make_site: MakeSite) -> None:
    async with make_site(STUDY).running() as site:
        bot = Visitor(site)
        await bot.begin(link(1))
        await bot.send({**AGREES, "seen.automated": "1", "seen.gaps_ms": EVEN})
        assert bot.path == "/visit/instructions"
        await bot.send({"seen.gaps_ms": "nonsense,-3,1e9"})
        assert bot.path == "/visit/quiz"
        await bot.send({"q.who": "no"})
        await bot.send({"q.who": "yes"})
        assert bot.path == "/visit/lobby"
        row = await bot.row()
        signs = await rows_of(site, SignRow)
        assert {sign.visit_id for sign in signs} == {row.visit_id}
        assert [(sign.page, sign.kind) for sign in signs] == [
            ("consent", "automated"),
            ("consent", "too_fast"),
            ("consent", "regular_input"),
            ("instructions", "too_fast"),
        ]


async def test_a_person_who_reads_leaves_no_sign(make_site: MakeSite) -> None:
    async with make_site(STUDY).running() as site:
        ann = Visitor(site)
        await ann.begin(link(1))
        for fields in (AGREES, {}, {"q.who": "yes"}):
            site.passed_s += 60
            await ann.send({**fields, "seen.automated": "", "seen.gaps_ms": UNEVEN})
        assert ann.path == "/visit/lobby"
        assert await rows_of(site, SignRow) == []


async def test_a_consent_that_was_sent_incomplete_leaves_no_sign(make_site: MakeSite) -> None:
    async with make_site(STUDY).running() as site:
        ben = Visitor(site)
        await ben.begin(link(1))
        answer = await ben.send({"seen.automated": "1", "seen.gaps_ms": EVEN})
        assert (answer.status_code, ben.path) == (422, "/visit/consent")
        assert await rows_of(site, SignRow) == []


async def test_of_whoever_does_not_agree_nothing_is_noted(make_site: MakeSite) -> None:
    async with make_site(STUDY).running() as site:
        ben = Visitor(site)
        await ben.begin(link(1))
        await ben.send({"decision": "refuse", "seen.automated": "1"})
        assert ben.path == "/visit/the-end"
        assert await rows_of(site, SignRow) == []


async def test_two_ids_in_one_browser_are_noted_with_both_visits(make_site: MakeSite) -> None:
    async with make_site(STUDY).running() as site:
        cid = Visitor(site)
        await cid.begin(link(1))
        first = await cid.row()
        await cid.begin(link(2))
        second = await cid.row()
        assert first.visit_id != second.visit_id
        assert cid.path == "/visit/consent"
        signs = {sign.visit_id: sign for sign in await rows_of(site, SignRow)}
        assert {sign.kind for sign in signs.values()} == {"same_browser"}
        assert signs[first.visit_id].detail == {"visit": second.visit_id}
        assert signs[second.visit_id].detail == {"visit": first.visit_id}
