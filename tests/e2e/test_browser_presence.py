"""Presence: a partner who is waited for, the same person in two tabs."""

from __future__ import annotations

import re
import time

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.conftest import NewPlayer, ServeTasks
from tests.e2e.player import Player
from tests.e2e.test_browser_pair import SET_THE_TABLE, paired
from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]
COUNTDOWN = re.compile(r"reconnecting \((\d+) s left\)")


async def test_a_partner_who_is_away_is_waited_for_and_comes_back(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    """The banner counts the seconds down; who is back in time goes on as if nothing had been."""
    server = serve(SET_THE_TABLE, reconnect_window_s=300)
    ann, ben = await paired(await new_player(server, "ann"), await new_player(server, "ben"))
    address, place = ben.page.url, await ben.position()
    back = await ben.another_tab()
    await ben.page.close()

    banner = ann.see("banner")
    first = await seconds_left(banner)
    assert first <= 298
    await expect(banner).not_to_contain_text(f"({first} s left)", timeout=PATIENCE_S * 1000)
    assert await seconds_left(banner) < first
    # Nothing stands in the way of who stayed.
    assert (await ann.state())["live"]
    await ann.say("where are you?")

    await back.page.goto(address)
    await back.wait_until_playing()
    await expect(banner).to_be_hidden(timeout=PATIENCE_S * 1000)
    await back.expect_chat("where are you?")
    assert await back.position() == pytest.approx(place, abs=0.01)


@pytest.mark.long
async def test_a_robot_waits_for_its_only_person_while_the_start_page_says_how_long(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE, reconnect_window_s=3, alone_window_s=120, idle_s=90)
    ann = await new_player(server, "ann")
    await ann.open_lobby()
    await expect(ann.page.get_by_text("everything stops and waits for you: 120 s")).to_be_visible()
    await ann.see("play-robot").click()
    await ann.wait_until_playing()
    at = await clock_s(ann)
    begun = time.monotonic()
    home = await ann.another_tab()
    await ann.page.close()
    await home.open_lobby()
    card = home.see("open-home")
    await expect(card).to_contain_text(re.compile(r"closed in 11\d seconds"))
    # Much longer than others would wait.
    await expect(card).to_contain_text(re.compile(r"closed in (10\d|9\d) seconds"), timeout=30_000)
    await card.get_by_role("link", name="Go back in").click()
    await home.wait_until_playing()
    assert time.monotonic() - begun > 11
    # But for the two seconds in which a flap is told to nobody, and the way back in.
    assert at - await clock_s(home) < 9


async def clock_s(player: Player) -> int:
    """Return the seconds that a task's clock shows to be left."""
    found = re.search(r"(\d+):(\d\d)", await player.see("time").inner_text())
    assert found is not None
    return int(found[1]) * 60 + int(found[2])


async def seconds_left(banner: Locator) -> int:
    """Return what the banner counts down; another notice may take its place for a moment."""
    while True:
        await expect(banner).to_have_text(COUNTDOWN, timeout=PATIENCE_S * 1000)
        if found := COUNTDOWN.search(await banner.inner_text()):
            return int(found[1])


async def test_a_hidden_page_is_told_to_the_partner(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE, away_limit_s=300)
    ann, ben = await paired(await new_player(server, "ann"), await new_player(server, "ben"))
    await ben.page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { value: true, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    await expect(ann.see("banner")).to_contain_text(
        "looking at something else", timeout=PATIENCE_S * 1000
    )
    await ben.page.evaluate(
        """() => {
            delete document.hidden;
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    await expect(ann.see("banner")).to_be_hidden(timeout=PATIENCE_S * 1000)


async def test_a_copied_tab_is_another_tab(serve: ServeTasks, new_player: NewPlayer) -> None:
    """A duplicated tab copies the storage, and must not push the original out."""
    ann = await new_player(serve(SET_THE_TABLE), "ann")
    await ann.play_alone()
    await ann.wait_until_playing()
    async with ann.page.context.expect_page() as opened:
        await ann.page.evaluate("void window.open(location.href)")
    copy = Player("ann-copy", await opened.value, ann.base_url)
    here = copy.page.get_by_text("lay here instead")
    await expect(here).to_be_visible(timeout=PATIENCE_S * 1000)
    await ann.until("window.cohabit.state().phase === 'running' && window.cohabit.state().live")

    await here.click()
    await copy.wait_until_playing()
    await expect(ann.page.get_by_text("lay here instead")).to_be_visible(timeout=PATIENCE_S * 1000)
    # A reload is still the same tab.
    await copy.page.reload()
    await copy.wait_until_playing()


async def test_the_lobby_waits_in_the_tab_that_says_so(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann, ben = await new_player(server, "ann"), await new_player(server, "ben")
    await ann.play_with_a_person()
    await ann.expect_waiting()
    second = await ann.another_tab()
    await second.page.goto(ann.page.url)
    here = second.see("lobby-here")
    await expect(here).to_be_visible(timeout=PATIENCE_S * 1000)
    await here.click()
    await expect(ann.see("lobby-here")).to_be_visible(timeout=PATIENCE_S * 1000)
    await expect(here).to_be_hidden()

    await ben.play_with_a_person()
    await second.page.wait_for_url(re.compile(r"/play/ses_"), timeout=PATIENCE_S * 1000)
    assert "/lobby/" in ann.page.url
