"""The contract suite on habitat-sim: the flat written by hand, and the default house."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from server.simulators.contract import Simulator
from tests.server.simulators import full_house
from tests.server.simulators.backends import Backend
from tests.server.simulators.contract import SimulatorContract
from tests.server.simulators.habitat_data import (
    exported_house,
    exported_rooms,
    needs_habitat,
    process,
)
from tests.server.simulators.test_household_contract import by_hand

pytestmark = [pytest.mark.habitat, needs_habitat]


class TestTwoRooms(SimulatorContract):
    @pytest.fixture
    def backend(self) -> Backend:
        folder = exported_rooms()
        return replace(by_hand(), make=lambda: cast(Simulator, process().simulator(folder)))


class TestGeneratedHouse(SimulatorContract):
    @pytest.fixture
    def backend(self) -> Backend:
        folder = exported_house()
        return replace(
            full_house.landmarks(), make=lambda: cast(Simulator, process().simulator(folder))
        )
