"""Ways in for operators: the link, which works once and is seen nowhere else, and accounts."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import NewPlayer, ServeTasks

PASSWORD = "the cat sleeps on the warm oven"

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


@pytest.mark.long
async def test_an_operator_signs_in_by_keyboard_and_is_removed_in_the_middle(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve("2", metrics_token="open sesame, please")

    def operator(*arguments: str) -> None:
        """Run `cohabit operator` beside the server, with a password where it reads one."""
        environment = {**os.environ, "COHABIT_DATA_DIR": str(server.data_dir)}
        command = [sys.executable, "-m", "server.cli", "operator", *arguments]
        subprocess.run(command, env=environment, input=f"{PASSWORD}\n", text=True, check=True)

    operator("add", "anna", "--role", "administer", "--stdin")
    operator("add", "ben", "--role", "watch", "--stdin")
    ben = await new_player(server, "ben")
    await ben.page.goto("/operator")
    await ben.see("operator-name").focus()
    for text, key in (("ben", "Tab"), ("not the password", "Enter")):
        await ben.page.keyboard.type(text)
        await ben.page.keyboard.press(key)
    await expect(ben.page.get_by_role("alert")).to_contain_text("That is not it")
    await ben.see("operator-name").focus()
    for text, key in (("ben", "Tab"), (PASSWORD, "Enter")):
        await ben.page.keyboard.type(text)
        await ben.page.keyboard.press(key)
    await expect(ben.see("operator-who")).to_contain_text("ben (watch)")
    await ben.see("operator-log").click()
    await expect(ben.see("operator-acts")).to_contain_text("sign in")
    await ben.page.goto("/operator")
    await expect(ben.see("operator-summary")).to_contain_text("0 open")
    operator("remove", "ben")
    # The open page renews itself, and shows the way in.
    await expect(ben.see("operator-name")).to_be_visible()
    ben.expect_complaints("403")
