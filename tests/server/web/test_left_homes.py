"""Homes that one of several people leaves between two tasks, and that go on with the others."""

from __future__ import annotations

from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import Browser, boot_of, proposition, verdict
from tests.server.web.test_pages import group, together


async def seat_in_report(browser: Browser, episode: str) -> str:
    page = (await browser.get(f"/report/{episode}")).text
    return group(r'You were the <span class="seat" data-look="(\w+)-1"', page) + "_0"


async def test_who_leaves_between_tasks_closes_the_home_for_nobody_else(site: RunningSite) -> None:
    (ann, ben), session = await together(site)
    episode = await site.host.finish(session, verdict(proposition(0)))
    left_seat = await seat_in_report(ann, episode)
    report = (await ben.get(f"/report/{episode}")).text
    assert "Your partner has the same choice" in report

    answer = await ann.press("/", "/play/person")
    lobby = answer.headers["location"]
    assert lobby.startswith("/lobby/")
    assert site.host.vacated == [(session, left_seat)]
    assert site.host.closed == []

    # Her report stays hers, and she is not led back.
    hers = await ann.get(f"/report/{episode}")
    assert 'data-testid="next-task"' not in hers.text
    assert (await ann.get(f"/sessions/{session}/here")).status_code == 410
    # He goes on, and is not told of a partner who has the same choice.
    report = (await ben.get(f"/report/{episode}")).text
    assert 'data-testid="next-task"' in report
    assert "Your partner has the same choice" not in report
    answer = await ben.press(f"/report/{episode}", f"/sessions/{session}/next", after=episode)
    assert answer.headers["location"] == f"/play/{session}"
    assert boot_of((await ben.get(f"/play/{session}")).text)["sessionId"] == session
    assert "You have left this home" in (await ann.get(f"/play/{session}")).text
    # Alone in it he may leave, which ends it.
    home = (await ben.get("/")).text
    assert f'action="/sessions/{session}/leave"' in home


async def test_who_is_left_last_closes_the_home(site: RunningSite) -> None:
    browsers, session = await together(site)
    await site.host.finish(session, verdict(proposition(0)))
    for browser in browsers:
        assert site.host.closed == []
        await browser.press("/", "/play/invite")
    assert site.host.closed == [(session, "finished")]
