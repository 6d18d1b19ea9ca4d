"""Seeds of houses: any gives a house that passes its checks, and the same one every time."""

from __future__ import annotations

import hashlib

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes.catalogue import catalogue
from episodes.houses import check_house, generate_house
from episodes.houses.generator import missing_furniture
from episodes.houses.programmes import ROOM_SIZES
from episodes.houses.splits import HOUSES
from episodes.houses.stage import stage_model

SHAPES = catalogue()


@pytest.mark.slow
@settings(max_examples=6)
@given(st.integers(0, 10_000))
def test_any_seed_gives_a_house_that_passes_every_check(seed: int) -> None:
    house = generate_house(seed, SHAPES)
    assert check_house(house.scene, SHAPES) == []
    assert missing_furniture(house.scene, SHAPES) == []
    assert 5 <= len(house.scene.rooms) <= 12
    for room in house.plan.rooms:
        r = room.bounds
        short = min(r.x1 - r.x0, r.z1 - r.z0)
        assert short >= ROOM_SIZES[room.class_name].least_side - 0.12
    again = generate_house(seed, SHAPES)
    assert again.scene == house.scene
    first, second = (stage_model(h, SHAPES).glb() for h in (house, again))
    assert first == second


@pytest.mark.long
def test_all_houses_pass_every_check() -> None:
    rooms: set[str] = set()
    plans = set()
    for seed in range(HOUSES):
        house = generate_house(seed, SHAPES)
        assert check_house(house.scene, SHAPES) == []
        rooms |= {room.class_name for room in house.scene.rooms}
        outlines = [room.polygon for room in house.scene.rooms]
        plans.add(hashlib.sha256(msgspec.json.encode(outlines)).hexdigest())
    assert rooms == set(ROOM_SIZES)
    assert len(plans) == HOUSES
