"""The owner task on a virtual clock: sessions that are slow, fail or are busy, people who drop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from matchmaking.matches import Match
from matchmaking.tickets import State, Ticket, Wish
from server.lobby import Closed, Matched
from server.store.turns import ON_BEHALF_OF
from server.web.participants.texts import texts_in
from server.wire.close_codes import CloseCode
from tests.server.lobby.opened_lobby import FailingSessions, Sessions, closed_by, join, opened
from tests.server.lobby.virtual import virtual


@virtual
async def test_L1_two_are_matched_at_once_and_the_third_waits() -> None:
    async with opened() as lobby:
        start = asyncio.get_running_loop().time()
        outcomes = [await join(lobby, name) for name in "abc"]
        async with asyncio.timeout(10.0):
            assert await outcomes[0] == await outcomes[1] == Matched("ses_1")
        assert asyncio.get_running_loop().time() - start <= 1.0
        await asyncio.sleep(100)
        assert not outcomes[2].done()
        assert lobby.shown("tic_c").position == 1
        assert lobby.shown("tic_c").waited_s == pytest.approx(100, abs=1)
    assert (await closed_by(outcomes[2])).code == CloseCode.GOING_AWAY


@virtual
async def test_O2_stays_are_counted_by_how_they_ended_and_how_long_they_were() -> None:
    async with opened(wait_s=90.0) as lobby:
        outcomes = [await join(lobby, name) for name in "abc"]
        await asyncio.gather(*outcomes)
        told = lobby.tally.told()
    assert {state: sum(durations.counts) for state, durations in told.items()} == {
        State.MATCHED: 2,
        State.EXPIRED: 1,
    }
    assert told[State.EXPIRED].sum_s == pytest.approx(90, abs=1)


@virtual
async def test_L2_a_thousand_concurrent_joins_yield_five_hundred_pairs() -> None:
    openings = Sessions(delay_s=0.5)
    async with opened(openings) as lobby:
        outcomes = await asyncio.gather(*(join(lobby, f"{n:04}") for n in range(1000)))
        ended = await asyncio.gather(*outcomes)
    sessions = [o.session_id for o in ended if isinstance(o, Matched)]
    assert len(sessions) == len(ended)
    assert len(openings.started) == 500
    assert all(sessions.count(s) == 2 for s in set(sessions))
    assert len({t for pair in openings.started for t in pair}) == 1000
    assert lobby.waiting() == 0


@virtual
async def test_a_dropped_socket_comes_back_within_the_grace() -> None:
    async with opened(grace_s=5.0) as lobby:
        outcome = await join(lobby, "a", here=False)
        connection = await lobby.connected("tic_a", "tab")
        await lobby.disconnect("tic_a", connection)
        await asyncio.sleep(4.9)
        second = await join(lobby, "b")
        assert await lobby.connect("tic_a", "tab")
        assert await outcome == await second


@virtual
async def test_L5_who_stays_away_is_removed_and_never_matched() -> None:
    async with opened(grace_s=5.0) as lobby:
        outcome = await join(lobby, "a", here=False)
        await lobby.disconnect("tic_a", await lobby.connected("tic_a", "tab"))
        second = await join(lobby, "b")
        started = asyncio.get_running_loop().time()
        closed = await closed_by(outcome)
        assert asyncio.get_running_loop().time() - started == pytest.approx(5.0, abs=0.01)
        assert closed.code == CloseCode.TRY_AGAIN
        await asyncio.sleep(50)
        assert not second.done()
        assert lobby.records.ended == [("tic_a", State.GONE)]
        assert lobby.ticket("tic_a") is None


@virtual
async def test_a_form_without_a_page_leaves_no_ghost() -> None:
    async with opened(arrival_s=20.0) as lobby:
        outcome = await join(lobby, "a", here=False)
        await asyncio.sleep(21)
        assert isinstance(await outcome, Closed)
        assert lobby.waiting() == 0


@virtual
async def test_the_time_to_arrive_begins_when_the_form_is_answered() -> None:
    async with opened(arrival_s=20.0) as lobby:
        lobby.records.join_s = 60.0
        outcome = await join(lobby, "a", here=False)
        await asyncio.sleep(18)
        assert not outcome.done()
        await asyncio.sleep(4)
        assert isinstance(await outcome, Closed)


@virtual
async def test_nobody_waits_longer_than_the_limit() -> None:
    async with opened(wait_s=60.0) as lobby:
        closed = await closed_by(await join(lobby, "a"))
        assert "Not enough people came" in texts_in("en")(closed.message)
        assert lobby.records.ended == [("tic_a", State.EXPIRED)]


@virtual
async def test_L11_busy_homes_are_said_and_a_free_one_is_used_at_once() -> None:
    openings = Sessions(free=0)
    async with opened(openings) as lobby:
        outcomes = [await join(lobby, name) for name in "abcd"]
        await asyncio.sleep(5)
        assert lobby.shown("tic_a").text.startswith("All homes are busy. You are next")
        assert "number 3 in line" in lobby.shown("tic_c").text
        openings.free = 1
        lobby.wake()
        assert await outcomes[0] == await outcomes[1]
        await asyncio.sleep(5)
        assert not outcomes[2].done()
        assert lobby.shown("tic_c").position == 1


@virtual
async def test_a_busy_machine_is_told_from_full_places_and_for_how_long() -> None:
    openings = Sessions(free=5)
    openings.paused, openings.busy = True, 10
    async with opened(openings) as lobby:
        outcome = await join(lobby, "a")
        await join(lobby, "b")
        await asyncio.sleep(5)
        text = lobby.shown("tic_b").text
        assert "too busy to open another one just now" in text
        assert "after 10 more calm seconds" in text
        assert "number 2 in line" in text
        assert "All homes are busy" not in text
        openings.paused, openings.busy = False, 0
        lobby.wake()
        assert await outcome


@virtual
async def test_homes_that_do_not_open_are_not_called_busy() -> None:
    openings = Sessions(free=5)
    openings.paused = True
    async with opened(openings) as lobby:
        outcomes = [await join(lobby, name) for name in "ab"]
        await asyncio.sleep(5)
        text = lobby.shown("tic_b").text
        assert "No new homes open for a while" in text
        assert "number 2 in line" in text
        assert "busy" not in text
        openings.paused, openings.free = False, 0
        assert "All homes are busy" in lobby.shown("tic_b").text
        openings.free = 1
        lobby.wake()
        assert await outcomes[0] == await outcomes[1]


@virtual
async def test_no_more_homes_are_begun_than_are_free_while_they_open_slowly() -> None:
    openings = Sessions(free=2, delay_s=3.0)
    async with opened(openings) as lobby:
        for n in range(10):
            await join(lobby, f"{n}", Wish.SOLO)
        await asyncio.sleep(60)
        assert openings.free == 0
        assert len(openings.started) == 2


@virtual
async def test_a_home_that_fails_once_is_tried_again_for_the_same_two() -> None:
    openings = Sessions(failures=1)
    async with opened(openings) as lobby:
        outcomes = [await join(lobby, name) for name in "abc"]
        assert await outcomes[0] == await outcomes[1] == Matched("ses_1")
        assert openings.started == [("tic_a", "tic_b")]


@virtual
async def test_a_home_that_never_opens_is_not_tried_for_ever() -> None:
    async with opened(Sessions(failures=99)) as lobby:
        outcomes = [await join(lobby, name) for name in "ab"]
        closed = await closed_by(outcomes[0])
        assert closed.code == CloseCode.UNAVAILABLE
        assert "try again" in texts_in("en")(closed.message)
        assert lobby.waiting() == 0


@virtual
async def test_who_leaves_while_the_home_opens_is_not_waited_for_when_it_fails() -> None:
    async with opened(Sessions(delay_s=3.0, failures=1), grace_s=5.0) as lobby:
        await join(lobby, "b")
        await join(lobby, "a", here=False)
        connection = await lobby.connected("tic_a", "tab")
        await asyncio.sleep(1)
        assert "being opened" in lobby.shown("tic_b").text
        await lobby.disconnect("tic_a", connection)
        await asyncio.sleep(3)
        assert lobby.state_of("tic_a") is State.DROPPED
        assert lobby.state_of("tic_b") is State.WAITING
        await asyncio.sleep(5)
        assert lobby.ticket("tic_a") is None


@virtual
async def test_cancel_ends_the_stay_and_comes_too_late_for_a_match() -> None:
    async with opened(Sessions(delay_s=1.0)) as lobby:
        lonely = await join(lobby, "a")
        assert await lobby.cancel("tic_a")
        assert (await closed_by(lonely)).code == CloseCode.DONE
        assert not await lobby.cancel("tic_a")
        await join(lobby, "b")
        matched = await join(lobby, "c")
        await asyncio.sleep(0.5)
        assert not await lobby.cancel("tic_c")
        assert await matched == Matched("ses_1")


@virtual
async def test_who_cancels_while_the_home_opens_leaves_if_it_does_not() -> None:
    openings = Sessions(delay_s=1.0, failures=1)
    async with opened(openings) as lobby:
        leaving = await join(lobby, "a")
        staying = await join(lobby, "b")
        await asyncio.sleep(0.5)
        assert not await lobby.cancel("tic_a")
        assert (await closed_by(leaving)).code == CloseCode.DONE
        assert lobby.records.ended == [("tic_a", State.CANCELLED)]
        assert await (await join(lobby, "c")) == await staying == Matched("ses_1")
    assert openings.started == [("tic_b", "tic_c")]


@virtual
async def test_who_has_left_elsewhere_is_told_so_and_the_partner_keeps_the_place() -> None:
    """The row of a ticket decides, whoever has ended it."""
    openings = Sessions()
    openings.refuse = {"tic_a"}
    async with opened(openings) as lobby:
        gone = await join(lobby, "a")
        staying = await join(lobby, "b")
        assert (await closed_by(gone)).code == CloseCode.OTHER_TAB
        assert await (await join(lobby, "c")) == await staying == Matched("ses_1")


@virtual
async def test_a_home_that_opens_slowly_asks_for_patience() -> None:
    async with opened(Sessions(delay_s=60.0)) as lobby:
        await join(lobby, "a", Wish.SOLO)
        await asyncio.sleep(1)
        assert lobby.shown("tic_a").text == "Your home is being opened."
        await asyncio.sleep(9)
        assert lobby.shown("tic_a").text.startswith("One moment, please")


@virtual
async def test_nobody_is_matched_before_the_ticket_is_stored() -> None:
    """A form that is sent twice connects at once; its ticket's row may not be there yet."""
    openings = Sessions()
    async with opened(openings) as lobby:
        lobby.records.join_s = 5.0
        begun = asyncio.get_running_loop().time()
        outcomes = await asyncio.gather(*(join(lobby, "a", Wish.SOLO) for _ in range(2)))
        assert await outcomes[0] == await outcomes[1] == Matched("ses_1")
        assert asyncio.get_running_loop().time() - begun >= 5.0
        assert openings.started == [("tic_a",)]


