"""Pages and forms, over HTTP and a real database."""

import asyncio
import re
import time

import pytest
from sqlalchemy import func, select

from server.lobby import Matched
from server.lobby.ticket_outcomes import Outcome
from server.store.models import Base, ParticipantRow, TicketRow
from server.web.readiness import LASTS_S
from server.web.security import HEADERS
from tests.patience import PATIENCE_S
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import Browser, boot_of, proposition, verdict


async def count(site: RunningSite, model: type[Base]) -> int:
    async with site.state.database.transaction() as db:
        found = await db.scalar(select(func.count()).select_from(model))
    assert found is not None
    return found


async def alone(site: RunningSite, browser: Browser) -> str:
    answer = await browser.press("/", "/play/solo")
    assert answer.status_code == 303, answer.text
    url = answer.headers["location"]
    assert url.startswith("/play/ses_"), url
    return url.removeprefix("/play/")


def group(pattern: str, text: str) -> str:
    """Return the first group of a pattern's first match in a text."""
    found = re.search(pattern, text)
    assert found, f"no {pattern} in:\n{text}"
    return found[1]


def outcome_of(site: RunningSite, ticket_id: str) -> asyncio.Future[Outcome]:
    outcome = site.state.lobby.outcome(ticket_id)
    assert outcome is not None
    return outcome


def home_of(outcome: Outcome) -> str:
    """Return the id of the session to which a wait in the lobby led."""
    assert isinstance(outcome, Matched)
    return outcome.session_id


def _close_now(site: RunningSite, session: str) -> None:
    """Let the time be over that a session which is closing has left."""
    times = site.state.sessions._times
    _, reason = times._close_at[session]
    times._close_at[session] = (time.monotonic(), reason)


async def together(site: RunningSite) -> tuple[list[Browser], str]:
    """Two browsers in one session, and its id."""
    browsers = [site.browser(), site.browser()]
    tickets = []
    for browser in browsers:
        answer = await browser.press("/", "/play/person")
        tickets.append(answer.headers["location"].removeprefix("/lobby/"))
    outcomes = [outcome_of(site, t) for t in tickets]
    for ticket in tickets:
        assert await site.state.lobby.connect(ticket, f"tab of {ticket}")
    matched = await asyncio.wait_for(asyncio.gather(*outcomes), PATIENCE_S)
    assert matched[0] == matched[1]
    return browsers, home_of(matched[0])


async def test_the_start_page_offers_three_ways_and_takes_nothing(site: RunningSite) -> None:
    browser = site.browser()
    page = await browser.get("/")
    assert page.status_code == 200
    for button in ("play-solo", "play-person", "play-invite"):
        assert f'data-testid="{button}"' in page.text
    assert "we record" in page.text
    assert 'href="/privacy"' in page.text
    assert (await browser.get("/privacy")).status_code == 200
    assert await count(site, ParticipantRow) == 0
    assert await count(site, TicketRow) == 0


async def test_alone_goes_straight_into_a_home(site: RunningSite) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    page = await browser.get(f"/play/{session}")
    assert page.status_code == 200
    assert '<div id="app">' in page.text
    boot = boot_of(page.text)
    assert boot["wsPath"] == "/ws/play"
    assert boot["sessionId"] == session
    assert boot["assetRoot"].startswith("/assets/v-")
    claim = site.state.tokens.read_seat(boot["token"])
    assert (claim.session_id, claim.seat_id) == (session, "human_0")
    spec, episode, resume = site.host.opened[0]
    assert [s.occupied for s in spec.seats] == [False, True]
    assert (episode.task_id, episode.try_index, resume) == ("t0", 0, False)


async def test_X1_the_cookie_is_opaque_and_kept_as_a_hash(site: RunningSite) -> None:
    browser = site.browser()
    answer = await browser.press("/", "/play/solo")
    header = next(
        h for h in answer.headers.get_list("set-cookie") if h.startswith("cohabit_participant=")
    )
    assert "HttpOnly" in header
    assert "SameSite=lax" in header
    secret = group(r"^cohabit_participant=([^;]+)", header)
    assert len(secret) * 6 >= 128
    async with site.state.database.transaction() as db:
        row = await db.scalar(select(ParticipantRow))
    assert row is not None
    assert secret not in (row.participant_id, row.cookie_hash)


