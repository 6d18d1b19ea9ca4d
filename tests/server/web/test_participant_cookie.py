"""The cookie by which somebody is known: who gets one, how long it lasts, who cannot change it."""

from __future__ import annotations

import httpx
import pytest

from server.hosting.hosted_session import HostError
from server.web.identity import COOKIE
from tests.server.web.conftest import RunningSite


def given(answer: httpx.Response) -> str | None:
    """Return the line with which an answer sets the participant's cookie; None if it does not."""
    lines = [h for h in answer.headers.get_list("set-cookie") if h.startswith(f"{COOKIE}=")]
    return lines[0] if lines else None


def lasts(answer: httpx.Response) -> bool:
    return "Max-Age=15552000" in (given(answer) or "")


@pytest.mark.parametrize("path", ["/play/solo", "/invite/bold-otter-12", "/nowhere", "/"])
async def test_a_form_of_another_site_puts_no_cookie_in_the_place_of_ours(
    site: RunningSite, path: str
) -> None:
    # Browsers send ours with no form of another site, so that we cannot know that there is one.
    answer = await site.browser().client.post(
        path, data={"a": "b"}, headers={"origin": "https://evil.example"}
    )
    assert answer.status_code >= 400
    assert given(answer) is None


async def test_every_answer_to_a_form_makes_the_cookie_last(site: RunningSite) -> None:
    browser = site.browser()
    offered = await browser.get("/")
    assert given(offered) is not None
    assert not lasts(offered)
    site.host.fail = HostError("no home opens")
    refused = await browser.press("/", "/play/solo")
    assert refused.status_code == 503
    site.host.fail = None
    answer = await browser.press("/", "/play/solo")
    assert answer.status_code == 303
    assert lasts(answer)
    # Of two presses a browser shows the second answer.
    again = await browser.press("/", "/play/solo")
    assert again.headers["location"] == answer.headers["location"]
    assert lasts(again)
    (known,) = {given(a) for a in (answer, again)}
    assert known is not None
    assert browser.client.cookies[COOKIE] in known


async def test_an_invitation_that_is_none_is_not_looked_up(site: RunningSite) -> None:
    browser = site.browser()
    await browser.press("/", "/play/solo")
    for code in ("%00", "a" * 200):
        assert (await browser.get(f"/invite/{code}")).status_code == 404
        assert (await browser.client.post(f"/invite/{code}")).status_code == 404