@virtual
async def test_a_ticket_that_cannot_be_stored_leaves_nothing_behind() -> None:
    async with opened() as lobby:
        lobby.records.join_fails = True
        with pytest.raises(OSError, match="away"):
            await join(lobby, "a")
        await asyncio.sleep(1)
        assert lobby.waiting() == 0
        assert lobby.records.ended == [("tic_a", State.GONE)]
        lobby.records.join_fails = False
        await join(lobby, "a")
        assert lobby.waiting() == 1


@virtual
async def test_a_ticket_is_stored_on_behalf_of_the_address_that_asked() -> None:
    async with opened() as lobby:
        for address in ("192.0.2.1", "192.0.2.2"):
            ON_BEHALF_OF.set(address)
            await join(lobby, address)
        assert lobby.records.on_behalf_of == ["192.0.2.1", "192.0.2.2"]


@virtual
async def test_one_tab_waits_and_a_reloaded_one_takes_over() -> None:
    async with opened() as lobby:
        outcome = await join(lobby, "a", here=False)
        old = await lobby.connected("tic_a", "tab")
        assert await lobby.connect("tic_a", "other tab") is None
        new = await lobby.connected("tic_a", "tab")
        assert not lobby.owns("tic_a", old)
        await lobby.disconnect("tic_a", old)
        assert lobby.state_of("tic_a") is State.WAITING
        await lobby.disconnect("tic_a", new)
        assert lobby.state_of("tic_a") is State.DROPPED
        assert not outcome.done()


