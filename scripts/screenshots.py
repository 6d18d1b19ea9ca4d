"""Pictures in docs/images: a real game, played by two scripted people in a real browser.

Run through `make screenshots`. Every picture is taken at 1280 x 720 and on a phone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from playwright.async_api import ViewportSize

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from moving_picture import MovingPicture  # noqa: E402
from playwright.async_api import Browser, async_playwright, expect  # noqa: E402

from tests.e2e.guide import Guide  # noqa: E402
from tests.e2e.pictures import take_picture  # noqa: E402
from tests.e2e.player import Player  # noqa: E402
from tests.live_server import LiveServer, choose_tasks  # noqa: E402
from tests.patience import LOADING_S  # noqa: E402
from toolchain.browser import ARGUMENTS, find_chromium  # noqa: E402

IMAGES = ROOT / "docs" / "images"
STATIC = ROOT / "server" / "web" / "static"
DESKTOP = ViewportSize(width=1280, height=720)
SMALL = (ViewportSize(width=800, height=450), ViewportSize(width=640, height=360))
PHONE = ViewportSize(width=390, height=844)
QUICK, FINE = 0, 3
"""Levels of quality: to play with software GL, and what a graphics card draws."""
TASK = "2"
FRAMES = range(24, 71)
"""Numbers of frames that a moving picture may have."""
MOST_BYTES = 1_000_000
AWAKE = """
(() => {
  const { live } = window.cohabit?.state() ?? {};
  const panels = document.querySelector(".hud.playing");
  return live && panels && getComputedStyle(panels).opacity === "1";
})()
"""
"""A script that tells whether the panels can be used, and are seen whole."""


async def main() -> None:
    """Play the task, and take a picture of every page on the way."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        shutil.copytree(ROOT / "data", data, ignore=shutil.ignore_patterns("*.db*", "recordings"))
        choose_tasks(data, TASK)
        # A picture may take long: nobody is asked meanwhile whether they are still there.
        patient = dict.fromkeys(("loading_timeout_s", "reconnect_window_s", "idle_s"), LOADING_S)
        server = LiveServer(data, clock_wait_s=60, **patient)
        server.start()
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(
                    executable_path=find_chromium(), args=list(ARGUMENTS)
                )
                # First, because the start page shows it.
                await film(browser, server, data)
                await take(browser, server, data)
                await tutorial(browser, server)
        finally:
            server.stop()


async def take(browser: Browser, server: LiveServer, data: Path) -> None:
    ann, ben = [await person(browser, server, name) for name in ("ann", "ben")]
    await ann.open_lobby()
    await picture(ann, "lobby", phone=True, small=True)
    await ann.play_with_a_person()
    await ann.expect_waiting()
    await picture(ann, "waiting")
    await ben.play_with_a_person()
    await asyncio.gather(ann.wait_until_playing(), ben.wait_until_playing())
    await asyncio.gather(ann.until(AWAKE, LOADING_S), ben.until(AWAKE, LOADING_S))
    # The player with hands is photographed by the other, so that a body is in the picture.
    human, robot = (ann, ben) if await ann.kind() == "human" else (ben, ann)

    guide = Guide(data, TASK)
    plate, cup, table = guide.handle("plate"), guide.handle("cup"), guide.goal_furniture()
    await human.fetch(guide, plate)
    await robot.say("I get the cup")
    await human.say("ok, I have the plate")
    furniture, receptacle = guide.support(cup)
    part = guide.part_for(furniture, receptacle)
    place = guide.stand_for(guide.position(cup), furniture, kind="robot")
    await robot.walk_to(guide, place)
    await robot.open(furniture, part if part is not None else 0)
    guide.learn(await robot.state())
    await human.look_at(await seen_height(robot))
    await robot.look_at(guide.position(cup))
    await robot.select(cup)
    await asyncio.sleep(2.0)
    async with drawn_finely(human):
        await picture(human, "play", phone=True, small=True)
    async with drawn_finely(robot):
        await picture(robot, "play-robot")
    await robot.pick(cup)
    await robot.put(guide, cup, table, "top")
    # The other player forgets the plate: a report that only praises shows little.
    await asyncio.gather(human.finish(), robot.finish())
    await asyncio.gather(human.wait_for_report(), robot.wait_for_report())
    await picture(human, "report", phone=True, small=True)
    for player in (ann, ben):
        await player.page.context.close()


async def tutorial(browser: Browser, server: LiveServer) -> None:
    eve = await person(browser, server, "eve")
    await eve.open_lobby()
    await eve.see("play-tutorial").click()
    await eve.wait_until_playing()
    await eve.until(AWAKE)
    async with drawn_finely(eve):
        await picture(eve, "tutorial", small=True)
    await eve.page.context.close()


