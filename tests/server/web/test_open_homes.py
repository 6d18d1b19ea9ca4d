"""People with an open home who want to begin something else, or open their invitation again."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import httpx
import pytest

from server.store.sessions import session_row
from server.web.open_homes import ONE_PRESS_S
from tests.patience import PATIENCE_S
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import ORIGIN, Browser
from tests.server.web.test_pages import alone, group, home_of, outcome_of, together


async def age(site: RunningSite, session: str) -> None:
    """Let the time go by in which a button may be taken for having been pressed twice."""
    async with site.state.database.transaction() as db:
        row = await session_row(db, session)
        assert row is not None
        row.opened_at -= timedelta(seconds=ONE_PRESS_S)


async def close_reason(site: RunningSite, session: str) -> str | None:
    async with site.state.database.transaction() as db:
        row = await session_row(db, session)
    assert row is not None
    return row.close_reason


async def press_on(browser: Browser, page: str) -> httpx.Response:
    """Send the form of a page, with all its hidden fields."""
    form = group(r'(?s)(<form method="post".*?</form>)', page)
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))
    action = group(r'action="([^"]+)"', form)
    return await browser.client.post(action, data=fields, headers={"origin": ORIGIN})


async def invited(site: RunningSite, host: Browser) -> tuple[str, str]:
    """Have somebody invite a partner; return the lobby's path and that of the invitation."""
    lobby = (await host.press("/", "/play/invite")).headers["location"]
    page = (await host.get(lobby)).text
    return lobby, group(r'data-testid="invite-url" value="http://[^/]+(/invite/\w+)"', page)


async def test_the_start_page_says_that_a_home_is_open_before_anything_is_pressed(
    site: RunningSite,
) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    page = (await browser.get("/")).text
    assert "You have a home open" in page
    assert f'href="/play/{session}"' in page
    assert 'data-testid="leave-home"' in page


@pytest.mark.parametrize("path", ["/play/person", "/play/invite", "/play/solo", "/play/robot"])
async def test_another_way_in_asks_before_it_leaves_an_open_home(
    site: RunningSite, path: str
) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    await age(site, session)
    await site.browser().press("/", "/play/person")
    fields = {"robot": "expert"} if path == "/play/robot" else {}
    asked = await browser.press("/", path, **fields)
    assert asked.status_code == 409
    assert "You have a home open" in asked.text
    assert f'href="/play/{session}"' in asked.text
    assert "Leave it and join" not in asked.text
    assert site.host.told_to_end == [], "nothing was left yet"

    gone_on = await press_on(browser, asked.text)
    assert gone_on.status_code == 303, gone_on.text
    assert site.host.told_to_end == [(session, "left")]
    assert await close_reason(site, session) == "left"
    to = gone_on.headers["location"]
    assert to != f"/play/{session}"
    assert to.startswith("/lobby/tic_" if path in ("/play/person", "/play/invite") else "/play/ses")


async def test_a_button_that_was_pressed_twice_leads_into_the_home_that_it_opened(
    site: RunningSite,
) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    again = await browser.press("/", "/play/solo")
    assert again.headers["location"] == f"/play/{session}"
    await age(site, session)
    assert (await browser.press("/", "/play/solo")).status_code == 409


async def test_leaving_from_the_start_page(site: RunningSite) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    answer = await browser.press("/", f"/sessions/{session}/leave")
    assert answer.headers["location"] == "/?left=home"
    assert await close_reason(site, session) == "left"
    assert "You have a home open" not in (await browser.get("/")).text
    # The report is there, and what was closed is not closed twice.
    assert (await browser.get(f"/play/{session}")).headers["location"].startswith("/report/")


async def test_a_home_whose_worker_does_not_answer_is_not_left(site: RunningSite) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    site.host.obeys = False
    answer = await browser.press("/", f"/sessions/{session}/leave")
    assert answer.status_code == 503
    assert "could not be closed just now" in answer.text
    assert site.state.sessions.is_open(session)


async def test_nobody_closes_a_home_in_which_somebody_else_plays(site: RunningSite) -> None:
    browsers, session = await together(site)
    ann = browsers[0]
    start = (await ann.get("/")).text
    assert "somebody else plays in yours" in start
    assert 'data-testid="leave-home"' not in start
    token = group(r'name="form_token" value="(\w+)"', start)
    data = {"form_token": token, "leave": session}
    answer = await ann.client.post("/play/solo", data=data, headers={"origin": ORIGIN})
    assert answer.status_code == 409
    stranger = site.browser()
    await alone(site, stranger)
    token = group(r'name="form_token" value="(\w+)"', (await stranger.get("/")).text)
    answer = await stranger.client.post(
        f"/sessions/{session}/leave", data={"form_token": token}, headers={"origin": ORIGIN}
    )
    assert answer.status_code == 403
    assert site.state.sessions.is_open(session)


async def test_an_invitation_says_that_a_home_is_open_and_is_joined_after_leaving_it(
    site: RunningSite,
) -> None:
    host, guest = site.browser(), site.browser()
    session = await alone(site, guest)
    lobby, link = await invited(site, host)
    page = (await guest.get(link)).text
    assert "You have a home open" in page
    assert 'data-testid="invite-join"' not in page
    joined = await press_on(guest, page)
    assert joined.headers["location"].startswith("/lobby/tic_")
    assert await close_reason(site, session) == "left"
    tickets = [path.removeprefix("/lobby/") for path in (lobby, joined.headers["location"])]
    outcomes = [outcome_of(site, ticket) for ticket in tickets]
    for ticket in tickets:
        await site.state.lobby.connect(ticket, ticket)
    matched = await asyncio.wait_for(asyncio.gather(*outcomes), PATIENCE_S)
    shared = home_of(matched[0])

    # Both come back by the link that brought them there; it is used up for everybody else.
    for browser in (host, guest):
        assert (await browser.get(link)).headers["location"] == f"/play/{shared}"
    late = await site.browser().get(link)
    assert late.status_code == 410
    assert "has been used" in late.text


async def test_leaving_a_home_is_no_second_press_of_the_button_that_opened_it(
    site: RunningSite,
) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    await age(site, session)
    asked = await browser.press("/", "/play/solo")
    assert asked.status_code == 409
    async with site.state.database.transaction() as db:
        row = await session_row(db, session)
        assert row is not None
        row.opened_at += timedelta(seconds=ONE_PRESS_S)
    answer = await press_on(browser, asked.text)
    assert answer.headers["location"] not in ("", f"/play/{session}")
    assert await close_reason(site, session) == "left"
