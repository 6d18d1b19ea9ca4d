"""Golden vectors of things that are aimed into basins; the browser's tests read the same file.

``PYTHONPATH=. python tests/server/sessions/test_basin_vectors.py`` writes it anew.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from server.sessions.intents import Place
from server.wire.quantise import metres3, mm3, radians, rotation_vector
from tests.server.sessions.first_house_sessions import HUMAN, do, put, stand_for, started

VECTORS = Path(__file__).parents[2] / "data" / "basin_vectors.json"
AIMS = ((0.0, 0.0), (0.5, -0.4), (-0.95, 0.9))
"""Shares of half a basin's width and depth: its middle, beside it, and so near to its rim that the
server finds a place farther in."""
YAWS_MRAD = (0, 1571)


def cases() -> list[dict[str, Any]]:
    """Return what is aimed at, what the server says of it, and where the thing stands after it."""
    found = []
    basins = [s for s in started().surfaces.by_name.values() if s.receptacle.name == "basin"]
    for basin in basins:
        for u, v in AIMS:
            for yaw in YAWS_MRAD:
                core = started()
                thing = next(h for h in core.world.objects if core.shut_in(h) is None)
                stand_for(core, HUMAN, thing)
                assert do(core, HUMAN, "pick", thing) == ""
                handle = basin.furniture.handle
                stand_for(core, HUMAN, handle)
                aim = mm3(basin.point(core.world.joints, u, v))
                said = core.preview(HUMAN, Place(0, metres3(aim), radians(yaw), handle))
                if not said.fits:
                    continue
                assert said.pose is not None
                position = mm3(said.pose.position)
                assert put(core, HUMAN, metres3(position), radians(yaw), handle) == ""
                pose = core.world.objects[thing]
                assert core.world.supports[thing] == said.support == basin.unique_name
                found.append(
                    {
                        "aim": aim,
                        "yaw": yaw,
                        "preview": [position, rotation_vector(said.pose.rotation)],
                        "set": [mm3(pose.position), rotation_vector(pose.rotation)],
                    }
                )
    return found


def test_what_is_aimed_into_a_basin_is_set_there_as_stored() -> None:
    stored = json.loads(VECTORS.read_text())["cases"]
    assert stored == json.loads(json.dumps(cases()))
    for case in stored:
        (said, _), (stands, _) = case["preview"], case["set"]
        assert math.dist(said, stands) < 2, "it is shown elsewhere than it stands (mm)"
    assert any(math.dist(case["aim"], case["set"][0]) > 20 for case in stored)


if __name__ == "__main__":
    about = "Each case: the aim (mm, mrad), what the server shows of it, where the thing is set."
    VECTORS.write_text(json.dumps({"about": about, "cases": cases()}, separators=(",", ":")) + "\n")
