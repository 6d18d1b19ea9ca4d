"""Figures that must not grow in long play (`SOAK_MINUTES`, half an hour if not set)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.load.soak import Sample, Soaked, run, show


@pytest.mark.long
def test_memory_and_file_handles_are_flat(houses_dir: Path) -> None:
    soaked = run(houses_dir, 40, 60 * float(os.environ.get("SOAK_MINUTES", "30")))
    show(soaked)
    assert [problem for one in soaked for problem in one.problems] == []


def test_what_grows_is_seen() -> None:
    flat = Soaked("web", [Sample(90.0, 40)] * 9)
    assert flat.problems == []
    leaks = Soaked("web", [Sample(90.0 + 5 * n, 40) for n in range(9)])
    assert leaks.problems == ["web: memory grows by 15.0 MB"]
    handles = Soaked("web", [Sample(90.0, 40 + 4 * n) for n in range(9)])
    assert handles.problems == ["web: 12 more file handles"]
    warms_up = Soaked("web", [Sample(60.0, 20)] * 3 + [Sample(90.0, 40)] * 6)
    assert warms_up.problems == []
