"""Limits of what one visitor and one address may have, over HTTP and a real database."""

from __future__ import annotations

import asyncio
import time
from math import floor
from typing import Any

import httpx
import pytest
from pydantic import ValidationError
from structlog.testing import capture_logs

from matchmaking.tickets import Pool, Ticket, Wish
from server.settings import Settings
from server.store.models import ParticipantRow
from server.web import lobby_entry
from server.web.admission import LEAST_SHARE
from server.web.newcomers import Newcomers
from tests.patience import PATIENCE_S
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import Browser, proposition, verdict
from tests.server.web.test_pages import count, group

ATTACKER, LABORATORY, OTHER = "198.51.100.7", "192.0.2.10", "203.0.113.5"
MANY = {"address_newcomers": "1000/minute", "address_forms": "1000/minute"}


async def solo(browser: Browser) -> httpx.Response:
    return await browser.press("/", "/play/solo")


def is_playing(answer: httpx.Response) -> bool:
    location: str = answer.headers.get("location", "")
    return location.startswith("/play/ses_")


async def test_an_address_holds_its_share_and_the_rest_is_for_others(make_site: MakeSite) -> None:
    async with make_site(sessions_per_worker=12, **MANY).running() as site:
        answers = await asyncio.gather(*(solo(site.browser(ATTACKER)) for _ in range(30)))
        assert sum(map(is_playing, answers)) == 6
        assert site.state.sessions.free_places() == 6
        refused = [a for a in answers if not is_playing(a)]
        assert {a.status_code for a in refused} == {503}
        assert {a.headers["retry-after"] for a in refused} == {"30"}
        assert "Nothing is lost" in refused[0].text
        assert "6 places" in refused[0].text
        assert is_playing(await solo(site.browser(OTHER)))
        assert "Your group has filled its places" in refused[0].text
        assert "wait 30 seconds" in refused[0].text
        # Neither do stays in the lobby help.
        for way in ("/play/person", "/play/invite"):
            assert (await site.browser(ATTACKER).press("/", way)).status_code == 503
        assert site.state.admission.turned_away == {"address_share": 26}


async def test_the_log_tells_of_a_limit_once_a_minute_and_counts(make_site: MakeSite) -> None:
    async with make_site(address_newcomers="1/hour").running() as site:
        with capture_logs() as logs:
            for _ in range(5):
                await solo(site.browser(ATTACKER))
            site.passed_s += 60
            await solo(site.browser(ATTACKER))
    limits = [line for line in logs if line["event"] == "admission.limit_met"]
    assert [(line["limit"], line["count"]) for line in limits] == [
        ("address_newcomers", 1),
        ("address_newcomers", 4),
    ]


async def test_a_network_of_ipv6_is_one_address(make_site: MakeSite) -> None:
    async with make_site(sessions_per_worker=8, **MANY).running() as site:
        answers = [await solo(site.browser(f"2001:db8:1:2::{n}")) for n in range(1, 7)]
        assert sum(map(is_playing, answers)) == LEAST_SHARE
        assert is_playing(await solo(site.browser("2001:db8:1:3::1")))


async def test_a_place_that_is_free_again_is_for_the_next(make_site: MakeSite) -> None:
    async with make_site(sessions_per_worker=8, **MANY).running() as site:
        browsers = [site.browser(ATTACKER) for _ in range(LEAST_SHARE)]
        sessions = [(await solo(b)).headers["location"].removeprefix("/play/") for b in browsers]
        late = site.browser(ATTACKER)
        assert (await solo(late)).status_code == 503
        await site.host.finish(sessions[0], verdict(proposition(0)))
        # Between two tasks the place is still theirs; who begins something else gives it up.
        assert (await solo(late)).status_code == 503
        assert is_playing(await solo(browsers[0]))
        assert site.host.closed == [(sessions[0], "finished")]
        lobby = (await site.browser(OTHER).press("/", "/play/person")).headers["location"]
        assert lobby.startswith("/lobby/")
        await site.host.finish(sessions[1], verdict(proposition(0)), "left")
        site.passed_s += 31
        await site.state.sessions.tidy()
        assert is_playing(await solo(late))


async def test_two_people_of_an_invitation_hold_one_place(make_site: MakeSite) -> None:
    async with make_site(sessions_per_worker=8, **MANY).running() as site:
        for _ in range(LEAST_SHARE - 1):
            assert is_playing(await solo(site.browser(LABORATORY)))
        host = site.browser(LABORATORY)
        lobby = (await host.press("/", "/play/invite")).headers["location"]
        ticket = site.state.lobby.ticket(lobby.removeprefix("/lobby/"))
        assert ticket is not None
        assert (await solo(site.browser(LABORATORY))).status_code == 503
        link = f"/invite/{ticket.code}"
        joined = await site.browser(LABORATORY).press(link, link)
        assert joined.headers["location"].startswith("/lobby/")
        # Who leaves the lobby gives the place back, whatever was refused meanwhile.
        await host.press(lobby, f"{lobby}/cancel")
        guest = joined.headers["location"]
        assert (await solo(site.browser(LABORATORY))).status_code == 503
        site.state.lobby.wake()
        assert site.state.lobby.ticket(guest.removeprefix("/lobby/")) is not None


