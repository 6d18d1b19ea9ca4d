"""Teams from the start page to what is opened: cards, places, links, and the button to begin."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from sqlalchemy import select

from episodes.teams import Team
from server.store.models import MatchRow, TicketRow
from tests.patience import PATIENCE_S
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import ORIGIN, Browser, boot_of
from tests.server.web.test_open_homes import age, press_on
from tests.server.web.test_pages import alone, group, home_of, outcome_of

MIXED = "human=person,human=person,robot=person"


async def arrive(site: RunningSite, answer: httpx.Response) -> str:
    """Open the lobby page that a form has led to, as its script does; return the ticket."""
    location = answer.headers["location"]
    assert location.startswith("/lobby/tic_"), location
    ticket: str = location.removeprefix("/lobby/")
    assert await site.state.lobby.connect(ticket, f"tab of {ticket}")
    return ticket


async def play(site: RunningSite, tickets: list[str]) -> str:
    """Wait until all of them are in one home; return its id."""
    outcomes = [asyncio.shield(outcome_of(site, ticket)) for ticket in tickets]
    matched = await asyncio.wait_for(asyncio.gather(*outcomes), PATIENCE_S)
    assert len(set(matched)) == 1
    return home_of(matched[0])


async def post(browser: Browser, path: str) -> httpx.Response:
    """Send a form that no page shows to this browser."""
    token = group(r'name="form_token" value="(\w+)"', (await browser.get("/")).text)
    return await browser.client.post(path, data={"form_token": token}, headers={"origin": ORIGIN})


async def invite(site: RunningSite, host: Browser, name: str) -> tuple[str, str]:
    """Have somebody invite a team; return their ticket and the path of the invitation."""
    ticket = await arrive(site, await host.press("/", f"/play/team/{name}/invite"))
    page = (await host.get(f"/lobby/{ticket}")).text
    return ticket, group(r'data-testid="invite-url" value="http://[^/]+(/invite/\w+)"', page)


async def test_a_team_is_on_the_start_page_and_three_who_want_it_play(make_site: MakeSite) -> None:
    async with make_site(teams="3human+robot").running() as site:
        browsers = [site.browser() for _ in range(3)]
        page = (await browsers[0].get("/")).text
        assert "Three people, one robot" in page
        tickets = [
            await arrive(site, await browser.press("/", "/play/team/3human+robot"))
            for browser in browsers
        ]
        session = await play(site, tickets)
        spec, _, _ = site.host.opened[-1]
        assert spec.team == Team.parse("3human+robot").filled(robot="expert:partner")
        for browser in browsers:
            assert (await browser.get(f"/play/{session}")).status_code == 200
        async with site.state.database.transaction() as db:
            (match,) = (await db.scalars(select(MatchRow))).all()
            asked = {row.team for row in await db.scalars(select(TicketRow))}
        assert match.team == spec.team.written_out
        assert asked == {"3human+robot"}


async def test_without_the_setting_the_start_page_has_no_teams(site: RunningSite) -> None:
    assert "In a team" not in (await site.browser().get("/")).text
    answer = await post(site.browser(), "/play/team/3human")
    assert answer.status_code == 404


async def test_a_team_of_one_person_begins_at_once(make_site: MakeSite) -> None:
    async with make_site(teams="human+2robot").running() as site:
        browser = site.browser()
        assert "invite-team" not in (await browser.get("/")).text
        answer = await browser.press("/", "/play/team/human+2robot")
        assert answer.headers["location"].startswith("/play/ses_")
        assert site.host.opened[-1][0].team.bodies == 3
        assert (await post(site.browser(), "/play/team/human+2robot/invite")).status_code == 404
        # The same button, pressed twice, leads into the same home; another asks first.
        again = await browser.press("/", "/play/team/human+2robot")
        assert again.headers["location"] == answer.headers["location"]
        assert (await browser.press("/", "/play/robot")).status_code == 409


async def test_a_link_names_a_place_and_each_place_is_taken_once(make_site: MakeSite) -> None:
    async with make_site(teams=MIXED).running() as site:
        (name,) = site.state.teams.named
        host, robot, late, third = (site.browser() for _ in range(4))
        ticket, link = await invite(site, host, name)
        page = (await host.get(f"/lobby/{ticket}")).text
        assert page.count('class="place"') == 3
        for seat in ("human_0", "human_1", "robot_0"):
            assert f'data-testid="invite-url-{seat}"' in page
        invitation = (await robot.get(f"{link}/robot_0")).text
        assert '<strong class="seat" data-look="robot-1">Robot</strong>' in invitation
        assert "Two of you are humans, one a robot" in invitation
        tickets = [ticket, await arrive(site, await press_on(robot, invitation))]
        places = (await robot.get(f"/lobby/{tickets[1]}")).text
        assert 'data-testid="invite-url"' not in places, "who was invited has no links"
        assert "Your team is gathering" in places

        for nowhere in ("robot_7", "human_00", "robot_1"):
            assert (await late.get(f"{link}/{nowhere}")).status_code == 404
            assert (await post(late, f"{link}/{nowhere}")).status_code == 404
        for taken in (await late.get(f"{link}/robot_0"), await post(late, f"{link}/robot_0")):
            assert taken.status_code == 410
            assert "This place has been taken" in taken.text

        for another in (await robot.get(f"{link}/human_1"), await post(robot, f"{link}/human_1")):
            assert another.status_code == 409
            assert "You wait for Robot, and this link is for Person 2." in another.text
        own = await host.get(f"{link}/human_1")
        assert "You wait for a place that is drawn, and this link is for Person 2." in own.text
        assert (await robot.get(f"{link}/robot_7")).status_code == 404
        for same in (link, f"{link}/robot_0"):
            assert (await robot.get(same)).headers["location"] == f"/lobby/{tickets[1]}"

        tickets.append(await arrive(site, await third.press(link, link)))
        session = await play(site, tickets)
        back = (await robot.get(f"{link}/robot_0")).headers["location"]
        assert back == f"/play/{session}"
        boot = boot_of((await robot.get(back)).text)
        assert site.state.tokens.read_seat(boot["token"]).seat_id == "robot_0"
        full = await late.get(link)
        assert full.status_code == 410
        assert "has been used" in full.text


async def test_friends_begin_without_those_who_do_not_come(make_site: MakeSite) -> None:
    async with make_site(teams="4human;least=2").running() as site:
        host, guest = site.browser(), site.browser()
        ticket, link = await invite(site, host, "4human")
        hidden = group(r'(<div id="lobby-begin"[^>]*>)', (await host.get(f"/lobby/{ticket}")).text)
        assert hidden.endswith("hidden>")
        tickets = [ticket, await arrive(site, await guest.press(link, link))]
        page = (await host.get(f"/lobby/{ticket}")).text
        assert "You can begin as soon as 2 of you are here." in page
        assert "those who come are counted anew" in page
        assert not group(r'(<div id="lobby-begin"[^>]*>)', page).endswith("hidden>")
        answer = await guest.press(f"/lobby/{tickets[1]}", f"/lobby/{tickets[1]}/begin")
        assert answer.headers["location"] == f"/lobby/{tickets[1]}"
        await play(site, tickets)
        assert site.host.opened[-1][0].team == Team.parse("2human")


async def test_only_who_waits_begins(make_site: MakeSite) -> None:
    async with make_site(teams="4human;least=1").running() as site:
        ticket, _ = await invite(site, site.browser(), "4human")
        answer = await post(site.browser(), f"/lobby/{ticket}/begin")
        assert answer.status_code == 403
        assert site.host.opened == []


async def test_an_open_home_is_left_for_a_team(make_site: MakeSite) -> None:
    async with make_site(teams="3human").running() as site:
        browser = site.browser()
        session = await alone(site, browser)
        await age(site, session)
        asked = await browser.press("/", "/play/team/3human")
        assert asked.status_code == 409
        assert "Leave it and find a team" in asked.text
        gone_on = await press_on(browser, asked.text)
        assert gone_on.headers["location"].startswith("/lobby/tic_")
        assert site.host.told_to_end == [(session, "left")]


@pytest.mark.parametrize("name", ["3human", "2human"])
async def test_three_of_one_address_who_want_one_team_hold_one_place(
    make_site: MakeSite, name: str
) -> None:
    many = {"address_newcomers": "1000/minute", "address_forms": "1000/minute"}
    async with make_site(teams="3human 2human", sessions_per_worker=4, **many).running() as site:
        laboratory = [site.browser("192.0.2.10") for _ in range(12)]
        answers = [await browser.press("/", f"/play/team/{name}") for browser in laboratory]
        people = 3 if name == "3human" else 2
        let_in = sum(answer.status_code == 303 for answer in answers)
        assert let_in == people * site.state.admission.share
