"""Withdrawal after the end in another browser: by the whole link, and by nothing less."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from matchmaking.study.recruiter import Recruiter
from server.recruiting.lab_label import LabLabel
from server.store.visit_models import AnswerRow
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.participants.visitors import (
    AGREES,
    ALL_CODES,
    Visitor,
    rows_of,
    short_study,
)

PID = "5f1e0c2b9d8a7e6f5a4b3c2d"
PROLIFIC = f"/s/prolific?PROLIFIC_PID={PID}&STUDY_ID=64a1&SESSION_ID=99c0"
MTURK = "/s/mturk?workerId=A1B2C3&assignmentId=3XYZ&hitId=9HIT"
BUTTON = 'data-testid="already-withdraw"'


def of(kind: str, **changes: Any) -> Any:
    return short_study(name=kind, recruiter=Recruiter(kind=kind, codes=ALL_CODES), **changes)


@pytest.fixture
async def site(make_site: MakeSite) -> AsyncIterator[RunningSite]:
    async with make_site(*map(of, ("prolific", "mturk", "lab", "sona"))).running() as running:
        yield running


async def ended(site: RunningSite, link: str) -> Visitor:
    """Return somebody who has agreed and gone again, and has withdrawn nothing."""
    ann = Visitor(site)
    await ann.begin(link)
    await ann.send(AGREES)
    row = await ann.row()
    async with site.state.database.transaction() as db:
        visit = await db.merge(row)
        visit.place, visit.ending = "ended", "completed"
    return ann


@pytest.mark.parametrize("link", [PROLIFIC, MTURK])
async def test_C7_the_whole_link_withdraws_after_the_end_in_another_browser(
    site: RunningSite, link: str
) -> None:
    ann, elsewhere = await ended(site, link), Visitor(site)
    await elsewhere.open(link)
    assert "You have taken part already" in elsewhere.page.text
    assert (await ann.row()).withdrawn_at is None
    await elsewhere.send({"erase": "yes"})
    assert "You have withdrawn" in elsewhere.page.text
    assert (await ann.row()).withdrawn_at is not None
    assert await rows_of(site, AnswerRow) == []
    await elsewhere.open(link)
    assert "You have withdrawn" in elsewhere.page.text
    assert BUTTON not in elsewhere.page.text
    await ann.open("/visit/stop-here")
    assert ann.path == "/visit/the-end", "there is nothing left to withdraw"
    # Nothing of the visit has come into that browser.
    await elsewhere.open("/visit")
    assert elsewhere.page.status_code == 404


async def test_C7_a_signed_label_withdraws_too(site: RunningSite) -> None:
    lab = site.state.studies.get("lab")
    assert lab is not None
    assert isinstance(lab.recruiter, LabLabel)
    link = f"/s/lab?participant_label=seat-7&hash={lab.recruiter.sign(lab.study, 'seat-7')}"
    ann, elsewhere = await ended(site, link), Visitor(site)
    await elsewhere.open(link)
    assert 'value="CODE-completed"' in elsewhere.page.text, "whoever has the link has the code"
    await elsewhere.send({})
    assert (await ann.row()).withdrawn_at is not None


@pytest.mark.parametrize(
    ("link", "guess"),
    [
        (PROLIFIC, f"/s/prolific?PROLIFIC_PID={PID}"),
        (PROLIFIC, f"/s/prolific?PROLIFIC_PID={PID}&STUDY_ID=64a1&SESSION_ID=99c1"),
        (f"/s/prolific?PROLIFIC_PID={PID}", f"/s/prolific?PROLIFIC_PID={PID}"),
        (MTURK, "/s/mturk?workerId=A1B2C3&assignmentId=4XYZ&hitId=9HIT"),
        ("/s/sona?survey_code=4711", "/s/sona?survey_code=4711"),
    ],
)
async def test_an_id_alone_withdraws_nobody_and_is_told_whom_to_write_to(
    site: RunningSite, link: str, guess: str
) -> None:
    await ended(site, link)
    eve = Visitor(site)
    await eve.open(guess)
    assert "You have taken part already" in eve.page.text
    assert BUTTON not in eve.page.text
    assert "CODE-completed" not in eve.page.text
    assert "To see your code again" in eve.page.text
    assert "write to lab@example.org and name your id" in eve.page.text


async def test_a_withdrawal_that_no_page_offered_is_refused(site: RunningSite) -> None:
    ann, eve = await ended(site, PROLIFIC), Visitor(site)
    token = (await eve.open(MTURK)).text.partition('name="arrival" value="')[2].partition('"')[0]
    own = eve.page.text.partition('name="form_token" value="')[2].partition('"')[0]
    for forged in ("", token, (await ann.row()).visit_id):
        await eve.post("/s/prolific/withdraw", {"form_token": own, "withdrawal": forged})
        assert eve.page.status_code == 400
    assert (await ann.row()).withdrawn_at is None


async def test_a_page_from_before_the_date_withdraws_nothing_after_it(make_site: MakeSite) -> None:
    day = "2026-12-31"
    async with make_site(of("prolific", withdraw_until=day)).running() as site:
        ann, elsewhere = await ended(site, PROLIFIC), Visitor(site)
        await elsewhere.open(PROLIFIC)
        assert BUTTON in elsewhere.page.text
        site.passed_s += 400 * 86_400
        await elsewhere.send({})
        assert day in elsewhere.page.text
        assert (await ann.row()).withdrawn_at is None


async def test_after_the_date_of_the_study_the_page_says_so(make_site: MakeSite) -> None:
    async with make_site(of("prolific", withdraw_until="2020-01-01")).running() as site:
        await ended(site, PROLIFIC)
        elsewhere = Visitor(site)
        await elsewhere.open(PROLIFIC)
        assert "could be withdrawn until 2020-01-01" in elsewhere.page.text
        assert BUTTON not in elsewhere.page.text
