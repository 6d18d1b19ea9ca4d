"""Forms: of one kind, small, with few fields, and never parsed for another site."""

from __future__ import annotations

import re
from urllib import parse

import httpx
import pytest

from server.web import forms
from tests.server.web.conftest import RunningSite

FORM = "application/x-www-form-urlencoded"
FILES = b"".join(
    b'--x\r\nContent-Disposition: form-data; name="%d"; filename="x"\r\n\r\n\r\n' % number
    for number in range(900)
)


async def send(site: RunningSite, kind: str, body: bytes, **headers: str) -> httpx.Response:
    browser = site.browser()
    token = re.search(r'name="form_token" value="(\w+)"', (await browser.get("/")).text)
    assert token
    return await browser.client.post(
        "/play/person",
        content=body.replace(b"TOKEN", token[1].encode()),
        headers={"content-type": kind, **headers},
    )


@pytest.mark.parametrize("kind", [FORM, f"{FORM}; charset=utf-8", FORM.title()])
async def test_a_form_of_ours_is_read(site: RunningSite, kind: str) -> None:
    answer = await send(site, kind, b"form_token=TOKEN&robot=%C3%A4+b&empty=")
    assert answer.status_code == 303, answer.text


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("multipart/form-data; boundary=x", FILES + b"--x--\r\n", 415),
        ("multipart/form-data", b"", 415),
        ("application/json", b"{}", 415),
        ("", b"form_token=TOKEN", 415),
        (FORM, b"form_token=TOKEN&x=" + b"x" * forms.LARGEST_FORM, 413),
        (FORM, b"form_token=TOKEN" + b"&x=" * forms.MOST_FIELDS, 400),
        (FORM, b"&" * forms.LARGEST_FORM, 400),
        (FORM, b"form_token=%ff%00", 403),
        (FORM, b"\xff\xfe" * 100, 403),
        ("", b"", 403),
    ],
)
async def test_another_is_refused_with_a_page(
    site: RunningSite, kind: str, body: bytes, expected: int
) -> None:
    answer = await send(site, kind, body)
    assert answer.status_code == expected
    assert "<h1>" in answer.text


async def test_nothing_is_parsed_that_need_not_be(
    site: RunningSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []

    def counted(text: str, **options: int) -> list[tuple[str, str]]:
        parsed.append(text)
        return parse.parse_qsl(text, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(forms, "parse_qsl", counted)
    body = b"form_token=TOKEN"
    assert (await send(site, FORM, body, origin="https://evil.example")).status_code == 403
    assert (await send(site, "multipart/form-data; boundary=x", FILES)).status_code == 415
    assert (await site.browser().client.post("/play/person", data={"x": "1"})).status_code == 403
    assert parsed == [], "without the cookie of a page no token fits"
    assert (await send(site, FORM, body)).status_code == 303
    assert len(parsed) == 1