async def pair_up(site: RunningSite, people: int, *, at_once: bool) -> list[httpx.Response]:
    """Have so many people of one laboratory seek a partner; return the answers to their forms."""

    async def seek() -> httpx.Response:
        answer = await site.browser(LABORATORY).press("/", "/play/person")
        location: str = answer.headers.get("location", "")
        if location:
            await site.state.lobby.connect(location.removeprefix("/lobby/"), "tab")
        return answer

    if at_once:
        return list(await asyncio.gather(*(seek() for _ in range(people))))
    return [await seek() for _ in range(people)]


@pytest.mark.parametrize("at_once", [True, False])
async def test_twice_as_many_people_as_places_of_an_address_play_in_pairs(
    make_site: MakeSite, at_once: bool
) -> None:
    async with make_site(sessions_per_worker=8, **MANY).running() as site:
        answers = await pair_up(site, 2 * LEAST_SHARE, at_once=at_once)
        assert [a.status_code for a in answers] == [303] * (2 * LEAST_SHARE)
        async with asyncio.timeout(PATIENCE_S):
            while site.state.sessions.free_places() > LEAST_SHARE:  # noqa: ASYNC110 — no event
                await asyncio.sleep(0.01)
        assert site.state.lobby.waiting() == 0
        # That is all: neither alone nor for another partner, whomever they leave behind.
        for way in ("/play/solo", "/play/person", "/play/invite") * 2:
            assert (await site.browser(LABORATORY).press("/", way)).status_code == 503
        assert site.state.sessions.free_places() == LEAST_SHARE
        assert is_playing(await solo(site.browser(OTHER)))


async def test_what_one_browser_is_refused_costs_its_neighbours_nothing(
    make_site: MakeSite,
) -> None:
    rates = {"participant_forms": "2/minute", "address_forms": "10/minute"}
    async with make_site(**rates).running() as site:
        wild = site.browser(LABORATORY)
        statuses = [(await solo(wild)).status_code for _ in range(20)]
        assert statuses == [303] * 2 + [429] * 18
        for _ in range(8):
            assert is_playing(await solo(site.browser(LABORATORY)))
        refused = await solo(site.browser(LABORATORY))
        assert refused.status_code == 429
        assert "pressed buttons here more often than one network may" in refused.text


