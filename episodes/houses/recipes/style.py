"""Style of a house: which variants go together in it."""

from __future__ import annotations

import random
from typing import NamedTuple

from episodes.houses.plans import Rect


class Style(NamedTuple):
    """Variants that a house has: its kitchen fronts, its woods, its cloths."""

    counter: str
    sink_counter: str
    larder: str
    wall_unit: str
    stove: str
    dishwasher: str
    island: str
    fridge: str
    freezer: str
    sideboard: str
    couch: str
    armchair: str
    coffee_table: str
    media: str
    chair: str
    stool: str
    footstool: str
    wardrobe: str
    chest_of_drawers: str
    chest: str
    nightstand: str
    shelves: str
    desk: str
    filing: str
    lamp: str
    bench: str
    shoe_rack: str
    vanity: str
    toilet: str
    tub: str
    shower: str
    washer: str
    workbench: str


class Decoration(NamedTuple):
    """A flat thing that nobody bumps into: a rug on the floor."""

    kind: str
    rect: Rect
    tint: int


_KITCHENS = (
    ("counter_1", "counter_2", "cabinet_2", "cabinet_3", "stove_1", "dishwasher_1", "island_1"),
    ("counter_3", "counter_4", "cabinet_5", "cabinet_6", "stove_2", "dishwasher_2", "island_2"),
    ("counter_5", "counter_6", "cabinet_7", "cabinet_8", "stove_2", "dishwasher_3", "island_3"),
)
"""Matching counter, counter with a sink, larder, wall unit, stove, dishwasher and island."""


def draw_style(rng: random.Random) -> Style:
    """Draw one of the matching kitchens, and choices where everything matches."""
    pick = rng.choice
    return Style(
        *pick(_KITCHENS),
        fridge=pick(("fridge_1", "fridge_2")),
        freezer=pick(("freezer_1", "freezer_2")),
        sideboard=pick(("cabinet_1", "cabinet_4")),
        couch=pick(("couch_1", "couch_2", "couch_3")),
        armchair=pick(("armchair_1", "armchair_2")),
        coffee_table=pick(("table_3", "table_4")),
        media=pick(("stand_3", "stand_4")),
        chair=pick(("chair_1", "chair_2")),
        stool=pick(("stool_1", "stool_2")),
        footstool=pick(("stool_3", "stool_4")),
        wardrobe=pick(("wardrobe_1", "wardrobe_2")),
        chest_of_drawers=pick(("chest_of_drawers_1", "chest_of_drawers_2")),
        chest=pick(("chest_1", "chest_2")),
        nightstand=pick(("stand_1", "stand_2")),
        shelves=pick(("shelves_1", "shelves_2")),
        desk=pick(("table_5", "table_6")),
        filing=pick(("filing_cabinet_1", "filing_cabinet_2")),
        lamp=pick(("floor_lamp_1", "floor_lamp_2")),
        bench=pick(("bench_1", "bench_2")),
        shoe_rack=pick(("shoe_rack_1", "shoe_rack_2")),
        vanity=pick(("sink_1", "sink_2")),
        toilet=pick(("toilet_1", "toilet_2")),
        tub=pick(("bathtub_1", "bathtub_2")),
        shower=pick(("shower_1", "shower_2")),
        washer=pick(("washer_dryer_1", "washer_dryer_2")),
        workbench=pick(("workbench_1", "workbench_2")),
    )
