"""A phone, where there is no keyboard and no mouse."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import NewPlayer, ServeTasks
from tests.e2e.test_browser_pair import SET_THE_TABLE

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]


async def test_the_help_of_a_phone_names_gestures_and_its_settings_no_keys(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    phone = await new_player(
        server, "ann", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    await phone.play_alone()
    await phone.wait_until_playing()
    await phone.see("open-help").tap()
    for gesture in ("Left thumb", "Right thumb", "Tap", "Buttons"):
        await expect(phone.see("help").get_by_text(gesture, exact=True)).to_be_visible()
    await phone.see("open-settings").tap()
    await expect(phone.see("settings")).to_be_visible()
    await expect(phone.see("key-bindings")).to_be_hidden()

    desk = await new_player(server, "ben")
    await desk.play_alone()
    await desk.wait_until_playing()
    await desk.see("open-settings").click()
    await expect(desk.see("key-bindings")).to_be_visible()
    await desk.see("open-help").click()
    await expect(desk.see("help").get_by_text("Click", exact=True)).to_be_visible()
