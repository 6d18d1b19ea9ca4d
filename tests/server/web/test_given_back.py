"""Sessions that nobody follows: closed when no page asks for anything, and only then."""

from __future__ import annotations

import asyncio
import re

import pytest

from server.lobby.ticket_outcomes import Outcome
from server.store.sessions import session_row
from server.web import lobby_pages
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import Browser, proposition, verdict


async def move_in(browser: Browser) -> str:
    return (await browser.press("/", "/play/solo")).headers["location"].removeprefix("/play/")


async def pass_s(site: RunningSite, seconds: float) -> None:
    site.passed_s += seconds
    await site.state.sessions.tidy()


async def ends(site: RunningSite, session_id: str) -> tuple[str | None, str | None]:
    """Return why a session closed and why its last episode ended."""
    async with site.state.database.transaction() as db:
        row = await session_row(db, session_id)
    assert row is not None
    return row.close_reason, row.episodes[-1].end_reason


async def test_a_form_that_nobody_follows_gives_its_place_back(site: RunningSite) -> None:
    browser = site.browser()
    session = await move_in(browser)
    await pass_s(site, 29)
    assert site.host.told_to_end == []
    await pass_s(site, 2)
    assert site.host.told_to_end == [(session, "abandoned")]
    assert site.host.closed == [(session, "abandoned")]
    assert await ends(site, session) == ("abandoned", "abandoned")
    assert site.state.sessions.free_places() == site.settings.capacity
    assert site.state.sessions.given_back == 1
    # Whoever does come later is told, on the start page too, and has a report that blames nobody.
    home = (await browser.get("/")).text
    assert "Your home was given back while you were away" in home
    assert "Your home was given back" not in (await site.browser().get("/")).text
    answer = await browser.get(f"/play/{session}")
    assert answer.headers["location"].startswith("/report/")
    assert f'href="{answer.headers["location"]}"' in home
    report = (await browser.get(answer.headers["location"])).text
    assert "was closed because no page of it was open any more" in report
    # It is news for who has begun nothing else since.
    await move_in(browser)
    assert "Your home was given back" not in (await browser.get("/")).text


async def test_a_page_of_the_lobby_that_was_told_has_the_time_to_load(site: RunningSite) -> None:
    session = await move_in(site.browser())
    # A socket of the lobby was told, and its page is on its way: a slow machine takes a while.
    site.state.sessions.pages.expect(session, site.settings.loading_timeout_s)
    await pass_s(site, site.settings.loading_timeout_s - 1)
    assert site.host.told_to_end == []
    await pass_s(site, 2)
    assert site.host.closed == [(session, "abandoned")]