async def test_cookies_are_secure_behind_https(make_site: MakeSite) -> None:
    async with make_site(
        public_url="https://homes.example.org", metrics_token="open sesame, please"
    ).running() as site:
        page = await site.browser().get("/")
        assert "Secure" in page.headers["set-cookie"]
        assert "max-age" in page.headers["strict-transport-security"]
        names = {field.partition("=")[0] for field in page.headers.get_list("set-cookie")}
        assert names == {"__Host-cohabit_form", "__Host-cohabit_participant"}


async def test_who_has_the_form_cookie_of_another_is_not_them(site: RunningSite) -> None:
    victim, thief = site.browser(), site.browser()
    await victim.get("/")
    thief.client.cookies.set("cohabit_form", victim.client.cookies["cohabit_form"])
    home = (await victim.press("/", "/play/solo")).headers["location"]
    for _ in range(2):
        assert (await thief.press("/", "/play/solo")).headers["location"] != home
    assert (
        thief.client.cookies["cohabit_participant"]
        != (victim.client.cookies["cohabit_participant"])
    )
    assert (await thief.get(home)).status_code == 403
    assert await count(site, ParticipantRow) == 2


@pytest.mark.parametrize("path", ["/play/solo", "/play/person", "/play/invite"])
async def test_X2_a_form_without_its_token_is_refused(site: RunningSite, path: str) -> None:
    browser = site.browser()
    assert (await browser.client.post(path)).status_code == 403
    await browser.get("/")
    forged = await browser.client.post(path, data={"form_token": "0" * 64})
    assert forged.status_code == 403
    assert "Please try that again" in forged.text
    assert await count(site, ParticipantRow) == 0


async def test_a_form_from_another_site_is_refused(site: RunningSite) -> None:
    browser = site.browser()
    page = await browser.get("/")
    token = group(r'name="form_token" value="(\w+)"', page.text)
    answer = await browser.client.post(
        "/play/solo", data={"form_token": token}, headers={"origin": "https://evil.example"}
    )
    assert answer.status_code == 403


async def test_only_its_players_enter_a_home(site: RunningSite) -> None:
    owner, other, stranger = site.browser(), site.browser(), site.browser()
    session = await alone(site, owner)
    await alone(site, other)
    for browser in (other, stranger):
        answer = await browser.get(f"/play/{session}")
        assert answer.status_code == 403
        assert "belongs to somebody else" in answer.text
        assert 'id="boot"' not in answer.text


async def test_two_people_get_one_seat_each(site: RunningSite) -> None:
    browsers, session = await together(site)
    seats = set()
    for browser in browsers:
        boot = boot_of((await browser.get(f"/play/{session}")).text)
        seats.add(site.state.tokens.read_seat(boot["token"]).seat_id)
    assert seats == {"robot_0", "human_0"}


async def test_the_lobby_page_shows_and_takes_nothing(site: RunningSite) -> None:
    browser = site.browser()
    url = (await browser.press("/", "/play/person")).headers["location"]
    for _ in range(2):
        page = await browser.get(url)
        assert page.status_code == 200
    assert 'data-testid="lobby-status"' in page.text
    assert "Waiting for one more person" in page.text
    boot = boot_of(page.text)
    assert boot["wsPath"] == "/ws/lobby"
    assert site.state.tokens.read_ticket(boot["token"]).ticket_id == url.removeprefix("/lobby/")
    assert (await site.browser().get(url)).status_code == 403
    assert f'href="{url}"' in (await browser.get("/")).text


async def test_leaving_the_lobby_needs_no_script(site: RunningSite) -> None:
    browser = site.browser()
    url = (await browser.press("/", "/play/person")).headers["location"]
    answer = await browser.press(url, f"{url}/cancel")
    assert answer.headers["location"] == "/"
    assert site.state.lobby.waiting() == 0
    page = await browser.get(url)
    assert "not in the lobby any more" in page.text


async def test_another_wish_replaces_the_first(site: RunningSite) -> None:
    browser = site.browser()
    await browser.press("/", "/play/person")
    await browser.press("/", "/play/invite")
    assert site.state.lobby.waiting() == 1


