"""Taking part in a study, from the link to the code."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import NewPlayer, ServeTasks
from tests.e2e.player import Player

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

SET_THE_TABLE = "2"
STUDIES = "tests.e2e.browser_studies:studies"


async def reach_the_lobby(player: Player, link: str) -> None:
    """Go from the link to the page before the lobby, as an attentive person does."""
    page = player.page
    await page.goto(link)
    await player.see("begin-visit").click()
    await expect(player.see("device-continue")).to_be_enabled()
    await player.see("device-continue").click()
    for ask in ("sharing", "training", "replay"):
        await player.see(f"permit-{ask}-yes").check()
    await player.see("consent-agree").click()
    await page.locator("[name='q.age']").fill("34")
    await page.locator("[name='q.screen'][value=yes]").check()
    await player.see("visit-next").click()
    await expect(page.get_by_text("Walk with the keys")).to_be_visible()
    await player.see("visit-next").click()
    await page.locator("[name='q.who'][value=both_of_us]").check()
    await player.see("visit-next").click()
    await expect(player.see("visit-join")).to_be_visible()


async def leave_with_the_code(player: Player) -> str:
    """Go from the report of the last task to the end; return the code."""
    page = player.page
    await player.see("report-go-on").click()
    await page.locator("[name='q.fluent'][value='6']").check()
    await player.see("visit-next").click()
    await page.locator("[name='q.trust'][value='5']").check()
    await page.locator("[name='q.devices.mouse']").check()
    await player.see("visit-next").click()
    await expect(page.get_by_text("share work")).to_be_visible()
    await player.see("visit-next").click()
    await expect(player.see("the-end")).to_have_attribute("data-ending", "completed")
    return await player.see("code").input_value()


async def test_one_person_with_a_robot_comes_from_the_link_to_the_code(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE, studies=STUDIES)
    ann = await new_player(server, "ann")
    await reach_the_lobby(ann, "/s/with-robot")
    # The start page of open play is not for somebody who takes part in a study.
    await ann.page.goto("/")
    await expect(ann.page).to_have_url(re.compile("/visit/lobby$"))
    await ann.see("visit-join").click()
    await ann.wait_until_playing()
    await ann.until("window.cohabit.state().seats[0].finished", 120)
    await ann.finish()
    await ann.wait_for_report()
    code = await leave_with_the_code(ann)
    assert code == "C-COMPLETED"
    await ann.page.reload()
    await expect(ann.see("code")).to_have_value(code)


# Long: what the server keeps of a refused form is tested without a browser, too.
@pytest.mark.long
async def test_a_refused_form_is_a_page_that_one_can_reload_and_come_back_to(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE, studies=STUDIES)
    ann = await new_player(server, "ann")
    page = ann.page
    await page.goto("/s/with-robot")
    await ann.see("begin-visit").click()
    await expect(ann.see("device-continue")).to_be_enabled()
    await ann.see("device-continue").click()
    for ask in ("sharing", "training", "replay"):
        await ann.see(f"permit-{ask}-yes").check()
    await ann.see("consent-agree").click()
    await page.evaluate("document.querySelector('form.visit-form').noValidate = true")
    await page.locator("[name='q.age']").fill("34")
    await ann.see("visit-next").click()
    await expect(ann.see("faults")).to_be_visible()
    sent: list[str] = []
    page.on("request", lambda r: sent.append(r.url) if r.method == "POST" else None)
    await page.reload()
    await expect(page.locator("[name='q.age']")).to_have_value("34")
    assert sent == []
    await page.locator("[name='q.screen'][value=yes]").check()
    # At once: the draft is still on its way to the server.
    await page.reload()
    await expect(page.locator("[name='q.screen'][value=yes]")).to_be_checked()
    await ann.see("visit-next").click()
    await expect(page.get_by_text("Walk with the keys")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_text("Walk with the keys")).to_be_visible()
    ann.expect_complaints("422")


async def two_who_play(
    serve: ServeTasks, new_player: NewPlayer, link: str = "/s/in-pairs"
) -> tuple[Player, Player]:
    """Bring two people from the link into one home."""
    server = serve(SET_THE_TABLE, studies=STUDIES)
    ann, ben = await new_player(server, "ann"), await new_player(server, "ben")
    for player in (ann, ben):
        await reach_the_lobby(player, link)
        await player.see("visit-join").click()
    await ann.wait_until_playing()
    await ben.wait_until_playing()
    return ann, ben


async def test_two_people_meet_in_a_study_and_both_get_their_codes(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    ann, ben = await two_who_play(serve, new_player)
    assert ann.session_id == ben.session_id
    await ann.see("chat-open").click()
    await expect(ann.see("chat-note")).to_contain_text("no names, phone numbers or addresses")
    await ann.page.keyboard.press("Escape")
    for player in (ann, ben):
        await player.finish()
    for player in (ann, ben):
        await player.wait_for_report()
        assert await leave_with_the_code(player) == "C-COMPLETED"


async def test_who_stops_in_the_middle_gets_an_ending_and_the_partner_goes_on(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    ann, ben = await two_who_play(serve, new_player)
    await ben.see("open-help").click()
    await expect(ben.see("visit-help")).to_have_attribute("href", "/visit/i-have-a-problem")
    # Beside the house: whoever only reads it keeps their seat.
    async with ben.page.expect_popup() as beside:
        await ben.see("visit-stop").click()
    leaving = await beside.value
    await leaving.get_by_test_id("stop-yes").click()
    await expect(leaving.get_by_test_id("the-end")).to_have_attribute("data-ending", "withdrew")
    await expect(leaving.get_by_test_id("code")).to_have_value("C-WITHDREW")
    await ann.finish()
    await ann.wait_for_report()
    assert await leave_with_the_code(ann) == "C-COMPLETED"


# Long: three pages draw a house each; two people are the next test, too.
@pytest.mark.long
async def test_three_people_come_from_the_link_to_their_codes(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE, studies=STUDIES)
    players = [await new_player(server, name) for name in ("ann", "ben", "cat")]
    for player in players:
        await reach_the_lobby(player, "/s/in-threes")
        await player.see("visit-join").click()
        if player is not players[-1]:
            await player.expect_waiting()
    for player in players:
        await player.wait_until_playing()
    assert len({player.session_id for player in players}) == 1
    assert {(await player.state())["me"] for player in players} == {0, 1, 2}
    ann, ben, cat = players
    await cat.say("I take the plate")
    await ann.expect_chat("I take the plate")
    await ben.expect_chat("I take the plate")
    for player in players:
        await player.finish()
    for player in players:
        await player.wait_for_report()
    codes = [await leave_with_the_code(player) for player in players]
    assert codes == ["C-COMPLETED"] * 3


async def answer_about_the_task(player: Player) -> None:
    """Go on from a report, and answer the questions after each attempt."""
    await player.see("report-go-on").click()
    await player.page.locator("[name='q.fluent'][value='6']").check()
    await player.see("visit-next").click()


# Long: a second attempt is a second house to draw, for two pages.
@pytest.mark.long
async def test_two_people_who_fail_are_told_of_their_second_try_and_get_their_codes(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    ann, ben = await two_who_play(serve, new_player, "/s/again-in-pairs")
    for player in (ann, ben):
        await player.finish()
    for player in (ann, ben):
        await player.wait_for_report()
        await expect(player.see("try-note")).to_contain_text("try 2 of 2 comes next")
    for player in (ann, ben):
        await answer_about_the_task(player)
        await expect(player.see("between")).to_have_attribute("data-after", "failed-try")
        await expect(player.see("try-note")).to_contain_text("This try did not succeed")
    # Whoever presses first begins it for all: the other page goes there by itself.
    await ann.see("visit-next-task").click()
    for player in (ann, ben):
        await player.wait_until_playing()
    assert ann.session_id == ben.session_id
    for player in (ann, ben):
        await player.finish()
    for player in (ann, ben):
        await player.wait_for_report()
        await expect(player.see("try-note")).to_contain_text("the last of 2")
        assert await leave_with_the_code(player) == "C-COMPLETED"
