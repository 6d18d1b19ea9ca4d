"""A house with more than two: who is who, whose view is open, and to whom a line is said."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import NewPlayer, ServeTasks
from tests.e2e.test_browser_pair import SET_THE_TABLE

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

MOST_DRAW_CALLS = 80


async def test_two_people_and_two_robots_know_who_is_who(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    team = "human=person,robot=person,robot=random,robot=random"
    server = serve(SET_THE_TABLE, teams=team)
    ann, ben = await new_player(server, "ann"), await new_player(server, "ben")
    await ann.play_in_team()
    await expect(ann.see("lobby-places")).to_contain_text("Free")
    await expect(ann.see("lobby-status")).to_contain_text("1 of 2 people is here")
    await ben.play_in_team()
    await asyncio.gather(ann.wait_until_playing(), ben.wait_until_playing())
    if await ann.kind() == "robot":
        ann, ben = ben, ann
    seats = (await ann.state())["seats"]
    assert [seat["name"] for seat in seats] == ["robot 1", "robot 2", "robot 3", "person"]

    # Each of the others has a tab; one view is open, and Shift and V opens the next.
    first, second = ann.see("partner-tab-robot_0"), ann.see("partner-tab-robot_1")
    await expect(first).to_contain_text("Robot 1")
    await expect(first).to_have_attribute("aria-selected", "true")
    await ann.page.keyboard.press("Shift+V")
    await expect(second).to_have_attribute("aria-selected", "true")
    await first.click()
    await expect(second).to_have_attribute("aria-selected", "false")
    await expect(ann.see("partner-view")).to_have_attribute("aria-label", "What Robot 1 sees")
    assert 0 < (await ann.state())["calls"] <= MOST_DRAW_CALLS

    await ben.page.keyboard.press("Enter")
    await ben.see("chat-to-human_0").click()
    await expect(ben.see("chat-to-human_0")).to_have_attribute("aria-pressed", "true")
    await ben.page.keyboard.type("the cup is mine")
    await ben.page.keyboard.press("Enter")
    await ben.page.keyboard.press("Enter")
    await ben.page.keyboard.type("hello")
    await ben.page.keyboard.press("Enter")
    await ann.expect_chat("Robot 1 → you the cup is mine")
    await ann.expect_chat("Robot 1 hello")

    await ben.finish()
    await expect(ann.see("notice")).to_contain_text("Robot 1 thinks that it is done")


async def test_a_program_in_a_persons_body_is_called_one_and_one_can_leave(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    team = "human=person,human=person,human=random,robot=expert"
    server = serve(SET_THE_TABLE, teams=team)
    phone = {"width": 390, "height": 844}
    ann = await new_player(server, "ann", viewport={"width": 1280, "height": 720})
    ben = await new_player(server, "ben", viewport=phone, has_touch=True, is_mobile=True)
    await ann.play_in_team()
    await ben.play_in_team()
    await asyncio.gather(ann.wait_until_playing(), ben.wait_until_playing())
    me = (await ann.state())["me"]
    other = 3 - me
    await expect(ann.see("role")).to_contain_text(f"You are Person {me}")
    await expect(ann.see("role")).to_have_attribute("data-look", f"human-{me}")
    await expect(ann.see("role-mark")).to_be_visible()
    await expect(ann.see("partner-tab-human_2")).to_contain_text("Person 3 (program)")
    await expect(ann.see("partner-tab-robot_0")).to_have_text(
        re.compile("^R ?Robot(?! \\(program)")
    )

    # A line for nobody is not sent to all before that is said.
    await ann.page.keyboard.press("Enter")
    await ann.see("chat-input").fill("@nobody hello")
    await ann.see("chat-input").press("Enter")
    await expect(ann.see("chat-hint")).to_contain_text("Nobody here is called “nobody”")
    await expect(ann.see("chat-log")).not_to_contain_text("hello")
    await ann.see("chat-input").press("Enter")
    await ann.expect_chat("You @nobody hello")

    await ben.see("open-leave").tap()
    await expect(ben.see("leave-question")).to_contain_text("can go on without you")
    await ann.see("open-leave").click()
    await ann.see("leave-no").click()
    await ben.see("leave-yes").tap()
    await ben.page.wait_for_url(f"{ben.base_url}/?left=home")
    await expect(ben.see("has-left")).to_contain_text("You have left the home")
    await expect(ben.see("open-home")).to_have_count(0)
    await expect(ann.see("banner")).to_contain_text(f"Person {other} has left")
    await ann.page.keyboard.press("Enter")
    await expect(ann.see(f"chat-to-human_{other - 1}")).to_be_hidden()
    await expect(ann.see("chat-to-human_2")).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await ann.finish()
    await ann.wait_for_report()
    await ann.show_pictures()
    await expect(ann.see("departures")).to_contain_text(
        f"Person {other} left, and did not come back."
    )
    await expect(ann.see("timeline")).to_contain_text("Person 3 (a program)")
