"""A phone, where there is no keyboard and no mouse."""

from __future__ import annotations

import pytest
from playwright.async_api import FloatRect, expect

from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.player import Player
from tests.e2e.test_browser_pair import SET_THE_TABLE
from tests.e2e.thumbs import Thumbs

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]


LATE_BUTTON = """
([x, y]) => {
  const late = Object.assign(document.createElement("button"), { className: "button" });
  const [left, top] = [`${x - 30}px`, `${y - 30}px`];
  Object.assign(late.style, { position: "fixed", left, top, width: "60px", height: "60px" });
  Object.assign(late.dataset, { testid: "late", presses: "0" });
  late.addEventListener("click", () => (late.dataset.presses = `${+late.dataset.presses + 1}`));
  late.addEventListener("pointerdown", () => (late.dataset.before = late.dataset.presses));
  const come = () => document.querySelector(".playing").append(late);
  document.querySelector("canvas.scene").addEventListener("pointerup", come, { once: true });
}
"""
"""Makes a button come to a point of the scene in the moment in which a finger is lifted."""


async def test_the_help_of_a_phone_names_gestures_and_its_settings_no_keys(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    phone = await new_player(
        server, "ann", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    await phone.play_alone()
    await phone.wait_until_playing()
    await phone.see("open-help").tap()
    for gesture in ("Left thumb", "Right thumb", "Tap", "Buttons"):
        await expect(phone.see("help").get_by_text(gesture, exact=True)).to_be_visible()
    await phone.see("open-settings").tap()
    await expect(phone.see("settings")).to_be_visible()
    await expect(phone.see("key-bindings")).to_be_hidden()
    await phone.see("open-settings").tap()

    # What comes under the finger by a tap is not pressed by it.
    thumbs = Thumbs(phone, await phone.page.context.new_cdp_session(phone.page))
    late = phone.see("late")
    await phone.page.evaluate(LATE_BUTTON, [250, 420])
    await thumbs.tap(250, 420)
    await expect(late).to_be_visible()
    await thumbs.tap(250, 420)
    await expect(late).to_have_attribute("data-presses", "1")
    await expect(late).to_have_attribute("data-before", "0")

    desk = await new_player(server, "ben")
    await desk.play_alone()
    await desk.wait_until_playing()
    await desk.see("open-settings").click()
    await expect(desk.see("key-bindings")).to_be_visible()
    await desk.see("open-help").click()
    await expect(desk.see("help").get_by_text("Click", exact=True)).to_be_visible()


UNCOVERED = """
(() => {
  const panels = document.querySelectorAll(
    ".playing :is(.panel, .button, .cue, .key-hints, .partner, .latency)");
  const boxes = [...panels].map((panel) => panel.getBoundingClientRect()).filter((b) => b.width);
  let free = 0;
  for (let y = 0; y < innerHeight; y++) {
    const row = boxes.filter((b) => b.top <= y && y < b.bottom).sort((a, b) => a.left - b.left);
    let covered = 0, end = 0;
    for (const b of row) {
      covered += Math.max(0, b.right - Math.max(b.left, end));
      end = Math.max(end, b.right);
    }
    free += covered <= innerWidth / 2 ? 1 : 0;
  }
  return free / innerHeight;
})()
"""
"""Share of the picture's rows of which panels cover no more than half."""


SMALL_TARGETS = """
() => {
  const found = [];
  const pressed = "button, a, select, .chat-input";
  for (const button of document.querySelectorAll(`.playing :is(${pressed})`)) {
    button.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = button.getBoundingClientRect();
    if (!width || getComputedStyle(button).visibility === "hidden") continue;
    const name = button.dataset.testid || button.getAttribute("aria-label") || button.textContent;
    // What lies behind an opened panel is not pressed now.
    const middle = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!button.contains(middle)) continue;
    // What a finger may miss by: the edges of 44 px around the middle, within the window.
    const [x, y] = [left + width / 2, top + height / 2];
    const edges = [[x - 21, y], [x + 21, y], [x, y - 21], [x, y + 21]]
      .filter(([a, b]) => a > 0 && b > 0 && a < innerWidth && b < innerHeight)
      .map(([a, b]) => document.elementFromPoint(a, b));
    const over = `${pressed}, .map, .help, .settings, .leaving`;
    const taken = edges.filter((hit) => button.contains(hit) || hit?.closest(over));
    if (taken.length < edges.length) {
      found.push(`${name}: ${Math.round(width)} x ${Math.round(height)}`);
    }
  }
  return found;
}
"""
"""Names what can be pressed and is smaller than a finger needs (44 px)."""


async def tap_the_map(player: Player) -> None:
    """Tap the map near its corners, until a place in a room is chosen."""
    box = await player.page.locator(".map-canvas").bounding_box()
    assert box is not None
    for across, down in ((0.15, 0.2), (0.85, 0.2), (0.15, 0.8), (0.85, 0.8), (0.5, 0.5)):
        await player.page.touchscreen.tap(
            box["x"] + across * box["width"], box["y"] + down * box["height"]
        )
        if await player.see("map").is_hidden():
            return
    raise AssertionError("no tap on the map chose a place")


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
async def test_while_one_walks_the_picture_is_free(
    serve: ServeTasks, new_player: NewPlayer, width: int, height: int
) -> None:
    server = serve(SET_THE_TABLE, clock_wait_s=60)
    size = {"width": width, "height": height}
    phone = await new_player(server, "ann", viewport=size, has_touch=True, is_mobile=True)
    await phone.open_lobby()
    await phone.see("play-tutorial").tap()
    await phone.wait_until_playing()
    await phone.until("window.cohabit.state().live")
    thumbs = Thumbs(phone, await phone.page.context.new_cdp_session(phone.page))
    await thumbs.push_until(f"{UNCOVERED} >= 0.6")
    for what in ("task", "time", "finish"):
        await expect(phone.see(what)).to_be_in_viewport()
    # Whoever wants to read on opens it again.
    await expect(phone.see("role")).to_be_hidden()
    await phone.see("task-fold").tap()
    await expect(phone.see("role")).to_be_visible()

    # A tap on the floor walks there, and one on the map, until a thumb walks by itself.
    assert await thumbs.walk_by_a_tap(), "no tap on the floor walked anywhere"
    line = phone.see("walk-line")
    await expect(line).to_be_hidden()
    await phone.see("open-map").tap()
    await tap_the_map(phone)
    await expect(line).to_contain_text("Walking there")
    await expect(phone.see("map")).to_be_hidden()
    await thumbs.push_until("document.querySelector('.walk-line').hidden")


async def boxes_of(player: Player, *test_ids: str) -> dict[str, FloatRect | None]:
    return {test_id: await player.see(test_id).bounding_box() for test_id in test_ids}


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
async def test_no_button_moves_under_a_finger_while_the_partner_speaks_and_the_card_changes(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer, width: int, height: int
) -> None:
    server = serve(SET_THE_TABLE)
    size = {"width": width, "height": height}
    phone = await new_player(server, "ann", viewport=size, has_touch=True, is_mobile=True)
    ben = await new_player(server, "ben")
    await phone.play_with_a_person()
    await phone.expect_waiting()
    await ben.play_with_a_person()
    await phone.wait_until_playing()
    await ben.wait_until_playing()
    await phone.until("window.cohabit.state().live")
    house = guide(SET_THE_TABLE)
    cup = house.handle("cup")
    furniture, receptacle = house.support(cup)
    part = house.part_for(furniture, receptacle)
    assert part is not None
    thumbs = Thumbs(phone, await phone.page.context.new_cdp_session(phone.page))

    await phone.select(furniture, part)
    shown = ("action-approach", "action-open")
    await expect(phone.see("action-approach")).to_be_visible()
    await expect(phone.see("selection")).to_contain_text("Too far away")
    before = await boxes_of(phone, *shown)
    walk = before["action-approach"]
    assert walk is not None
    async with thumbs.finger_at(walk["x"] + walk["width"] / 2, walk["y"] + walk["height"] / 2):
        await ben.say("I look for the plate in all the other rooms, and you look for the cup here")
        await expect(phone.page.locator(".chat-line, .chat-newest")).not_to_have_count(0)
        await expect(phone.page.get_by_text("other rooms").first).to_be_attached()
        assert await boxes_of(phone, *shown) == before
        await ben.finish()
        await expect(phone.see("notice")).to_contain_text("thinks that it is done")
        assert await boxes_of(phone, *shown) == before
        await phone.select(house.goal_furniture())
        await expect(phone.see("action-approach")).to_be_visible()
        assert await boxes_of(phone, "action-approach") == {"action-approach": walk}
    await expect(phone.see("walk-line")).to_contain_text("Walking to the")

    # In the hand there is more to press, and what there was stays where it was.
    await phone.fetch(house, cup)
    await expect(phone.see("action-place")).to_be_visible()
    held = await boxes_of(phone, "action-place", "action-aim")
    await phone.select(furniture, part)
    await expect(phone.see("action-close")).to_be_visible()
    assert await boxes_of(phone, "action-place", "action-aim") == held


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
async def test_all_that_is_pressed_is_as_large_as_a_finger_needs(
    serve: ServeTasks, new_player: NewPlayer, width: int, height: int
) -> None:
    server = serve(SET_THE_TABLE, clock_wait_s=60)
    size = {"width": width, "height": height}
    phone = await new_player(server, "ann", viewport=size, has_touch=True, is_mobile=True)
    await phone.open_lobby()
    await phone.see("play-tutorial").tap()
    await phone.wait_until_playing()
    await phone.until("window.cohabit.state().live")

    async def small() -> list[str]:
        return list(await phone.page.evaluate(SMALL_TARGETS))

    await expect(phone.see("ready")).to_be_visible()
    assert await small() == []
    for panel in ("map", "help", "settings", "leave"):
        await phone.see(f"open-{panel}").tap()
        assert await small() == [], panel
        await phone.see(f"open-{panel}").tap()
    await phone.see("tutorial-leave").tap()
    await expect(phone.see("tutorial-leave-yes")).to_be_visible()
    assert await small() == []
    await phone.see("tutorial-leave-no").tap()
    await phone.see("chat-open").tap()
    await expect(phone.see("chat-send")).to_be_visible()
    assert await small() == []
    # Fingers have no Escape.
    await phone.see("chat-shut").tap()
    await expect(phone.see("chat-send")).to_be_hidden()
    await phone.see("finish").tap()
    await expect(phone.see("finish-yes")).to_be_visible()
    assert await small() == []