async def test_sixty_people_of_one_laboratory_arrive_at_once_and_all_play(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However busy the machine, nobody is sent to wait in the lobby.
    monkeypatch.setattr(lobby_entry, "SOLO_WAIT_S", PATIENCE_S)
    async with make_site().running() as site:
        people = [site.browser(LABORATORY) for _ in range(60)]
        await asyncio.gather(*(b.get("/") for b in people))
        # Each presses twice, as people do, before the first answer brings the cookie.
        answers = await asyncio.gather(*(solo(b) for b in people for _ in range(2)))
        assert all(map(is_playing, answers)), site.state.admission.turned_away
        assert len({a.headers["location"] for a in answers}) == 60
        assert await count(site, ParticipantRow) == 60


async def test_an_honest_visitor_meets_no_limit(make_site: MakeSite) -> None:
    # Pages of this test tell nothing while its clock leaps.
    async with make_site(abandoned_s=10_000, between_tasks_s=10_000).running() as site:
        visitor = site.browser(OTHER)
        url = (await solo(visitor)).headers["location"]
        # Ten tabs, a double click, going back and trying again.
        for _ in range(12):
            assert (await solo(visitor)).headers["location"] == url
        session = url.removeprefix("/play/")
        for _ in range(20):
            episode = await site.host.finish(session, verdict(proposition(0)))
            path = f"/sessions/{session}/next"
            token = group(
                r'name="form_token" value="(\w+)"', (await visitor.get(f"/report/{episode}")).text
            )
            for _ in range(2):
                form = {"form_token": token, "after": episode}
                answer = await visitor.client.post(path, data=form)
                assert answer.headers["location"] == url
            site.passed_s += 180
        await site.host.finish(session, verdict(proposition(0)))
        for way in ("/play/person", "/play/invite", "/play/person"):
            lobby = (await visitor.press("/", way)).headers["location"]
            assert lobby.startswith("/lobby/")
        assert (await visitor.press(lobby, f"{lobby}/cancel")).headers["location"] == "/"
        assert not site.state.admission.turned_away


async def test_newcomers_take_turns_by_cookie_and_none_is_remembered() -> None:
    newcomers, order = Newcomers(), list[str]()

    async def come(cookie: str | None, name: str) -> None:
        async with newcomers.turn(cookie):
            order.append(f"{name} begins")
            await asyncio.sleep(0)
            order.append(f"{name} ends")

    await asyncio.gather(come("a", "first"), come("a", "second"))
    assert order == ["first begins", "first ends", "second begins", "second ends"]
    order.clear()
    await asyncio.gather(come(None, "first"), come(None, "second"), come("a", "third"))
    assert order[:3] == ["first begins", "second begins", "third begins"]
    assert len(newcomers) == 0


async def test_forms_and_newcomers_of_an_address_are_counted(make_site: MakeSite) -> None:
    rates = {"address_forms": "8/minute", "address_newcomers": "3/minute"}
    async with make_site(**rates).running() as site:
        begun = time.monotonic()
        for _ in range(3):
            assert is_playing(await solo(site.browser(ATTACKER)))
        refused = await solo(site.browser(ATTACKER))
        # A minute, less what has passed since they began on a busy machine.
        wait_s = int(refused.headers["retry-after"])
        passed_s = time.monotonic() - begun
        assert refused.status_code == 429
        assert floor(60 - passed_s) <= wait_s <= 60
        assert f"Nothing is lost: wait {wait_s} seconds" in refused.text
        assert "More of them began for the first time than one network may" in refused.text
        known = site.browser(OTHER)
        url = (await solo(known)).headers["location"]
        for _ in range(7):
            assert (await solo(known)).headers["location"] == url
        assert (await solo(known)).status_code == 429
        site.passed_s += 61
        # The same button a minute later is not the same press: a page asks what is meant.
        assert "You have a home open" in (await solo(known)).text
        assert is_playing(await solo(site.browser(ATTACKER)))
        assert site.state.admission.turned_away == {"address_newcomers": 1, "address_forms": 1}


async def test_a_participant_who_joins_and_cancels_as_fast_as_they_can(make_site: MakeSite) -> None:
    async with make_site(participant_forms="10/minute").running() as site:
        browser = site.browser(OTHER)
        statuses = []
        lobby = (await browser.press("/", "/play/person")).headers["location"]
        for _ in range(10):
            statuses.append((await browser.press(lobby, f"{lobby}/cancel")).status_code)
            answer = await browser.press("/", "/play/person")
            statuses.append(answer.status_code)
            if answer.status_code != 303:
                break
            lobby = answer.headers["location"]
        # With the form that first joined.
        assert statuses == [303] * 9 + [429]
        # Others of the same address go on.
        assert is_playing(await solo(site.browser(OTHER)))


async def test_load_programs_on_this_machine_are_exempt_only_by_a_setting(
    make_site: MakeSite,
) -> None:
    tight = {"address_forms": "2/minute", "sessions_per_worker": 8}
    async with make_site(**tight).running() as site:
        answers = [await solo(site.browser()) for _ in range(3)]
        assert [a.status_code for a in answers] == [303, 303, 429]
    async with make_site(exempt_loopback=True, **tight).running() as site:
        assert all([is_playing(await solo(site.browser())) for _ in range(6)])
        assert (await solo(site.browser(OTHER))).status_code == 303


async def test_a_form_that_comes_too_late_does_not_free_the_place_of_a_faster_one(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_site(sessions_per_worker=12, **MANY).running() as site:
        join, faster_play = site.state.lobby.join, asyncio.Event()
        entered: asyncio.Queue[str] = asyncio.Queue()

        async def slow_join(
            ticket: str, participant: str, pool: Pool, *more: Any, **told: Any
        ) -> Ticket:
            if pool.wish is Wish.INVITE and not faster_play.is_set():
                entered.put_nowait(participant)
                await faster_play.wait()
            return await join(ticket, participant, pool, *more, **told)

        monkeypatch.setattr(site.state.lobby, "join", slow_join)
        late = []
        for _ in range(6):
            browser = site.browser(ATTACKER)
            # The form for newcomers is answered before they have a cookie; these have one.
            lobby = (await browser.press("/", "/play/person")).headers["location"]
            await browser.press(lobby, f"{lobby}/cancel")
            late.append(asyncio.create_task(browser.press("/", "/play/invite")))
            await asyncio.wait_for(entered.get(), PATIENCE_S)
            assert is_playing(await solo(browser))
        assert (await solo(site.browser(ATTACKER))).status_code == 503
        faster_play.set()
        assert all(map(is_playing, await asyncio.gather(*late)))
        assert (await solo(site.browser(ATTACKER))).status_code == 503
        assert site.state.sessions.free_places() == 6


async def test_a_small_server_leaves_two_pairs_at_one_desk_in_peace(make_site: MakeSite) -> None:
    async with make_site(sessions_per_worker=1).running() as site:
        assert is_playing(await solo(site.browser()))
        for _ in range(3):
            answer = await solo(site.browser())
            assert answer.headers["location"].startswith("/lobby/")


async def test_without_a_share_an_address_may_have_everything(make_site: MakeSite) -> None:
    async with make_site(sessions_per_worker=8, address_share=1).running() as site:
        assert all([is_playing(await solo(site.browser(LABORATORY))) for _ in range(8)])
        answer = await solo(site.browser(LABORATORY))
        assert answer.headers["location"].startswith("/lobby/")


@pytest.mark.parametrize("rate", ["", "ten a minute", "60"])
def test_a_rate_that_is_none_is_refused(rate: str) -> None:
    with pytest.raises(ValidationError, match="60/minute;600/hour"):
        Settings(address_forms=rate, _env_file=None)
