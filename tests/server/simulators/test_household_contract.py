"""The contract suite on the embedded household: a flat written by hand, and the default house."""

from __future__ import annotations

import pytest

from server.simulators.household import HouseholdSimulator, HouseLibrary
from tests.server.simulators import full_house, two_rooms
from tests.server.simulators.backends import Backend, Spot
from tests.server.simulators.contract import SimulatorContract


def by_hand() -> Backend:
    library = HouseLibrary.of(two_rooms.CATALOGUE, [two_rooms.SCENE])
    return Backend(
        name="two rooms",
        make=lambda: HouseholdSimulator(library),
        episode=two_rooms.EPISODE,
        small=two_rooms.CUP,
        other=two_rooms.BOOK,
        table=Spot(two_rooms.TABLE, "top"),
        cupboard=Spot(two_rooms.CABINET, "inside"),
        drawer=Spot(two_rooms.CABINET, "drawer"),
        rooms=(("kitchen.000", (0.7, 1.2)), ("bedroom.000", (6.0, 2.0))),
        apart=(2.0, 5.0),
    )


class TestTwoRooms(SimulatorContract):
    @pytest.fixture
    def backend(self) -> Backend:
        return by_hand()


class TestGeneratedHouse(SimulatorContract):
    @pytest.fixture
    def backend(self) -> Backend:
        return full_house.landmarks()
