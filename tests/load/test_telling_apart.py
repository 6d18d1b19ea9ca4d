"""Partners whose kind cannot be told where a study hides it; a leak would be found."""

from __future__ import annotations

import random
from argparse import Namespace
from pathlib import Path

import pytest

from tests.live_server import choose_tasks
from tests.load.telling_apart import TASK, collect, show
from tests.load.telling_apart_classifier import PLANTED, scores
from tests.load.telling_apart_visitors import Received, Stream

PARTS, EACH = 6, 36


def made(number: int, by: str, rng: random.Random) -> Stream:
    """Return a stream of noise: a page, a snapshot, and frames of a body that walks."""
    at = rng.uniform(1, 20)
    headers = [["content-type", "text/html"]]
    received = [
        Received(0.1, "page", ["/visit/consent", 200, headers, "We record what you do"]),
        Received(at, "play", [40, ["welcome", f"ses_{rng.randrange(16**20):020x}", 1]]),
        Received(at + 0.01, "play", [900, ["snapshot", 3, "Tidy the kitchen"]]),
    ]
    x = 0
    for tick in range(40):
        at += 1 / 30 + rng.uniform(-0.002, 0.002)
        x += rng.choice((0, 50))
        agents = [[0, [x, 0, 0], 0, 0]] if rng.random() < 0.7 else []
        received.append(Received(at, "play", [30, ["f", tick, agents]]))
    received.append(Received(at + 1, "page", ["/visit/survey", 200, headers, "How fluent was it"]))
    return Stream(number % PARTS, by, received)


@pytest.fixture(scope="module")
def streams() -> list[Stream]:
    rng = random.Random(5)
    return [made(n, by, rng) for by in ("person", "policy") for n in range(EACH)]


def test_streams_that_do_not_differ_are_not_told_apart(streams: list[Stream]) -> None:
    for score in scores(streams):
        assert 0.3 < score.auc < 0.7
        assert score.low < score.auc < score.high


@pytest.mark.parametrize("leak", PLANTED)
def test_a_planted_leak_is_found(streams: list[Stream], leak: str) -> None:
    assert max(score.auc for score in scores(streams, leak)) >= 0.9


@pytest.mark.long
def test_nobody_can_tell_a_policy_from_a_person_by_what_they_receive(
    houses_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    choose_tasks(houses_dir, TASK)
    found = collect(houses_dir, Namespace(streams=300, parts=20, at_once=16, seed=1))
    told = [score for leak in ("", *PLANTED) for score in scores(found, leak)]
    with capsys.disabled():
        show(told)
    by = [stream.by for stream in found]
    assert min(by.count("person"), by.count("policy")) >= 300
    as_they_came = told[: len(told) // (1 + len(PLANTED))]
    assert max(score.high for score in as_they_came) <= 0.60
    for leak in PLANTED:
        assert max(score.auc for score in told if score.name == leak) >= 0.9, leak