async def test_an_invitation_pairs_exactly_those_two(site: RunningSite) -> None:
    host, guest, late = site.browser(), site.browser(), site.browser()
    lobby = (await host.press("/", "/play/invite")).headers["location"]
    page = await host.get(lobby)
    link = group(r'data-testid="invite-url" value="http://127.0.0.1:8000(/invite/\w+)"', page.text)
    assert (await host.get(link)).headers["location"] == lobby
    for _ in range(2):
        looked = await guest.get(link)
        assert 'data-testid="invite-join"' in looked.text
    assert site.state.lobby.waiting() == 1
    joined = (await guest.press(link, link)).headers["location"]
    full = await late.get(link)
    assert full.status_code == 410
    assert "has been used" in full.text
    tickets = [lobby.removeprefix("/lobby/"), joined.removeprefix("/lobby/")]
    outcomes = [outcome_of(site, t) for t in tickets]
    for ticket in tickets:
        await site.state.lobby.connect(ticket, ticket)
    await asyncio.wait_for(asyncio.gather(*outcomes), PATIENCE_S)
    assert "has been used" in (await late.get(link)).text
    assert (await guest.get(joined)).headers["location"].startswith("/play/ses_")


async def test_an_invitation_ends_with_its_host(site: RunningSite) -> None:
    host, guest = site.browser(), site.browser()
    lobby = (await host.press("/", "/play/invite")).headers["location"]
    ticket = site.state.lobby.ticket(lobby.removeprefix("/lobby/"))
    assert ticket is not None
    await host.press(lobby, f"{lobby}/cancel")
    page = await guest.get(f"/invite/{ticket.code}")
    assert page.status_code == 410
    assert "has expired" in page.text
    assert (await guest.get("/invite/zzzzzzzzzz")).status_code == 404
    assert (await guest.get("/invite/short")).status_code == 404


async def test_all_homes_busy_is_a_queue_and_not_an_error(make_site: MakeSite) -> None:
    async with make_site(sessions_per_worker=1).running() as site:
        first, second = site.browser(), site.browser()
        session = await alone(site, first)
        answer = await second.press("/", "/play/solo")
        lobby = answer.headers["location"]
        assert lobby.startswith("/lobby/tic_")
        assert "All homes are busy. You are next" in (await second.get(lobby)).text
        ticket = lobby.removeprefix("/lobby/")
        outcome = outcome_of(site, ticket)
        await site.state.lobby.connect(ticket, "tab")
        await site.host.finish(session, verdict(proposition(0)), "left")
        _close_now(site, session)
        await site.state.sessions.tidy()
        matched = await asyncio.wait_for(outcome, PATIENCE_S)
        assert home_of(matched) != session
        assert site.host.closed == [(session, "left")]


async def test_a_home_that_does_not_open_is_explained(site: RunningSite) -> None:
    browser, site.host.fail = site.browser(), RuntimeError("no worker")
    answer = await browser.press("/", "/play/solo")
    assert answer.status_code == 503
    assert "could not be opened" in answer.text
    async with site.state.database.transaction() as db:
        ticket_id = await db.scalar(select(TicketRow.ticket_id))
    # The page of the lobby tells the same, however late it is loaded again.
    assert "could not be opened" in (await browser.get(f"/lobby/{ticket_id}")).text
    assert site.state.sessions.free_places() == site.settings.capacity


async def test_next_begins_one_task_for_both(site: RunningSite) -> None:
    browsers, session = await together(site)
    episode = await site.host.finish(session, verdict(proposition(0)))
    answers = await asyncio.gather(
        *(
            b.press(f"/report/{episode}", f"/sessions/{session}/next", after=episode)
            for b in browsers
        )
    )
    assert [a.headers["location"] for a in answers] == [f"/play/{session}"] * 2
    assert len(site.host.nexts) == 1
    task = site.host.nexts[0][1]
    assert task.task_id != "t0"
    assert task.try_index == 0
    for browser in browsers:
        assert (await browser.get(f"/play/{session}")).status_code == 200


async def test_the_series_plays_every_task_and_counts_attempts(site: RunningSite) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    played: list[tuple[str, int]] = []
    for _ in range(5):
        episode = await site.host.finish(session, verdict(proposition(0, valid=False)))
        again = {"again": "true"} if len(played) == 0 else {}
        await browser.press(
            f"/report/{episode}", f"/sessions/{session}/next", after=episode, **again
        )
        played.append((site.host.nexts[-1][1].task_id, site.host.nexts[-1][1].try_index))
    assert played[0] == ("t0", 1)
    assert {t for t, _ in played[1:3]} == {"t1", "t2"}
    assert played[3][1] == 1
    assert (
        "This was attempt 2"
        in (
            await browser.get(f"/report/{await site.host.finish(session, verdict(proposition(0)))}")
        ).text
    )


