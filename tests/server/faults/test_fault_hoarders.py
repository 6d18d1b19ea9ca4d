"""Hoarders of places on a whole server (see `tests.load.hoarder`, which measures more)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.hoarder import PLACES, hoard
from tests.load.honest_pair import HonestPair
from tests.load.strangers import started
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("addresses", [1, 50])
async def test_places_that_nobody_follows_come_back_and_others_play(
    houses_dir: Path, addresses: int
) -> None:
    options = {"sessions_per_worker": PLACES, "exempt_loopback": False, "abandoned_s": 3}
    with started(houses_dir, **options) as (server, reach):
        async with HonestPair(server, reach) as pair:
            outcome = await hoard(
                server, pair, "forms", addresses=addresses, seconds=3.0, patience_s=PATIENCE_S
            )
            # The sessions of those who are there were left alone.
            assert pair.is_connected
    assert outcome.most > 0
    assert outcome.held[-1][1] == 0
    if addresses == 1:
        assert outcome.most <= PLACES // 2
        assert outcome.visit.told == "303, play"