async def test_whoever_looks_at_a_page_that_cannot_be_told_yet_is_not_away(
    site: RunningSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = site.browser()
    session = await move_in(browser)
    async with site.state.database.transaction() as db:
        row = await session_row(db, session)
    assert row is not None
    (ticket,) = {o.ticket_id for o in row.occupancies if o.ticket_id}
    lobby = f"/lobby/{ticket}"
    ended = site.state.lobby.ended

    async def never(_: str) -> Outcome:
        waiting: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        return await waiting

    with monkeypatch.context() as slow:
        slow.setattr(lobby_pages, "OUTCOME_WAIT_S", 0.0)
        slow.setattr(site.state.lobby, "ended", never)
        page = await browser.get(lobby)
    # It comes back by itself, and by a button; nothing leads away from a home that is being opened.
    assert page.status_code == 503
    assert page.headers["refresh"] == str(lobby_pages.AGAIN_S)
    assert f'href="{lobby}"' in page.text
    assert "Back to the start" not in page.text
    assert site.state.lobby.ended == ended
    # The answer that leads into it counts as a sign of the page that asked.
    await pass_s(site, 25)
    assert (await browser.get(lobby)).headers["location"] == f"/play/{session}"
    await pass_s(site, 25)
    assert site.host.told_to_end == []
    assert (await browser.get(f"/play/{session}")).status_code == 200


async def test_a_page_that_loads_slowly_and_a_socket_keep_it(site: RunningSite) -> None:
    browser = site.browser()
    session = await move_in(browser)
    await pass_s(site, 25)
    await browser.get(f"/play/{session}")
    await pass_s(site, 25)
    with site.state.sessions.pages.socket(session):
        # Hidden tabs, pauses, somebody who waits for a partner: a page is there.
        await pass_s(site, 600)
        assert "Somebody is in it, so it stays open." in (await browser.get("/")).text
    # Nobody else is kept waiting, so a lost line has time; the start page says how much is left.
    await pass_s(site, 100)
    assert re.search('data-closes-after="(80|7[0-9])"', (await browser.get("/")).text)
    await pass_s(site, 70)
    assert site.host.told_to_end == []
    await pass_s(site, 11)
    assert site.host.closed == [(session, "abandoned")]


async def test_scripts_may_take_a_minute_to_come_on_a_slow_line(site: RunningSite) -> None:
    browser = site.browser()
    session = await move_in(browser)
    page = (await browser.get(f"/play/{session}")).text
    here = f"/sessions/{session}/here"
    # The small script comes before all others, and needs none of them.
    scripts = re.findall(r'<(?:script type="module"|link rel="modulepreload")[^>]*>', page)
    assert "/presence-" in scripts[0]
    assert " async " in scripts[0]
    assert f'data-still-here="{here}"' in scripts[0]
    assert page.index(scripts[0]) < page.index("stylesheet")
    for _ in range(9):
        await pass_s(site, 10)
        assert (await browser.get(here)).status_code == 204
    assert site.host.told_to_end == []
    # Nobody but those who sit there keeps it so.
    await pass_s(site, 20)
    assert (await site.browser().get(here)).status_code == 403
    await pass_s(site, 11)
    assert site.host.closed == [(session, "abandoned")]


async def test_a_page_that_was_only_asked_for_keeps_no_place(site: RunningSite) -> None:
    browser = site.browser()
    session = await move_in(browser)
    await browser.get(f"/play/{session}")
    await pass_s(site, 31)
    assert site.host.closed == [(session, "abandoned")]


async def test_a_report_that_was_asked_for_keeps_it_until_its_script_has_come(
    site: RunningSite,
) -> None:
    browser = site.browser()
    session = await move_in(browser)
    episode = await site.host.finish(session, verdict(proposition(0)))
    await pass_s(site, 25)
    await browser.get(f"/report/{episode}")
    await pass_s(site, 25)
    assert site.host.closed == []
    await pass_s(site, 6)
    assert site.host.closed == [(session, "finished")]


async def test_a_longer_window_for_coming_back_is_kept_to(make_site: MakeSite) -> None:
    async with make_site(reconnect_window_s=120, alone_window_s=0).running() as site:
        session = await move_in(site.browser())
        with site.state.sessions.pages.socket(session):
            pass
        await pass_s(site, 119)
        assert site.host.told_to_end == []
        await pass_s(site, 2)
        assert site.host.closed == [(session, "abandoned")]


async def test_between_two_tasks_a_report_that_is_read_keeps_it(site: RunningSite) -> None:
    browser = site.browser()
    session = await move_in(browser)
    episode = await site.host.finish(session, verdict(proposition(0)))
    page = (await browser.get(f"/report/{episode}")).text
    here = f"/sessions/{session}/here"
    assert f'data-still-here="{here}"' in page
    for _ in range(9):
        await pass_s(site, 25)
        assert (await browser.get(here)).status_code == 204
    assert site.host.closed == []
    # The report is closed.
    await pass_s(site, 31)
    assert site.host.closed == [(session, "finished")]
    assert site.host.told_to_end == []
    assert (await browser.get(here)).status_code == 410
    assert (await site.browser().get(here)).status_code == 403


async def test_a_report_has_words_for_a_home_that_was_closed_meanwhile(site: RunningSite) -> None:
    browser = site.browser()
    session = await move_in(browser)
    episode = await site.host.finish(session, verdict(proposition(0)))
    page = (await browser.get(f"/report/{episode}")).text
    words, _, offers = page.partition("<template data-when-closed>")[2].partition("</template>")
    assert "kept for 5 minutes" in words
    # The script puts them in the place of what is marked.
    assert "next-task" in offers.partition("data-while-open")[2]
    await pass_s(site, 31)
    page = (await browser.get(f"/report/{episode}")).text
    for word in ("data-when-closed", "data-still-here", "next-task"):
        assert word not in page


async def test_the_report_of_an_earlier_task_is_a_page_of_the_session_too(
    site: RunningSite,
) -> None:
    browser = site.browser()
    session = await move_in(browser)
    episode = await site.host.finish(session, verdict(proposition(0)))
    await site.state.sessions.next(session, episode)
    page = (await browser.get(f"/report/{episode}")).text
    assert f'data-still-here="/sessions/{session}/here"' in page
    assert "Back to the home" in page
    assert "data-when-closed" in page


async def test_what_is_over_is_not_kept_for_farewells_that_nobody_hears(site: RunningSite) -> None:
    session = await move_in(site.browser())
    with site.state.sessions.pages.socket(session):
        await site.host.finish(session, verdict(proposition(0)), "left")
        await pass_s(site, 19)
        assert site.host.closed == []
        await pass_s(site, 2)
        assert site.host.closed == [(session, "left")]
    other = await move_in(site.browser())
    site.host.obeys = False
    await pass_s(site, 31)
    await site.host.finish(other, verdict(proposition(0)), "left")
    await pass_s(site, 1)
    assert site.host.closed[1:] == [(other, "left")]


async def test_a_worker_that_is_down_is_asked_again(site: RunningSite) -> None:
    session = await move_in(site.browser())
    site.host.obeys = False
    await pass_s(site, 31)
    assert (site.host.told_to_end, site.host.closed) == ([(session, "abandoned")], [])
    site.host.obeys = True
    await pass_s(site, 5)
    assert site.host.closed == [(session, "abandoned")]


async def test_after_a_restart_everybody_has_the_whole_time_to_come_back(
    make_site: MakeSite,
) -> None:
    async with make_site().running() as site:
        browser = site.browser()
        session = await move_in(browser)
        cookies = browser.client.cookies
        site.state.sessions._pulse.beat()
    async with make_site().running() as site:
        browser = site.browser()
        browser.client.cookies = cookies
        await pass_s(site, 29)
        assert site.host.closed == []
        assert (await browser.get(f"/play/{session}")).status_code == 200
        await pass_s(site, 29)
        assert site.host.closed == []