async def test_a_closed_session_says_so(site: RunningSite) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    await site.state.sessions._close(session, "operator")
    page = await browser.get(f"/play/{session}")
    assert page.status_code == 410
    assert "This home is closed" in page.text


async def test_a_session_that_broke_is_closed_after_its_report(site: RunningSite) -> None:
    browser = site.browser()
    session = await alone(site, browser)
    await site.host.on_ended(session, "its worker died twice within a minute")
    assert (await browser.get(f"/play/{session}")).status_code == 410
    episode = await site.host.finish(session, verdict(proposition(0, satisfied=False)), "failed")
    page = (await browser.get(f"/report/{episode}")).text
    assert "technical problem" in page
    assert 'data-testid="next-task"' not in page
    _close_now(site, session)
    await site.state.sessions.tidy()
    assert site.host.closed == [(session, "failed")]
    assert site.state.sessions.free_places() == site.settings.capacity


async def test_a_restart_opens_again_what_ran(make_site: MakeSite) -> None:
    first = make_site()
    async with first.running() as site:
        one, two = site.browser(), site.browser()
        session = await alone(site, one)
        left = await alone(site, two)
        await site.host.finish(left, verdict(proposition(0)), "left")
    second = make_site()
    async with second.running() as site:
        ((spec, episode, resume),) = site.host.opened
        assert (spec.session_id, resume) == (session, True)
        assert episode.task_id == "t0"
        back = site.browser()
        back.client.cookies = one.client.cookies
        assert (await back.get(f"/play/{session}")).status_code == 200
        assert site.state.sessions.free_places() == site.settings.capacity - 1


async def test_after_a_long_absence_sessions_are_closed(make_site: MakeSite) -> None:
    async with make_site().running() as site:
        await alone(site, site.browser())
    async with make_site(resume_age_s=0).running() as site:
        assert site.host.opened == []
        assert site.state.sessions.free_places() == site.settings.capacity


async def test_errors_are_pages_with_kind_words(site: RunningSite) -> None:
    browser = site.browser()
    page = await browser.get("/no/such/page")
    assert page.status_code == 404
    assert "There is nothing here" in page.text

    async def broken() -> None:
        raise RuntimeError("a secret detail")

    site.app.add_api_route("/broken", broken)
    page = await browser.get("/broken")
    assert page.status_code == 500
    assert "It is our fault" in page.text
    assert "secret" not in page.text


async def test_every_answer_is_guarded(site: RunningSite) -> None:
    for path in ("/", "/no/such/page", "/healthz"):
        headers = (await site.browser().get(path)).headers
        policy = headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        script = next(p for p in policy.split("; ") if p.startswith("script-src"))
        assert "unsafe-inline" not in script
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"


async def test_pages_have_no_inline_scripts_or_styles(site: RunningSite) -> None:
    page = (await site.browser().get("/")).text
    assert not re.search(r"<script(?![^>]*(src=|application/json))", page)
    assert "style=" not in page
    assert not re.search(r"\son\w+=", page)


async def test_the_page_of_a_crash_carries_security_headers(site: RunningSite) -> None:
    async def crash() -> None:
        raise ZeroDivisionError

    site.app.add_api_route("/crash", crash)
    page = await site.browser().get("/crash")
    assert page.status_code == 500
    assert "Something went wrong here" in page.text
    for name, value in HEADERS.items():
        assert page.headers.get_list(name) == [value]
    assert page.headers["cache-control"] == "no-store"


async def test_O2_health(site: RunningSite) -> None:
    browser = site.browser()
    assert (await browser.get("/healthz")).json()["status"] == "ok"
    ready = await browser.get("/readyz")
    assert ready.status_code == 200
    assert ready.json()["free_homes"] == site.settings.capacity
    site.settings.dataset_path.unlink()
    site.passed_s += LASTS_S
    ready = await browser.get("/readyz")
    assert ready.status_code == 503
    assert "make houses" in ready.json()["problems"][0]


async def test_without_a_client_the_page_says_what_to_do(site: RunningSite) -> None:
    (site.settings.client_dir / ".vite" / "manifest.json").unlink()
    page = await site.browser().get("/")
    assert page.status_code == 503
    assert "make client" in page.text
