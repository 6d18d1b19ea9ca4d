"""Golden vectors of steps among bodies; the browser's tests read the same file.

``PYTHONPATH=. python tests/server/sessions/test_blocking_vectors.py`` writes it anew.
"""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.sessions.blocking import APART_M, Vec2, clip, overlaps, sinks_in

VECTORS = Path(__file__).parents[2] / "data" / "blocking_vectors.json"
SPECIAL: list[tuple[Vec2, Vec2, list[Vec2]]] = [
    ((0.0, 0.0), (0.05, 0.0), []),
    ((0.0, 0.0), (0.0, 0.0), [(0.3, 0.0)]),
    ((0.0, 0.0), (0.05, 0.0), [(0.0, 0.0)]),
    ((0.0, 0.0), (0.05, 0.0), [(0.5, 0.0)]),
    ((0.0, 0.0), (0.05, 0.0), [(0.52, 0.0)]),
    ((0.0, 0.0), (0.05, 0.0), [(0.3, 0.0)]),
    ((0.0, 0.0), (-0.05, 0.0), [(0.3, 0.0)]),
    ((0.0, 0.0), (0.0, 0.05), [(0.5, 0.0)]),
    ((0.0, 0.0), (0.05, 0.01), [(0.5, 0.0)]),
    ((0.0, 0.0), (0.05, 0.01), [(0.5, 0.0), (0.2, 0.47)]),
    ((0.0, 0.0), (0.05, 0.0), [(0.4, 0.31), (0.4, -0.31), (0.9, 0.0)]),
    ((0.0, 0.0), (2.0, 0.1), [(1.0, 0.0)]),
]

places = st.floats(-1.0, 1.0).map(lambda v: round(v, 3))
points = st.tuples(places, places)
steps = st.tuples(st.floats(-0.06, 0.06), st.floats(-0.06, 0.06))


def cases() -> list[dict[str, Any]]:
    rng = random.Random(15)

    def point(far: float) -> Vec2:
        return round(rng.uniform(-far, far), 4), round(rng.uniform(-far, far), 4)

    drawn = [(point(0.3), point(0.06), [point(0.8) for _ in range(n % 4 + 1)]) for n in range(150)]
    return [
        {"at": at, "step": step, "others": others, "to": clip(at, step, others).step}
        for at, step, others in [*SPECIAL, *drawn]
    ]


def test_steps_end_at_bodies_as_stored() -> None:
    stored = json.loads(VECTORS.read_text())["cases"]
    assert len(stored) == len(cases())
    for case in stored:
        at, step = tuple(case["at"]), tuple(case["step"])
        others = [(x, z) for x, z in case["others"]]
        assert clip(at, step, others).step == pytest.approx(tuple(case["to"]), abs=1e-9)


@given(at=points, step=steps, others=st.lists(points, max_size=4))
def test_no_step_leads_deeper_into_a_body(at: Vec2, step: Vec2, others: list[Vec2]) -> None:
    clipped = clip(at, step, others)
    to = (at[0] + clipped.step[0], at[1] + clipped.step[1])
    assert not sinks_in(at, to, others)
    assert math.hypot(*clipped.step) <= math.hypot(*step) + 1e-12
    if not overlaps(at, others):
        assert not overlaps(to, others)


@given(at=points, step=steps, others=st.lists(points, max_size=4))
def test_who_meets_nobody_takes_the_very_step(at: Vec2, step: Vec2, others: list[Vec2]) -> None:
    far = [o for o in others if math.dist(at, o) > APART_M + 0.1]
    assert clip(at, step, far) == (step, None)


if __name__ == "__main__":
    about = "Each case: where a body is, the step it wants, other bodies, the step it takes (m)."
    VECTORS.write_text(json.dumps({"about": about, "cases": cases()}, separators=(",", ":")) + "\n")
