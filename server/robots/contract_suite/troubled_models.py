"""Contract of models in trouble: what a model does wrong costs time, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server.robots.contract_suite.candidate import Candidate
from server.robots.contract_suite.checks import check_understood
from server.robots.contract_suite.models import (
    GARBAGE,
    LIE,
    LYING_JSON,
    LYING_PROGRAM,
    FailingModel,
    LateModel,
    RepeatingModel,
)
from server.robots.contract_suite.sessions import Session, new_core
from server.robots.models import Completes
from server.robots.playing.thinkers import Thinker
from server.sessions.spec import TICK_RATE

TROUBLE_TICKS = 45 * TICK_RATE
TROUBLES: dict[str, Callable[[], Completes]] = {
    "errors": FailingModel,
    "nothing": lambda: RepeatingModel("", " \n"),
    "garbage": lambda: RepeatingModel(GARBAGE),
    "lies": lambda: RepeatingModel(LIE, LYING_JSON, LYING_PROGRAM),
}


class ModelContract:
    """Tests of a policy whose model fails or lies."""

    @pytest.mark.parametrize("trouble", list(TROUBLES))
    def test_survives_a_model_that_gives(
        self, candidate: Candidate, thinker: Thinker, trouble: str
    ) -> None:
        """No error is raised, and every decision is one, if only to wait."""
        if candidate.model is None:
            pytest.skip("it asks no model")
        session = Session(candidate, candidate.seats[0], thinker, model=TROUBLES[trouble]())
        session.play(TROUBLE_TICKS)
        check_understood(session.made)

    def test_goes_on_once_its_model_answers_again(
        self, candidate: Candidate, thinker: Thinker
    ) -> None:
        if candidate.model is None:
            pytest.skip("it asks no model")
        core = new_core(candidate)
        model = LateModel(candidate.model(core))
        session = Session(candidate, candidate.seats[0], thinker, model=model, core=core)
        session.play(TROUBLE_TICKS)
        check_understood(session.made)
        decided = [made for made in session.made if not isinstance(made.decision, Exception)]
        assert decided, "it decided nothing, though its model answered at last"
