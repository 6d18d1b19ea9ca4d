"""Sign-ins with OpenID Connect: who gets in, and what of a provider is not believed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from server.operator_accounts import read_identity
from server.store.identifiers import new_id
from server.store.operators import add_sign_in, operator_named, remove_operator
from server.web.guess_limits import GROUP_GUESSES
from server.web.oidc import provider as provider_module
from server.web.oidc.sign_in_flows import FLOW_AGE_S, GROUP_FLOWS, SignInFlows
from server.web.operator_access import COOKIE, hash_of
from server.web.operators.oidc_pages import OIDC_COOKIE
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import ORIGIN, Browser
from tests.server.web.oidc_provider import Claims, OidcProvider, key, serving_provider
from tests.server.web.oidc_sign_ins import (
    TOKEN,
    add_known,
    begin,
    come_back,
    form_on,
    is_in,
    press,
    refused,
    there,
    way_there,
)
from tests.server.web.operator_accounts import PASSWORD, add_account, logged, sign_in


@pytest.fixture
async def provider() -> AsyncIterator[OidcProvider]:
    async with serving_provider() as found:
        yield found


@pytest.fixture
async def site(make_site: MakeSite, provider: OidcProvider) -> AsyncIterator[RunningSite]:
    made = make_site(metrics_token=TOKEN, public_url=ORIGIN, **provider.settings)
    async with made.running() as running:
        await add_known(running, provider)
        yield running


async def test_whoever_has_an_account_is_signed_in_as_with_a_password(
    site: RunningSite, provider: OidcProvider
) -> None:
    browser = site.browser("192.0.2.1")
    address = await way_there(browser)
    asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert asked["redirect_uri"] == f"{ORIGIN}/operator/oidc/callback"
    assert asked["scope"] == "openid"
    assert not await is_in(browser)
    answer = await browser.get(await provider.back_from(address))
    # No redirect: a browser would not send its strict cookie with one that began elsewhere.
    assert (answer.status_code, answer.headers["refresh"]) == (200, "0;url=/operator")
    ours = [h for h in answer.headers.get_list("set-cookie") if h.startswith(f"{COOKIE}=")]
    for part in ("HttpOnly", "SameSite=strict", "Path=/operator"):
        assert part in ours[0]
    assert "You are signed in as anna (administer)" in (await browser.get("/operator")).text
    assert [(row.who, row.act, row.target, row.detail) for row in await logged(site)] == [
        ("anna", "sign_in", "anna", "OpenID Connect")
    ]
    await browser.press("/operator", "/operator/leave")
    assert not await is_in(browser)
    # The tokens of the provider are kept nowhere, nor is its secret shown.
    data = b"".join(path.read_bytes() for path in site.settings.data_dir.glob("cohabit.db*"))
    assert provider.tokens[0].encode() not in data
    assert provider.settings["oidc_client_secret"] not in repr(site.settings)


async def test_keys_of_kinds_that_are_not_known_here_are_left_out(
    site: RunningSite, provider: OidcProvider
) -> None:
    provider.other_keys = [{"kty": "EC", "crv": "P-999", "x": "AA", "y": "AA"}, {"kty": "new"}]
    browser = site.browser("192.0.2.1")
    answer = await browser.get(await provider.back_from(await way_there(browser)))
    assert answer.status_code == 200
    assert await is_in(browser)


def test_an_address_of_another_alphabet_is_nobody_elses() -> None:
    """The Kelvin sign is a small k in lower case."""
    with pytest.raises(ValueError, match="expected an address"):
        read_identity("https://id.example.edu", "email", "anna.\u212a@example.edu")


async def test_it_leads_to_the_session_that_was_asked_for(
    site: RunningSite, provider: OidcProvider
) -> None:
    browser, session = site.browser("192.0.2.1"), new_id("ses")
    address = await way_there(browser, f"/operator/watch/{session}")
    answer = await browser.get(await provider.back_from(address))
    assert answer.headers["refresh"] == f"0;url=/operator/watch/{session}"


async def test_an_account_of_the_university_makes_nobody_an_operator(
    site: RunningSite, provider: OidcProvider
) -> None:
    provider.subject = "somebody-else"
    browser = site.browser("192.0.2.1")
    answer = await come_back(browser, provider)
    assert answer.status_code == 403
    assert "You have no account here" in answer.text
    assert "(your sub): somebody-else" in answer.text
    assert COOKIE not in answer.cookies
    assert not await is_in(browser)
    rows = [(row.who, row.act, row.target, row.outcome, row.detail) for row in await logged(site)]
    assert rows == [("server", "sign_in", "", "refused", "")]
    # Who tries it again and again is one person; many are too many guesses of their address.
    assert (await come_back(browser, provider)).status_code == 403
    for n in range(GROUP_GUESSES - 1):
        provider.subject = f"somebody-{n}"
        assert (await come_back(browser, provider)).status_code == 403
    assert (await begin(browser)).status_code == 429
    provider.subject = "a1b2-anna"
    assert (await come_back(site.browser("192.0.2.2"), provider)).status_code == 200


async def test_a_removed_account_and_one_of_another_provider_are_no_accounts(
    site: RunningSite, provider: OidcProvider
) -> None:
    await add_account(site, "ben")
    browser = site.browser("192.0.2.1")
    address = await provider.back_from(await way_there(browser))
    async with site.state.database.transaction() as db:
        row = await operator_named(db, "anna")
        assert row is not None
        await remove_operator(db, row, even_last=False)
    assert (await browser.get(address)).status_code == 403
    await add_known(site, provider, "eve", issuer="https://elsewhere.example.org")
    await add_known(site, provider, "mallory", claim="email")
    assert (await come_back(browser, provider)).status_code == 403
    assert not await is_in(browser)


async def test_an_account_without_a_password_opens_with_none(site: RunningSite) -> None:
    for password in (PASSWORD, "", "a1b2-anna"):
        answer = await sign_in(site.browser("192.0.2.1"), "anna", password)
        assert answer.status_code in {400, 403}
    assert [row.outcome for row in await logged(site)] == ["refused"]


def without(name: str) -> Callable[[Claims], Claims]:
    return lambda claims: {other: v for other, v in claims.items() if other != name}


LIES: dict[str, Callable[[Claims], Claims]] = {
    "another nonce": lambda claims: {**claims, "nonce": "another"},
    "no nonce": without("nonce"),
    "expired": lambda claims: {**claims, "exp": claims["exp"] - 3600},
    "no end": without("exp"),
    "of later": lambda claims: {**claims, "iat": claims["iat"] + 3600},
    "another audience": lambda claims: {**claims, "aud": "another client"},
    "no audience": without("aud"),
    "an audience among others": lambda claims: {**claims, "aud": [claims["aud"], "another"]},
    "for another party": lambda claims: {**claims, "azp": "another client"},
    "another issuer": lambda claims: {**claims, "iss": "https://elsewhere.example.org"},
    "no issuer": without("iss"),
    "no subject": without("sub"),
    "an empty subject": lambda claims: {**claims, "sub": ""},
    "a subject with a line break": lambda claims: {**claims, "sub": "a\nb"},
    "a subject that is a list": lambda claims: {**claims, "sub": ["a1b2-anna"]},
    "a long subject": lambda claims: {**claims, "sub": "a" * 256},
}


@pytest.mark.parametrize("lie", LIES)
async def test_an_id_token_that_lies_is_not_believed(
    lie: str, site: RunningSite, provider: OidcProvider
) -> None:
    provider.change = LIES[lie]
    await refused(site, provider)


async def test_signatures_are_of_the_provider_and_of_good_kinds(
    site: RunningSite, provider: OidcProvider
) -> None:
    provider.sign = provider.sign_with_nothing
    await refused(site, provider, "its id token is not to be believed")
    provider.sign = provider.sign_with_what_is_public
    await refused(site, provider, "its id token is not to be believed")
    provider.sign, provider.signing_key = provider.sign_truly, key("another")
    await refused(site, provider, "its id token is not to be believed")
    provider.sign = lambda _claims: "no.token.at all"
    await refused(site, provider, "its id token is not to be believed")


async def test_a_clock_may_differ_a_little(site: RunningSite, provider: OidcProvider) -> None:
    provider.change = lambda claims: {**claims, "iat": claims["iat"] + 40}
    assert (await come_back(site.browser("192.0.2.1"), provider)).status_code == 200


async def test_new_keys_of_the_provider_are_looked_for(
    site: RunningSite, provider: OidcProvider
) -> None:
    assert (await come_back(site.browser("192.0.2.1"), provider)).status_code == 200
    provider.key = provider.signing_key = key("another")
    # Not more often than now and then, whoever asks.
    site.passed_s += provider_module.NEW_KEYS_S
    asked = provider.asked["keys"]
    assert (await come_back(site.browser("192.0.2.1"), provider)).status_code == 200
    assert provider.asked["keys"] == asked + 1
    provider.signing_key = key("a third")
    for _ in range(3):
        assert (await come_back(site.browser("192.0.2.1"), provider)).status_code == 502
    assert provider.asked["keys"] == asked + 1


async def test_a_state_is_good_once_for_ten_minutes_and_in_one_browser(
    site: RunningSite, provider: OidcProvider
) -> None:
    anna, eve, victim = (site.browser(f"192.0.2.{n}") for n in (1, 2, 3))

    async def is_refused(browser: Browser, address: str) -> None:
        asked = provider.asked["token"]
        answer = await browser.get(address)
        assert (answer.status_code, "Please begin again" in answer.text) == (400, True)
        assert f"{ORIGIN}/operator" in answer.text
        # The code is brought to nobody.
        assert provider.asked["token"] == asked

    address = await provider.back_from(await way_there(anna))
    # Eve lures somebody to her own sign-in, who has begun one or has not.
    await is_refused(victim, address)
    await way_there(victim)
    await is_refused(victim, address)
    assert not await is_in(victim)
    assert (await anna.get(address)).status_code == 200
    again = site.browser("192.0.2.1")
    again.client.cookies.set(OIDC_COOKIE, anna.client.cookies.get(OIDC_COOKIE) or "")
    for browser in (anna, again):
        await is_refused(browser, address)
    late = await provider.back_from(await way_there(eve))
    site.passed_s += FLOW_AGE_S
    await is_refused(eve, late)
    for made_up in ("", "?state=&code=x", "?state=made-up&code=x", "?state=%00%ff" + "x" * 999):
        await is_refused(eve, f"/operator/oidc/callback{made_up}")


async def test_the_code_of_somebody_else_is_worth_nothing(
    site: RunningSite, provider: OidcProvider
) -> None:
    """The provider asks for the secret of the browser's own sign-in (PKCE)."""
    anna, eve = site.browser("192.0.2.1"), site.browser("192.0.2.2")
    stolen = parse_qs(urlsplit(await provider.back_from(await way_there(anna))).query)["code"][0]
    own = await provider.back_from(await way_there(eve))
    state = parse_qs(urlsplit(own).query)["state"][0]
    answer = await eve.get(f"/operator/oidc/callback?code={stolen}&state={state}")
    assert (answer.status_code, "no good one" in answer.text) == (502, True)
    assert not await is_in(eve)


