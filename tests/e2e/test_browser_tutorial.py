"""The tutorial, from the first button of the start page to the verdict, by real input."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from episodes.poses import Vec3
from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.guide import Guide
from tests.e2e.newcomer import Newcomer
from tests.e2e.player import Player
from tests.e2e.test_browser_way import MINE, SET_THE_TABLE, overlaps, press_until

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]


CHANGES = ("change", "clean", "fill", "pour")


async def at_step(player: Player, name: str) -> None:
    await expect(player.see("tutorial")).to_have_attribute("data-step", name)


async def pass_over(player: Player, *names: str) -> None:
    """Skip steps; a press in the moment in which a step was done is not taken."""
    for name in names:
        await at_step(player, name)
        while await player.see("tutorial").get_attribute("data-step") == name:
            await player.see("tutorial-skip").click()
            await player.page.wait_for_timeout(100)


async def turn_and_walk(player: Player) -> None:
    """Do the first two steps: drag the view round, then walk."""
    mouse = player.page.mouse
    await at_step(player, "look")
    await expect(player.see("tutorial-cue")).to_contain_text("Drag")
    for _ in range(3):
        await mouse.move(250, 250)
        await mouse.down()
        await mouse.move(550, 250, steps=8)
        await mouse.up()
    await at_step(player, "walk")
    await expect(player.see("tutorial-cue")).to_contain_text("W")
    await Newcomer(player).walk_to_the_mark()


async def look_at_with_the_mouse(player: Player, point: Vec3) -> None:
    """Look at a point, with the mouse in the middle of the picture."""
    await player.look_at(point)
    size = player.page.viewport_size
    assert size is not None
    await player.page.mouse.move(size["width"] / 2, size["height"] / 2)


async def put_on_top(player: Player, guide: Guide, furniture: str, thing: str) -> None:
    """Put a thing on what was to be opened: the step says where it lies, and what comes next."""
    label = (await player.state())["objects"][thing]["label"]
    top = guide.free_spot(furniture, "top", thing, guide.position(thing))
    await look_at_with_the_mouse(player, top)
    await player.page.keyboard.press("g")
    await player.until("window.cohabit.state().holding === null")
    await expect(player.see("tutorial")).to_contain_text("It lies on the ")
    await expect(player.see("tutorial")).to_contain_text(f"Take the {label} up again")
    await at_step(player, "inside")


async def aim_at_a_shut_front(
    player: Player, guide: Guide, thing: str, furniture: str, part: int
) -> None:
    """Aim at another door or drawer, which opens by itself for what is held."""
    within = guide.receptacles(furniture, "within")
    shut = next(r for r in within if guide.part_for(furniture, r) not in (None, part))
    front = guide.front(furniture, shut)
    await player.walk_to(guide, guide.stand_for(front, furniture))
    await look_at_with_the_mouse(player, front)
    await player.page.keyboard.down("Space")
    try:
        await expect(player.see("refusal")).to_have_text(
            re.compile("^in the .*: it opens by itself$")
        )
    finally:
        await player.page.keyboard.up("Space")
    await player.until(f"window.cohabit.state().objects['{thing}']?.holder === -1")
    opened = guide.part_for(furniture, shut)
    assert opened is not None
    assert await player.is_open(furniture, opened)


async def test_a_person_learns_every_step_and_comes_to_the_verdict(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE, clock_wait_s=60)
    ann = await new_player(server, "ann")
    await ann.open_lobby()
    await expect(ann.see("play-tutorial")).to_have_text("Try it: a few minutes with a robot")
    await ann.see("play-tutorial").click()
    await ann.wait_until_playing()
    await expect(ann.see("time")).to_have_text("15:00 left")
    await expect(ann.see("clock-waits")).to_contain_text("No hurry")
    await turn_and_walk(ann)
    await at_step(ann, "select")
    await expect(ann.see("clock-waits")).to_be_hidden()
    assert await overlaps(ann.page, 640, 360) == []
    await ann.page.set_viewport_size({"width": 800, "height": 500})
    # A page that is loaded anew goes on where it was.
    await ann.page.reload()
    await ann.wait_until_playing()
    await at_step(ann, "select")

    for_ann = guide(SET_THE_TABLE)
    cup = for_ann.handle("cup")
    furniture, receptacle = for_ann.support(cup)
    part = for_ann.part_for(furniture, receptacle)
    assert part is not None
    keyboard = ann.page.keyboard
    await ann.select(furniture, part)
    await at_step(ann, "open")
    # Beside a selection a low window has no room for it on the card.
    await expect(ann.see("tutorial-cue").locator(".cue-step")).to_be_visible()
    await expect(ann.see("tutorial-cue")).to_contain_text("Doors and drawers open")
    await keyboard.press("n")
    open_it = ann.see("action-open")
    await expect(open_it).to_have_attribute("aria-disabled", "false", timeout=60_000)
    await keyboard.press("f")
    await at_step(ann, "pick")
    for_ann.learn(await ann.state())
    await ann.walk_to(for_ann, for_ann.stand_for(for_ann.position(cup), cup))
    await ann.look_at(for_ann.position(cup))
    await ann.select(cup)
    await keyboard.press("e")
    await pass_over(ann, "place")
    await at_step(ann, "inside")
    await put_on_top(ann, for_ann, furniture, cup)
    for_ann.learn(await ann.state())
    await ann.look_at(for_ann.position(cup))
    await ann.pick(cup)
    await aim_at_a_shut_front(ann, for_ann, cup, furniture, part)
    await at_step(ann, "close")
    await ann.select(furniture, part)
    await ann.see("action-close").first.click()
    await at_step(ann, "change")
    while (step := await ann.see("tutorial").get_attribute("data-step")) in CHANGES:
        await pass_over(ann, str(step))
    await at_step(ann, "chat")
    await ann.say("Hello robot")
    await at_step(ann, "view")
    await expect(ann.see("chat-log")).to_contain_text("Hello! Ask me where")
    await keyboard.press("v")
    # It is brought back, too.
    await at_step(ann, "view")
    await keyboard.press("v")
    await at_step(ann, "task")

    plate, table = for_ann.handle("plate"), for_ann.goal_furniture()
    await ann.fetch(for_ann, plate)
    await ann.put(for_ann, plate, table, "top")
    await ann.finish()
    report = await ann.wait_for_report()
    assert report.percent
    assert float(report.percent.rstrip("%").split()[0]) > 0


async def test_who_is_the_robot_asks_for_what_it_cannot_do(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann = await new_player(server, "ann")
    await ann.open_lobby()
    await ann.see("play-tutorial-robot").click()
    await ann.wait_until_playing()
    assert await ann.kind() == "robot"
    await expect(ann.see("role")).to_contain_text("ask your partner to wash")
    await turn_and_walk(ann)
    await pass_over(ann, "select", "open", "pick", "place", "inside", "close")
    await at_step(ann, "ask")
    states = (await ann.state())["furniture"]
    lamp = next(f["label"] for f in states.values() if f["states"].get("is_powered_on") is False)
    await ann.say(f"Please switch on the {lamp}")
    await at_step(ann, "view")
    await ann.until(f"Object.values({MINE}.furniture).some((f) => f.states.is_powered_on)")
    # Nothing is lost by one click: it asks, and the help brings back what was put away.
    await ann.see("tutorial-leave").click()
    await ann.see("tutorial-leave-no").click()
    await at_step(ann, "view")
    await ann.see("tutorial-leave").click()
    await ann.see("tutorial-leave-yes").click()
    await expect(ann.see("tutorial")).to_be_hidden()
    await expect(ann.see("banner")).to_contain_text("Help brings it back")
    await ann.page.keyboard.press("h")
    await ann.see("tutorial-back").click()
    await at_step(ann, "view")
    await press_until(ann, "PageUp", f"{MINE}.body.pitch > 0.2")


@pytest.mark.long
async def test_who_learned_to_be_the_robot_is_the_robot_in_the_next_task(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann = await new_player(server, "ann")
    await ann.open_lobby()
    await ann.see("play-tutorial-robot").click()
    await ann.wait_until_playing()
    await ann.see("tutorial-leave").click()
    await ann.see("tutorial-leave-yes").click()
    await ann.finish()
    await ann.wait_for_report()
    await expect(ann.see("next-task")).to_contain_text("you are the robot")
    await ann.see("next-task").click()
    await ann.wait_until_playing()
    assert await ann.kind() == "robot"
    await expect(ann.see("role")).to_contain_text("You are the robot: you carry and open; ask")
    await ann.page.keyboard.press("w")
    await expect(ann.see("chat-log")).to_contain_text("you take the")
