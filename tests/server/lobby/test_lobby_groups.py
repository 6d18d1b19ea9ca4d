"""Groups in the lobby: they form, they begin smaller, and one who leaves costs nobody a place."""

from __future__ import annotations

import asyncio

from episodes.teams import Team
from matchmaking.offers import Offer, Offers
from matchmaking.tickets import State, Wish
from server.lobby import Matched
from tests.server.lobby.opened_lobby import Sessions, closed_by, join, opened
from tests.server.lobby.virtual import virtual


def offer(team: str, least: int, after_s: float = 60.0, fill: str = "") -> Offers:
    return Offers({"team": Offer("team", Team.parse(team), least, after_s, fill)})


@virtual
async def test_five_begin_together_once_the_fifth_is_there() -> None:
    openings = Sessions()
    async with opened(openings, offer("5human", 5)) as lobby:
        first = [await join(lobby, name, team="team") for name in "abcd"]
        await asyncio.sleep(200)
        assert not any(outcome.done() for outcome in first)
        assert lobby.shown("tic_a").text.startswith("4 of 5 people are here.")
        last = await join(lobby, "e", team="team")
        assert {await outcome for outcome in [*first, last]} == {Matched("ses_1")}
        assert openings.teams == [Team.parse("5human")]


@virtual
async def test_one_ticket_that_is_refused_holds_none_of_the_other_four() -> None:
    openings = Sessions()
    openings.refuse = {"tic_c"}
    async with opened(openings, offer("5human", 5)) as lobby:
        outcomes = {name: await join(lobby, name, team="team") for name in "abcde"}
        assert (await closed_by(outcomes["c"])).message == "closed-plays-elsewhere"
        begun = asyncio.get_running_loop().time()
        outcomes["f"] = await join(lobby, "f", team="team")
        assert {await outcomes[name] for name in "abdef"} == {Matched("ses_1")}
        assert asyncio.get_running_loop().time() - begun <= 1.0
        assert lobby.records.ended == [("tic_c", State.ELSEWHERE)]


@virtual
async def test_who_leaves_ends_one_stay_and_the_others_keep_their_places() -> None:
    async with opened(Sessions(), offer("3human", 3)) as lobby:
        outcomes = {name: await join(lobby, name, team="team") for name in "ab"}
        await asyncio.sleep(5)
        assert await lobby.cancel("tic_a")
        await closed_by(outcomes["a"])
        assert lobby.records.ended == [("tic_a", State.CANCELLED)]
        assert lobby.shown("tic_b").position == 1
        assert lobby.shown("tic_b").text.startswith("1 of 3 people is here.")
        for name in "cd":
            outcomes[name] = await join(lobby, name, team="team")
        assert {await outcomes[name] for name in "bcd"} == {Matched("ses_1")}


@virtual
async def test_fewer_begin_after_the_wait_that_they_were_told_of() -> None:
    openings = Sessions()
    async with opened(openings, offer("3human", 2, 60.0)) as lobby:
        begun = asyncio.get_running_loop().time()
        first = await join(lobby, "a", team="team")
        text = lobby.shown("tic_a").text
        assert "without the others 60 seconds after the first of you came" in text
        assert "if at least 2 are here" in text
        await asyncio.sleep(90)
        assert not first.done(), "one is too few"
        await join(lobby, "b", team="team")
        await first
        assert asyncio.get_running_loop().time() - begun < 92
        assert openings.teams == [Team.parse("2human")]


@virtual
async def test_policies_take_the_places_of_those_who_have_not_come() -> None:
    openings = Sessions()
    team = "human=person,human=person,robot=expert"
    async with opened(openings, offer(team, 1, 30.0, "cohab")) as lobby:
        outcome = await join(lobby, "a", team="team")
        assert "with programs in their places 30 seconds after" in lobby.shown("tic_a").text
        await outcome
        (played,) = openings.teams
        assert sorted(played.policies.values()) == ["cohab", "expert"]
        assert len(played.people) == 1


@virtual
async def test_nobody_is_filled_in_by_a_policy_that_does_not_answer() -> None:
    silent = {"cohab"}
    openings = Sessions()
    offers = offer("2human", 1, 30.0, "cohab")
    async with opened(openings, offers, lambda name: name not in silent) as lobby:
        outcome = await join(lobby, "a", team="team")
        await asyncio.sleep(50)
        assert not outcome.done()
        silent.clear()
        assert await outcome == Matched("ses_1")


@virtual
async def test_a_team_of_the_queue_counts_down_to_its_beginning_without_the_rest() -> None:
    openings = Sessions()
    async with opened(openings, offer("4human", 2, 30.0)) as lobby:
        await join(lobby, "a", team="team")
        await asyncio.sleep(10)
        assert lobby.shown("tic_a").begins_s == -1.0
        last = await join(lobby, "b", team="team")
        shown = lobby.shown("tic_a")
        assert 19.0 <= shown.begins_s <= 20.0
        assert shown.text.startswith("2 of 4 people are here.")
        assert lobby.shown("tic_b").begins_s == shown.begins_s
        assert await last == Matched("ses_1")


@virtual
async def test_a_team_that_is_due_reads_why_nothing_opens_and_sees_no_clock_at_nought() -> None:
    openings = Sessions()
    async with opened(openings, offer("4human", 2, 30.0)) as lobby:
        outcomes = [await join(lobby, name, team="team") for name in "ab"]
        openings.paused, openings.busy = True, 10
        await asyncio.sleep(40)
        shown = lobby.shown("tic_a")
        assert shown.text.startswith("2 of 4 people are here. You begin with that as soon as a")
        assert "too busy to open another one just now" in shown.text
        assert "after 10 more calm seconds in a row" in shown.text
        assert shown.begins_s == -1.0
        openings.paused, openings.busy = False, 0
        lobby.wake()
        assert await outcomes[0] == Matched("ses_1")


@virtual
async def test_friends_see_their_places_and_begin_when_they_say_so() -> None:
    openings = Sessions()
    offers = offer("human=person,human=person,robot=person,robot=expert", 2)
    async with opened(openings, offers) as lobby:
        host = await join(lobby, "host", Wish.INVITE, "code", team="team")
        shown = lobby.shown("tic_host")
        assert not shown.may_begin
        assert [(place.name, place.state) for place in shown.places] == [
            ("Person or robot", "you"),
            ("Person or robot", "open"),
            ("Person or robot", "open"),
            ("Robot 2", "policy"),
        ]
        guest = await join(lobby, "guest", Wish.INVITE, "code", team="team", seat="robot_0")
        shown = lobby.shown("tic_host")
        assert shown.may_begin
        assert [(place.name, place.look, place.text) for place in shown.places] == [
            ("Person", "", "You"),
            ("Robot 1", "robot-1", "Here"),
            ("Person", "", "Free"),
            ("Robot 2", "robot-2", "A program"),
        ]
        await asyncio.sleep(300)
        assert not host.done()
        assert await lobby.begin_now("tic_guest")
        assert not lobby.shown("tic_guest").may_begin
        assert await host == await guest == Matched("ses_1")
        assert openings.teams == [Team.parse("human=person,robot=person,robot=expert")]


@virtual
async def test_a_pair_has_no_list_of_places_and_nothing_to_begin() -> None:
    async with opened() as lobby:
        await join(lobby, "a", Wish.INVITE, "code")
        shown = lobby.shown("tic_a")
        assert (shown.places, shown.may_begin) == ((), False)
