"""The web process dies or is replaced while people play: their browsers come back by themselves."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import NewPlayer, ServeTasks
from tests.e2e.test_browser_pair import SET_THE_TABLE, paired

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]


async def test_both_play_on_in_the_next_process(serve: ServeTasks, new_player: NewPlayer) -> None:
    server = serve(SET_THE_TABLE)
    ann, ben = await paired(await new_player(server, "ann"), await new_player(server, "ben"))
    await ann.say("before")
    await ben.expect_chat("before")
    tick = (await ben.state())["tick"]

    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    for player in (ann, ben):
        await player.until(f"window.cohabit.state().tick > {tick} + 60")
    await ann.say("after the crash")
    await ben.expect_chat("after the crash")

    # A polite stop: they are told, and come back to the next process just the same.
    tick = (await ben.state())["tick"]
    await asyncio.to_thread(server.stop)
    await asyncio.to_thread(server.start)
    for player in (ann, ben):
        await player.until(f"window.cohabit.state().tick > {tick} + 60")
        await player.expect_chat("before")
    await ben.say("after the update")
    await ann.expect_chat("after the update")
    for player in (ann, ben):
        player.expect_complaints("WebSocket|websocket|ERR_CONNECTION_REFUSED")


async def test_who_waits_when_the_server_restarts_keeps_the_place(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann = await new_player(server, "ann")
    link = await ann.invite()
    await ann.expect_waiting()
    await asyncio.to_thread(server.stop)
    await expect(ann.see("lobby-status")).to_contain_text("We lost the connection")
    await asyncio.to_thread(server.start)
    await expect(ann.see("lobby-status")).to_contain_text("Waiting for your partner")
    await expect(ann.see("invite-url")).to_have_value(link)
    ann.expect_complaints("WebSocket|websocket|ERR_CONNECTION_REFUSED")
