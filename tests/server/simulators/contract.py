"""The contract of `server.simulators.contract.Simulator`, as tests that every backend runs.

A backend subclasses `SimulatorContract` and overrides the fixture ``backend``. Only the protocol
and the landmarks of `Backend` are used. Tolerances: poses as the backend states; speeds 5 %;
places on the walkable area 2 mm; ways and distances 1 cm.
"""

from __future__ import annotations

import pytest

from server.simulators.contract import Simulator
from tests.server.simulators.backends import Backend
from tests.server.simulators.contract_bodies import BodyContract
from tests.server.simulators.contract_sight import SightContract
from tests.server.simulators.contract_start import StartContract
from tests.server.simulators.contract_things import ThingContract


class SimulatorContract(StartContract, BodyContract, SightContract, ThingContract):
    """Everything that a backend must do."""

    @pytest.fixture
    def backend(self) -> Backend:
        raise NotImplementedError

    @pytest.fixture
    def sim(self, backend: Backend) -> Simulator:
        return backend.ready()