async def test_another_site_begins_nothing(site: RunningSite, provider: OidcProvider) -> None:
    browser = site.browser("192.0.2.1")
    await browser.client.get("/operator")
    for headers in ({"origin": "https://evil.example.org"}, {"origin": ORIGIN}):
        answer = await browser.client.post("/operator/oidc", data={"x": "y"}, headers=headers)
        assert answer.status_code == 403
    assert (await browser.client.get("/operator/oidc")).status_code in {404, 405}
    assert provider.asked.total() == 0


async def test_who_says_no_at_the_provider_is_not_signed_in(
    site: RunningSite, provider: OidcProvider
) -> None:
    browser = site.browser("192.0.2.1")
    state = parse_qs(urlsplit(await way_there(browser)).query)["state"][0]
    answer = await browser.get(
        f"/operator/oidc/callback?error=access_denied&error_description=%3Cb%3E&state={state}"
    )
    assert (answer.status_code, "has signed nobody in" in answer.text) == (502, True)
    assert provider.asked["token"] == 0


async def test_an_answer_of_another_provider_is_not_taken(
    site: RunningSite, provider: OidcProvider
) -> None:
    browser = site.browser("192.0.2.1")
    address = await provider.back_from(await way_there(browser))
    answer = await browser.get(f"{address}&iss=https://elsewhere.example.org")
    assert (answer.status_code, "of another provider" in answer.text) == (502, True)
    assert provider.asked["token"] == 0


