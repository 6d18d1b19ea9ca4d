"""A recorded episode seen again: from the report to any moment, by keys, pointer and link."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import NewPlayer, ServeTasks
from tests.e2e.player import Player, eventually
from tests.server.coding.test_codebook import HELPING

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.long,
    pytest.mark.asyncio(loop_scope="session"),
]

SET_THE_TABLE = "2"


async def tick(page: Page) -> float:
    return float(await page.get_by_test_id("replay").get_attribute("data-tick") or "nan")


async def ready(player: Player) -> None:
    await expect(player.see("follow-human_0")).to_be_visible()
    await expect(player.see("banner")).to_be_hidden()


def add_codebook(data_dir: Path) -> None:
    book = data_dir / "helping.yaml"
    book.write_text(HELPING)
    environment = {**os.environ, "COHABIT_DATA_DIR": str(data_dir)}
    command = [sys.executable, "-m", "server.cli", "codebook", "add", str(book)]
    subprocess.run(command, env=environment, check=True)


async def played_with_a_robot(serve: ServeTasks, new_player: NewPlayer) -> Player:
    server = serve(SET_THE_TABLE)
    add_codebook(server.data_dir)
    ann = await new_player(server, "ann", viewport={"width": 1280, "height": 720})
    await ann.page.goto("/")
    await ann.page.locator("input[value='expert']").check()
    await ann.see("play-robot").click()
    await ann.wait_until_playing()
    await ann.say("I watch you")
    await ann.until("window.cohabit.state().seats[0].finished", 120)
    await ann.finish()
    await ann.wait_for_report()
    await ann.show_pictures()
    return ann


async def test_a_task_is_watched_again_from_its_report(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    ann = await played_with_a_robot(serve, new_player)
    report = ann.page.url
    took = re.search(r"It took (\d+:\d\d)", await ann.page.locator(".verdict").inner_text())
    assert took
    lasted = took[1]
    await ann.see("watch-moment").first.click()
    await ann.page.wait_for_url(re.compile(r"/replay/epi_\w+#t="))
    await ready(ann)
    moment = await tick(ann.page)
    assert moment > 30

    # It plays, faster, and stops.
    keyboard = ann.page.keyboard
    await keyboard.press("Space")

    async def goes_on() -> bool:
        return await tick(ann.page) > moment + 30

    await eventually(goes_on)
    await keyboard.press("Space")
    await expect(ann.see("film-play")).to_have_text("Play")

    # Anywhere, by keys, by the timeline and by what happened.
    await keyboard.press("Home")
    await eventually(lambda: is_between(ann.page, 0, 1))
    await keyboard.press("]")
    await eventually(lambda: is_between(ann.page, 2, moment))

    # It ends where the report says that the task did: what follows is marked as such.
    await keyboard.press("End")
    await eventually(lambda: is_between(ann.page, moment + 1, 1e6))
    end = await tick(ann.page)
    clock = await ann.see("film-clock").text_content()
    assert clock == f"{lasted} / {lasted}"
    await leaves_the_picture_in_a_low_window(ann.page)
    await ann.see("film-lanes").click(position={"x": 200, "y": 10})
    await eventually(lambda: is_between(ann.page, 1, end - 1))
    await ann.page.get_by_role("button", name=re.compile(r"^\d+:\d\d$")).last.click()
    await expect(ann.page.locator(".film-moments [aria-current]")).to_be_visible()

    # Whoever is followed is seen by, from behind, or from anywhere.
    await ann.see("follow-robot_0").click()

    await keyboard.press("v")
    await expect(ann.see("view-behind")).to_have_attribute("aria-pressed", "true")

    await keyboard.press("v")
    await keyboard.down("w")
    await keyboard.up("w")

    await keyboard.press("l")
    link = ann.page.url
    assert re.search(r"#t=[\d.]+&seat=robot_0&view=fly$", link)
    async with ann.page.expect_download() as picture:
        await ann.see("film-picture").click()
    assert (await (await picture.value).path()).stat().st_size > 10_000

    # A stretch of two seconds, as a video.
    await keyboard.press("Home")
    await ann.see("film-clip").click()
    await keyboard.press("Shift+ArrowRight")
    await keyboard.press("Shift+ArrowRight")
    await eventually(lambda: is_between(ann.page, 60, 61))
    async with ann.page.expect_download() as video:
        await ann.see("film-clip").click()
        await expect(ann.see("film-clip")).to_have_text("Stop recording")
    clip = await (await video.value).path()
    assert clip.read_bytes()[:4] == b"\x1aE\xdf\xa3", "it is no WebM"
    assert clip.stat().st_size > 5_000
    await expect(ann.see("film-clip")).to_have_text("Clip from here")

    await ann.page.goto("about:blank")
    await ann.page.goto(link)
    await ready(ann)
    await expect(ann.see("view-fly")).to_have_attribute("aria-pressed", "true")
    await ann.see("film-home").click()
    await ann.page.wait_for_url(report)
    await expect(ann.see("next-task")).to_be_visible()
    await is_coded_by_an_operator(ann, report.rpartition("/")[2])


async def leaves_the_picture_in_a_low_window(page: Page) -> None:
    """Open map and events in a window as low as a phone's, and see that most is left free."""
    wide = page.viewport_size
    await page.set_viewport_size({"width": 800, "height": 450})
    await expect(page.get_by_test_id("map")).to_be_hidden()
    for panel, name in (("map", "open-map"), ("film-moments", "open-moments")):
        if not await page.get_by_test_id(panel).is_visible():
            await page.get_by_test_id(name).click()
        await expect(page.get_by_test_id(panel)).to_be_visible()
        box = await page.get_by_test_id(panel).bounding_box()
        below = await page.locator(".film-below").bounding_box()
        assert box
        assert below
        assert box["x"] >= 500
        assert box["y"] + box["height"] <= below["y"]
        assert below["height"] <= 160
    await expect(page.get_by_test_id("map")).to_be_hidden()
    await page.set_viewport_size(wide or {"width": 1280, "height": 720})


async def is_coded_by_an_operator(ann: Player, episode: str) -> None:
    """Code an episode by keys and buttons: a moment with words, and a stretch."""
    page, keyboard = ann.page, ann.page.keyboard
    await page.goto(f"/operator/replay/{episode}")
    await ready(ann)
    await ann.see("open-notes").click()
    await keyboard.press("Home")
    await keyboard.press("Shift+ArrowRight")
    await keyboard.press("Shift+Digit1")
    words = page.locator(".film-note-words")
    await expect(words).to_have_count(1)
    await ann.see("code-waits").click()
    await expect(ann.see("code-waits")).to_contain_text("to here")
    await keyboard.press("Shift+ArrowRight")
    await ann.see("code-waits").click()
    await expect(words).to_have_count(2)
    at = await tick(page)
    # Keys that fly and play elsewhere are words here.
    await words.first.click()
    await keyboard.type("was d 2 [ ]")
    await keyboard.press("Tab")
    await page.reload()
    await ready(ann)
    await ann.see("open-notes").click()
    await expect(words.first).to_have_value("was d 2 [ ]")
    assert at > 30
    await ann.see("coding-finish").click()
    await expect(ann.see("coding-finish")).to_have_text("Go on coding")
    await expect(words).to_have_count(0)


async def is_between(page: Page, least: float, most: float) -> bool:
    return least <= await tick(page) <= most
