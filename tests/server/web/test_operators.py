"""Operators: passwords, links and cookies, and what strangers may try."""

from __future__ import annotations

import asyncio
import hashlib
import re
from pathlib import Path

import httpx
import pytest

from server.settings_error import SettingsError
from server.store.identifiers import new_id
from server.web.guess_limits import ALL_GUESSES, FEW_GUESSES, GROUP_GUESSES, WINDOW_S
from server.web.operator_access import COOKIE, LINK_AGE_S, SESSION_AGE_S
from tests.server.web.conftest import MakeSite
from tests.server.web.doubles import ORIGIN, Browser

PASSWORD = "open sesame, please, and let nobody else in"


async def enter(browser: Browser, password: str) -> httpx.Response:
    """Send the form, which stands on a page that answers 403."""
    page = (await browser.client.get("/operator")).text
    found = re.search(r'name="form_token" value="(\w+)"', page)
    assert found, page
    return await browser.client.post(
        "/operator/enter",
        data={"form_token": found[1], "password": password},
        headers={"origin": ORIGIN},
    )


def cookie_of(answer: httpx.Response) -> str:
    assert answer.status_code == 303, answer.text
    return answer.cookies[COOKIE]


async def test_the_cookie_holds_nothing_of_the_password(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        first, second = site.browser(), site.browser()
        answer = await enter(first, PASSWORD)
        header = next(
            h for h in answer.headers.get_list("set-cookie") if h.startswith(f"{COOKIE}=")
        )
        for part in ("HttpOnly", "SameSite=strict", "Path=/operator", f"Max-Age={SESSION_AGE_S}"):
            assert part in header
        cookie, other = cookie_of(answer), cookie_of(await enter(second, PASSWORD))
        assert cookie != other, "it is random"
        assert len(cookie) == 43
        for digest in (hashlib.sha256, hashlib.sha1, hashlib.md5):
            assert digest(PASSWORD.encode()).hexdigest() not in cookie


async def test_white_space_that_was_pasted_with_a_password_is_no_part_of_it(
    make_site: MakeSite,
) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        assert cookie_of(await enter(site.browser(), f"\t{PASSWORD} \n"))


async def test_signing_in_leads_back_to_the_session_that_was_watched(make_site: MakeSite) -> None:
    session = new_id("ses")
    async with make_site(metrics_token=PASSWORD).running() as site:
        browser = site.browser()
        page = (await browser.client.get(f"/operator/watch/{session}")).text
        assert f'name="watch" value="{session}"' in page
        found = re.search(r'name="form_token" value="(\w+)"', page)
        assert found, page
        for watched, to in (
            (session, f"/operator/watch/{session}"),
            ("//evil.example/ses_1", "/operator"),
            ("../metrics", "/operator"),
            ("", "/operator"),
        ):
            fields = {"form_token": found[1], "watch": watched}
            wrong = await browser.client.post(
                "/operator/enter", data={**fields, "password": "no"}, headers={"origin": ORIGIN}
            )
            assert ('name="watch"' in wrong.text) == (to != "/operator")
            answer = await browser.client.post(
                "/operator/enter", data={**fields, "password": PASSWORD}, headers={"origin": ORIGIN}
            )
            assert answer.headers["location"] == to


async def test_a_forged_cookie_or_one_of_another_process_is_nothing(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        real = cookie_of(await enter(site.browser(), PASSWORD))
    async with make_site(metrics_token="a new password of the operators").running() as site:
        for cookie in (real, "nonsense", "", "x" * 4000, hashlib.sha256(b"").hexdigest()):
            browser = site.browser()
            browser.client.cookies.set(COOKIE, cookie)
            assert (await browser.get("/operator")).status_code == 403


async def test_who_signs_out_is_out_with_every_copy_of_the_cookie(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        browser, thief, other = site.browser(), site.browser(), site.browser()
        cookie = cookie_of(await enter(browser, PASSWORD))
        thief.client.cookies.set(COOKIE, cookie, path="/operator")
        await enter(other, PASSWORD)
        assert (await thief.get("/operator")).status_code == 200
        await browser.press("/operator", "/operator/leave")
        assert (await browser.get("/operator")).status_code == 403
        assert (await thief.get("/operator")).status_code == 403
        assert (await other.get("/operator")).status_code == 200


async def test_a_browser_is_forgotten_after_a_while(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        browser = site.browser()
        await enter(browser, PASSWORD)
        site.passed_s += SESSION_AGE_S - 60
        assert (await browser.get("/operator")).status_code == 200
        site.passed_s += 61
        assert (await browser.get("/operator")).status_code == 403


async def test_wrong_passwords_of_one_address_are_limited(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        stranger, neighbour = site.browser("192.0.2.7"), site.browser("192.0.2.8")
        for n in range(GROUP_GUESSES):
            assert (await enter(stranger, f"guess {n}")).status_code == 403
        # Even the right one, or guessing would go on.
        for password in ("another", PASSWORD):
            refused = await enter(stranger, password)
            assert refused.status_code == 429
            assert WINDOW_S - 60 <= int(refused.headers["retry-after"]) <= WINDOW_S
            assert "Too many wrong passwords" in refused.text
            assert COOKIE not in refused.cookies
        assert (await enter(neighbour, PASSWORD)).status_code == 303
        site.passed_s += WINDOW_S + 1
        assert (await enter(stranger, PASSWORD)).status_code == 303


async def test_guesses_from_one_ipv6_network_count_together(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        for n in range(GROUP_GUESSES):
            assert (await enter(site.browser(f"2001:db8:1:1::{n}"), f"no {n}")).status_code == 403
        assert (await enter(site.browser("2001:db8:1:1:2::7"), "no")).status_code == 429
        assert (await enter(site.browser("2001:db8:1:2::7"), "no")).status_code == 403


async def test_guesses_from_everywhere_keep_no_operator_out(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        guess = {"authorization": "Bearer guess"}
        for n in range(ALL_GUESSES + 20):
            stranger = site.browser(f"198.51.100.{n}").client
            assert (await stranger.get("/metrics", headers=guess)).status_code == 403
        for n in range(FEW_GUESSES - 1):
            guess = {"authorization": f"Bearer another guess {n}"}
            assert (await stranger.get("/metrics", headers=guess)).status_code == 403
        assert (await stranger.get("/metrics", headers=guess)).status_code == 429
        # From an address that was never seen before.
        operator = site.browser("192.0.2.1")
        assert (await enter(operator, PASSWORD)).status_code == 303
        assert (await operator.get("/operator")).status_code == 200


async def test_a_link_meets_no_limit_of_guesses(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        secret = secret_of(site.state.operators.make_link("http://192.168.1.5:8000"))
        browser = site.browser("192.0.2.7")
        for n in range(GROUP_GUESSES):
            assert (await enter(browser, f"guess {n}")).status_code == 403
        assert (await enter(browser, "guess")).status_code == 429
        assert (await enter(browser, secret)).status_code == 303


async def test_wrong_bearers_are_limited_and_a_health_check_is_not(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        client = site.browser("192.0.2.7").client
        wrong = {"authorization": "Bearer guess"}
        for n in range(GROUP_GUESSES):
            guess = {"authorization": f"Bearer guess {n}"}
            assert (await client.get("/metrics", headers=guess)).status_code == 403
        for header in (wrong, {"authorization": f"Bearer {PASSWORD}"}):
            refused = await client.get("/metrics", headers=header)
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) > 0
        ready = await client.get("/readyz", headers=wrong)
        assert (ready.status_code, ready.json()) == (200, {"status": "ok"})
        assert (await client.get("/operator", headers=wrong)).status_code == 429
        # What is no guess does not count as one: a login of a proxy's own, and no login at all.
        assert (await client.get("/metrics")).status_code == 403
        basic = {"authorization": "Basic eDp5"}
        assert (await client.get("/metrics", headers=basic)).status_code == 403


async def test_a_scraper_with_the_old_token_keeps_nobody_out(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        # Behind one address, as Prometheus and its operator are.
        client, operator = site.browser("192.0.2.7").client, site.browser("192.0.2.7")
        old = {"authorization": "Bearer the token before this one"}
        for _ in range(3 * GROUP_GUESSES):
            assert (await client.get("/metrics", headers=old)).status_code == 403
        new = {"authorization": f"Bearer {PASSWORD}"}
        assert (await client.get("/metrics", headers=new)).status_code == 200
        assert (await enter(operator, PASSWORD)).status_code == 303


async def test_guesses_at_once_are_counted_one_by_one(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        client = site.browser("192.0.2.7").client
        asked = [
            client.get("/metrics", headers={"authorization": f"Bearer {n}"})
            for n in range(3 * GROUP_GUESSES)
        ]
        statuses = [answer.status_code for answer in await asyncio.gather(*asked)]
        assert statuses.count(403) == GROUP_GUESSES
        assert statuses.count(429) == 2 * GROUP_GUESSES


def secret_of(link: str) -> str:
    address, _, secret = link.partition("#once=")
    assert address == "http://192.168.1.5:8000/operator"
    return secret


async def test_a_link_works_once(make_site: MakeSite) -> None:
    async with make_site(host="0.0.0.0").running() as site:
        secret = secret_of(site.state.operators.make_link("http://192.168.1.5:8000"))
        away, other = site.browser("192.168.1.9"), site.browser("192.168.1.8")
        assert (await enter(away, secret)).status_code == 303
        assert (await away.get("/operator")).status_code == 200
        # Nothing is left that could be entered, and so there is no form.
        page = await other.client.get("/operator")
        assert page.status_code == 403
        assert "operator-password" not in page.text


async def test_a_link_that_was_used_says_so(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        secret = secret_of(site.state.operators.make_link("http://192.168.1.5:8000"))
        assert (await enter(site.browser(), secret)).status_code == 303
        refused = await enter(site.browser("192.168.1.8"), secret)
        assert refused.status_code == 403
        assert "This link has been used" in refused.text
        assert "That is not it" in (await enter(site.browser("192.168.1.8"), "guess")).text


async def test_a_link_grows_old(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        secret = secret_of(site.state.operators.make_link("http://192.168.1.5:8000"))
        site.passed_s += LINK_AGE_S + 1
        assert (await enter(site.browser(), secret)).status_code == 403


async def test_a_link_is_of_its_process(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        secret = secret_of(site.state.operators.make_link("http://192.168.1.5:8000"))
    async with make_site(metrics_token=PASSWORD).running() as site:
        assert (await enter(site.browser(), secret)).status_code == 403


async def test_an_empty_password_opens_nothing(make_site: MakeSite) -> None:
    async with make_site(host="0.0.0.0").running() as site:
        site.state.operators.make_link("http://192.168.1.5:8000")
        away = site.browser("192.168.1.9")
        for nothing in ("", " ", "Bearer"):
            assert (await enter(away, nothing)).status_code == 403
        for bearer in ("Bearer", "Bearer ", "bearer  "):
            answer = await away.client.get("/metrics", headers={"authorization": bearer})
            assert answer.status_code == 403


@pytest.mark.parametrize("changes", [{"proxy_ips": "127.0.0.1"}, {"metrics_token": PASSWORD}])
async def test_a_sign_of_a_proxy_or_a_password_ends_what_the_address_proves(
    make_site: MakeSite, changes: dict[str, str]
) -> None:
    async with make_site(**changes).running() as site:
        assert (await site.browser().get("/operator")).status_code == 403
        assert (await site.browser().get("/metrics")).status_code == 403


def test_nobody_serves_the_public_without_a_password(make_site: MakeSite, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no operator has an account"):
        make_site(public_url="https://homes.example.org")
    assert not (tmp_path / "data" / "secret_key").exists()
