"""Edges of the way through: tabs, tutorials, people who are gone, ways back, who runs models."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from matchmaking.limits import AtDeadline
from matchmaking.study.endings import Ending
from matchmaking.study.pages import Lobby, Play, Survey, Tutorial
from matchmaking.tickets import State
from server.store import DatabaseError
from server.store.models import TicketRow
from server.store.sessions import close_session, leave_sessions
from server.store.visit_models import AnswerRow, ConsentRow, DraftRow, VisitRow, VisitStepRow
from server.web.participants.keeper import look_after
from tests.matchmaking.study.made_studies import scale
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import proposition, verdict
from tests.server.web.participants.visitors import (
    AGREES,
    ALL_CODES,
    CONSENT,
    PAIR,
    Visitor,
    pair,
    play_to_the_end,
    rows_of,
    short_study,
)

QUESTIONS_FIRST = (CONSENT, Survey(questions=(scale("trust"),)), Lobby(), Play())


async def _at_questions(site: RunningSite, count: int) -> tuple[Visitor, list[Visitor]]:
    """Return somebody who has agreed, and so many tabs of theirs at the questions."""
    ann = Visitor(site)
    await ann.begin()
    await ann.send(AGREES)
    tabs = [Visitor(site, ann.browser) for _ in range(count)]
    for tab in tabs:
        await tab.open("/visit/survey")
    return ann, tabs


async def test_two_tabs_that_send_one_page_store_it_once(make_site: MakeSite) -> None:
    async with make_site(short_study(pages=QUESTIONS_FIRST)).running() as site:
        _, tabs = await _at_questions(site, 4)
        await asyncio.gather(*(tab.send({"q.trust": str(n + 1)}) for n, tab in enumerate(tabs)))
        assert {tab.path for tab in tabs} == {"/visit/lobby"}
        assert len(await rows_of(site, AnswerRow)) == 1
        assert len(await rows_of(site, VisitStepRow)) == 2


async def test_tabs_that_send_draft_and_withdraw_at_once_all_get_a_page(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study(pages=QUESTIONS_FIRST)).running() as site:
        for turn in range(4):
            ann, tabs = await _at_questions(site, 11)
            for tab in tabs[:3]:
                await tab.open("/visit/stop-here")
            await asyncio.gather(
                *(tab.send({}) for tab in tabs[:3]),
                *(tab.send({"q.trust": "2"}) for tab in tabs[3:5]),
                *(tab.send({"q.trust": str(turn), "draft": "1"}) for tab in tabs[5:9]),
                *(tab.open("/visit/survey") for tab in tabs[9:]),
            )
            assert {tab.page.status_code for tab in tabs} <= {200, 204}
            row = await ann.row()
            assert (row.place, row.ending) == ("ended", "withdrew")
            assert row.withdrawn_at is not None


async def test_nobody_is_in_the_lobby_whose_visit_another_tab_has_ended(
    make_site: MakeSite,
) -> None:
    study = short_study(name="pairs", cells=(PAIR,))
    async with make_site(study).running() as site:
        for turn in range(6):
            ann = Visitor(site)
            await ann.begin("/s/pairs")
            await ann.send(AGREES)
            tabs = [Visitor(site, ann.browser) for _ in range(7)]
            for tab in tabs[:-1]:
                await tab.open("/visit/lobby")
            await tabs[-1].open("/visit/stop-here")
            at_once = [*tabs[turn:], *tabs[:turn]]
            await asyncio.gather(*(tab.send({}) for tab in at_once))
            row = await ann.row()
            assert (row.place, row.ending) == ("ended", "withdrew")
            assert site.state.lobby.ticket_of(row.participant_id) is None
        left = [ticket.state for ticket in await rows_of(site, TicketRow)]
        assert not {*left} & {"arriving", "waiting"}
        assert len(left) >= 6, "some were in the lobby for a moment"


async def test_what_cannot_be_looked_up_leads_back_to_the_visit(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        with monkeypatch.context() as patch:
            patch.setattr(site.state.database, "transaction", _no_database)
            await ann.open("/visit/consent")
        assert ann.page.status_code == 503
        assert 'href="/visit">Go on with the study' in ann.page.text
        assert 'href="/"' not in ann.page.text
        await ann.open("/visit")
        assert ann.path == "/visit/consent"


def _no_database() -> None:
    raise DatabaseError("it is locked, on purpose")


async def test_drafts_of_one_page_that_come_at_once_keep_one_of_them(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study(pages=QUESTIONS_FIRST)).running() as site:
        _, tabs = await _at_questions(site, 8)
        drafts = (tab.send({"q.trust": "2", "draft": "1"}) for tab in tabs)
        assert {page.status_code for page in await asyncio.gather(*drafts)} == {204}
        (draft,) = await rows_of(site, DraftRow)
        assert draft.fields == {"q.trust": "2"}


async def test_a_page_that_another_tab_leaves_while_it_is_drawn_leads_on(
    make_site: MakeSite,
) -> None:
    pages = (CONSENT, Tutorial(limit_s=60), Lobby(), Play())
    async with make_site(short_study(pages=pages)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await practise_for(site, ann, timedelta(seconds=61))
        tabs = [Visitor(site, ann.browser) for _ in range(6)]
        await asyncio.gather(*(tab.open("/visit/tutorial") for tab in tabs))
        assert {tab.page.status_code for tab in tabs} == {200}
        assert {tab.path for tab in tabs} == {"/visit/the-end"}


async def test_two_tabs_that_agree_give_one_consent(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        other = Visitor(site, ann.browser)
        await other.open("/visit/consent")
        await asyncio.gather(ann.send(AGREES), other.send({"decision": "refuse"}))
        assert ann.path == other.path
        row = await ann.row()
        assert len(await rows_of(site, ConsentRow)) == int(row.ending is None)


@pytest.mark.parametrize("done", [True, False])
async def test_C5_the_tutorial_is_passed_in_the_session_engine_by_doing_its_task(
    make_site: MakeSite, done: bool
) -> None:
    pages = (CONSENT, Tutorial(), Lobby(), Play())
    async with make_site(short_study(pages=pages)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        assert ann.path == "/visit/tutorial"
        assert "tutorial-limit" not in ann.page.text
        await ann.send({})
        assert ann.path.startswith("/play/ses_")
        (spec, _, _) = site.host.opened[-1]
        assert spec.purpose == "tutorial"
        step = proposition(0, satisfied=done)
        await site.host.finish(spec.session_id, verdict(step))
        await ann.open("/visit")
        assert ann.path == ("/visit/lobby" if done else "/visit/tutorial")
        if done:
            # What was played to learn is no task of the study.
            await ann.send({})
            assert ann.path.removeprefix("/play/") != spec.session_id


async def test_a_house_that_does_not_open_leads_back_to_the_visit(make_site: MakeSite) -> None:
    async with make_site(short_study(pages=(CONSENT, Tutorial(), Lobby(), Play()))).running() as at:
        ann = Visitor(at)
        await ann.begin()
        await ann.send(AGREES)
        at.host.fail = RuntimeError("no simulator")
        await ann.send({})
        assert ann.page.status_code == 503
        assert re.search(r'class="button" href="/visit"', ann.page.text)
        assert 'data-testid="visit-help"' in ann.page.text


async def test_C5_a_tutorial_that_takes_too_long_screens_out(make_site: MakeSite) -> None:
    pages = (CONSENT, Tutorial(limit_s=60), Lobby(), Play())
    async with make_site(short_study(pages=pages)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        assert "You have 1 minute for the practice" in ann.page.text
        # Reading before it takes nothing of that.
        await _age(site, ann, here_since=timedelta(seconds=61))
        await ann.open("/visit/tutorial")
        assert ann.path == "/visit/tutorial"
        other = Visitor(site, ann.browser)
        await other.open("/visit/tutorial")
        await practise_for(site, ann, timedelta(seconds=61))
        # The first page's form opens no house after that, either.
        await other.send({})
        assert other.path == "/visit/the-end"
        await ann.open("/visit/tutorial")
        assert 'data-ending="screened_out"' in ann.page.text
        assert "The practice took you longer" in ann.page.text


async def test_C5_a_tutorial_of_less_than_half_a_minute_says_its_seconds(
    make_site: MakeSite,
) -> None:
    pages = (CONSENT, Tutorial(limit_s=20), Lobby(), Play())
    async with make_site(short_study(pages=pages)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        assert "You have 20 seconds for the practice" in ann.page.text


@pytest.mark.parametrize(
    ("at_deadline", "state", "place", "ending"),
    [
        (AtDeadline.END, State.EXPIRED, "ended", "no_partner"),
        (AtDeadline.SURVEY, State.EXPIRED, "survey", "no_partner"),
        (AtDeadline.END, State.OVER_RECRUITED, "ended", "over_recruited"),
        (AtDeadline.END, State.NO_TASKS, "ended", "technical_failure"),
        (AtDeadline.END, State.NOT_OPENED, "ended", "technical_failure"),
        (AtDeadline.END, State.GONE, "lobby", None),
        (AtDeadline.END, State.UNREADY, "lobby", None),
    ],
)
async def test_L4_L12_the_end_of_a_stay_in_the_lobby_decides_how_a_visit_goes_on(
    make_site: MakeSite, at_deadline: AtDeadline, state: State, place: str, ending: str | None
) -> None:
    study = short_study(cells=(PAIR,), at_deadline=at_deadline)
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        ticket_id = ann.path.removeprefix("/lobby/")
        assert await site.state.lobby.cancel(ticket_id)
        outcome = site.state.lobby.outcome(ticket_id)
        if outcome is not None:
            await outcome
        async with site.state.database.transaction() as db:
            (await db.get_one(TicketRow, ticket_id)).state = state
        await ann.open("/visit")
        row = await ann.row()
        assert (row.place, row.ending) == (place, ending)
        if place == "survey":
            await ann.send({"q.fluent": "1"})
            await ann.send({})
        if ending is not None:
            assert f'data-ending="{ending}"' in ann.page.text
            assert ALL_CODES[Ending(ending)] in ann.page.text


async def test_L6_whoever_is_never_ready_is_not_asked_a_fourth_time(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        for time in (1, 2, 3):
            await ann.send({})
            ticket_id = ann.path.removeprefix("/lobby/")
            assert await site.state.lobby.cancel(ticket_id)
            async with site.state.database.transaction() as db:
                (await db.get_one(TicketRow, ticket_id)).state = State.UNREADY
            await ann.open("/visit")
            assert (await ann.row()).ending == (None if time < 3 else "timed_out")


async def test_whoever_never_comes_back_gets_an_ending_all_the_same(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        ann, ben = Visitor(site), Visitor(site)
        for visitor in (ann, ben):
            await visitor.begin()
            await visitor.send(AGREES)
        await ann.send({})
        session_id = ann.path.removeprefix("/play/")
        await _age(site, ann, arrived_at=timedelta(hours=5))
        assert await look_after(site.state) == 2
        row = await ann.row()
        assert (row.place, row.ending) == ("ended", "timed_out")
        assert not site.state.sessions.is_open(session_id)
        assert (await ben.row()).ending is None


async def test_R4_the_wait_that_is_paid_is_over_when_the_task_is_shown(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        site.passed_s += 30
        await ann.send({})
        # The lobby leads straight into the task, past the address that leads to where one stands.
        assert ann.path.startswith("/play/")
        site.passed_s += 600
        await ann.open("/visit/stop-here")
        await ann.send({})
        steps = {step.place: step.at for step in await rows_of(site, VisitStepRow)}
        assert steps["play"] - steps["lobby"] < timedelta(seconds=60)
        assert steps["ended"] - steps["play"] >= timedelta(seconds=600)


async def test_a_task_that_ended_is_noticed_without_a_page(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        await play_to_the_end(site, ann)
        await look_after(site.state)
        assert (await ann.row()).place == "survey"


async def test_C7_whoever_withdraws_in_a_pair_leaves_the_seat_and_the_other_plays_on(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        await ann.open("/visit/stop-here")
        await ann.send({})
        assert 'data-ending="withdrew"' in ann.page.text
        assert [session for session, _ in site.host.vacated] == [session_id]
        assert site.state.sessions.is_open(session_id)
        await ben.open("/visit")
        assert ben.path == f"/play/{session_id}"
        await ann.open(f"/play/{session_id}")
        assert ann.page.status_code == 410


async def test_leaving_a_home_of_a_study_is_asked_about_and_earns_no_other_ending(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        token = ann.page.text.split('name="form_token" value="')[1].split('"')[0]
        await ann.send({})
        session_id = ann.path.removeprefix("/play/")
        await ann.post(f"/sessions/{session_id}/leave", {"form_token": token})
        assert ann.path == "/visit/stop-here"
        assert site.state.sessions.is_open(session_id)
        assert (await ann.row()).ending is None


async def test_a_home_that_only_its_own_person_has_left_is_no_partner_who_left(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        async with site.state.database.transaction() as db:
            session_id = ann.path.removeprefix("/play/")
            await close_session(db, session_id, "left", site.state.now())
        await ann.open("/visit")
        assert 'data-ending="withdrew"' in ann.page.text
        assert "CODE-withdrew" in ann.page.text


@pytest.mark.parametrize("is_left", [True, False])
async def test_a_partner_has_left_where_their_seat_was_free_first_or_all_ended_at_once(
    make_site: MakeSite, is_left: bool
) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        ann, ben = await pair(site)
        session_id = ann.path.removeprefix("/play/")
        other = (await ben.row()).participant_id
        async with site.state.database.transaction() as db:
            if is_left:
                await leave_sessions(db, other, site.state.now())
            now = site.state.now() + timedelta(seconds=1)
            await close_session(db, session_id, "left", now)
        await ann.open("/visit")
        row = await ann.row()
        assert (row.place, row.ending) == ("survey", "partner_left")
        await ben.open("/visit")
        assert (await ben.row()).ending == ("withdrew" if is_left else "partner_left")


async def test_consent_and_privacy_name_who_runs_the_models(make_site: MakeSite) -> None:
    text = {"en": "A model of Acme AI reads what you write."}
    consent = replace(CONSENT, text=text)
    study = short_study(pages=(consent, Lobby(), Play()), models_run_by="Acme AI")
    async with make_site(study).running() as site:
        ann = Visitor(site)
        await ann.open("/privacy")
        assert "Acme" not in ann.page.text
        await ann.begin()
        assert "read by a language model that Acme AI runs" in ann.page.text
        await ann.open("/privacy")
        assert "Acme AI runs it." in ann.page.text


async def test_a_study_that_is_closed_says_so(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        ann = Visitor(site)
        await ann.begin()
        site.state.studies._studies.clear()
        site.state.studies._versions.clear()
        await ann.open("/visit")
        assert ann.page.status_code == 410
        assert "This study is closed" in ann.page.text
        await ann.open("/")
        assert re.search("Share a home", ann.page.text)


async def practise_for(site: RunningSite, visitor: Visitor, time: timedelta) -> None:
    """Begin a practice, and let it have begun so long ago."""
    await visitor.send({})
    assert visitor.path.startswith("/play/ses_")
    async with site.state.database.transaction() as db:
        for ticket in await db.scalars(select(TicketRow)):
            assert ticket.left_at is not None
            ticket.left_at -= time


async def _age(site: RunningSite, visitor: Visitor, **columns: timedelta) -> None:
    """Make times of a visit lie further back."""
    row = await visitor.row()
    async with site.state.database.transaction() as db:
        stored = await db.get_one(VisitRow, row.visit_id)
        for name, age in columns.items():
            setattr(stored, name, getattr(stored, name) - age)
