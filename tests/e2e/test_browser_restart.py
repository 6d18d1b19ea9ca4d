"""The web process dies or is replaced while people play: their browsers come back by themselves."""

from __future__ import annotations

import asyncio
import re

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


async def test_who_waits_when_the_server_stops_is_shown_the_way_back(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann = await new_player(server, "ann")
    await ann.invite()
    await ann.expect_waiting()
    await asyncio.to_thread(server.stop)
    await expect(ann.see("lobby-status")).to_contain_text(re.compile("server (is|was)"))
    await expect(ann.see("lobby-home")).to_be_visible()
    # What was offered or promised to those who wait is not any more.
    for testid in ("invite-url", "invite-copy", "lobby-cancel"):
        await expect(ann.see(testid)).to_be_hidden()
    for text in ("Place in line", "this page takes you there", "as long as this page is open"):
        await expect(ann.page.get_by_text(text)).to_be_hidden()

    await asyncio.to_thread(server.start)
    await ann.page.reload()
    await expect(ann.page.get_by_text("The server was restarted while you waited")).to_be_visible()
    await ann.page.get_by_role("link", name="Back to the start").click()
    await expect(ann.see("play-person")).to_be_visible()
