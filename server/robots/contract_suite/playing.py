"""Contract of a seat: whatever happens around it, it plays on, waits or stops."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator

import pytest

from server.robots.baselines.expert import Expert
from server.robots.contract_suite.beside_the_loop import (
    LONGEST_TICK_S,
    in_a_loop,
    left_running,
    play,
)
from server.robots.contract_suite.candidate import Candidate
from server.robots.contract_suite.checks import check_no_endless_refusals, check_played_on
from server.robots.contract_suite.models import SilentModel
from server.robots.contract_suite.partners import Taker
from server.robots.contract_suite.second_run import (
    LATENCY_S,
    first_run,
    run_elsewhere,
    run_here,
)
from server.robots.contract_suite.sessions import Session
from server.robots.playing.thinkers import ChargedThinker, ConcurrentThinker, Thinker
from server.sessions.spec import TICK_RATE

SESSION_TICKS = 120 * TICK_RATE
"""The length of a session in which everything can be done."""
PART_TICKS = 30 * TICK_RATE
"""The part of a session that is played twice, and after which somebody else takes over."""
CLOSED_AFTER_TICKS = 20 * TICK_RATE


class PlayerContract:
    """Tests of players in sessions, whether or not they are asked for decisions."""

    @pytest.fixture
    def candidate(self) -> Candidate:
        """Return the policy under test."""
        raise NotImplementedError("override the fixture `candidate` with your policy")

    @pytest.fixture
    def thinker(self) -> Iterator[Thinker]:
        """Return a thinker for unpaced sessions."""
        loop = asyncio.new_event_loop()
        yield ChargedThinker(loop, LATENCY_S)
        loop.close()

    def test_stops_or_waits_when_nothing_is_left(
        self, candidate: Candidate, thinker: Thinker
    ) -> None:
        """The policy's partner does everything."""
        if candidate.plays_both:
            pytest.skip("it is its own partner")
        session = Session(candidate, candidate.seats[0], thinker, partner=Expert)
        session.play(SESSION_TICKS)
        check_played_on(session)
        check_no_endless_refusals(session.skills)

    def test_goes_on_or_stops_where_everything_is_refused(
        self, candidate: Candidate, thinker: Thinker
    ) -> None:
        session = Session(candidate, candidate.seats[0], thinker, locked=True)
        session.play(SESSION_TICKS)
        check_played_on(session)
        check_no_endless_refusals(session.skills)

    def test_copes_with_a_partner_who_takes_its_things(
        self, candidate: Candidate, thinker: Thinker
    ) -> None:
        if candidate.plays_both:
            pytest.skip("it is its own partner")
        session = Session(candidate, candidate.seats[0], thinker, partner=Taker)
        session.play(SESSION_TICKS)
        check_played_on(session)
        check_no_endless_refusals(session.skills)

    def test_can_be_taken_over_in_mid_episode(self, candidate: Candidate, thinker: Thinker) -> None:
        """A new instance goes on where the one before was closed: with a thing in its hand."""
        first = Session(candidate, candidate.seats[0], thinker)
        first.play(PART_TICKS, until=lambda: bool(first.core.world.held))
        first.close()
        second = Session(candidate, candidate.seats[0], thinker, core=first.core)
        second.play(SESSION_TICKS)
        check_played_on(second)
        check_no_endless_refusals(second.skills)
        assert second.made or not first.made, "the new instance was never asked"

    def test_decides_the_same_twice(self, candidate: Candidate) -> None:
        """The seed and the answers are the same in both runs."""
        script, first = first_run(candidate, candidate.seats[0], PART_TICKS)
        again = run_here(script)
        assert not again.other_prompt
        assert again.trace == first.trace

    def test_decides_the_same_in_another_process(self, candidate: Candidate) -> None:
        """Sets come in another order in another process."""
        script, first = first_run(candidate, candidate.seats[0], PART_TICKS)
        seed = 2 if os.environ.get("PYTHONHASHSEED") == "1" else 1
        elsewhere = run_elsewhere(script, seed)
        assert not elsewhere.other_prompt
        assert elsewhere.trace == first.trace

    def test_leaves_nothing_running_when_it_is_closed(self, candidate: Candidate) -> None:
        """The policy is closed in the middle of a decision, if it asks a model."""
        model = None if candidate.model is None else SilentModel()

        async def close_it() -> None:
            complaints: list[object] = []
            asyncio.get_running_loop().set_exception_handler(
                lambda _, told: complaints.append(told)
            )
            tasks, threads = asyncio.all_tasks(), set(threading.enumerate())
            session = Session(candidate, candidate.seats[0], ConcurrentThinker(), model=model)
            is_asked = (lambda: model.under_way > 0) if model is not None else lambda: False
            await play(session, CLOSED_AFTER_TICKS, until=is_asked)
            session.close()
            session.close()
            left = await left_running(tasks)
            assert not left, f"still running: {left}"
            assert model is None or model.under_way == 0, "a model's call goes on"
            started = [t.name for t in threading.enumerate() if t not in threads]
            assert not started, f"threads still running: {started}"
            assert not complaints
            for player in session.players:
                player.take_calls()

        in_a_loop(close_it)

    def test_no_tick_waits_for_it(self, candidate: Candidate) -> None:
        """The model of a policy that asks one never answers; each deadline comes and goes."""
        model = None if candidate.model is None else SilentModel(deadline_s=0.02)

        async def beside_it() -> tuple[float, Session]:
            session = Session(candidate, candidate.seats[0], ConcurrentThinker(), model=model)
            longest = await play(session, CLOSED_AFTER_TICKS)
            session.close()
            return longest, session

        longest, session = in_a_loop(beside_it)
        assert session.core.tick >= CLOSED_AFTER_TICKS
        assert longest < LONGEST_TICK_S, f"a tick took {longest:.1f} s"
        if model is not None:
            assert model.asked > 0, "the model was never asked"
            assert not session.has_finished, "it says that it is done, though it was told nothing"
