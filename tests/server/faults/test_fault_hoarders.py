"""Hoarders of places on a whole server (see `tests.load.hoarder`, which measures more)."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.load.hoarder import PLACES, hoard
from tests.load.honest_pair import HonestPair
from tests.load.strangers import started
from tests.patience import PATIENCE_S
from tests.server.faults.conftest import StartNearServer
from tests.server.web.doubles import Browser

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("addresses", [1, pytest.param(50, marks=pytest.mark.long)])
async def test_places_that_nobody_follows_come_back_and_others_play(
    houses_dir: Path, addresses: int
) -> None:
    options = {
        "sessions_per_worker": PLACES,
        "exempt_loopback": False,
        # Long enough for those who do come, on a busy machine, which is no reason to refuse them.
        "abandoned_s": 6,
        "late_limit_ms": 0,
    }
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


@pytest.mark.parametrize(
    ("proxy_ips", "expected"), [("127.0.0.1", [303, 303, 429]), ("", [303, 429, 429])]
)
async def test_visitors_count_by_the_address_that_a_trusted_proxy_names(
    near_server: StartNearServer, proxy_ips: str, expected: list[int]
) -> None:
    server = near_server(exempt_loopback=False, address_newcomers="1/minute", proxy_ips=proxy_ips)
    told = []
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.1"):
        async with httpx.AsyncClient(
            base_url=server.url, trust_env=False, headers={"x-forwarded-for": address}
        ) as client:
            answer = await Browser(client, server.url).press("/", "/play/person")
        told.append(answer.status_code)
    assert told == expected
