"""Report pages: what was done by whom and when, and what was lost."""

import asyncio

import pytest

from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import proposition, verdict
from tests.server.web.test_pages import alone, group, together


async def test_the_report_says_what_was_done_by_whom_and_when(site: RunningSite) -> None:
    browsers, session = await together(site)
    result = verdict(
        proposition(0, by_seat="robot_0"),
        proposition(1, satisfied=False, satisfied_tick=None, by_seat=None, holds_now=False),
    )
    episode = await site.host.finish(session, result)
    texts = {}
    for browser in browsers:
        boot = await browser.get(f"/play/{session}")
        assert boot.headers["location"] == f"/report/{episode}"
        page = (await browser.get(f"/report/{episode}")).text
        assert "1 of 2 steps done." in page
        assert 'data-testid="percent-complete">50%' in page
        assert page.count('data-testid="proposition"') == 2
        assert "Cup placed on top of the table" in page
        assert "Cup should have been placed on top of the table" in page
        assert " at 0:42" in page
        # PARTNR's words are not a player's.
        assert "Episode failed" not in page
        assert "These steps are missing:" in page
        assert 'data-testid="next-task"' in page
        me = group(r'You were the <span class="seat" data-look="(\w+)-1"', page)
        texts[me] = group(r'at 0:42 by <span class="seat" data-look="robot-1">([^<]+)<', page)
    assert texts == {"robot": "you", "human": "your partner"}
    stranger = site.browser()
    assert (await stranger.get(f"/report/{episode}")).status_code == 403
    assert (await stranger.get("/report/epi_00000000000000000000000000")).status_code == 404


async def test_a_report_says_what_was_lost(site: RunningSite) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    episode = await site.host.finish(session, verdict(proposition(0)), lost_ticks=360)
    assert (
        "About 12 seconds of this task could not be saved"
        in (await browser.get(f"/report/{episode}")).text
    )
    other = site.browser()
    whole = await site.host.finish(await alone(site, other), verdict(proposition(0)))
    assert "could not be saved" not in (await other.get(f"/report/{whole}")).text


async def test_a_report_of_an_episode_with_pauses_says_that_they_count(site: RunningSite) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    episode = await site.host.finish(session, verdict(proposition(0)), ticks=30 * (15 * 60 + 50))
    told = (await browser.get(f"/report/{episode}")).text
    assert "It took 15:50, pauses included: the task gave 15 minutes." in told


async def test_a_report_waits_for_its_verdict(site: RunningSite) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    episode = site.host.opened[0][1].episode_id
    asking = asyncio.create_task(browser.get(f"/report/{episode}"))
    await asyncio.sleep(0.1)
    assert not asking.done()
    await site.host.finish(session, verdict(proposition(0)))
    page = (await asking).text
    assert "Task complete" in page
    assert 'data-testid="percent-complete">100%' in page


async def test_after_a_tutorial_the_next_task_is_with_the_offered_robot(site: RunningSite) -> None:
    browser = site.browser()
    answer = await browser.press("/", "/play/tutorial")
    session = answer.headers["location"].removeprefix("/play/")
    episode = await site.host.finish(session, verdict(proposition(0)))
    page = (await browser.get(f"/report/{episode}")).text
    form = page[page.index('action="/play/robot"') : page.index('data-testid="next-task"')]
    assert 'name="robot" value="expert:partner"' in form
    assert f"/sessions/{session}/next" not in page
    assert "as-robot" not in page
    # Another task is with whom one is.
    alone_in = await alone(site, browser)
    other = await site.host.finish(alone_in, verdict(proposition(0)))
    assert f"/sessions/{alone_in}/next" in (await browser.get(f"/report/{other}")).text


async def test_who_learned_to_be_the_robot_goes_on_as_the_robot(site: RunningSite) -> None:
    browser = site.browser()
    answer = await browser.press("/", "/play/tutorial", body="robot")
    session = answer.headers["location"].removeprefix("/play/")
    episode = await site.host.finish(session, verdict(proposition(0)))
    page = (await browser.get(f"/report/{episode}")).text
    assert 'action="/play/as-robot"' in page
    assert 'action="/play/robot"' not in page
    answer = await browser.press(f"/report/{episode}", "/play/as-robot")
    assert answer.headers["location"].startswith("/play/ses_")
    # They are a pair as any other: nobody is told apart by name.
    assert '"named":false' in (await browser.get(answer.headers["location"])).text.replace(" ", "")
    seats = {s.seat.seat_id: s.policy for s in site.host.opened[-1][0].seats}
    assert seats == {"robot_0": "", "human_0": "expert:partner"}


async def test_a_report_whose_pictures_are_being_drawn_asks_for_them_until_they_are_there(
    site: RunningSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    episode = await site.host.finish(session, verdict(proposition(0)))
    path = f"/report/{episode}/pictures"
    assert f'data-pictures="{path}"' not in (await browser.get(f"/report/{episode}")).text
    # Without a recording there are none.
    assert (await browser.get(path)).status_code == 410
    monkeypatch.setattr(site.state.pictures, "is_making", lambda _: True)
    assert f'data-pictures="{path}"' in (await browser.get(f"/report/{episode}")).text
    assert (await browser.get(path)).status_code == 202
    monkeypatch.setattr(site.state.pictures, "is_made", lambda _: True)
    assert (await browser.get(path)).status_code == 204
    stranger = site.browser()
    assert (await stranger.get(path)).status_code == 403
    assert (
        await stranger.get("/report/epi_00000000000000000000000000/pictures")
    ).status_code == 404
    assert (await browser.get("/report/nothing/pictures")).status_code == 404
