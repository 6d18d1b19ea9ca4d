"""Three people who want the same team meet, play with its robot, and one of them leaves."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.test_browser_pair import SET_THE_TABLE

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

TEAM = "3human+robot"
RECONNECT_S = 20
ROBOT_S = 240
"""Seconds in which the robot sets the table, on a machine with three browsers on it."""


async def test_three_people_and_a_robot_set_the_table_though_one_leaves(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE, teams=TEAM, reconnect_window_s=RECONNECT_S)
    players = [await new_player(server, name) for name in ("ann", "ben", "cat")]
    ann, ben, cat = players
    await ann.open_lobby()
    await expect(ann.see(f"team-{TEAM}")).to_contain_text("Three people, one robot")
    for number, player in enumerate(players, 1):
        await player.play_in_team()
        if number < len(players):
            await expect(ann.see("lobby-status")).to_contain_text(f"{number} of 3 people")
            here = ann.see("lobby-places").get_by_text("Here", exact=True)
            await expect(here).to_have_count(number - 1)
    await asyncio.gather(*(player.wait_until_playing() for player in players))
    states = [await player.state() for player in players]
    assert {state["me"] for state in states} == {1, 2, 3}
    names = ["robot", "person 1", "person 2", "person 3"]
    assert all([seat["name"] for seat in state["seats"]] == names for state in states)

    # What one does, the others see.
    for_ann, mine = guide(SET_THE_TABLE), states[0]["me"]
    start = await ann.position()
    cup = for_ann.handle("cup")
    goal = for_ann.stand_for(for_ann.position(cup), for_ann.support(cup)[0])
    await ann.walk(for_ann.path(start, goal)[:2])
    place = f"window.cohabit.state().agents[{mine}].position"
    moved = f"Math.hypot({place}[0] - {start[0]}, {place}[2] - {start[2]}) > 0.2"
    await asyncio.gather(ben.until(moved), cat.until(moved))

    leaving = (await cat.state())["me"]
    await cat.page.close()
    gone = f"window.cohabit.state().seats[{leaving}].presence === 'gone'"
    await asyncio.gather(*(player.until(gone, 3 * RECONNECT_S) for player in (ann, ben)))
    await ann.until("window.cohabit.state().seats[0].finished", ROBOT_S)
    await asyncio.gather(ann.finish(), ben.finish())
    reports = await asyncio.gather(ann.wait_for_report(), ben.wait_for_report())
    assert all("100" in report.percent for report in reports)
    assert "robot" in str(reports[0].propositions).lower()
