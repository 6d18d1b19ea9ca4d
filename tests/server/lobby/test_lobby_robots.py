"""The lobby with robots: they hold up nobody, and no timer is theirs."""

from __future__ import annotations

import asyncio

import pytest

from matchmaking.tickets import Wish
from server.lobby import Matched
from tests.server.lobby.opened_lobby import Sessions, join, opened, robot_after
from tests.server.lobby.virtual import virtual


@virtual
async def test_a_robot_comes_after_the_wait_and_to_nobody_else() -> None:
    """Open play with an automatic robot: who waits for a friend waits for that friend."""
    openings = Sessions()
    async with opened(openings, robot_after(30.0)) as lobby:
        begun = asyncio.get_running_loop().time()
        host = await join(lobby, "host", Wish.INVITE, code="abc")
        alone = await join(lobby, "alone")
        assert await alone == Matched("ses_1")
        assert 30.0 <= asyncio.get_running_loop().time() - begun <= 31.0
        assert openings.robots == ["react"]
        await asyncio.sleep(300)
        assert not host.done()
    assert openings.started == [("tic_alone",)]


@pytest.mark.parametrize(
    ("after_s", "told"),
    [
        (1.0, "after 1 second,"),
        (30.0, "after 30 seconds,"),
        (150.0, "150 seconds"),
        (180.0, "3 minutes"),
    ],
)
def test_nobody_is_given_a_program_without_having_been_told(after_s: float, told: str) -> None:
    @virtual
    async def texts() -> None:
        async with opened(offers=robot_after(after_s)) as lobby:
            await join(lobby, "a")
            text = lobby.shown("tic_a").text
            assert told in text
            assert "a program plays the robot" in text
            await join(lobby, "host", Wish.INVITE, code="abc")
            assert "program" not in lobby.shown("tic_host").text
        async with opened() as lobby:
            await join(lobby, "a")
            assert "program" not in lobby.shown("tic_a").text

    texts()


@virtual
async def test_a_person_who_comes_in_time_is_the_partner_and_the_wait_is_not_begun_anew() -> None:
    openings = Sessions()
    async with opened(openings, robot_after(30.0)) as lobby:
        first = await join(lobby, "a")
        await asyncio.sleep(29)
        second = await join(lobby, "b")
        assert await first == await second == Matched("ses_1")
        begun = asyncio.get_running_loop().time()
        third = await join(lobby, "c")
        await asyncio.sleep(10)
        connection = await lobby.connected("tic_c", "tab_c")
        await lobby.disconnect("tic_c", connection)
        await asyncio.sleep(2)
        await lobby.connect("tic_c", "tab_c")
        assert await third == Matched("ses_2")
        # Somebody else's wait has not counted for it, and a lost socket does not start it again.
        assert 30.0 <= asyncio.get_running_loop().time() - begun <= 31.0
    assert openings.robots == ["react"]


@virtual
async def test_L10_a_robot_that_is_played_with_changes_no_time_of_people_who_wait() -> None:
    """The same people at the same times, with and without others who play with robots."""

    async def ends_of_waits(robots: int) -> list[float]:
        async with opened(wait_s=120.0) as lobby:
            begun = asyncio.get_running_loop().time()
            ends = []
            for number in range(robots):
                await join(lobby, f"r{number}", Wish.ROBOT, robot="react")
            first = await join(lobby, "a")
            first.add_done_callback(lambda _f: ends.append(asyncio.get_running_loop().time()))
            assert lobby.shown("tic_a").position == 1
            await first
            await asyncio.sleep(0)
            return [round(end - begun, 3) for end in ends]

    assert await ends_of_waits(0) == await ends_of_waits(20) == [120.0]


@virtual
async def test_who_wants_a_robot_that_is_silent_waits_without_being_in_the_way() -> None:
    silent = {"react"}
    openings = Sessions(free=1)
    async with opened(openings, answers=lambda name: name not in silent) as lobby:
        wanting = await join(lobby, "a", Wish.ROBOT, robot="react")
        await asyncio.sleep(30)
        assert not wanting.done()
        assert "does not answer" in lobby.shown("tic_a").text
        solo = await join(lobby, "b", Wish.SOLO)
        assert await solo == Matched("ses_1")
        openings.free += 1
        silent.clear()
        assert await wanting == Matched("ses_2")
    assert openings.robots == ["react"]
