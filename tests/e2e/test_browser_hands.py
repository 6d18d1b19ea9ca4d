"""Hands: what the keys and the mouse do with things, by real input."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.player import near
from tests.e2e.test_browser_way import MINE, SET_THE_TABLE, at_the_cup, press_until

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]


async def test_a_key_that_can_do_nothing_says_so_and_keys_walk_again_after_a_line_of_chat(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann, ben = await new_player(server, "ann"), await new_player(server, "ben")
    await ann.play_with_a_person()
    await ann.expect_waiting()
    await ben.play_with_a_person()
    await ann.wait_until_playing()
    for key, words in (("c", "wash"), ("g", "Your hand is empty"), ("n", "Point at something")):
        # The ceiling is nothing to do anything with.
        await press_until(ann, "PageUp", f"{MINE}.body.pitch > 1")
        await ann.page.keyboard.press(key)
        await expect(ann.see("refusal")).to_contain_text(words)
    await ann.say("hello")
    x, _, z = await ann.position()
    moved = f"Math.hypot({MINE}.body.position[0] - {x}, {MINE}.body.position[2] - {z}) > 0.2"
    await press_until(ann, "s", moved)


async def test_one_key_walks_there_one_puts_inside_and_aiming_at_a_back_wall_finds_the_bottom(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann = await new_player(server, "ann")
    await ann.play_alone()
    await ann.wait_until_playing()
    for_ann = guide(SET_THE_TABLE)
    cup = for_ann.handle("cup")
    furniture, receptacle = for_ann.support(cup)
    part = for_ann.part_for(furniture, receptacle)
    assert part is not None
    await ann.select(furniture, part)
    keyboard = ann.page.keyboard
    await keyboard.press("n")
    await expect(ann.see("action-open")).to_have_attribute("aria-disabled", "false", timeout=60_000)
    await keyboard.press("f")
    await ann.until(f"Math.abs({MINE}.parts['{furniture}:{part}']) > 0.1")
    at = for_ann.position(cup)
    for_ann.learn(await ann.state())
    await ann.walk_to(for_ann, for_ann.stand_for(at, cup))
    await ann.look_at(for_ann.position(cup))
    await ann.pick(cup)

    # One key closes nothing and opens what is needed: another drawer that is shut.
    other = next(p for p in for_ann.parts_for(furniture, receptacle) if p != part)
    await ann.select(furniture, other)
    await ann.see("action-put-inside").click()
    await ann.until(f"{MINE}.objects['{cup}']?.holder === -1")
    assert await ann.is_open(furniture, other)
    assert not near((await ann.state())["objects"][cup]["position"], at, 0.02)


async def test_aiming_names_what_it_will_land_on_and_the_panels_make_room(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann = await new_player(server, "ann")
    await ann.play_alone()
    await ann.wait_until_playing()
    for_ann = guide(SET_THE_TABLE)
    cup, furniture, part = await at_the_cup(ann, for_ann)
    await ann.fetch(for_ann, cup)
    await ann.select(furniture, part)
    box = await ann.page.evaluate("window.cohabit.project", cup)
    await ann.look_at(for_ann.position(cup))
    width, height = 800, 500
    await ann.page.mouse.move(width / 2, height / 2)
    await ann.page.keyboard.down("Space")
    try:
        await expect(ann.see("refusal")).to_contain_text("in the ")
        await expect(ann.see("selection")).not_to_be_visible()
        await ann.page.mouse.wheel(0, 100)
    finally:
        await ann.page.keyboard.up("Space")
    await ann.until(f"{MINE}.objects['{cup}']?.holder === -1")
    assert box is not None