async def film(browser: Browser, server: LiveServer, data: Path) -> None:
    """Take the moving picture of the start page: somebody and a robot set the table."""
    ann = await person(browser, server, "fay", quality=2)
    await ann.open_lobby()
    await ann.see("play-robot").click()
    await ann.wait_until_playing()
    await ann.until(AWAKE)
    # What was drawn before the panels were there is no part of the picture.
    await resize(ann, SMALL[0])
    guide, table = Guide(data, TASK), Guide(data, TASK).goal_furniture()
    moving = await MovingPicture.of(browser)
    async with moving.filming(ann.page):
        await ann.walk_to(guide, guide.stand_for(guide.middle(table, "top"), table))
        chat = ann.see("chat-log")
        await expect(chat).to_contain_text("you take the")
        shared = re.search(r"you take the (\w+)", await chat.inner_text())
        assert shared is not None
        mine = guide.handle(shared[1])
        await ann.fetch(guide, mine)
        await ann.put(guide, mine, table, "top")
        await ann.look_at(guide.middle(table, "top"))
        await ann.until("window.cohabit.state().seats[0].finished", 120)
        await asyncio.sleep(1.0)
    # A house that is drawn for nobody keeps the computer too busy to open the next one.
    await ann.page.context.close()
    await moving.pack(FRAMES[-1])
    packed = moving.packed()
    print(f"  first_minute: {len(moving.frames)} frames, {len(packed) // 1000} kB")
    if len(moving.frames) not in FRAMES or len(packed) > MOST_BYTES:
        sys.exit(f"expected {FRAMES[0]} to {FRAMES[-1]} frames and at most {MOST_BYTES} bytes")
    (STATIC / "first_minute.webp").write_bytes(packed)
    (STATIC / "first_minute_still.webp").write_bytes(moving.frames[-1])


async def person(browser: Browser, server: LiveServer, name: str, quality: int = QUICK) -> Player:
    # Without a graphics card a large picture takes so long that the game falls behind.
    context = await browser.new_context(viewport=SMALL[0], base_url=server.url)
    chosen = json.dumps(json.dumps({"quality": quality}))
    await context.add_init_script(f'localStorage.setItem("cohabit.settings", {chosen})')
    context.set_default_timeout(1000 * LOADING_S)
    return Player(name, await context.new_page(), server.url)


async def seen_height(player: Player) -> tuple[float, float, float]:
    x, y, z = await player.position()
    return x, y + 0.7, z


@contextlib.asynccontextmanager
async def drawn_finely(player: Player) -> AsyncIterator[None]:
    """Draw a house as a graphics card does for as long as something else goes on."""
    await choose_quality(player, FINE)
    yield
    await choose_quality(player, QUICK)


async def choose_quality(player: Player, level: int) -> None:
    await player.see("open-settings").click()
    await player.page.get_by_label("Picture").select_option(str(level))
    await player.see("open-settings").click()
    # The pointer is over nothing, and the focus nowhere.
    await player.page.mouse.move(0, 0)
    await player.page.evaluate("document.activeElement?.blur()")


async def resize(player: Player, size: ViewportSize) -> None:
    """Set the size of the window, and wait until the scene is drawn at it."""
    await player.page.set_viewport_size(size)
    await player.page.evaluate(
        "async () => { for (let i = 0; i < 8; i++) await new Promise(requestAnimationFrame); }"
    )
    await asyncio.sleep(1.0)


async def begin_touching(player: Player) -> None:
    """Send a touch to the scene, so that the page is one for fingers; broken off, it ends."""
    devtools = await player.page.context.new_cdp_session(player.page)
    await devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    point = {"x": PHONE["width"] / 2, "y": PHONE["height"] / 2}
    await devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    await devtools.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
    await player.until("document.documentElement.classList.contains('touch')")


async def picture(player: Player, name: str, phone: bool = False, small: bool = False) -> None:
    """Take ``<name>.png``, and at a phone's width or in small windows where asked."""
    sizes = [("", DESKTOP)]
    sizes += [(f"-{size['width']}", size) for size in SMALL if small]
    sizes += [("-phone", PHONE)] if phone else []
    for suffix, size in sizes:
        await resize(player, size)
        if size is PHONE and await player.see("scene").count():
            await begin_touching(player)
        (IMAGES / f"{name}{suffix}.png").write_bytes(await take_picture(player.page))
    await resize(player, SMALL[0])
    print(f"  {name}", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
