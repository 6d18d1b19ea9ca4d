"""The tutorial by keys and mouse alone, from the first key to the verdict, with nothing skipped."""

from __future__ import annotations

import time

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import NewPlayer, ServeTasks
from tests.e2e.newcomer import Newcomer

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.long,
    pytest.mark.asyncio(loop_scope="session"),
]

AN_APPLE = "7"


async def test_a_newcomer_passes_every_step_by_keys_and_mouse(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(AN_APPLE, clock_wait_s=60)
    ann = await new_player(server, "ann", viewport={"width": 1280, "height": 720})
    await ann.open_lobby()
    await ann.see("play-tutorial").click()
    await ann.wait_until_playing()
    new = Newcomer(ann)
    began = time.monotonic()

    await new.comes_to("look")
    for _ in range(3):
        await new.drag(-300, 0)
    await new.comes_to("walk")
    await new.walk_to_the_mark()
    await new.comes_to("select")
    await new.click(await new.marked())
    await new.comes_to("open")
    await new.keyboard.press("n")
    await ann.page.wait_for_timeout(300)
    await expect(ann.see("walk-line")).to_be_hidden(timeout=60_000)
    await new.until_step_is_past("open", "f")
    await new.comes_to("pick")
    await new.go_to(await new.marked())
    await new.until_step_is_past("pick", "e")
    await new.comes_to("place")
    await new.put_beside_something()
    await new.comes_to("inside")
    await new.go_to(await new.marked())
    await new.keyboard.press("e")
    await ann.until("window.cohabit.state().holding !== null")
    await new.go_to(await new.marked())
    await new.until_step_is_past("inside", "b")
    await new.comes_to("close")
    await new.until_step_is_past("close", "f")
    await new.comes_to("change")
    await new.go_to(await new.marked())
    await new.until_step_is_past("change", "x")
    await new.comes_to("chat")
    await new.keyboard.press("Enter")
    await new.keyboard.type("Hello robot")
    await new.keyboard.press("Enter")
    await new.comes_to("view")
    await new.keyboard.press("v")
    await new.comes_to("task")
    print("task", round(time.monotonic() - began))

    apple = await new.handle_of("apple")
    await new.go_to(apple)
    await ann.page.screenshot(path="/tmp/apple.png")
