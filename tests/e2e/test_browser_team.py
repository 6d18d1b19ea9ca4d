"""A house with more than two: who is who, whose view is open, and to whom a line is said."""

from __future__ import annotations

import asyncio

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
    await ben.page.keyboard.type("hello")
    await ben.page.keyboard.press("Enter")
    await ann.expect_chat("Robot 1 → you the cup is mine")
    await ann.expect_chat("Robot 1 hello")

    await ben.finish()
    await expect(ann.see("notice")).to_contain_text("Robot 1 thinks that it is done")
