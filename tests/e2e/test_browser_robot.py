"""A person and a robot that a program plays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from episodes.bounded_files import LARGEST
from server.personal.process_keys import use_keys
from server.personal.sealing import opened_json
from server.recording.log_records import Line, PageMeasured, decode
from server.recording.recordings import read_recording
from server.research.measures.doings import doings_of
from server.research.measures.registry import MEASURES
from tests.e2e import helpful_robot
from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.player import Player, eventually
from tests.e2e.test_browser_pair import beside_the_cup
from tests.model_double import ModelDouble, Reply
from tests.server.research.measures.hand_made import values
from tests.server.research.measures.raw_recount import recount
from tests.server.research.measures.test_recounted_measures import WITHIN

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

SET_THE_TABLE = "2"


def decoded(log: Path) -> list[Line]:
    return [decode(line) for line in log.read_bytes().splitlines()]


def assert_measured(log: Path, data_dir: Path) -> None:
    """Check the measures of what a real page told, against a recount from the log's raw lines."""
    keys = use_keys(data_dir.with_name(f"{data_dir.name}-keys"))
    (recording,) = read_recording(log, LARGEST)
    doings = doings_of(recording)
    counted = recount(log, lambda line: opened_json(keys, line))
    found = {m.name: values(m, doings) for m in MEASURES if m.name in counted}
    exact = {name for name in found if name not in WITHIN}
    differing = {
        name: (found[name], counted[name])
        for name in exact
        if found[name] != pytest.approx(counted[name], abs=1e-6)
    }
    assert differing == {}
    person = {name: of_seats.get("human_0") for name, of_seats in found.items()}
    assert 0 < (person["frame_rate_p50"] or 0) <= 240
    assert 0 < (person["ping"] or 0) < 60_000
    assert (person["viewport_width"], person["viewport_height"]) == (800, 500)
    assert 0 <= (person["partner_in_view"] or 0) <= 1


# Long: the same robot finishes a task beside people in the tests of groups, and another one that is
# chosen by its card beside a person in those of the partner.
@pytest.mark.long
async def test_the_scripted_robot_sets_the_table_beside_a_person(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann = await new_player(server, "ann")
    await ann.page.goto("/")
    await expect(ann.page.get_by_text("knows the goal")).to_have_count(2)
    await ann.page.locator("input[value='expert']").check()
    await ann.see("play-robot").click()
    await ann.wait_until_playing()
    assert await ann.kind() == "human"
    assert (await ann.state())["seats"][0]["presence"] == "connected"

    await ann.until("window.cohabit.state().seats[0].finished", 120)
    await ann.finish()
    report = await ann.wait_for_report()
    assert "100" in report.percent
    assert "partner" in str(report.propositions)


async def test_a_robot_is_asked_in_the_chat_and_fetches(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer, data_dir: Path
) -> None:
    with ModelDouble(helpful_robot.behave) as model:
        server = serve(SET_THE_TABLE, model_url=model.url, robot="react")
        ann = await new_player(server, "ann")
        choice = ann.page.get_by_text("ReAct")

        async def offered() -> bool:
            await ann.page.goto("/")
            count: int = await choice.count()
            return count > 0

        # The server has to hear first that its models answer.
        await eventually(offered)
        await choice.click()
        await ann.see("play-robot").click()
        await ann.wait_until_playing()
        await expect(ann.see("partner-status")).to_contain_text("waiting")

        for_ann = guide(SET_THE_TABLE)
        plate, cup, table = for_ann.handle("plate"), for_ann.handle("cup"), for_ann.goal_furniture()
        await ann.say("Please bring the plate to the table in the dining room.")
        status = ann.see("partner-status")
        await expect(status).to_contain_text("taking the plate", timeout=60_000)
        await ann.until(f"window.cohabit.state().objects['{plate}']?.holder === 0", 60)
        await ann.until(f"window.cohabit.state().objects['{plate}']?.holder === -1", 60)

        await ann.fetch(for_ann, cup)
        lies = (await ann.state())["objects"][plate]["position"]
        beside = beside_the_cup(for_ann, plate, lies, cup, table)
        await ann.walk_to(for_ann, for_ann.stand_for(beside, table, kind="human"))
        await ann.look_at(beside)
        await ann.place(cup, beside, table)
        await ann.finish()
        report = await ann.wait_for_report()
    assert "100" in report.percent
    # What the page told of itself is in the log.
    (log,) = (data_dir / "recordings").rglob("ses_*.jsonl")
    told = [line for line in decoded(log) if isinstance(line, PageMeasured)]
    assert {line.seat for line in told} == {"human_0"}
    pages = [line.stats for line in told]
    assert sum(len(page.shown_ms) for page in pages) >= 1
    assert sum(len(page.rtts_ms) for page in pages) >= 1
    assert any(page.fps for page in pages)
    assert {(page.width, page.height) for page in pages} == {(800, 500)}
    assert_measured(log, data_dir)
    assert {"partner" in row for row in report.propositions} == {True, False}
    assert "by you" in str(report.propositions)
    await ann.show_pictures()
    await expect(ann.see("timeline")).to_contain_text("Your partner")
    decisions = [" ".join(text.split()) for text in await ann.see("decision").all_inner_texts()]
    assert decisions, "the report tells what the robot decided"
    (fetched,) = [text for text in decisions if "taking the plate to the dining table" in text]
    # When it began, how long the model thought, how long it took.
    assert re.fullmatch(r"\d:\d\d taking the plate to the dining table \d\.\d s [\d.]+ s", fetched)
    assert float(fetched.split(" s ")[0].split()[-1]) >= 0.3


@pytest.mark.long
async def test_a_model_that_dies_is_no_longer_offered_and_its_session_ends_as_configured(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    # It is said for so long that no answer comes: longer than a page may take to show it.
    robot = "react:default,gives_up_s=15,generation.retries=false"
    with ModelDouble(helpful_robot.behave) as model:
        server = serve(
            SET_THE_TABLE, model_url=model.url, robot=robot, when_gone="end", model_deadline_s=5
        )
        ann, ben = await new_player(server, "ann"), await new_player(server, "ben")

        async def offers_of(player: Player) -> bool:
            await player.page.goto("/")
            return await player.page.get_by_text("ReAct").count() > 0

        await eventually(lambda: offers_of(ann))
        # The robot of the settings is chosen already.
        await ann.see("play-robot").click()
        await ann.wait_until_playing()
        await expect(ann.see("partner-status")).to_contain_text("waiting")

        model.behave = lambda _asked: Reply("the engine is dead", status=500)
        await ann.say("Please bring the plate to the table in the dining room.")
        await expect(ann.see("partner-status")).to_contain_text("getting no answer")

        async def offered_no_more() -> bool:
            return not await offers_of(ben)

        # The server is looked at every ten seconds.
        await eventually(offered_no_more, timeout_s=40)
        await expect(ben.page.get_by_text("knows the goal")).to_be_visible()
        await ann.page.wait_for_url(re.compile("/report/"), timeout=60_000)
        await expect(ann.see("verdict")).to_be_visible()
