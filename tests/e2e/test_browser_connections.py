"""Connections that fail: a killed worker, a second tab, a foreign page."""

from __future__ import annotations

import asyncio
import os
import signal
import time

import pytest
import websockets
from playwright.async_api import expect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.player import near
from tests.e2e.test_browser_pair import SET_THE_TABLE, paired

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

FLOWERS_AND_LIGHT = "5"


async def test_play_goes_on_after_the_worker_was_killed(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    server = serve(FLOWERS_AND_LIGHT)
    ann, ben = await paired(await new_player(server, "ann"), await new_player(server, "ben"))
    way = guide(FLOWERS_AND_LIGHT)
    vase = way.handle("vase")
    cabinet, shelf = way.support(vase)
    door = way.part_for(cabinet, shelf)
    assert door is not None, "the vase is to be in a closed cabinet"
    await ann.fetch(way, vase)
    await ben.until(f"Math.abs(window.cohabit.state().parts['{cabinet}:{door}']) > 0.1")
    await ann.say("before the crash")
    await ben.expect_chat("before the crash")
    # The log is written each second: what is older must survive.
    await asyncio.sleep(1.2)
    before = await ann.state()
    place = await ann.position()

    [worker] = server.workers()
    killed_at = time.monotonic()
    os.kill(worker, signal.SIGKILL)
    for player in (ann, ben):
        await player.until(f"window.cohabit.state().tick > {before['tick']} + 30")
    print(f"both play again {time.monotonic() - killed_at:.1f} s after the kill")

    assert server.workers() != [worker]
    after = await ann.state()
    assert after["objects"][vase]["holder"] == before["objects"][vase]["holder"] == after["me"]
    assert near(place, await ann.position(), 0.1)
    for player in (ann, ben):
        assert await player.is_open(cabinet, door)
        await player.expect_chat("before the crash")

    # And it goes on: the other hears, the hand still puts things down.
    await ben.say("after the crash")
    await ann.expect_chat("after the crash")
    await ann.put(way, vase, way.goal_furniture(1), "top")
    await ben.until(f"window.cohabit.state().objects['{vase}'].holder === -1")
    for player in (ann, ben):
        player.expect_complaints("WebSocket|websocket")


async def test_a_second_tab_may_take_over(serve: ServeTasks, new_player: NewPlayer) -> None:
    ann = await new_player(serve(SET_THE_TABLE), "ann")
    await ann.play_alone()
    await ann.wait_until_playing()
    second = await ann.another_tab()
    await second.page.goto(ann.page.url)
    await expect(second.page.get_by_text("lay here instead")).to_be_visible()
    await ann.until("window.cohabit.state().phase === 'running'")

    await second.page.get_by_text("lay here instead").click()
    await second.wait_until_playing()
    await expect(ann.page.get_by_text("lay here instead")).to_be_visible()


async def test_a_foreign_page_gets_no_socket(serve: ServeTasks) -> None:
    server = serve(SET_THE_TABLE)
    address = server.url.replace("http", "ws") + "/ws/play"
    for origin in ("https://elsewhere.example", "null", f"{server.url}.example"):
        with pytest.raises(InvalidStatus) as refused:
            await websockets.connect(
                address, origin=Origin(origin), subprotocols=[Subprotocol("cohabit.1.json")]
            )
        assert refused.value.response.status_code == 403


async def test_leaving_the_lobby_makes_room_for_others(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann, ben = await new_player(server, "ann"), await new_player(server, "ben")
    await ann.play_with_a_person()
    await ann.expect_waiting()
    await ann.leave_the_lobby()

    await ben.play_with_a_person()
    await ben.expect_waiting()
    await asyncio.sleep(1.5)
    await ben.expect_waiting()
