"""Pictures in docs/images: a real game, played by two scripted people in a real browser.

Run through `make screenshots`. Every picture is taken at 1280 x 720 and on a phone.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.async_api import ViewportSize

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from moving_picture import MovingPicture  # noqa: E402
from playwright.async_api import Browser, async_playwright  # noqa: E402

from tests.e2e.guide import Guide  # noqa: E402
from tests.e2e.pictures import take_picture  # noqa: E402
from tests.e2e.player import Player  # noqa: E402
from tests.live_server import LiveServer, choose_tasks  # noqa: E402
from toolchain.browser import ARGUMENTS, find_chromium  # noqa: E402

IMAGES = ROOT / "docs" / "images"
STATIC = ROOT / "server" / "web" / "static"
DESKTOP = ViewportSize(width=1280, height=720)
SMALL = (ViewportSize(width=800, height=450), ViewportSize(width=640, height=360))
PHONE = ViewportSize(width=390, height=844)
TASK = "2"


async def main() -> None:
    """Play the task, and take a picture of every page on the way."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        shutil.copytree(ROOT / "data", data, ignore=shutil.ignore_patterns("*.db*", "recordings"))
        choose_tasks(data, TASK)
        server = LiveServer(data)
        server.start()
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(
                    executable_path=find_chromium(), args=list(ARGUMENTS)
                )
                await take(browser, server, data)
                await film(browser, server, data)
        finally:
            server.stop()


async def take(browser: Browser, server: LiveServer, data: Path) -> None:
    ann, ben = [await person(browser, server, name) for name in ("ann", "ben")]
    await ann.open_lobby()
    await picture(ann, "lobby", phone=True)
    await ann.play_with_a_person()
    await ann.expect_waiting()
    await picture(ann, "waiting")
    await ben.play_with_a_person()
    await asyncio.gather(ann.wait_until_playing(), ben.wait_until_playing())
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
    await picture(human, "play", phone=True, small=True)
    await picture(robot, "play-robot")
    await robot.pick(cup)
    await robot.put(guide, cup, table, "top")
    # The other player forgets the plate: a report that only praises shows little.
    await asyncio.gather(human.finish(), robot.finish())
    await asyncio.gather(human.wait_for_report(), robot.wait_for_report())
    await picture(human, "report", phone=True)


async def film(browser: Browser, server: LiveServer, data: Path) -> None:
    """Take the moving picture of the start page: somebody fetches the cup and puts it down."""
    ann = await person(browser, server, "eve")
    await ann.page.set_viewport_size(SMALL[0])
    await ann.open_lobby()
    await ann.see("play-tutorial").click()
    await ann.wait_until_playing()
    await picture(ann, "tutorial", small=True)
    await ann.see("tutorial-leave").click()
    guide = Guide(data, TASK)
    cup, table = guide.handle("cup"), guide.goal_furniture()
    moving = await MovingPicture.of(browser)
    async with moving.filming(ann.page):
        await ann.fetch(guide, cup)
        await ann.put(guide, cup, table, "top")
        await asyncio.sleep(0.7)
    (STATIC / "first_minute.webp").write_bytes(moving.packed())
    (STATIC / "first_minute_still.webp").write_bytes(moving.frames[-1])
    print(f"  first_minute: {len(moving.frames)} frames")


async def person(browser: Browser, server: LiveServer, name: str) -> Player:
    context = await browser.new_context(viewport=DESKTOP, base_url=server.url)
    # Software GL would lower the quality by itself: pictures show what a graphics card draws.
    await context.add_init_script("""localStorage.setItem("cohabit.settings", '{"quality":3}')""")
    return Player(name, await context.new_page(), server.url)


async def seen_height(player: Player) -> tuple[float, float, float]:
    x, y, z = await player.position()
    return x, y + 0.7, z


async def picture(player: Player, name: str, phone: bool = False, small: bool = False) -> None:
    """Take ``<name>.png``, and at a phone's width or in small windows where asked."""
    (IMAGES / f"{name}.png").write_bytes(await take_picture(player.page))
    for size in SMALL if small else ():
        await player.page.set_viewport_size(size)
        await asyncio.sleep(1.0)
        (IMAGES / f"{name}-{size['width']}.png").write_bytes(await take_picture(player.page))
    if small:
        await player.page.set_viewport_size(DESKTOP)
        await asyncio.sleep(0.5)
    if phone:
        await player.page.set_viewport_size(PHONE)
        await asyncio.sleep(1.0)
        (IMAGES / f"{name}-phone.png").write_bytes(await take_picture(player.page))
        await player.page.set_viewport_size(DESKTOP)
        await asyncio.sleep(0.5)
    print(f"  {name}")


if __name__ == "__main__":
    asyncio.run(main())
