"""Panels in nobody's way: their places at every size, drags over them, and Finish."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import FloatRect, Page, expect

from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.player import Player

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

SET_THE_TABLE = "2"
SIZES = ((1280, 720), (800, 450), (640, 360), (390, 844))
LOW_PHONES = ((740, 300), (667, 331), (640, 331), (568, 320))
LOW_WINDOWS = (*LOW_PHONES, (500, 330), (400, 330))
PANELS = (
    ".banner", ".task", ".top-bar", ".hover", ".selection", ".holding", ".key-hints",
    ".thumb-bar .action", ".chat-log", ".chat-newest", ".chat-open", ".partner", ".question",
    ".finish-row",
)  # fmt: skip
WRITING = ("chat-input", "finish", "action-open", "open-help")
BESIDE_THE_MAP = (".map", ".banner", ".task", ".top-bar", ".partner", ".finish-row")
FRAMES = 10
MINE = "window.cohabit.state()"

_OVERLAPS = """
(selectors) => {
  const boxesOf = (selector) => [...document.querySelectorAll(`.playing ${selector}`)].map(
    (found) => {
      const box = found.getBoundingClientRect();
      // What is too much for the dock is cut off at its end.
      const end = found.closest(".dock")?.getBoundingClientRect().bottom ?? Infinity;
      const height = Math.max(0, Math.min(box.bottom, end) - box.top);
      return [selector, new DOMRect(box.left, box.top, box.width, height)];
    },
  );
  const boxes = selectors.flatMap(boxesOf).filter(([, box]) => box.width > 0 && box.height > 0);
  const found = [];
  for (const [a, p] of boxes) {
    const inside = p.left >= -1 && p.top >= -1 && p.right <= innerWidth + 1;
    if (!inside || p.bottom > innerHeight + 1) found.push(`${a} leaves the window`);
    for (const [b, q] of boxes) {
      const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (a < b && wide > 1 && high > 1) found.push(`${a} and ${b}`);
    }
  }
  return found;
}
"""

_HIDES = """
(button) => {
  const box = button.getBoundingClientRect();
  const dock = (button.closest(".dock") ?? document.body).getBoundingClientRect();
  const panel = (button.closest(".panel") ?? document.body).getBoundingClientRect();
  const right = Math.min(dock.right, panel.right), bottom = Math.min(dock.bottom, panel.bottom);
  const corners = [box.left + 3, box.right - 3].flatMap((x) =>
    [box.top + 3, box.bottom - 3].map((y) => document.elementFromPoint(x, y)));
  const covers = corners.filter((found) => !button.contains(found))
    .map((found) => found?.className ?? "nothing");
  if (box.height === 0) covers.push("it has no height");
  if (box.right > right || box.bottom > bottom) covers.push("its panel ends");
  return covers;
}
"""


_REACHED = """
(e) => {
  const box = e.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  return e.contains(document.elementFromPoint(x, y)) || e.getBoundingClientRect().toJSON();
}
"""
_TOUCHES = "document.documentElement.classList.contains('touch')"


async def overlaps(
    page: Page, width: int, height: int, panels: tuple[str, ...] = PANELS
) -> list[str]:
    await page.set_viewport_size({"width": width, "height": height})
    await page.wait_for_function("document.querySelector('canvas').clientWidth === innerWidth")
    found: list[str] = []
    # What the page's own scripts do about another size comes with its next pictures.
    for _ in range(FRAMES):
        found = await page.evaluate(_OVERLAPS, list(panels))
        if not found:
            break
        await page.evaluate("new Promise(requestAnimationFrame)")
    return found


async def hides(page: Page, test_id: str) -> list[str]:
    """Name what lies over a button or cuts it off, so that it cannot be pressed."""
    button, found = page.get_by_test_id(test_id), []
    for _ in range(FRAMES):
        found = await button.evaluate(_HIDES)
        if not found:
            break
        await page.evaluate("new Promise(requestAnimationFrame)")
    return found


async def check_writing(player: Player, sizes: tuple[tuple[int, int], ...], *pressed: str) -> None:
    """Write in the chat of low windows: nothing covers another, and all can be pressed."""
    page = player.page
    for width, height in sizes:
        size = f"{width}x{height}"
        assert await overlaps(page, width, height) == [], size
        await player.see("chat-open").click()
        assert await overlaps(page, width, height, (*PANELS, ".chat-write")) == [], size
        for button in pressed:
            assert await player.see(button).evaluate(_REACHED) is True, f"{button} at {size}"
        for what in ("task", "time", "partner-view"):
            await expect(player.see(what)).to_be_in_viewport()
        await page.keyboard.press("Escape")
        await expect(player.see("chat-input")).to_be_hidden()


async def begin_touching(player: Player) -> None:
    """Touch the scene, so that the page is one for fingers."""
    devtools = await player.page.context.new_cdp_session(player.page)
    await devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for kind, points in (("touchStart", [{"x": 300, "y": 150}]), ("touchCancel", [])):
        await devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    await player.until(_TOUCHES)


async def map_places(page: Page) -> list[FloatRect]:
    """Return where the map is at each size; it is whole and covers nothing needed."""
    places: list[FloatRect] = []
    await page.get_by_test_id("open-map").click()
    await expect(page.get_by_test_id("map")).to_be_visible()
    for width, height in SIZES:
        assert await overlaps(page, width, height, BESIDE_THE_MAP) == [], f"{width}x{height}"
        # Lengths that are shares of the window follow with the next pictures.
        for _ in range(FRAMES):
            await page.evaluate("new Promise(requestAnimationFrame)")
        place = await page.get_by_test_id("map").bounding_box()
        assert place is not None, f"{width}x{height}: the map is closed"
        places.append(place)
    await page.get_by_test_id("open-map").click()
    await expect(page.get_by_test_id("map")).to_be_hidden()
    return places


async def press_until(player: Player, key: str, condition: str) -> None:
    """Hold a key until the page shows that something came of it."""
    await player.page.keyboard.down(key)
    try:
        await player.until(condition)
    finally:
        await player.page.keyboard.up(key)


async def at_the_cup(player: Player, guide: Any) -> tuple[str, str, int]:
    """Stand before the drawer that the cup lies in; return cup, furniture and drawer."""
    cup = guide.handle("cup")
    furniture, receptacle = guide.support(cup)
    await player.walk_to(guide, guide.stand_for(guide.position(cup), furniture))
    await player.look_at(guide.position(cup))
    return cup, furniture, guide.part_for(furniture, receptacle)


async def test_no_panel_covers_another_at_any_size(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann, ben = await new_player(server, "ann"), await new_player(server, "ben")
    await ann.play_with_a_person()
    await ann.expect_waiting()
    await ben.play_with_a_person()
    await ann.wait_until_playing()
    await ben.wait_until_playing()
    for_ann = guide(SET_THE_TABLE)
    await ben.say("I look for the plate in the other rooms, you look for the cup in the kitchen")
    await ann.expect_chat("other rooms")
    furniture, receptacle = for_ann.support(for_ann.handle("cup"))
    await ann.select(furniture, for_ann.part_for(furniture, receptacle) or 0)
    await expect(ann.see("action-open")).to_contain_text("drawer")
    await ben.finish()
    await expect(ann.see("notice")).to_contain_text("thinks that it is done")
    for width, height in SIZES:
        assert await overlaps(ann.page, width, height) == [], f"{width}x{height}"
        assert await hides(ann.page, "action-open") == [], f"{width}x{height}"
    await check_writing(ann, LOW_WINDOWS, *WRITING)
    places = await map_places(ann.page)
    # What everybody is told of moves no button that somebody is about to press.
    help_button = ann.see("open-help")
    before = await help_button.bounding_box()
    await ben.page.close()
    await expect(ann.see("banner")).to_be_visible()
    assert await help_button.bounding_box() == before
    for width, height in SIZES:
        assert await overlaps(ann.page, width, height) == [], f"{width}x{height} with a banner"
        assert await hides(ann.page, "action-open") == [], f"{width}x{height} with a banner"
    assert await map_places(ann.page) == places
    await begin_touching(ann)
    # The buttons for thumbs make room for who writes.
    await check_writing(ann, LOW_PHONES, "chat-input", "finish", "open-help", "chat-send")
    cross = await ann.page.get_by_label("Deselect").bounding_box()
    assert cross is not None
    assert min(cross["width"], cross["height"]) >= 44


async def test_a_drag_over_a_panel_turns_and_what_one_leaves_is_selected_no_more(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann = await new_player(server, "ann")
    await ann.play_alone()
    await ann.wait_until_playing()
    await expect(ann.see("role")).to_have_text(
        "You are the person: you carry, open, wash, fill and switch."
    )
    await expect(ann.see("key-hints")).to_contain_text("walk")
    await expect(ann.see("screen")).to_be_hidden()
    mouse = ann.page.mouse
    task = await ann.see("task").bounding_box()
    assert task is not None
    yaw = (await ann.state())["body"]["yaw"]
    await mouse.move(task["x"] + 20, task["y"] + 10)
    await mouse.down()
    await mouse.move(task["x"] + 160, task["y"] + 10, steps=6)
    await mouse.up()
    # The page turns the body with its next picture.
    await ann.until(f"Math.abs({MINE}.body.yaw - {yaw}) > 0.1")
    await expect(ann.page.locator(".crosshair")).to_be_hidden()

    for_ann = guide(SET_THE_TABLE)
    _, furniture, part = await at_the_cup(ann, for_ann)
    await ann.select(furniture, part)
    away = for_ann.position(for_ann.goal_furniture())
    await ann.walk_to(for_ann, for_ann.stand_for(away))
    await ann.until(f"{MINE}.selection === null")
    await expect(ann.see("selection")).to_be_hidden()


async def test_finish_asks_once_and_says_what_it_does(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann = await new_player(server, "ann")
    await ann.play_alone()
    await ann.wait_until_playing()
    await ann.see("finish").click()
    question = ann.see("finish-question")
    await expect(question).to_contain_text("This ends the task.")
    assert await overlaps(ann.page, 640, 360) == []
    await ann.see("finish-no").click()
    # What was waited for is not read out any more.
    await expect(ann.see("screen")).to_have_text("")
    await expect(question).to_be_hidden()
    assert not (await ann.state())["seats"][1]["finished"]
    # Who has been asked knows it.
    await ann.see("finish").click()
    report = await ann.wait_for_report()
    assert report.percent.startswith("0")