async def test_email_counts_where_the_provider_has_verified_it(
    make_site: MakeSite, provider: OidcProvider
) -> None:
    made = make_site(
        metrics_token=TOKEN, public_url=ORIGIN, oidc_claim="email", **provider.settings
    )
    async with made.running() as site:
        await add_known(site, provider, claim="email", value="anna@example.edu")
        for claims, status in (
            ({}, 502),
            ({"email": "Anna@Example.edu"}, 502),
            ({"email": "anna@example.edu", "email_verified": False}, 502),
            ({"email": "anna@example.edu", "email_verified": "false"}, 502),
            ({"email": "no address", "email_verified": True}, 502),
            ({"email": "ben@example.edu", "email_verified": True}, 403),
            ({"email": "Anna@Example.edu", "email_verified": True}, 200),
        ):
            provider.change = lambda said, more=claims: {**said, **more}  # type: ignore[misc]
            answer = await come_back(site.browser("192.0.2.1"), provider)
            assert answer.status_code == status, claims


async def test_passwords_can_be_left_out(make_site: MakeSite, provider: OidcProvider) -> None:
    made = make_site(
        metrics_token=TOKEN, public_url=ORIGIN, operator_passwords=False, **provider.settings
    )
    async with made.running() as site:
        await add_account(site, "ben")
        browser = site.browser("192.0.2.1")
        shown = (await browser.client.get("/operator")).text
        assert "Sign in with your university" in shown
        assert 'name="password"' not in shown
        for name, password in (("ben", PASSWORD), ("", TOKEN)):
            assert (await sign_in(browser, name, password)).status_code == 403
            assert not await is_in(browser)
        # Who has the machine gets in, also where the provider is gone for good.
        link = site.state.operators.make_link(ORIGIN).partition("#once=")[2]
        assert 'name="password"' in (await browser.client.get("/operator")).text
        assert (await sign_in(browser, "", link)).status_code == 303
        assert await is_in(browser)


