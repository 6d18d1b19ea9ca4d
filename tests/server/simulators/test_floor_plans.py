"""Floor plans of generated houses, over which the browser's tests look for ways on foot.

``PYTHONPATH=. python tests/server/simulators/test_floor_plans.py`` writes them anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from episodes.houses import first_house
from episodes.poses import yaw_of

PLANS = Path(__file__).parents[2] / "data" / "floor_plans.json"
SEEDS = (0, 13)


def _points(ring: Any) -> list[list[float]]:
    return [[round(x, 4), round(z, 4)] for x, z in ring]


def floor_plan(seed: int) -> dict[str, Any]:
    """Return rooms, walkable area and furniture of a house: all that a way on foot depends on."""
    scene, catalogue = first_house(seed)
    rooms = [room.room_id for room in scene.rooms]
    furniture = []
    for item in scene.furniture:
        (low, high), pose = catalogue.templates[item.template].box, item.pose
        box = [[round(c, 3) for c in corner] for corner in (low, high)]
        furniture.append(
            {
                "handle": item.handle,
                "room": rooms.index(item.room_id),
                "position": [round(c, 3) for c in pose.position],
                "yaw": round(yaw_of(pose.rotation), 4),
                "box": box,
            }
        )
    return {
        "seed": seed,
        "rooms": [_points(room.polygon) for room in scene.rooms],
        "walkable": [[_points(r) for r in (p.outer, *p.holes)] for p in scene.walkable],
        "furniture": furniture,
    }


def test_the_plans_that_the_browser_walks_over_are_those_of_the_houses() -> None:
    assert json.loads(PLANS.read_text()) == [floor_plan(seed) for seed in SEEDS]


if __name__ == "__main__":
    plans = [floor_plan(seed) for seed in SEEDS]
    PLANS.write_text(json.dumps(plans, separators=(",", ":")) + "\n")
