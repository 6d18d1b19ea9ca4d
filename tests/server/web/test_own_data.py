"""Data of somebody: shown and given to them by their own link, and to nobody else."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from matchmaking.study.treatment import Explanation, Treatment
from server.personal.key_folder import KeyFolder
from server.privacy.own_chat import Stay, own_chat
from server.privacy.own_data import NOT_TOLD, NOT_YET, VERDICT
from server.robots.baselines.scripted_player import Speak
from server.store import Database
from server.store.models import OccupancyRow, SessionRow
from server.store.operator_models import OperatorActRow
from server.store.sessions import close_session
from server.store.visit_models import AnswerRow, VisitRow
from tests.server.recording.short_recordings import record
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import Browser
from tests.server.web.participants.test_treatments import playing
from tests.server.web.participants.visitors import (
    AGREES,
    WITH_ROBOT,
    Visitor,
    play_to_the_end,
    rows_of,
    short_study,
    through,
)
from tests.server.web.test_pages import alone, together


async def link_of(browser: Browser) -> str:
    """Return the lasting link to which the footer's leads."""
    answer = await browser.get("/my-data")
    assert answer.status_code == 303
    return answer.headers["location"]


async def got(browser: Browser, link: str) -> dict[str, Any]:
    """Return what somebody downloads by a link."""
    answer = await browser.press(link, f"{link}/download")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["cache-control"] == "no-store"
    data: dict[str, Any] = json.loads(answer.text)
    return data


async def test_open_play_shows_what_is_kept_and_for_how_long(make_site: MakeSite) -> None:
    async with make_site(keep_open_play_days=14).running() as site:
        browser = site.browser()
        for page in ("/", "/privacy"):
            assert "for 14 days" in (await browser.get(page)).text, page
            assert 'href="/my-data"' in (await browser.get(page)).text
        nobody = await browser.get("/my-data")
        assert 'data-testid="own-nobody"' in nobody.text
        session = await alone(site, browser)
        link = await link_of(browser)
        page = (await browser.get(link)).text
        assert "for 14 days after it closed" in page
        # In any browser, which stays a stranger's otherwise.
        elsewhere = site.browser()
        data = await got(elsewhere, link)
        assert [one["session_id"] for one in data["sessions"]] == [session]
        assert data["study"] is None
        assert (await elsewhere.get("/my-data")).status_code == 200
    async with make_site(keep_open_play_days=0).running() as site:
        start = (await site.browser().get("/")).text
        assert "until the people who run this server remove it" in start


async def test_a_link_opens_nobody_elses_data_and_no_other_token_does(site: RunningSite) -> None:
    (ann, ben), _ = await together(site)
    own, other = await got(ann, await link_of(ann)), await got(ben, await link_of(ben))
    (seat,), (its,) = own["sessions"][0]["seats"], other["sessions"][0]["seats"]
    assert seat["seat_id"] != its["seat_id"]
    rows = {row.participant_id for row in await rows_of(site, OccupancyRow)}
    assert all(participant not in json.dumps(own) for participant in rows)
    link = await link_of(ann)
    debrief = site.state.tokens.sign_debrief(next(iter(rows)))
    for wrong in ("x", debrief, link.rpartition("/")[2][:-2] + "xx", next(iter(rows))):
        assert (await ann.get(f"/my-data/{wrong}")).status_code == 404
        refused = await ann.client.post(f"/my-data/{wrong}/download")
        assert refused.status_code in (403, 404)
    assert (await ann.client.post(f"{link}/download")).status_code == 403, "no form of ours"


async def test_downloads_are_limited_as_forms_are(make_site: MakeSite) -> None:
    async with make_site(participant_forms="3/minute").running() as site:
        browser = site.browser()
        await alone(site, browser)
        link = await link_of(browser)
        answers = [await browser.press(link, f"{link}/download") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 429, 429]


async def test_a_study_leads_there_and_gives_answers_and_payment(make_site: MakeSite) -> None:
    async with make_site(short_study(), keep_identities_days=45).running() as site:
        ann = Visitor(site)
        await ann.begin()
        assert 'data-testid="own-data"' in ann.page.text, "with the consent"
        await ann.send(AGREES)
        row = await ann.row()
        async with site.state.database.transaction() as db:
            visit = await db.merge(row)
            visit.place, visit.page = "survey", 3
        await through(ann)
        assert 'data-testid="own-data"' in ann.page.text, "with the last page"
        link = await link_of(ann.browser)
        page = (await ann.browser.get(link)).text
        assert "Tidying together" in page
        assert "for 45 days after the study is over" in page
        data = await got(ann.browser, link)
        study = data["study"]
        assert {answer["question"]: answer["value"] for answer in study["answers"]} == {"fluent": 5}
        assert study["ending"] == "completed"
        assert study["payment"]["total_minor_units"] >= 600
        assert study["consents"][0]["training"] is False
        assert [step["event"] for step in study["steps"]][-1] == "done"


