"""The contract suite on habitat-sim: the flat written by hand, and the default house."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from server.simulators.contract import Simulator
from server.simulators.contract_suite import two_rooms
from server.simulators.contract_suite.backend import Backend
from server.simulators.contract_suite.suite import SimulatorContract
from tests.server.simulators import full_house
from tests.server.simulators.habitat_data import (
    exported_house,
    exported_rooms,
    needs_habitat,
    process,
)

pytestmark = [pytest.mark.habitat, needs_habitat]


class TestTwoRooms(SimulatorContract):
    @pytest.fixture
    def backend(self) -> Backend:
        folder = exported_rooms()
        return two_rooms.backend(lambda: cast(Simulator, process().simulator(folder)))


class TestGeneratedHouse(SimulatorContract):
    @pytest.fixture
    def backend(self) -> Backend:
        folder = exported_house()
        return replace(
            full_house.landmarks(), make=lambda: cast(Simulator, process().simulator(folder))
        )