async def test_a_sign_in_of_before_ends_where_passwords_are_left_out(
    make_site: MakeSite, provider: OidcProvider
) -> None:
    settings = {"metrics_token": TOKEN, "public_url": ORIGIN, **provider.settings}
    async with make_site(operator_passwords=False, **settings).running() as site:
        names = {"anna": {}, "ben": {"claim": "email", "value": "ben@example.edu"}, "eve": {}}
        await add_known(site, provider)
        await add_known(site, provider, "ben", **names["ben"])
        await add_account(site, "eve")
        browsers = {name: site.browser("192.0.2.1") for name in names}
        for name, browser in browsers.items():
            # As they were made before passwords were left out.
            async with site.state.database.transaction() as db:
                row = await operator_named(db, name)
                assert row is not None
                kept = (name, row.password_hash, hash_of(name), site.state.now())
                assert await add_sign_in(db, *kept)
            browser.client.cookies.set(COOKIE, name, path="/operator")
        assert [name for name, browser in browsers.items() if await is_in(browser)] == ["anna"]


async def test_a_browser_has_one_sign_in_and_a_copy_of_the_one_before_is_worth_nothing(
    site: RunningSite, provider: OidcProvider
) -> None:
    await add_account(site, "ben")
    browser, thief = site.browser("192.0.2.1"), site.browser("192.0.2.2")
    fields = await form_on(browser)
    # In another tab.
    assert (await sign_in(browser, "ben", PASSWORD)).status_code == 303
    copy = browser.client.cookies[COOKIE]
    thief.client.cookies.set(COOKIE, copy, path="/operator")
    assert await is_in(thief)
    back = await provider.back_from(there(await press(browser, fields)))
    # As browsers do: what another site sends them to gets no strict cookie.
    browser.client.cookies.delete(COOKIE)
    assert await is_in(thief), "nobody is signed in yet"
    assert (await browser.get(back)).status_code == 200
    assert await is_in(browser)
    assert not await is_in(thief)


async def test_without_a_provider_there_is_no_such_page(make_site: MakeSite) -> None:
    async with make_site(metrics_token=TOKEN, public_url=ORIGIN).running() as site:
        browser = site.browser("192.0.2.1")
        assert "university" not in (await browser.client.get("/operator")).text
        assert (await browser.get("/operator/oidc/callback?state=x&code=y")).status_code == 404
        answer = await browser.client.post("/operator/oidc", headers={"origin": ORIGIN})
        assert answer.status_code == 404


def test_who_begins_many_loses_their_own_and_nobody_elses() -> None:
    flows = SignInFlows(lambda: 0.0)
    others, cookie = flows.begin("198.51.100.1", "")
    begun = [flows.begin("198.51.100.2", "") for _ in range(GROUP_FLOWS + 1)]
    assert len(flows) == GROUP_FLOWS + 1
    assert flows.end(begun[0][0].state, begun[0][1]) is None
    assert flows.end(begun[1][0].state, begun[1][1]) == begun[1][0]
    assert flows.end(others.state, cookie) == others
