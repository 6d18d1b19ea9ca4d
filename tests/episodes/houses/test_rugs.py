"""Rugs: they lie under what stands in a house, not round it."""

from __future__ import annotations

import json
import struct
from itertools import pairwise

import numpy as np

from episodes.catalogue.mesh.models import Model
from episodes.houses.floors import add_rugs
from episodes.houses.plans import Rect
from episodes.houses.recipes import Decoration

SHADOW = 0.003
"""Height above the floor at which the client draws a soft shadow (m)."""


def _heights(glb: bytes) -> list[float]:
    """Return the heights of all vertices of a model that is not packed (m), each once."""
    length = struct.unpack_from("<I", glb, 12)[0]
    tree, data = json.loads(glb[20 : 20 + length]), glb[28 + length :]
    found: set[float] = set()
    for mesh in tree["meshes"]:
        accessor = tree["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]
        start = tree["bufferViews"][accessor["bufferView"]]["byteOffset"]
        rows = np.frombuffer(data, "<f4", 3 * accessor["count"], start).reshape(-1, 3)
        found |= {round(float(y), 6) for y in rows[:, 1]}
    return sorted(found)


def test_a_rug_with_all_its_rings_is_flatter_than_a_shadow_is_high() -> None:
    model = Model()
    add_rugs(model, [Decoration("rug", Rect(0.0, 0.0, 4.0, 3.0), 0)])
    heights = _heights(model.glb())
    assert heights[0] == 0.0
    tops = [y for y in heights if y >= 0.001]
    assert len(tops) == 5
    assert tops[-1] < SHADOW
    # Rings that share a height would flicker.
    assert min(b - a for a, b in pairwise(tops)) >= 0.0003
