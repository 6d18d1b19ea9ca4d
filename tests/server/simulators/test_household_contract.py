"""The contract suite on the embedded household: a flat written by hand, and the default house."""

from __future__ import annotations

import pytest

from server.simulators.contract_suite import two_rooms
from server.simulators.contract_suite.backend import Backend
from server.simulators.contract_suite.suite import SimulatorContract
from server.simulators.household import HouseholdSimulator, HouseLibrary
from tests.server.simulators import full_house


class TestTwoRooms(SimulatorContract):
    @pytest.fixture
    def backend(self) -> Backend:
        library = HouseLibrary.of(two_rooms.CATALOGUE, [two_rooms.SCENE])
        return two_rooms.backend(lambda: HouseholdSimulator(library))


class TestGeneratedHouse(SimulatorContract):
    @pytest.fixture
    def backend(self) -> Backend:
        return full_house.landmarks()
