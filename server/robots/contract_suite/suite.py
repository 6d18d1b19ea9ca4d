"""The suite of contract tests that every policy passes: `PolicyContract`.

Sessions are in the first house and unpaced; a model's answer takes a fifth of a second of their
time. What a policy is asked for is not that it solves the task, but that it can be lived with.
"""

# ruff: noqa: E402  # asserts are rewritten, to explain themselves, only in modules imported later

from __future__ import annotations

import pytest

for _part in ("checks", "deciding", "playing", "troubled_models"):
    pytest.register_assert_rewrite(f"server.robots.contract_suite.{_part}")

from server.robots.contract_suite.candidate import Candidate
from server.robots.contract_suite.deciding import DecisionContract
from server.robots.contract_suite.playing import PlayerContract
from server.robots.contract_suite.troubled_models import ModelContract

__all__ = ["PlayerContract", "PolicyContract"]


class PolicyContract(PlayerContract, DecisionContract, ModelContract):
    """Contract of every policy, as tests; a subclass overrides the fixture ``candidate``.

    What brings a player of its own, and so makes no decisions, passes `PlayerContract`.
    """

    @pytest.fixture
    def candidate(self) -> Candidate:
        """Return the policy under test."""
        raise NotImplementedError("override the fixture `candidate` with your policy")
