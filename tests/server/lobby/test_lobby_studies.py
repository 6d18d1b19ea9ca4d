"""Lobby of studies: conditions, ready checks, deadlines, restarts, what the database says."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from episodes.teams import Team
from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.exposure import Exposure
from matchmaking.assignment.ledger import State as PlaceState
from matchmaking.assignment.places import NOT_OPENED, Places
from matchmaking.assignment.records import Begun, Drawn, SlotTaken
from matchmaking.limits import AtDeadline, Limits
from matchmaking.pair_rules import LatencyBound
from matchmaking.study import Study
from matchmaking.study.conditions import Cell, Factor
from matchmaking.tickets import Pool, State, Ticket, Wish
from server.lobby import Closed, Matched, NoGroupsError, Outcome
from server.store.study_groups import Course, Started
from server.wire.close_codes import CloseCode
from tests.matchmaking.made_places import TASKS
from tests.matchmaking.study.made_studies import study
from tests.server.lobby.opened_lobby import (
    Draws,
    OpenedLobby,
    Records,
    Sessions,
    closed_by,
    join,
    opened,
)
from tests.server.lobby.virtual import virtual

PAIRS = (Cell(name="pair", team=Team.parse("pair"), target=10),)


def pairs(**changes: Any) -> Study:
    fields: dict[str, Any] = {
        "factors": (),
        "cells": PAIRS,
        "limits": Limits(wait_s=120, ready_s=15),
    }
    return study(**{**fields, **changes})


async def take_part(lobby: OpenedLobby, name: str) -> asyncio.Future[Outcome]:
    """Join the lobby of the study."""
    return await join(lobby, name, Wish.STUDY, study=pairs().key)


@virtual
async def test_L6_both_are_asked_and_play_once_both_are_ready() -> None:
    sessions = Sessions()
    async with opened(sessions, studies=[pairs()]) as lobby:
        outcomes = [await take_part(lobby, name) for name in "ab"]
        await asyncio.sleep(1.1)
        assert lobby.shown("tic_a").ready_s == pytest.approx(14, abs=0.5)
        assert "say that you are ready" in lobby.shown("tic_a").text
        assert await lobby.confirm("tic_a")
        assert lobby.shown("tic_a").text.startswith("You are ready.")
        await asyncio.sleep(5)
        assert sessions.started == []
        assert await lobby.confirm("tic_b")
        assert await outcomes[0] == await outcomes[1] == Matched("ses_1")


@virtual
async def test_a_wait_that_others_are_given_ends_when_the_group_is_asked() -> None:
    of = pairs()
    async with opened(Sessions(delay_s=5.0), studies=[of]) as lobby:
        ann = await take_part(lobby, "a")
        await asyncio.sleep(20)
        await take_part(lobby, "b")
        for name, pause_s in (("a", 3), ("b", 6)):
            await asyncio.sleep(pause_s)
            assert await lobby.confirm(f"tic_{name}")
        assert await ann == Matched("ses_1")
        places = lobby._queue.places[of.key]
        assert [wait_s for _, wait_s in places._waits_s["pair"]] == pytest.approx([0, 20], abs=0.1)
        assert [ready_s for _, ready_s in places._others_s["pair"]] == pytest.approx(
            [3, 9], abs=0.1
        )


@virtual
async def test_who_does_not_answer_is_sent_away_and_the_other_is_matched_next() -> None:
    with capture_logs() as logs:
        await _one_is_not_ready(logs)


async def _one_is_not_ready(logs: Sequence[Mapping[str, Any]]) -> None:
    async with opened(studies=[pairs()]) as lobby:
        ann, ben = [await take_part(lobby, name) for name in "ab"]
        await asyncio.sleep(1.1)
        await lobby.confirm("tic_b")
        closed = await closed_by(ann)
        assert closed.code == CloseCode.TRY_AGAIN
        assert lobby.records.ended == [("tic_a", State.UNREADY)]
        (fell,) = [line for line in logs if line["event"] == "lobby.group_fell"]
        assert fell["tickets"] == ("tic_a", "tic_b")
        assert fell["decision"]["reason"] == "full"
        ready = {one["ticket_id"]: one["ready_s"] for one in fell["decision"]["candidates"]}
        assert ready == {"tic_a": None, "tic_b": pytest.approx(1.1, abs=0.2)}
        (moved,) = lobby.records.moved
        assert (moved.ticket_id, moved.is_first) == ("tic_b", True), "it is stored, for a restart"
        eve = await take_part(lobby, "c")
        await asyncio.sleep(1.1)
        assert await lobby.confirm("tic_b")
        assert await lobby.confirm("tic_c")
        assert await ben == await eve == Matched("ses_1")


@virtual
async def test_L3_the_deadline_is_told_and_the_wait_is_over_then() -> None:
    async with opened(studies=[pairs()]) as lobby:
        begin = asyncio.get_running_loop().time()
        ann = await take_part(lobby, "a")
        await asyncio.sleep(20)
        assert lobby.shown("tic_a").left_s == pytest.approx(100, abs=1)
        assert "after 2 minutes, the study is over for you then" in lobby.shown("tic_a").text
        await closed_by(ann)
        assert asyncio.get_running_loop().time() - begin == pytest.approx(120, abs=0.1)
        assert lobby.records.ended == [("tic_a", State.EXPIRED)]


@virtual
async def test_people_of_a_study_are_told_why_no_home_opens() -> None:
    sessions = Sessions(free=5)
    sessions.paused, sessions.busy = True, 7
    async with opened(sessions, studies=[pairs()]) as lobby:
        await take_part(lobby, "a")
        await asyncio.sleep(2)
        busy = lobby.shown("tic_a").text
        assert busy.startswith("Homes are free, but the computer that runs them is too busy")
        assert "after 7 more calm seconds in a row" in busy
        sessions.busy = 0
        paused = lobby.shown("tic_a").text
        assert paused.startswith("No new homes open for a while, because of a problem on our side")
        sessions.paused, sessions.free = False, 0
        full = lobby.shown("tic_a").text
        assert full.startswith("All homes are in use just now")
        assert all("If it has not come after 2 minutes" in text for text in (busy, paused, full))
        sessions.free = 1
        assert lobby.shown("tic_a").text.startswith("Waiting for others")


@virtual
async def test_at_the_deadline_the_substitute_of_the_study_plays() -> None:
    sessions = Sessions()
    of = pairs(at_deadline=AtDeadline.ROBOT, substitute="expert")
    async with opened(sessions, studies=[of]) as lobby:
        ann = await take_part(lobby, "a")
        await asyncio.sleep(121)
        assert await lobby.confirm("tic_a"), "asked as a group of two is"
        assert await ann == Matched("ses_1")
        assert sessions.robots == ["expert"]
        assert lobby.records.ended == []


@virtual
async def test_people_of_a_study_meet_nobody_of_open_play() -> None:
    async with opened(studies=[pairs()]) as lobby:
        ann = await take_part(lobby, "a")
        ben = await join(lobby, "b")
        await asyncio.sleep(30)
        assert not ann.done()
        assert not ben.done()


@virtual
async def test_L9_former_partners_are_known_from_the_database() -> None:
    records = Records()
    records.met = {"par_b": frozenset({"par_a"})}
    async with opened(studies=[pairs(limits=Limits(wait_s=120))], records=records) as lobby:
        ann, ben = [await take_part(lobby, name) for name in "ab"]
        await asyncio.sleep(10)
        assert not ann.done()
        eve = await take_part(lobby, "c")
        assert await ann == await eve
        assert not ben.done()


@virtual
async def test_L12_whoever_comes_when_the_conditions_are_full_is_told_so() -> None:
    of = pairs(cells=(replace(PAIRS[0], target=1),), limits=Limits(wait_s=120))
    async with opened(studies=[of]) as lobby:
        first = [await take_part(lobby, name) for name in "ab"]
        assert await first[0] == await first[1] == Matched("ses_1")
        ann = await take_part(lobby, "c")
        assert (await closed_by(ann)).message == "closed-over-recruited"
        assert lobby.records.ended == [("tic_c", State.OVER_RECRUITED)]


@virtual
async def test_a_group_counts_while_its_session_is_opened() -> None:
    """Otherwise the next two would be put into the last place, too."""
    of = pairs(cells=(replace(PAIRS[0], target=1),), limits=Limits(wait_s=120))
    sessions = Sessions(delay_s=3.0)
    async with opened(sessions, studies=[of]) as lobby:
        first = [await take_part(lobby, name) for name in "ab"]
        await asyncio.sleep(1.5)
        second = [await take_part(lobby, name) for name in "cd"]
        await closed_by(second[0])
        assert await first[0] == Matched("ses_1")
        await asyncio.sleep(5)
        assert sessions.started == [("tic_a", "tic_b")]


@virtual
async def test_a_draw_is_stored_before_its_group_begins() -> None:
    sessions, draws = Sessions(), Draws()
    draws.append_s = 5.0
    of = pairs(limits=Limits(wait_s=120))
    async with opened(sessions, studies=[of], draws=draws) as lobby:
        ann = await take_part(lobby, "a")
        await take_part(lobby, "b")
        await asyncio.sleep(4)
        assert sessions.started == []
        assert await ann == Matched("ses_1")
        assert [type(record) for record in draws.stored[:2]] == [Drawn, SlotTaken]
        plan = sessions.matches[0].plan
        assert plan is not None
        assert [condition.cell for condition in plan.conditions] == ["pair"]
        await asyncio.sleep(10)
        assert isinstance(draws.stored[-1], Begun)


@virtual
async def test_no_group_begins_whose_draw_cannot_be_stored() -> None:
    sessions, draws = Sessions(), Draws()
    draws.fails = True
    of = pairs(limits=Limits(wait_s=120))
    async with opened(sessions, studies=[of], draws=draws) as lobby:
        ann = await take_part(lobby, "a")
        await take_part(lobby, "b")
        await closed_by(ann)
        assert sessions.started == []


@virtual
async def test_groups_that_are_done_or_over_are_noted() -> None:
    draws, of = Draws(), pairs(limits=Limits(wait_s=120))
    async with opened(studies=[of], draws=draws) as lobby:
        for name in "abcdef":
            await take_part(lobby, name)
        await asyncio.sleep(2)
        draws.courses_by_place = {
            0: Course(("par_a", "par_b"), True, False, None),
            1: Course(("par_c", "par_d"), False, False, "left"),
            2: Course(("par_e", "par_f"), True, True, "finished"),
        }
        await asyncio.sleep(3)
        places = lobby._queue.places[of.key].assignment.ledger
        assert places.states == [PlaceState.COMPLETED, PlaceState.LOST, PlaceState.LOST]
        assert places.reasons == {1: "left", 2: "substituted"}


@virtual
async def test_a_ledger_goes_on_after_a_restart_with_the_same_head() -> None:
    draws, records, of = Draws(), Records(), pairs(limits=Limits(wait_s=120))
    async with opened(studies=[of], draws=draws) as lobby:
        for name in "abc":
            await take_part(lobby, name)
        await asyncio.sleep(3)
    # The process died before it noted that the first group had begun.
    draws.stored = [r for r in draws.stored if not isinstance(r, Begun)]
    draws.started = [Started(0, ("par_a", "par_b"), (30.0, 0.0))]
    records.live = [Ticket("tic_c", "par_c", Wish.STUDY, 10.0, study=of.key)]
    async with opened(studies=[of], records=records, draws=draws) as lobby:
        places = lobby._queue.places[of.key]
        assert places.playing == [0]
        await lobby.connected("tic_c", "tab")
        await take_part(lobby, "d")
        await asyncio.sleep(3)
        assert places.playing == [0, 1]
        assert len(places.assignment.ledger.places) == 2, "no place was drawn anew"


@virtual
async def test_a_group_whose_session_died_before_it_was_open_draws_again() -> None:
    draws, of = Draws(), pairs(limits=Limits(wait_s=120))
    async with opened(Sessions(delay_s=1000.0), studies=[of], draws=draws) as lobby:
        for name in "ab":
            await take_part(lobby, name)
        await asyncio.sleep(3)
    assert isinstance(draws.stored[-1], SlotTaken)
    async with opened(studies=[of], draws=draws) as lobby:
        ann, _ = await take_part(lobby, "a"), await take_part(lobby, "b")
        assert await ann == Matched("ses_1")
        places = lobby._queue.places[of.key].assignment.ledger
        assert places.states == [PlaceState.GIVEN_UP, PlaceState.BEGUN]
        assert places.slots == {0: 0, 1: 0}, "the same tasks, which nobody has played"


@virtual
async def test_a_study_whose_ledger_another_key_wrote_forms_no_groups_and_says_so() -> None:
    draws = Draws()
    of = pairs(
        cells=tuple(Cell(name=f"c{n}", team=Team.parse("pair"), target=9) for n in range(9)),
        limits=Limits(wait_s=120),
    )
    async with opened(studies=[of], draws=draws) as lobby:
        for name in "abcdefgh":
            await take_part(lobby, name)
        await asyncio.sleep(3)
    draws.seed = "another"
    async with opened(studies=[of], draws=draws) as lobby:
        with pytest.raises(NoGroupsError):
            await take_part(lobby, "x")
        assert lobby.waiting() == 0
        (problem,) = lobby.problems()
        assert "its ledger of draws cannot be read" in problem


@virtual
async def test_K6_levels_at_entry_are_kept_and_end_with_the_visit() -> None:
    view = Factor(name="view", levels=("near", "far"), drawn_at="entry")
    of = pairs(
        factors=(view,),
        cells=tuple(
            Cell(name=level, team=Team.parse("pair"), target=9, levels={"view": level})
            for level in view.levels
        ),
        limits=Limits(wait_s=120),
    )
    draws, sessions = Draws(), Sessions()
    async with opened(sessions, studies=[of], draws=draws) as lobby:
        for name in "abcdefghi":
            await take_part(lobby, name)
        await asyncio.sleep(3)
        places = lobby._queue.places[of.key]
        levels = {f"par_{name}": places.stratum(f"par_{name}") for name in "abcdefghi"}
        assert set(levels.values()) == {"view=near", "view=far"}
        for match in sessions.matches:
            group = {levels[a.participant_id] for a in match.assignments}
            assert group == {f"view={match.cell}"}, "a group has one level"
        left = places.entered
        assert left, "of nine people one at least is in no group of two"
        draws.endings = dict.fromkeys(left, "withdrew")
        await asyncio.sleep(3)
        assert not places.entered


@virtual
async def test_a_group_whose_session_did_not_open_is_not_counted() -> None:
    of = pairs(limits=Limits(wait_s=120), cells=(replace(PAIRS[0], target=1),))
    async with opened(Sessions(failures=1), studies=[of]) as lobby:
        ann, ben = [await take_part(lobby, name) for name in "ab"]
        assert await ann == await ben == Matched("ses_1")


@virtual
async def test_who_has_met_too_many_tasks_leaves_and_the_others_find_another_group() -> None:
    of, draws, records = pairs(limits=Limits(wait_s=120)), Draws(), Records()
    draws.met = [
        Exposure(
            participant_id="par_a",
            house="h",
            task_id=task,
            partners=(),
            condition="",
            try_index=0,
            at=0.0,
        )
        for task in TASKS
    ]
    async with opened(studies=[of], draws=draws, records=records) as lobby:
        ann, ben = [await take_part(lobby, name) for name in "ab"]
        assert await ann == Closed(CloseCode.DONE, "closed-no-tasks")
        assert [state for _, state in records.ended] == [State.NO_TASKS]
        cem = await take_part(lobby, "c")
        assert await ben == await cem == Matched("ses_1")


@virtual
async def test_a_group_whose_session_did_not_open_before_a_crash_gives_its_place_back() -> None:
    of = pairs()
    before = Places(of, Assignment(of, "secret", TASKS), lambda: 0.0)
    place = before.of("par_a")
    assert place is not None
    assert before.deal(place.number, ["par_a", "par_b"])
    draws = Draws("secret")
    draws.stored = list(before.assignment.ledger.records)
    async with opened(studies=[of], draws=draws) as lobby:
        ledger = lobby._queue.places[of.key].assignment.ledger
        assert ledger.states == [PlaceState.GIVEN_UP]
        assert ledger.reasons == {0: NOT_OPENED}


@virtual
async def test_round_trips_of_the_device_check_bound_who_plays_together() -> None:
    of = pairs(limits=Limits(wait_s=120), latency=LatencyBound(most_ms=100))
    async with opened(studies=[of]) as lobby:
        outcomes = []
        for name, rtt_ms in (("a", 30.0), ("b", 300.0), ("c", 40.0)):
            pool = Pool.of_study(pairs().key)
            ticket = await lobby.join(f"tic_{name}", f"par_{name}", pool, rtt_ms=rtt_ms)
            await lobby.connected(ticket.ticket_id, f"tab_{name}")
            outcomes.append(lobby.outcome(ticket.ticket_id))
        ann, ben, eve = outcomes
        assert ann is not None
        assert ben is not None
        assert eve is not None
        assert await ann == await eve
        assert not ben.done()
