"""Sessions kept by a report that is open, and what its reader is told when one was given back."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import NewPlayer, ServeTasks
from tests.e2e.test_browser_pair import SET_THE_TABLE
from tests.server.faults.visitor import eventually

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

SLOW_TIMERS = """
    // As in a tab that is hidden for long, only slower: no timer of the page comes to its turn.
    if (location.pathname.startsWith("/report/")) window.setInterval = () => 0;
"""


async def test_a_report_keeps_its_session_in_a_hidden_tab_and_says_when_it_is_gone(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE, abandoned_s=15, reconnect_window_s=0)
    ann = await new_player(server, "ann")
    await ann.page.add_init_script(SLOW_TIMERS)
    await ann.play_alone()
    await ann.wait_until_playing()
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    await ann.finish()
    await ann.wait_for_report()
    await eventually(lambda: sum(url.endswith("/here") for url in asked) >= 2)
    await expect(ann.see("next-task")).to_be_visible()
    assert "session.closed" not in server.output()

    # The lid is closed for a while: nothing of the page arrives any more.
    await ann.page.context.set_offline(True)
    await eventually(lambda: "session.closed" in server.output())
    await ann.page.context.set_offline(False)
    await expect(ann.see("closed-meanwhile")).to_contain_text("This home is closed by now.")
    await expect(ann.see("next-task")).to_have_count(0)
    await ann.see("closed-meanwhile").get_by_role("link").click()
    await expect(ann.see("play-solo")).to_be_visible()
    # So the browser notes what did not arrive, and the answer that says it.
    ann.expect_complaints("ERR_INTERNET_DISCONNECTED|410")
