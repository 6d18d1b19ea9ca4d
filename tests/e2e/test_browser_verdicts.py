"""Runs that go wrong on purpose: the explanation names the step."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.player import Player

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

WASH_AND_PUT_AWAY = "4"
TOWEL_THEN_CAP = "3"


async def alone(player: Player) -> Player:
    await player.play_alone()
    await player.wait_until_playing()
    return player


@pytest.mark.long
async def test_an_order_that_was_broken_is_named(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    """The cup is put away dirty, taken out again, washed, and put back."""
    ann = await alone(await new_player(serve(WASH_AND_PUT_AWAY), "ann"))
    way = guide(WASH_AND_PUT_AWAY)
    cup, cabinet = way.handle("cup"), way.goal_furniture(1)
    inside = way.receptacles(cabinet, "within")[0]

    await ann.fetch(way, cup)
    await ann.put(way, cup, cabinet, inside)
    await ann.pick(cup)
    sink, faucet = way.faucet()
    await ann.walk_to(way, way.stand_for(faucet, sink))
    await ann.act("clean", cup)
    await ann.until(f"window.cohabit.state().objects['{cup}'].states.is_clean === true")
    await ann.put(way, cup, cabinet, inside)
    await ann.finish()

    report = await ann.wait_for_report()
    assert "100" not in report.percent
    assert "cup" in report.explanation
    assert "order" in report.explanation.lower() or "before" in report.explanation.lower()


async def test_a_step_that_was_left_out_is_named_and_the_next_task_follows(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    """The towel is put away; the cap stays where it was."""
    ann = await alone(await new_player(serve(TOWEL_THEN_CAP), "ann"))
    way = guide(TOWEL_THEN_CAP)
    towel, chest = way.handle("towel"), way.goal_furniture(0)

    await ann.fetch(way, towel)
    await ann.put(way, towel, chest, way.receptacles(chest, "within")[0])
    await ann.finish()

    report = await ann.wait_for_report()
    assert "50" in report.percent
    assert "hat" in report.explanation or "cap" in report.explanation
    assert "towel" not in report.explanation

    first_episode = ann.page.url
    await ann.see("next-task").click()
    await ann.wait_until_playing()
    await expect(ann.see("task")).to_be_visible()
    await ann.finish()
    await ann.wait_for_report()
    assert ann.page.url != first_episode
