"""Strangers do each of their attacks, from one address and from fifty: who plays keeps frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.load.honest_pair import Pace
from tests.load.stranger_attacks import ATTACKS
from tests.load.strangers import NO_ATTACKS, Outcome, meet, show

SECONDS = 5.0


@pytest.mark.long
@pytest.mark.parametrize("addresses", [1, 50])
@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in NO_ATTACKS])
async def test_an_attack_is_ended_and_costs_a_pair_nothing(
    houses_dir: Path, name: str, addresses: int
) -> None:
    outcome = await meet(houses_dir, name, addresses=addresses, seconds=SECONDS)
    show(outcome)
    assert outcome.problems == []


@pytest.mark.parametrize(
    ("name", "told", "is_well"),
    [
        ("pings", {"sent_s": 9, "answers": {"close 4008": 3}}, True),
        ("pings", {"sent_s": 9, "answers": {"still open": 32}}, False),
        ("pings", {"sent_s": 0, "answers": {"close 4008": 3}}, False),
        ("bodies", {"sent_s": 0, "answers": {"HTTP 408": 500}}, True),
        ("bodies", {"sent_s": 0, "answers": {"HTTP 408": 0, "cut": 500}}, False),
        ("burn", {"sent_s": 0, "answers": {}}, True),
        ("none", {}, True),
    ],
)
def test_an_attack_that_was_none_is_seen(name: str, told: dict[str, Any], is_well: bool) -> None:
    pace = Pace(30.0, 0.05)
    outcome = Outcome(name, 1, pace, 0.5, [90.0] * 9, 90.0, 90.0, told, is_connected=True)
    problems = [] if is_well else [f"{name} from 1: it was told {told}"]
    assert outcome.problems == problems
