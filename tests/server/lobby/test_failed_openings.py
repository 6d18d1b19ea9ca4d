"""Sessions that do not open at the deadline of a study's lobby: what it declares is tried again."""

from __future__ import annotations

import asyncio

import pytest

from matchmaking.limits import AtDeadline, Limits
from matchmaking.matches import Match
from matchmaking.tickets import State
from server.lobby import Matched
from server.lobby.ticket_outcomes import Outcome
from server.wire.close_codes import CloseCode
from tests.server.lobby.opened_lobby import OpenedLobby, Records, Sessions, closed_by, opened
from tests.server.lobby.test_lobby_studies import pairs, take_part
from tests.server.lobby.virtual import virtual

UNASKED = Limits(wait_s=120)


class CountedSessions(Sessions):
    """Sessions that count how often somebody tried to open one."""

    tries = 0

    async def start(self, match: Match, seed: int, n_waiting: int) -> str:
        self.tries += 1
        return await super().start(match, seed, n_waiting)


@pytest.mark.parametrize("outcome", [AtDeadline.ROBOT, AtDeadline.SOLO])
@virtual
async def test_what_the_study_declares_is_tried_again(outcome: AtDeadline) -> None:
    sessions = CountedSessions(failures=2)
    of = pairs(at_deadline=outcome, substitute="expert", limits=UNASKED)
    async with opened(sessions, studies=[of]) as lobby:
        ann = await take_part(lobby, "a")
        assert await ann == Matched("ses_1")
        assert sessions.tries == 3
        assert lobby.records.ended == []


@virtual
async def test_a_group_that_was_full_just_before_is_tried_again() -> None:
    async with opened(Sessions(failures=1), studies=[pairs(limits=UNASKED)]) as lobby:
        ann = await take_part(lobby, "a")
        await asyncio.sleep(119.6)
        ben = await take_part(lobby, "b")
        assert await ann == await ben == Matched("ses_1")


@virtual
async def test_after_the_last_try_it_is_a_fault_of_ours_and_the_only_outcome() -> None:
    sessions = CountedSessions(failures=99)
    of = pairs(at_deadline=AtDeadline.ROBOT, substitute="expert", limits=UNASKED)
    async with opened(sessions, studies=[of]) as lobby:
        ann = await take_part(lobby, "a")
        closed = await closed_by(ann)
        assert (closed.code, closed.message) == (CloseCode.DONE, "closed-not-opened-study")
        await asyncio.sleep(60)
        assert lobby.records.ended == [("tic_a", State.NOT_OPENED)]
        assert sessions.tries == 3


@virtual
async def test_others_whose_wait_is_over_leave_once_groups_were_tried_again() -> None:
    async with opened(studies=[pairs(limits=UNASKED)]) as lobby:
        ann = await take_part(lobby, "a")
        began_s = asyncio.get_running_loop().time()
        await asyncio.sleep(119.6)
        lobby._retry_at = began_s + 120.6
        assert (await closed_by(ann)).message == "closed-expired-study"
        assert asyncio.get_running_loop().time() - began_s == pytest.approx(120.6, abs=0.1)


@virtual
async def test_without_a_free_home_at_the_next_try_the_wait_is_over() -> None:
    sessions = Sessions(failures=1)
    of = pairs(at_deadline=AtDeadline.SOLO, limits=UNASKED)
    async with opened(sessions, studies=[of]) as lobby:
        ann = await take_part(lobby, "a")
        await asyncio.sleep(120.5)
        sessions.free = 0
        await closed_by(ann)
        assert lobby.records.ended == [("tic_a", State.EXPIRED)]


@virtual
async def test_who_was_let_down_after_their_deadline_gets_what_the_study_declares() -> None:
    sessions = Sessions()
    of = pairs(at_deadline=AtDeadline.ROBOT, substitute="expert")
    async with opened(sessions, studies=[of]) as lobby:
        ann = await take_part(lobby, "a")
        await asyncio.sleep(110)
        ben = await take_part(lobby, "b")
        await asyncio.sleep(2)
        assert await lobby.confirm("tic_a")
        await closed_by(ben)
        await asyncio.sleep(1)
        assert await lobby.confirm("tic_a"), "asked again, with the substitute"
        assert await ann == Matched("ses_1")
        assert sessions.robots == ["expert"]


async def pair_comes(lobby: OpenedLobby) -> list[asyncio.Future[Outcome]]:
    return [await take_part(lobby, name) for name in "ab"]


@virtual
async def test_the_third_stay_in_a_row_that_ends_so_is_a_fault_of_ours_whatever_the_time() -> None:
    async with opened(Sessions(failures=99), studies=[pairs(limits=UNASKED)]) as lobby:
        endings = [
            {(await closed_by(one)).message for one in await pair_comes(lobby)} for _ in range(3)
        ]
        assert endings == [{"closed-not-opened"}] * 2 + [{"closed-not-opened-study"}]
        assert lobby.records.ended[-1][1] is State.NOT_OPENED


@virtual
async def test_a_session_that_opens_in_between_begins_the_count_anew() -> None:
    sessions = Sessions(failures=6)
    async with opened(sessions, studies=[pairs(limits=UNASKED)]) as lobby:
        for _ in range(2):
            await asyncio.gather(*map(closed_by, await pair_comes(lobby)))
        assert await asyncio.gather(*await pair_comes(lobby)) == [Matched("ses_1")] * 2
        lobby.records.unopened.clear()
        sessions.failures = 6
        for _ in range(2):
            for one in await pair_comes(lobby):
                assert (await closed_by(one)).message == "closed-not-opened"


@virtual
async def test_stays_that_ended_so_before_a_restart_count() -> None:
    records = Records()
    for name in "ab":
        records.unopened[f"par_{name}"] = 2
    of = pairs(limits=UNASKED)
    async with opened(Sessions(failures=3), studies=[of], records=records) as lobby:
        for one in await pair_comes(lobby):
            assert (await closed_by(one)).message == "closed-not-opened-study"
    assert {state for _, state in records.ended} == {State.NOT_OPENED}
