"""Guesses at accounts: nothing tells a name from none, and strangers lock nobody out for good."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.operator_accounts import NOBODYS_HASH, is_outdated, is_password
from server.web import account_access
from server.web.growing_waits import (
    FIRST_WAIT_S,
    FORGOTTEN_S,
    FREE_GUESSES,
    LONGEST_WAIT_S,
    GrowingWaits,
)
from server.web.guess_limits import GROUP_GUESSES
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import Browser, make_settings
from tests.server.web.operator_accounts import PASSWORD, add_account, logged, sign_in, signed_in


class StandingSite(RunningSite):
    """Site whose clock stands still: waits of seconds must not end while a busy machine works."""

    def clock(self) -> float:
        return self.passed_s


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[RunningSite]:
    async with StandingSite(make_settings(tmp_path)).running() as running:
        yield running


async def words(browser: Browser, name: str, password: str) -> str:
    """Return what a refused guess is told, without what differs between any two pages."""
    answer = await sign_in(browser, name, password)
    assert answer.status_code == 403
    return re.sub(r'value="\w+"', "", answer.text)


async def test_a_wrong_password_and_an_unknown_name_are_answered_alike(
    site: RunningSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = is_password

    def judge(kept: str, given: str) -> bool:
        asked.append(kept)
        return real(kept, given)

    monkeypatch.setattr(account_access, "is_password", judge)
    await add_account(site, "anna")
    browser = site.browser("192.0.2.1")
    told = {
        await words(browser, name, "not the password")
        for name in ("anna", "nobody", "", "not a name!", "x" * 400)
    }
    assert len(told) == 1
    # The same work is done for a name that nobody has, at the same cost.
    assert asked[1:] == [NOBODYS_HASH] * 4
    assert asked[0] != NOBODYS_HASH
    assert asked[0].rsplit("$", 2)[0] == NOBODYS_HASH.rsplit("$", 2)[0]
    assert not is_outdated(NOBODYS_HASH)
    rows = [(row.who, row.act, row.target, row.outcome) for row in await logged(site)]
    assert rows == [("server", "sign_in", "", "refused")], "no name: some type passwords there"


async def guess_from_everywhere(site: RunningSite, name: str) -> list[int]:
    """Guess as often as there is no wait, each time from another address."""
    answers = [
        (await sign_in(site.browser(f"198.51.100.{n}"), name, f"guess {n}")).status_code
        for n in range(FREE_GUESSES + 2)
    ]
    assert answers == [403] * FREE_GUESSES + [429] * 2
    return answers


async def test_strangers_do_not_lock_a_known_browser_out(site: RunningSite) -> None:
    await add_account(site, "anna")
    known = await signed_in(site, "anna", "192.0.2.1")
    await known.press("/operator", "/operator/leave")
    # What is said of a name that nobody has is the same.
    assert await guess_from_everywhere(site, "nobody") == await guess_from_everywhere(site, "anna")
    new = site.browser("203.0.113.1")
    refused = await sign_in(new, "anna")
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= FIRST_WAIT_S
    assert "seconds, then try again" in refused.text
    # From another address, too: laptops are carried about.
    moved = site.browser("203.0.113.2")
    moved.client.cookies = known.client.cookies
    assert (await sign_in(moved, "anna")).status_code == 303
    site.passed_s += FIRST_WAIT_S
    assert (await sign_in(new, "anna")).status_code == 303


async def test_a_known_browser_of_one_account_is_none_of_another(site: RunningSite) -> None:
    await add_account(site, "anna")
    await add_account(site, "ben")
    known = await signed_in(site, "ben")
    await known.press("/operator", "/operator/leave")
    await guess_from_everywhere(site, "anna")
    assert (await sign_in(known, "anna")).status_code == 429


async def test_one_address_has_so_many_guesses_whatever_names_it_tries(site: RunningSite) -> None:
    await add_account(site, "anna")
    stranger = site.browser("192.0.2.7")
    for n in range(GROUP_GUESSES):
        assert (await sign_in(stranger, f"name{n}", "guess")).status_code == 403
    assert (await sign_in(stranger, "anna")).status_code == 429
    assert (await sign_in(site.browser("192.0.2.8"), "anna")).status_code == 303


async def test_a_link_that_was_used_is_no_guess(site: RunningSite) -> None:
    await add_account(site, "anna")
    secret = site.state.operators.make_link("http://192.0.2.9").partition("#once=")[2]
    stranger = site.browser("192.0.2.7")
    assert (await sign_in(site.browser("192.0.2.8"), "", secret)).status_code == 303
    for _ in range(GROUP_GUESSES + 1):
        refused = await sign_in(stranger, "", secret)
        assert (refused.status_code, "This link has been used" in refused.text) == (403, True)
    assert (await sign_in(stranger, "anna")).status_code == 303
    assert [row.who for row in await logged(site)] == ["anna"]


async def test_guesses_at_once_are_counted_one_by_one(site: RunningSite) -> None:
    await add_account(site, "anna")
    browsers = [site.browser(f"198.51.100.{n}") for n in range(3 * FREE_GUESSES)]
    answers = await asyncio.gather(*(sign_in(b, "anna", "guess") for b in browsers))
    statuses = [answer.status_code for answer in answers]
    assert (statuses.count(403), statuses.count(429)) == (FREE_GUESSES, 2 * FREE_GUESSES)


async def test_the_right_password_is_refused_too_while_a_wait_lasts(site: RunningSite) -> None:
    await add_account(site, "anna")
    await guess_from_everywhere(site, "anna")
    assert (await sign_in(site.browser("203.0.113.1"), "anna", PASSWORD)).status_code == 429


def test_waits_grow_and_have_an_end() -> None:
    now = [0.0]
    waits = GrowingWaits(lambda: now[0])
    seen = []
    for _ in range(FREE_GUESSES + 12):
        seen.append(waits.wait_s("anna"))
        now[0] += seen[-1]
        assert waits.wait_s("anna") == 0
        waits.guessed_wrong("anna")
    grown = seen[FREE_GUESSES:]
    assert seen[:FREE_GUESSES] == [0] * FREE_GUESSES
    assert grown[:3] == [FIRST_WAIT_S, 2 * FIRST_WAIT_S, 4 * FIRST_WAIT_S]
    assert max(grown) == grown[-1] == LONGEST_WAIT_S
    assert waits.wait_s("ben") == 0
    now[0] += FORGOTTEN_S + 1
    waits.guessed_wrong("ben")
    assert (waits.wait_s("anna"), len(waits)) == (0, 1)
