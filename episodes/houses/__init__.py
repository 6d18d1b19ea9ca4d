"""Generated houses: plan, furniture, walkable area, stage, checks and files."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from episodes.catalogue import catalogue
from episodes.houses.checks import Problem, check_house
from episodes.houses.generator import GenerationError, House, generate_house
from episodes.scene import Catalogue, Scene

__all__ = [
    "DEFAULT_SEED",
    "FirstHouse",
    "GenerationError",
    "House",
    "Problem",
    "check_house",
    "first_house",
    "generate_house",
]

DEFAULT_SEED = 3
"""Seed of the house that is played in when nobody asks for another."""


class FirstHouse(NamedTuple):
    scene: Scene
    catalogue: Catalogue


@cache
def first_house(seed: int = DEFAULT_SEED) -> FirstHouse:
    """Return a house and the catalogue, in memory and without files; made once per seed."""
    return FirstHouse(generate_house(seed, catalogue()).scene, catalogue())
