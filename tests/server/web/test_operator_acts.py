"""Acts of operators: each asks, is done once, reaches its people, and is in the log."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from matchmaking.study.conduct import Departures
from server.hosting.host_stats import SeatState, SessionState
from server.operator_accounts import Role
from server.store.closed_cells import cell_name, closings_of
from server.store.identifiers import new_id
from server.store.operators import operator_named, set_role
from server.store.sessions import seat_of, session_row
from server.store.visit_models import VisitRow
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import Browser
from tests.server.web.operator_accounts import add_account, logged, signed_in
from tests.server.web.participants.visitors import (
    AGREES,
    PAIR,
    Visitor,
    pair,
    short_study,
    through,
)
from tests.server.web.test_pages import alone

WHY = "their screen froze"


async def act(browser: Browser, name: str, target: str, **fields: str) -> str:
    """Do an act on the page that asks; return what the page says of it then."""
    path = f"/operator/act/{name}/{target}"
    answer = await browser.press(path, path, **{"reason": WHY, **fields})
    assert answer.status_code == 303, answer.text
    return (await browser.get(answer.headers["location"])).text


async def acts_of(site: RunningSite, who: str) -> list[tuple[str, str, str]]:
    return [(row.act, row.target, row.outcome) for row in await logged(site, who)][1:]


async def test_an_operator_ends_a_session_and_its_visits_broke_off(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await add_account(site, "anna")
        await add_account(site, "ben", Role.RUN)
        browser = await signed_in(site, "ben")
        ann, ben = await pair(site)
        session = ann.path.removeprefix("/play/")
        seats = (SeatState("human_0", "", "silent", 8.0), SeatState("robot_0", "", "hidden", 200.0))
        site.host.states = [SessionState(session, "t1", "playing", seats, 0)]
        page = (await browser.get("/operator")).text
        assert f"/operator/act/end_session/{session}" in page
        assert "silent</span> 8 s" in page
        assert "hidden</span> 3 min" in page
        asked = (await browser.get(f"/operator/act/end_session/{session}")).text
        assert "It belongs to the study short." in asked
        assert site.host.told_to_end == [], "nothing is done by asking"
        assert "End session" in await act(browser, "end_session", session)
        assert site.host.told_to_end == [(session, "operator")]
        for visitor in (ann, ben):
            await through(visitor)
            assert (await visitor.row()).ending == "technical_failure"
        row = (await logged(site, "ben"))[-1]
        assert (row.act, row.target, row.study) == ("end_session", session, "short")
        assert WHY in row.detail


async def test_of_two_who_press_end_at_once_one_acts_and_the_other_is_told(
    site: RunningSite,
) -> None:
    session = await alone(site, site.browser())
    await add_account(site, "anna")
    await add_account(site, "ben")
    browsers = [await signed_in(site, "anna"), await signed_in(site, "ben")]
    pages = await asyncio.gather(*(act(browser, "end_session", session) for browser in browsers))
    assert sorted("somebody else was faster" in page for page in pages) == [False, True]
    assert site.host.told_to_end == [(session, "operator")]
    rows = [row for row in await logged(site) if row.act == "end_session"]
    assert sorted(row.outcome for row in rows) == ["done", "too late"]
    # Nobody is asked about what is over by now, nor about what never was.
    await site.state.sessions._close(session, "operator")
    for target in (session, new_id("ses"), "nonsense"):
        answer = await browsers[0].get(f"/operator/act/end_session/{target}")
        assert (answer.status_code, "That is over" in answer.text) == (410, True)
    assert (await browsers[0].get("/operator/act/dance/1")).status_code == 404


async def test_a_session_whose_worker_does_not_answer_is_closed(
    site: RunningSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.hosting.session_manager.VERDICT_WAIT_S", 0.0)
    session = await alone(site, site.browser())
    site.host.obeys = False
    await add_account(site, "anna")
    browser = await signed_in(site, "anna")
    await act(browser, "end_session", session)
    assert site.host.closed == [(session, "operator")]
    assert not site.state.sessions.is_open(session)


async def test_a_message_reaches_who_plays_and_an_empty_one_nobody(site: RunningSite) -> None:
    session = await alone(site, site.browser())
    await add_account(site, "anna")
    browser = await signed_in(site, "anna")
    page = await act(browser, "message", session, text="  We mend it. \n Please wait. ")
    assert "shown to 1: We mend it. Please wait." in page
    assert site.host.told == [(session, "We mend it. Please wait.")]
    assert "there was no message" in await act(browser, "message", session, text=" ")
    site.host.readers = 0
    assert "nobody was there" in await act(browser, "message", session, text="Hello?")
    outcomes = [row.outcome for row in await logged(site, "anna") if row.act == "message"]
    assert outcomes == ["done", "refused", "too late"]


@pytest.mark.parametrize(
    ("choice", "ending"),
    [("broke", "technical_failure"), ("withdrew", "withdrew"), ("late", "timed_out")],
)
async def test_one_of_a_pair_is_removed_with_an_ending_and_the_partner_is_not_at_fault(
    make_site: MakeSite, choice: str, ending: str
) -> None:
    study = short_study(cells=(PAIR,), departures=Departures(outcome="end"))
    async with make_site(study).running() as site:
        await add_account(site, "anna")
        browser = await signed_in(site, "anna")
        ann, ben = await pair(site)
        session = ann.path.removeprefix("/play/")
        async with site.state.database.transaction() as db:
            row = await session_row(db, session)
        assert row is not None
        seat = seat_of(row, (await ben.row()).participant_id)
        assert seat is not None
        page = await act(browser, "remove", f"{session}.{seat}", choice=choice)
        visit = await ben.row()
        assert f"{visit.visit_id} ended as {ending}" in page
        assert visit.ending == ending
        assert site.host.vacated == [(session, seat)]
        assert (await ann.row()).ending is None
        await ben.open("/visit")
        assert f'data-ending="{ending}"' in ben.page.text
        # Who is gone cannot be removed again, by whatever name.
        for target in (f"{session}.{seat}", visit.visit_id):
            answer = await browser.get(f"/operator/act/remove/{target}")
            assert answer.status_code == 410
        assert await acts_of(site, "anna") == [("remove", f"{session}.{seat}", "done")]


async def test_of_two_who_remove_somebody_at_once_one_does(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await add_account(site, "anna")
        await add_account(site, "ben")
        browsers = [await signed_in(site, "anna"), await signed_in(site, "ben")]
        waiting = Visitor(site)
        await waiting.begin()
        await waiting.send(AGREES)
        await waiting.send({})
        visit = await waiting.row()
        await asyncio.gather(
            act(browsers[0], "remove", visit.visit_id, choice="broke"),
            act(browsers[1], "remove", visit.visit_id, choice="late"),
        )
        rows = [row for row in await logged(site) if row.act == "remove"]
        assert sorted(row.outcome for row in rows) == ["done", "too late"]
        assert site.state.lobby.ticket_of(visit.participant_id) is None


async def test_a_form_with_another_ending_than_those_offered_does_nothing(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await add_account(site, "anna")
        browser = await signed_in(site, "anna")
        waiting = Visitor(site)
        await waiting.begin()
        path = f"/operator/act/remove/{(await waiting.row()).visit_id}"
        answer = await browser.press(path, path, choice="paid", reason=WHY)
        assert answer.status_code == 400
        assert (await waiting.row()).ended_at is None
        assert await acts_of(site, "anna") == []


async def test_a_visit_whose_study_is_not_run_here_goes_on(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await add_account(site, "anna")
        browser = await signed_in(site, "anna")
        ann, _ben = await pair(site)
        visit = await ann.row()
        async with site.state.database.transaction() as db:
            (await db.get_one(VisitRow, visit.visit_id)).study = "elsewhere"
        page = await act(browser, "remove", visit.visit_id, choice="broke")
        assert "this server does not run their study, elsewhere" in page
        assert (await ann.row()).ended_at is None
        assert site.host.vacated == []
        assert await acts_of(site, "anna") == [("remove", visit.visit_id, "refused")]


async def test_a_session_that_ends_while_somebody_is_removed_from_it(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await add_account(site, "anna")
        await add_account(site, "ben")
        browsers = [await signed_in(site, "anna"), await signed_in(site, "ben")]
        ann, ben = await pair(site)
        session, visit = ann.path.removeprefix("/play/"), await ben.row()
        await asyncio.gather(
            act(browsers[0], "end_session", session),
            act(browsers[1], "remove", visit.visit_id, choice="broke"),
        )
        for visitor in (ann, ben):
            await through(visitor)
        assert (await ben.row()).ending == "technical_failure"
        assert (await ann.row()).ended_at is not None
        rows = [(row.act, row.target, row.outcome) for row in await logged(site)]
        # Whichever was first: the removal never ends the session in the other's stead.
        assert rows.count(("remove", visit.visit_id, "done")) == 1
        assert len([row for row in rows if row[:2] == ("end_session", session)]) == 1


async def test_recruiting_is_paused_and_resumed_and_each_says_who(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await add_account(site, "anna")
        browser = await signed_in(site, "anna")
        assert "paused already" not in await act(browser, "pause_study", "short")
        visitor = Visitor(site)
        await visitor.open("/s/short")
        assert visitor.page.status_code == 503
        assert "pause" in visitor.page.text.lower()
        page = (await browser.get("/operator")).text
        assert f"anna paused it by hand: {WHY}" in page
        assert "paused already" in await act(browser, "pause_study", "short")
        await act(browser, "resume_study", "short")
        assert "paused it by hand" not in (await browser.get("/operator")).text
        assert "took people already" in await act(browser, "resume_study", "short")
        await visitor.begin()
        assert await acts_of(site, "anna") == [
            ("pause_study", "short", "done"),
            ("pause_study", "short", "too late"),
            ("resume_study", "short", "done"),
            ("resume_study", "short", "too late"),
        ]


async def test_a_role_that_is_taken_away_between_the_question_and_the_button(
    site: RunningSite,
) -> None:
    session = await alone(site, site.browser())
    await add_account(site, "anna")
    await add_account(site, "ben", Role.RUN)
    browser = await signed_in(site, "ben")
    path = f"/operator/act/end_session/{session}"
    token = (await browser.get(path)).text.split('name="form_token" value="')[1].split('"')[0]
    async with site.state.database.transaction() as db:
        row = await operator_named(db, "ben")
        assert row is not None
        await set_role(db, row, Role.WATCH, even_last=False)
    answer = await browser.client.post(
        path, data={"form_token": token}, headers={"origin": browser.origin}
    )
    assert (answer.status_code, "Nothing was done" in answer.text) == (403, True)
    assert site.host.told_to_end == []
    assert site.state.sessions.is_open(session)
    # Who only watches is offered none of it.
    assert "/operator/act/" not in (await browser.get("/operator")).text
    assert await acts_of(site, "ben") == [("act", path, "refused")]


async def test_a_cell_is_closed_and_opened_and_stays_so_after_a_restart(
    make_site: MakeSite,
) -> None:
    study = short_study(cells=(PAIR, replace(PAIR, name="second")))
    cell = "short:1:live:pair"
    made = make_site(study)
    async with made.running() as site:
        await add_account(site, "anna")
        await add_account(site, "ben", Role.RUN)
        browsers = [await signed_in(site, "anna"), await signed_in(site, "ben")]
        page = (await browsers[0].get("/operator/studies")).text
        assert f"/operator/act/close_cell/{cell}" in page
        pages = await asyncio.gather(*(act(browser, "close_cell", cell) for browser in browsers))
        assert sorted("it was closed already" in page for page in pages) == [False, True]
        refused = await act(browsers[0], "close_cell", "short:1:live:second")
        assert "it is the last that is open" in refused
        page = (await browsers[1].get("/operator/studies")).text
        assert f"/operator/act/open_cell/{cell}" in page
        for nobody in ("short:2:live:pair", "short:1:live:pairs", "other:1:live:pair", "short"):
            assert (await browsers[0].get(f"/operator/act/close_cell/{nobody}")).status_code == 410
        rows = [(row.act, row.outcome) for row in await logged(site) if "cell" in row.act]
        assert sorted(rows) == [
            ("close_cell", "done"),
            ("close_cell", "refused"),
            ("close_cell", "too late"),
        ]
    async with made.running() as site:
        places = site.state.lobby.study_draws.places[study.key]
        assert places.closed == {"pair"}
        browser = await signed_in(site, "anna")
        await act(browser, "open_cell", cell)
        assert places.closed == set()
        async with site.state.database.transaction() as db:
            found = await closings_of(db, study.key)
        assert [(c.condition, c.is_closed) for c in found] == [("pair", True), ("pair", False)]


async def test_a_closing_that_the_log_cannot_have_does_not_happen(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = short_study(cells=(PAIR, replace(PAIR, name="second")))
    async with make_site(study).running() as site:
        await add_account(site, "anna")
        browser = await signed_in(site, "anna")

        def fails(*_: object, **__: object) -> None:
            raise OSError("the disk is full")

        path = f"/operator/act/close_cell/{cell_name(study.key, 'pair')}"
        with monkeypatch.context() as patched:
            patched.setattr("server.web.operators.acts.note_act", fails)
            assert (await browser.press(path, path, reason=WHY)).status_code == 503
        assert site.state.lobby.study_draws.places[study.key].closed == set()


async def test_a_seat_is_filled_or_it_is_said_why_not(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await add_account(site, "anna")
        browser = await signed_in(site, "anna")
        ann, _ben = await pair(site)
        session = ann.path.removeprefix("/play/")
        await act(browser, "fill", f"{session}.robot_0")
        assert site.host.filled == [(session, "robot_0")]
        site.host.why_not_filled = "they are there"
        assert "they are there" in await act(browser, "fill", f"{session}.robot_0")
        visit = (await ann.row()).visit_id
        for nobody in (visit, f"{session}.robot_7", new_id("ses")):
            assert (await browser.get(f"/operator/act/fill/{nobody}")).status_code == 410
        assert await acts_of(site, "anna") == [
            ("fill", f"{session}.robot_0", "done"),
            ("fill", f"{session}.robot_0", "refused"),
        ]
