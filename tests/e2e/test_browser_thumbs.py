"""The tutorial by thumb: a phone upright, from the first step to the verdict."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.test_browser_tutorial import at_step
from tests.e2e.test_browser_way import SET_THE_TABLE, hides, overlaps
from tests.e2e.thumbs import Thumbs

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

WAYS_OUT = ("tutorial-skip", "tutorial-leave")
KEYS = ("Click", "Space", "mouse", "wheel", "key")


async def test_the_whole_tutorial_is_passed_by_thumb(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE, clock_wait_s=60)
    phone = await new_player(
        server, "ann", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    await phone.open_lobby()
    await phone.see("play-tutorial").tap()
    await phone.wait_until_playing()
    house = guide(SET_THE_TABLE)
    thumbs = Thumbs(phone, await phone.page.context.new_cdp_session(phone.page))

    async def told(step: str, gesture: str) -> None:
        await at_step(phone, step)
        cue = phone.see("tutorial-cue")
        await expect(cue.locator("kbd").get_by_text(gesture, exact=True)).to_be_visible()
        words = await phone.see("tutorial").inner_text() + await cue.inner_text()
        assert [word for word in KEYS if word in words] == []
        for button in WAYS_OUT:
            assert await hides(phone.page, button) == []

    await told("look", "Right thumb")
    await thumbs.drag(-180, 0)
    await told("walk", "Left thumb")
    await thumbs.walk_to_the_mark()
    await told("select", "Tap")
    await thumbs.go_to(house, await thumbs.named("furniture"))
    await told("open", "Open")
    await thumbs.press("action-open")
    await at_step(phone, "pick")
    thing = await thumbs.named("objects")
    await thumbs.go_to(house, thing)
    await told("pick", "Pick up")
    await thumbs.press("action-pick")
    # It is put beside what the tutorial names, wherever that is: the thumbs go there first.
    await at_step(phone, "place")
    await thumbs.go_to(house, await thumbs.named("objects"))
    await told("place", "Aim")
    dock = await phone.page.locator(".dock").bounding_box()
    aim = await phone.see("action-aim").bounding_box()
    await thumbs.press("action-aim")
    # A second tap on the same place puts nothing down.
    put = await phone.see("aim-put").bounding_box()
    assert aim is not None
    assert put is not None
    assert put["y"] + put["height"] <= aim["y"] or put["x"] + put["width"] <= aim["x"]
    await expect(phone.see("tutorial-cue")).to_be_hidden()
    # What is turned may not fit any more where it fitted.
    await thumbs.press("aim-turn")
    assert await thumbs.aim_at_the_floor(), "green is nowhere"
    # The panels that are hidden meanwhile are not in the way of a finger.
    assert dock is not None
    assert await thumbs.moves_the_mark(dock["x"] + dock["width"] / 2, dock["y"] + 12)
    assert await thumbs.aim_at_the_floor(), "green is nowhere"
    await thumbs.press("aim-put")
    # Next to nothing, or behind a door: the card says what it is and that it is taken up again.
    await phone.until(
        "document.querySelector('[data-step=inside]') !== null"
        " || document.querySelector('.tutorial-text').textContent.includes('up again')"
    )
    if await phone.see("tutorial").get_attribute("data-step") == "place":
        await thumbs.press("tutorial-skip")
    await at_step(phone, "inside")
    thing = await thumbs.named("objects")
    await thumbs.go_to(house, thing)
    await thumbs.press("action-pick")
    await thumbs.go_to(house, await thumbs.named("furniture"))
    await told("inside", "Put inside")
    # While one walks the step shows its title only.
    await phone.until("document.querySelector('.playing.walking') === null")
    for width, height in ((844, 390), (390, 844)):
        assert await overlaps(phone.page, width, height) == []
        for button in (*WAYS_OUT, "action-put-inside", "action-place", "action-aim"):
            assert await hides(phone.page, button) == [], f"{button} at {width}x{height}"
    await thumbs.press("action-put-inside")
    await at_step(phone, "close")
    await thumbs.press("action-close")
    await told("change", "Tap")
    await thumbs.go_to(house, await thumbs.named("furniture", "objects"))
    await thumbs.press("action-power_on")
    await told("chat", "Chat")
    await thumbs.press("chat-open")
    await phone.page.keyboard.type("Hello robot")
    await phone.page.keyboard.press("Enter")
    await told("view", "hide")
    for _ in range(2):
        await thumbs.press("partner-hide")
    await at_step(phone, "task")
    await thumbs.press("finish")
    await thumbs.press("finish-yes")
    report = await phone.wait_for_report()
    assert report.percent
