"""Robots beside people: a slow model costs no tick, and one server works for many sessions."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from tests.load.beside_robots import compared


def arguments(data_dir: Path, **changed: object) -> argparse.Namespace:
    usual = {"sessions": 16, "seconds": 15, "robot": "react", "url": "", "model": "", "slow": 10.0}
    return argparse.Namespace(**{**usual, "data_dir": data_dir, **changed})


@pytest.mark.long
def test_a_model_that_takes_ten_seconds_costs_no_ticks(houses_dir: Path) -> None:
    nobody, robots = compared(arguments(houses_dir, sessions=20))
    assert robots.calls > 0
    assert robots.ticks_per_s > 0.95 * nobody.ticks_per_s


@pytest.mark.long
@pytest.mark.vllm
def test_sixteen_sessions_share_a_server_that_works_for_several_at_once(
    houses_dir: Path, vllm_url: str
) -> None:
    _, robots = compared(arguments(houses_dir, url=vllm_url, model="tiny"))
    assert robots.calls >= 16
    assert robots.most_running > 1
    assert robots.cache_hits > 0.5
