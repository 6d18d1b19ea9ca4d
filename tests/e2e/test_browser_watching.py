"""An operator watches a session live, and who plays is told nothing of it."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import NewPlayer, ServeTasks
from tests.e2e.pictures import share_that_differs, take_picture
from tests.load.near_task import NEAR, write_near_task

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]


async def test_an_operator_watches_a_session(
    serve: ServeTasks, data_dir: Path, new_player: NewPlayer
) -> None:
    reach = write_near_task(data_dir)
    server = serve(NEAR, metrics_token="open sesame, please")
    ann = await new_player(server, "ann")
    await ann.play_alone()
    await ann.wait_until_playing()

    eve = await new_player(server, "eve")
    await eve.page.goto("/operator")
    assert ann.session_id not in await eve.page.content()
    await eve.see("operator-password").fill("open sesame, please")
    await eve.see("operator-enter").click()
    await expect(eve.see("operator-summary")).to_contain_text("1 open")

    # The list keeps itself up to date, and whoever walks through it with the keyboard stays there.
    await eve.see(f"watch-{ann.session_id}").focus()
    await eve.page.evaluate("window.was_loaded_once = true")
    bob = await new_player(server, "bob")
    await bob.play_alone()
    await expect(eve.see("operator-summary")).to_contain_text("2 open")
    await expect(eve.see(f"watch-{ann.session_id}")).to_be_focused()
    assert await eve.page.evaluate("window.was_loaded_once")
    await eve.page.keyboard.press("Enter")
    await expect(eve.see("screen")).to_be_hidden()
    assert await eve.page.evaluate("window.cohabit") is None
    await expect(eve.see("task")).to_have_text(await ann.see("task").inner_text())
    before = await take_picture(eve.see("scene"))

    await ann.pick(reach.handle)
    await expect(eve.see("doing-human_0")).to_contain_text("holding the")
    await expect(eve.see("watch-log")).to_contain_text("Person picked up the")
    x, y, z = await ann.position()
    yaw = (await ann.me())["yaw"]
    await ann.look_at((x + math.sin(yaw), y + 1.5, z + math.cos(yaw)))
    await asyncio.sleep(0.5)
    turned = await take_picture(eve.see("scene"))
    assert await share_that_differs(eve.page, before, turned) > 0.05

    # Who plays is told of nobody, and both of the end.
    await expect(ann.see("banner")).to_be_hidden()
    await ann.finish()
    await ann.wait_for_report()
    await expect(eve.see("banner")).to_contain_text("The episode has ended (finished)")
    eve.expect_complaints("403")
