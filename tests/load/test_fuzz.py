"""Hostile messages to a whole server: some thousands, and (a long test) a hundred thousand."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.load.fuzz import COUNT, fuzz, problems_in, show


@pytest.mark.processes
async def test_hostile_messages_are_answered_or_closed_as_the_protocol_says(
    houses_dir: Path,
) -> None:
    outcome = await fuzz(houses_dir, 3000, seed=1, least_frames_s=0.0)
    show(outcome)
    assert outcome.problems == []
    surfaces = {surface for surface, _ in outcome.tally.outcomes}
    assert {"play", "watch", "lobby", "frames", "forms", "queries", "recordings"} <= surfaces
    assert outcome.tally.messages >= 3000


@pytest.mark.long
async def test_a_hundred_thousand_hostile_messages(houses_dir: Path) -> None:
    """``FUZZ_SEED`` sends the same again; without it, what is sent is new each time."""
    seed = int(os.environ.get("FUZZ_SEED", random.SystemRandom().getrandbits(31)))
    outcome = await fuzz(houses_dir, COUNT, seed)
    show(outcome)
    assert outcome.problems == []
    assert outcome.tally.messages >= COUNT


def test_what_must_not_be_in_a_log_is_found() -> None:
    log = (
        "info: lobby.matched\nERROR: x\nTraceback (most recent call last):\n"
        '  File "a.py", line 1, in a\n    b()\nKeyError: 3\ninfo: lobby.left\n'
    )
    (found,) = problems_in(log * 3)
    assert found.startswith("the log has 3 times: Traceback")
    assert found.endswith("KeyError: 3")
    assert problems_in("info: lobby.matched\nWARNING: Invalid HTTP request received.\n") == []
