"""The operators' link opens their pages once, and its secret is seen nowhere else."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import NewPlayer, ServeTasks

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]


async def test_a_link_opens_the_pages_of_operators_once(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve("2", metrics_token="open sesame, please", arguments=["--operator-link"])
    found = re.search(r"for operators: +(\S+#once=(\S+))", server.output())
    assert found
    link, secret = found.groups()

    eve = await new_player(server, "eve")
    sent: list[str] = []
    eve.page.on("request", lambda request: sent.append(f"{request.url} {request.headers}"))
    await eve.page.goto(link)
    await expect(eve.see("operator-summary")).to_contain_text("0 open")
    assert eve.page.url.endswith("/operator")
    assert secret not in " ".join(sent)

    mallory = await new_player(server, "mallory")
    await mallory.page.goto(link)
    await expect(mallory.page.get_by_role("alert")).to_contain_text("This link has been used")
    assert secret not in mallory.page.url
    eve.expect_complaints("403")
    mallory.expect_complaints("403")
