"""Stays in the lobby of a study go on after a restart: deadlines, groups, and the same wish."""

from __future__ import annotations

import asyncio

import pytest

from episodes.teams import Team
from matchmaking.limits import AtDeadline, Limits
from matchmaking.study.conditions import Cell
from matchmaking.tickets import Pool, State, Ticket, Wish
from server.lobby import Matched
from server.wire.close_codes import CloseCode
from tests.server.lobby.opened_lobby import (
    Records,
    Sessions,
    closed_by,
    join,
    opened,
)
from tests.server.lobby.test_lobby_studies import pairs
from tests.server.lobby.virtual import virtual


@virtual
async def test_L3_stays_go_on_after_a_restart_with_their_deadline() -> None:
    records = Records()
    records.live = [
        Ticket("tic_a", "par_a", Wish.STUDY, 100.0, study=pairs().key),
        Ticket("tic_b", "par_b", Wish.PERSON, 50.0),
        Ticket("tic_gone", "par_gone", Wish.PERSON, 50.0),
    ]
    of = pairs(limits=Limits(wait_s=120))
    async with opened(studies=[of], records=records) as lobby:
        ann, ben = lobby.outcome("tic_a"), lobby.outcome("tic_b")
        gone = lobby.outcome("tic_gone")
        assert ann is not None
        assert ben is not None
        assert gone is not None
        assert await lobby.connect("tic_a", "tab_a")
        assert await lobby.connect("tic_b", "tab_b")
        assert lobby.shown("tic_a").left_s == pytest.approx(20, abs=0.5)
        carl = await join(lobby, "c")
        assert await ben == await carl
        await closed_by(ann)
        assert (await closed_by(gone)).code == CloseCode.TRY_AGAIN
        assert sorted(records.ended) == [("tic_a", State.EXPIRED), ("tic_gone", State.GONE)]


@virtual
async def test_L3_those_whose_deadline_passed_in_a_restart_begin_together_all_the_same() -> None:
    trio = Cell(name="trio", team=Team.parse("3human"), target=4, least=2)
    of = pairs(cells=(trio,), limits=Limits(wait_s=120), at_deadline=AtDeadline.SMALLER)
    records, sessions = Records(), Sessions()
    records.live = [
        Ticket(f"tic_{name}", f"par_{name}", Wish.STUDY, 130.0, study=of.key) for name in "ab"
    ]
    async with opened(sessions, studies=[of], records=records) as lobby:
        outcomes = [lobby.outcome(f"tic_{name}") for name in "ab"]
        for name, outcome in zip("ab", outcomes, strict=True):
            await asyncio.sleep(4)
            assert outcome is not None
            assert not outcome.done()
            assert await lobby.connect(f"tic_{name}", f"tab_{name}")
        assert lobby.shown("tic_a").left_s == pytest.approx(12, abs=0.5)
        assert [await outcome for outcome in outcomes if outcome] == [Matched("ses_1")] * 2
        assert [match.decision and match.decision.reason for match in sessions.matches] == [
            "deadline_smaller"
        ]


@virtual
async def test_the_same_wish_after_a_restart_is_the_same_stay() -> None:
    records = Records()
    records.live = [Ticket("tic_a", "par_a", Wish.STUDY, 5.0, study=pairs().key)]
    async with opened(studies=[pairs()], records=records) as lobby:
        ticket = await lobby.join("tic_new", "par_a", Pool.of_study(pairs().key))
        assert ticket.ticket_id == "tic_a"