@virtual
async def test_stopping_ends_no_stay_and_matches_nobody_more() -> None:
    openings = Sessions(delay_s=2.0)
    async with opened(openings) as lobby:
        pair = [await join(lobby, name) for name in "ab"]
        lonely = await join(lobby, "c")
        await asyncio.sleep(0.5)
    assert (await closed_by(lonely)).code == CloseCode.GOING_AWAY
    assert lobby.records.ended == [], "it goes on in the next process"
    assert openings.started == [("tic_a", "tic_b")], "what was being opened is opened"
    assert await pair[0] == await pair[1] == Matched("ses_1")
    # Sockets end after the lobby does.
    await lobby.disconnect("tic_c", 3)
    await lobby.stop()


@virtual
async def test_a_bad_round_does_not_close_the_lobby() -> None:
    openings = FailingSessions()
    async with opened(openings) as lobby:
        openings.fails = True
        await join(lobby, "a")
        await asyncio.sleep(3)
        openings.fails = False
        assert await (await join(lobby, "b")) == Matched("ses_1")


@virtual
async def test_a_report_that_fails_does_not_close_the_lobby(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def odd(match: Match) -> None:
        raise ZeroDivisionError

    async with opened() as lobby:
        monkeypatch.setattr(lobby._queue, "settle", odd)
        await join(lobby, "a")
        await join(lobby, "b")
        await asyncio.sleep(3)
        monkeypatch.undo()
        outcomes = [await join(lobby, name) for name in "cd"]
        assert [await outcome for outcome in outcomes] == [Matched("ses_2")] * 2
        assert lobby.problems() == []


@virtual
async def test_waits_are_shorter_by_the_rate_of_a_fast_clock() -> None:
    async with opened(rate=20.0, wait_s=60.0) as lobby:
        began_s = asyncio.get_running_loop().time()
        outcome = await join(lobby, "a")
        await asyncio.sleep(2)
        assert lobby.shown("tic_a").waited_s == pytest.approx(40.0)
        assert not outcome.done()
        await outcome
        assert asyncio.get_running_loop().time() - began_s == pytest.approx(3.0)


@virtual
async def test_rounds_that_fail_are_begun_no_more_often_than_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with opened(wait_s=10.0) as lobby:
        await join(lobby, "a")
        rounds: list[float] = []
        do_round = lobby._queue.round

        def odd(now: float, rng: Random, free: int | None) -> Iterator[Match | Ticket]:
            rounds.append(now)
            if len(rounds) < 200:
                raise ZeroDivisionError
            # Without an end of this the test would have none where it fails.
            return do_round(now, rng, free)

        with monkeypatch.context() as patched:
            patched.setattr(lobby._queue, "round", odd)
            await asyncio.sleep(60)
        assert len(rounds) <= 62


@virtual
async def test_a_lobby_without_its_owner_says_so_and_can_be_stopped() -> None:
    async with opened() as lobby:
        (owner,) = (task for task in asyncio.all_tasks() if task.get_name() == "lobby")
        owner.cancel()
        await asyncio.wait({owner})
        assert lobby.problems() == ["the lobby has ended, and matches nobody: restart the server"]
        async with asyncio.timeout(100):
            assert not (await join(lobby, "a")).done()
