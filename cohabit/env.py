"""``cohabit.env``: the household as a PettingZoo environment (``pip install 'cohabit[env]'``)."""

from server.research.env.household_env import HouseholdEnv, parallel_env

__all__ = ["HouseholdEnv", "parallel_env"]
