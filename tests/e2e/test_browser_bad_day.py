"""A bad day of an operator: each thing is seen or mended from the pages, and is in the log."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e import helpful_robot
from tests.e2e.conftest import NewPlayer, ServeTasks
from tests.e2e.player import Player
from tests.e2e.test_browser_study import SET_THE_TABLE, STUDIES, reach_the_lobby
from tests.model_double import ModelDouble, Reply

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

PASSWORD = "a long one for eve's bad day"
REASON = "their page froze after the worker died"


def add_account(data_dir: Path, name: str) -> None:
    command = (sys.executable, "-m", "server.cli", "operator", "add", name)
    subprocess.run(
        [*command, "--role", "administer", "--stdin"],
        env={**os.environ, "COHABIT_DATA_DIR": str(data_dir)},
        input=f"{PASSWORD}\n",
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )


async def act(eve: Player, testid: str, text: str = "") -> None:
    """Press an act's link, answer what it asks, and come back to the list."""
    await eve.see(testid).click()
    if text:
        await eve.see("act-text").fill(text)
    await eve.see("act-reason").fill(REASON)
    await eve.see("act-do").click()


# Long: what each act does is tested without a browser, too.
@pytest.mark.long
async def test_an_operator_gets_through_a_bad_day_by_the_pages_alone(
    serve: ServeTasks, data_dir: Path, new_player: NewPlayer
) -> None:
    robot = "react:default,gives_up_s=60,generation.retries=false"
    with ModelDouble(helpful_robot.behave) as model:
        server = serve(
            SET_THE_TABLE,
            studies=STUDIES,
            model_url=model.url,
            robot=robot,
            model_deadline_s=3,
            # Else whoever asks from this machine is an operator, and signs in nowhere.
            metrics_token="a long token for machines",
        )
        add_account(data_dir, "eve")
        ann, ben = await new_player(server, "ann"), await new_player(server, "ben")
        for player in (ann, ben):
            await reach_the_lobby(player, "/s/in-pairs")
            await player.see("visit-join").click()
        for player in (ann, ben):
            await player.wait_until_playing()

        eve = await new_player(server, "eve")
        await eve.page.goto("/operator")
        await eve.see("operator-name").fill("eve")
        await eve.see("operator-password").fill(PASSWORD)
        await eve.see("operator-enter").click()
        await expect(eve.see("operator-summary")).to_contain_text("1 open")
        workers = eve.see("operator-workers").locator("tbody td")

        # A worker dies: the page says so, and people play on.
        [worker] = server.workers()
        os.kill(worker, signal.SIGKILL)
        before = await ann.state()
        await expect(workers.nth(2)).to_have_text("1")
        await expect(workers.nth(1)).to_have_text("up")
        await ann.until(f"window.cohabit.state().tick > {before['tick']} + 30")
        await ben.until("window.cohabit.state().live")

        # A model hangs: the page counts the calls that came to nothing.
        cat = await new_player(server, "cat")
        await cat.page.goto("/")
        await cat.see("play-robot").click()
        await cat.wait_until_playing()
        model.behave = lambda _asked: Reply(held=True)
        await cat.say("Please bring the plate to the table in the dining room.")
        await expect(workers.nth(8)).not_to_have_text("0")
        await expect(eve.see("operator-summary")).to_contain_text("2 open")

        # Somebody reports a problem, and is written to.
        help_page = await ben.page.context.new_page()
        await help_page.goto("/visit/i-have-a-problem")
        await help_page.get_by_test_id("help-text").fill("My screen stood still for a while.")
        await help_page.get_by_test_id("help-send").click()
        await expect(help_page.get_by_test_id("help-sent")).to_be_visible()
        await expect(eve.see("operator-troubles")).to_contain_text("My screen stood still")
        session = ann.session_id
        await act(eve, f"message-{session}", "Thank you, we look after it.")
        await expect(eve.see("operator-done")).to_contain_text("done")
        for player in (ann, ben):
            await expect(player.page.get_by_text("Thank you, we look after it.")).to_be_visible()

        # One is removed, and is told so; the other is told that they are alone.
        state = await ben.state()
        seat = state["seats"][state["me"]]["seatId"]
        await act(eve, f"remove-{session}-{seat}")
        await expect(eve.see("operator-done")).to_contain_text("done")
        await expect(
            ben.page.get_by_text("You have no place in this home any more")
        ).to_be_visible()
        await ben.page.get_by_text("Continue", exact=True).click()
        await expect(ben.see("the-end")).to_have_attribute("data-ending", "technical_failure")

        # Recruiting is paused: who comes now is told, and takes no place.
        await eve.page.goto("/operator/studies")
        await act(eve, "pause-in-pairs")
        dan = await new_player(server, "dan")
        await dan.page.goto("/s/in-pairs")
        await expect(dan.page.get_by_text("This study takes nobody just now")).to_be_visible()

        await eve.page.goto("/operator/log")
        log = eve.see("operator-acts")
        for done in ("sign in", "message", "remove", "pause study"):
            row = log.locator("tbody tr", has=eve.page.get_by_role("cell", name=done, exact=True))
            await expect(row).to_have_count(1)
            await expect(row).to_contain_text("eve")
        model.release()
    for player in (ann, ben, cat, dan, eve):
        player.expect_complaints("4(03|29|09)|50[0-9]|WebSocket|net::")
