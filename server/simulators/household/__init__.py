"""The embedded household simulator: no GPU, no download, no conda."""

from server.simulators.household.house import House, HouseLibrary
from server.simulators.household.simulator import HouseholdSimulator

__all__ = ["House", "HouseLibrary", "HouseholdSimulator"]
