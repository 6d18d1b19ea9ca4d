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
    if await seat_in_report(ann, episode) == "human_0":
        # Which body is whose is drawn; a robot alone has none of these tasks to go on with.
        ann, ben = ben, ann
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


async def test_a_report_says_who_waits_in_the_next_task(site: RunningSite) -> None:
    (ann, ben), session = await together(site)
    episode = await site.host.finish(session, verdict(proposition(0)))
    page = (await ben.get(f"/report/{episode}")).text
    here = f"/sessions/{session}/here?after={episode}"
    assert f'data-still-here="{here}"' in page
    assert 'data-testid="next-note"' in page
    assert (await ben.get(here)).status_code == 204

    await ann.press(f"/report/{episode}", f"/sessions/{session}/next", after=episode)
    assert (await ben.get(here)).text == "The next task is open."
    with site.state.sessions.pages.socket(session, await seat_in_report(ann, episode)):
        told = await ben.get(here)
        assert told.status_code == 200
        assert told.text == "The next task is open, and your partner waits for you there."
        # Nobody is told that they wait for themselves.
        assert (await ann.get(here)).text == "The next task is open."
    assert (await ben.get(f"/sessions/{session}/here")).status_code == 204


async def test_who_is_left_last_closes_the_home(site: RunningSite) -> None:
    browsers, session = await together(site)
    await site.host.finish(session, verdict(proposition(0)))
    for browser in browsers:
        assert site.host.closed == []
        await browser.press("/", "/play/invite")
    assert site.host.closed == [(session, "finished")]


async def test_who_leaves_in_the_middle_of_a_task_is_gone_at_once(site: RunningSite) -> None:
    (ann, ben), session = await together(site)
    page = (await ann.get(f"/play/{session}")).text
    claim = site.state.tokens.read_seat(boot_of(page)["token"])
    left = await ann.press(f"/play/{session}", f"/sessions/{session}/leave")
    assert left.headers["location"] == "/?left=home"
    # The others are told, and their task goes on.
    assert site.host.vacated == [(session, claim.seat_id)]
    assert (site.host.told_to_end, site.host.closed) == ([], [])
    start = (await ann.get(left.headers["location"])).text
    assert 'data-testid="has-left"' in start
    assert "Go back in" not in start
    assert (await ann.get(f"/play/{session}")).status_code == 410
    lobby = await ann.press("/", "/play/person")
    assert lobby.headers["location"].startswith("/lobby/")
    # Alone in it, leaving ends it.
    last = await ben.press(f"/play/{session}", f"/sessions/{session}/leave")
    assert last.headers["location"] == "/?left=home"
    assert site.host.told_to_end == [(session, "left")]
