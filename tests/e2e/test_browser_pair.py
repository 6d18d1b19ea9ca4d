"""Two people in one session, with one task and one verdict."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.guide import Guide
from tests.e2e.pictures import share_that_differs, take_picture
from tests.e2e.player import Player, near

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

SET_THE_TABLE = "2"


async def paired(first: Player, second: Player) -> tuple[Player, Player]:
    """Have both press *play with a person*; return them in their order of arrival."""
    await first.play_with_a_person()
    await first.expect_waiting()
    await second.play_with_a_person()
    await asyncio.gather(first.wait_until_playing(), second.wait_until_playing())
    return first, second


async def test_two_people_set_the_table_and_read_the_same_verdict(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann, ben = await paired(await new_player(server, "ann"), await new_player(server, "ben"))
    assert {await ann.kind(), await ben.kind()} == {"human", "robot"}
    await expect(ann.see("task")).to_contain_text("Set the table")
    assert await ann.see("task").inner_text() == await ben.see("task").inner_text()

    # Somebody who comes later waits for somebody else.
    cat = await new_player(server, "cat")
    await cat.play_with_a_person()
    await cat.expect_waiting()

    for_ann, for_ben = guide(SET_THE_TABLE), guide(SET_THE_TABLE)
    cup, plate = for_ann.handle("cup"), for_ann.handle("plate")
    table = for_ann.goal_furniture()
    cupboard, receptacle = for_ann.support(cup)
    door = for_ann.part_for(cupboard, receptacle)
    assert door is not None, "the cup is to be in a closed cupboard"

    # Ben stands where he sees the cupboard; what is inside is not in his page yet.
    await ben.walk_to(for_ben, for_ben.stand_for(for_ben.position(plate), plate, cupboard))
    await ben.look_at(for_ben.position(cup))
    assert cup not in (await ben.state())["objects"]
    closed = await take_picture(ben.see("scene"))

    await ann.fetch(for_ann, cup)
    await ben.until(f"Math.abs(window.cohabit.state().parts['{cupboard}:{door}']) > 0.1")
    await ben.until(f"window.cohabit.state().objects['{cup}'] !== undefined")
    ann_seat = (await ann.state())["me"]
    await ben.until(f"window.cohabit.state().objects['{cup}'].holder === {ann_seat}")
    opened = await take_picture(ben.see("scene"))
    assert await share_that_differs(ben.page, closed, opened) > 0.002

    await ben.pick(plate)
    await ann.put(for_ann, cup, table, "top")
    lies = (await ann.state())["objects"][cup]["position"]
    await ben.until(f"window.cohabit.state().objects['{cup}'].holder === -1")
    assert near(lies, (await ben.state())["objects"][cup]["position"], 0.01)

    beside = beside_the_cup(for_ben, cup, lies, plate, table)
    await ben.walk_to(for_ben, for_ben.stand_for(beside, table, kind=await ben.kind()))
    await ben.look_at(beside)
    await ben.place(plate, beside, table)

    await ann.finish()
    await ben.until("window.cohabit.state().seats.some((seat) => seat.finished)")
    await ben.finish()
    read_by_ann, read_by_ben = await asyncio.gather(ann.wait_for_report(), ben.wait_for_report())
    assert read_by_ann.named("ann", "ben") == read_by_ben.named("ben", "ann")
    assert "by you" in str(read_by_ann.propositions)
    assert "100" in read_by_ann.percent
    assert len(read_by_ann.propositions) == 3

    # The third one was paired with neither, and can leave.
    await cat.expect_waiting()
    await cat.leave_the_lobby()


def beside_the_cup(
    guide: Guide, cup: str, lies: list[float], plate: str, table: str
) -> tuple[float, float, float]:
    """Return a free spot on the table, near to where the cup lies now."""
    x, y, z = lies
    pose = guide.sim.pose(cup)
    guide.sim.set_pose(cup, pose._replace(position=(x, y, z)))
    return guide.free_spot(table, "top", plate, (x, y, z))


async def test_chat_reaches_the_partner_and_nobody_else(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann, ben = await paired(await new_player(server, "ann"), await new_player(server, "ben"))
    eve, dan = await paired(await new_player(server, "eve"), await new_player(server, "dan"))

    await ann.say("I take the cup <b>&amp;</b>")
    await ben.expect_chat("I take the cup <b>&amp;</b>")
    await ann.expect_chat("I take the cup")
    await ben.say("and I the plate")
    await ann.expect_chat("and I the plate")
    for other in (eve, dan):
        await expect(other.see("chat-log")).not_to_contain_text("I take")


async def test_an_invited_partner_comes_into_the_same_home(
    serve: ServeTasks, new_player: NewPlayer
) -> None:
    server = serve(SET_THE_TABLE)
    ann, ben = await new_player(server, "ann"), await new_player(server, "ben")
    cat = await new_player(server, "cat")
    link = await ann.invite()

    # Who waits for anybody does not take the place that was kept for a guest.
    await cat.play_with_a_person()
    await cat.expect_waiting()
    await ben.follow(link)
    await asyncio.gather(ann.wait_until_playing(), ben.wait_until_playing())
    assert ann.session_id == ben.session_id
    await cat.expect_waiting()
