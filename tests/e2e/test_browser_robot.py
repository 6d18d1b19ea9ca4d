"""A person and a robot that a program plays."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

SET_THE_TABLE = "2"


async def test_the_scripted_robot_sets_the_table_beside_a_person(home, new_player) -> None:
    server = home(SET_THE_TABLE)
    ann = await new_player(server, "ann")
    await ann.page.goto("/")
    await expect(ann.page.get_by_text("knows the goal")).to_be_visible()
    await ann.see("play-robot").click()
    await ann.wait_until_playing()
    assert await ann.kind() == "human"
    assert (await ann.state())["seats"][0]["presence"] == "connected"

    await ann.until("window.cohabit.state().seats[0].finished", 120)
    await ann.finish()
    report = await ann.wait_for_report()
    assert "100" in report.percent
    assert "partner" in str(report.propositions)
