"""Contract of decisions: a player understands them, and they stay within what the seat has."""

from __future__ import annotations

import pytest

from server.robots.contract_suite.candidate import Candidate
from server.robots.contract_suite.checks import (
    check_no_endless_refusals,
    check_played_on,
    check_understood,
    check_within_its_seat,
)
from server.robots.contract_suite.playing import SESSION_TICKS
from server.robots.contract_suite.sessions import Session
from server.robots.playing.thinkers import Thinker


class DecisionContract:
    """Tests of what a policy decides beside somebody who does nothing, with a good model."""

    @pytest.mark.parametrize("number", [0, 1])
    def test_decides_within_what_its_seat_has(
        self, candidate: Candidate, thinker: Thinker, number: int
    ) -> None:
        """In each of its seats: only its tools, and only names of what has been seen."""
        if number >= len(candidate.seats):
            pytest.skip("it takes one seat only")
        session = Session(candidate, candidate.seats[number], thinker)
        session.play(SESSION_TICKS)
        check_understood(session.made)
        check_within_its_seat(session.made)
        check_played_on(session)
        check_no_endless_refusals(session.skills)
        assert session.made, "it was never asked"
