"""Forms whose page is of another origin than the server was asked for."""

from __future__ import annotations

import httpx
import pytest
from structlog.testing import capture_logs

from server.log_throttle import EVERY_S
from tests.server.web.conftest import RunningSite
from tests.server.web.test_pages import group


@pytest.mark.parametrize(
    ("origin", "asked"),
    [
        ("https://homes.example.org", "127.0.0.1:8000"),
        ("http://homes.example.org:8443", "localhost"),
        ("https://localhost", "localhost"),
        ("http://localhost:8001", "localhost:8000"),
    ],
)
async def test_a_form_past_a_proxy_that_writes_its_own_host_is_told_why(
    site: RunningSite, origin: str, asked: str
) -> None:
    browser = site.browser()
    page = await browser.get("/")
    token = group(r'name="form_token" value="(\w+)"', page.text)

    async def press() -> httpx.Response:
        return await browser.client.post(
            "/play/solo", data={"form_token": token}, headers={"origin": origin, "host": asked}
        )

    with capture_logs() as logs:
        answers = [await press() for _ in range(3)]
        site.passed_s += EVERY_S
        answers.append(await press())
    for answer in answers:
        assert answer.status_code == 403
        assert f"from {origin}, and our server was asked for http://{asked}:" in answer.text
        assert "COHABIT_PUBLIC_URL" in answer.text
        assert "cookies" not in answer.text
    told = [line for line in logs if line["event"] == "form.other_address"]
    assert [(line["page"], line["asked"], line["count"]) for line in told] == [
        (origin, f"http://{asked}", 1),
        (origin, f"http://{asked}", 3),
    ]


async def test_a_form_of_a_page_without_an_origin_is_told_of_no_address(site: RunningSite) -> None:
    with capture_logs() as logs:
        answer = await site.browser().client.post("/play/solo", headers={"origin": "null"})
    assert answer.status_code == 403
    assert "Please try that again" in answer.text
    assert not logs
