"""Both simulators for one test: the household here, habitat-sim where an interpreter has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from server.simulators.contract import Simulator
from tests.server.sessions.first_house_sessions import simulator as household
from tests.server.simulators.habitat_data import exported_house, needs_habitat, process

MakeSimulator = Callable[..., Simulator]


def habitat(*_: object) -> Simulator:
    """Return a simulator of the first house on habitat-sim, in the process of all tests."""
    return cast(Simulator, process().simulator(exported_house()))


on_either = pytest.mark.parametrize(
    "simulator",
    [
        pytest.param(household, id="household"),
        pytest.param(habitat, id="habitat", marks=[pytest.mark.habitat, needs_habitat]),
    ],
)
"""Runs a test twice; its argument ``simulator`` makes one of the first house."""