@pytest.mark.parametrize("explanation", ["none", "verdict"])
async def test_what_a_condition_withholds_is_in_no_file_either(
    make_site: MakeSite, explanation: Explanation
) -> None:
    treatment = Treatment(explanation=explanation)
    cells = (replace(WITH_ROBOT, treatment=treatment),)
    async with make_site(short_study(cells=cells)).running() as site:
        ann = await playing(Visitor(site))
        link = await link_of(ann.browser)
        await play_to_the_end(site, ann)
        early = await got(ann.browser, link)
        assert "signs" not in early["study"]
        assert NOT_YET in early["not_in_this_file"]
        assert all(word not in json.dumps(early["sessions"]) for word in VERDICT.split())
        await ann.open("/visit")
        await through(ann)
        late = await got(ann.browser, link)
        assert late["study"]["signs"] == []
        (task,) = late["sessions"][0]["tasks"]
        is_told = explanation == "verdict"
        assert (task.get("success"), "percent_complete" in task) == (is_told or None, is_told)
        assert (NOT_TOLD in late["not_in_this_file"]) is not is_told


async def test_a_session_of_another_server_says_that_its_chat_lies_there(site: RunningSite) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    async with site.state.database.transaction() as db:
        (await db.get_one(SessionRow, session)).member = "attic"
    (entry,) = (await got(browser, await link_of(browser)))["sessions"]
    assert entry["server"] == "attic"
    assert "on another server, attic" in entry["chat"][0]["text"]


async def test_who_asks_and_confirms_is_forgotten(site: RunningSite) -> None:
    browser, stranger = site.browser(), site.browser()
    session = await alone(site, browser)
    link = await link_of(browser)
    sure = await browser.press(link, f"{link}/forget")
    assert "until it is removed by itself" in sure.text
    assert "not covered: what others wrote" in sure.text
    assert (await browser.press(link, f"{link}/forget", sure="yes")).status_code == 409, "plays"
    async with site.state.database.transaction() as db:
        await close_session(db, session, "finished", site.state.now())
    assert 'data-testid="own-data"' in (await browser.get(link)).text, "nothing was done"
    done = await stranger.press(link, f"{link}/forget", sure="yes")
    assert "You are forgotten" in done.text
    assert 'data-testid="own-gone"' in (await browser.get(link)).text
    assert 'data-testid="own-nobody"' in (await browser.get("/my-data")).text
    (act,) = await rows_of(site, OperatorActRow)
    assert (act.who, act.act, act.outcome) == ("their own link", "forget", "done")


async def test_in_a_study_it_withdraws_and_erases_too(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        link = await link_of(ann.browser)
        sure = await ann.browser.press(link, f"{link}/forget")
        assert "nobody will know whom to pay" in sure.text
        still_here = await ann.browser.press(link, f"{link}/forget", sure="yes")
        assert still_here.status_code == 409
        row = await ann.row()
        async with site.state.database.transaction() as db:
            visit = await db.merge(row)
            visit.place, visit.page = "survey", 3
        await through(ann)
        before = site.state.settings.data_dir / "before.db"
        with sqlite3.connect(site.state.settings.data_dir / "cohabit.db") as now:
            now.execute("VACUUM INTO ?", [str(before)])
        assert await rows_of(site, AnswerRow) != []
        done = await ann.browser.press(link, f"{link}/forget", sure="yes")
        assert "You are forgotten" in done.text
        assert await rows_of(site, AnswerRow) == []
        (visit,) = await rows_of(site, VisitRow)
        assert visit.withdrawn_at is not None
        assert visit.ending == "completed", "what is owed stays"
        await ann.open("/visit")
        assert ann.page.status_code == 404, "no browser is theirs"
        # A copy from before knows of it by the list that lies with the keys.
        restored = Database(f"sqlite:///{before}", keys=KeyFolder(site.state.settings.keys))
        await restored.upgrade()
        async with restored.transaction() as db:
            assert list(await db.scalars(select(AnswerRow))) == []
            assert (await db.scalars(select(VisitRow))).one().withdrawn_at == visit.withdrawn_at
        await restored.close()


def test_own_chat_is_what_somebody_wrote_and_nothing_of_others(tmp_path: Path) -> None:
    log = tmp_path / "ses_1.jsonl"
    record(log, script=lambda steps: [Speak("it was me"), *steps])
    everything = [Stay("human_0", 0.0, None), Stay("robot_0", 0.0, None)]
    (line,) = own_chat(log, tmp_path / "archive", everything)
    assert line.text == "it was me"
    by_seat = [own_chat(log, tmp_path, [stay]) for stay in everything]
    assert sorted(len(lines) for lines in by_seat) == [0, 1]
    wrote = everything[0] if by_seat[0] else everything[1]
    then = line.at.timestamp()
    assert own_chat(log, tmp_path, [wrote._replace(until=then - 300)]) == [], "somebody before"
    assert own_chat(log, tmp_path, [wrote._replace(since=then + 300)]) == [], "somebody after"
    assert own_chat(tmp_path / "none.jsonl", tmp_path, everything) == []
