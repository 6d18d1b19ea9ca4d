"""The suite of contract tests that every simulator passes: `SimulatorContract`.

The tests use the protocol and the landmarks of `Backend` only. Tolerances: poses as the backend
states; speeds 5 %; places on the walkable area 2 mm; ways and distances 1 cm.
"""

# ruff: noqa: E402  # asserts are rewritten, to explain themselves, only in modules imported later

from __future__ import annotations

import pytest

for _part in ("bodies", "landmarks", "sight", "start", "things"):
    pytest.register_assert_rewrite(f"server.simulators.contract_suite.{_part}")

from server.simulators.contract import Simulator
from server.simulators.contract_suite.backend import Backend
from server.simulators.contract_suite.bodies import BodyContract
from server.simulators.contract_suite.sight import SightContract
from server.simulators.contract_suite.start import StartContract
from server.simulators.contract_suite.things import ThingContract

__all__ = ["SimulatorContract"]


class SimulatorContract(StartContract, BodyContract, SightContract, ThingContract):
    """Contract of every simulator, as tests; a subclass overrides the fixture ``backend``."""

    @pytest.fixture
    def backend(self) -> Backend:
        """Return the simulator under test, with landmarks of one of its scenes."""
        raise NotImplementedError("override the fixture `backend` with your simulator")

    @pytest.fixture
    def sim(self, backend: Backend) -> Simulator:
        """Return a simulator that the backend's task has been loaded into."""
        return backend.ready()
