"""The ReAct planner of one seat: what it is told, what becomes of its answers, and that it solves
tasks when its model plans well."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from server.robots.people import Manner, Person
from server.robots.player import PolicyPlayer, Seating
from server.robots.policies.react import React, ReactSettings
from server.robots.scripted import Done, ScriptedPlayer
from server.robots.thinking import ChargedInTicks
from server.sessions.core import SessionCore
from server.sessions.messages import EpisodeResult
from server.sessions.unpaced import run
from tests.server.robots.policies.good_planner import GoodPlanner
from tests.server.sessions.playing import HUMAN, ROBOT, core_of, task

PASSIVE = Manner(does="what only people can", patience_s=300.0)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.close()


def play(
    loop: asyncio.AbstractEventLoop,
    model: Any,
    *others: Any,
    core: SessionCore | None = None,
    settings: ReactSettings | None = None,
    max_ticks: int = 20_000,
    **seating: Any,
) -> tuple[PolicyPlayer, EpisodeResult | None]:
    core = core or core_of(task(2))
    policy = React(model, settings)
    player = PolicyPlayer(ROBOT, policy, ChargedInTicks(loop, 0.1), Seating(**seating))
    people = others or (ScriptedPlayer(HUMAN, [Done()]),)
    return player, run(core, [player, *people], max_ticks)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_it_solves_the_first_tasks_beside_a_person_when_its_model_plans_well(
    loop: Any, number: int
) -> None:
    core = core_of(task(number))
    model = GoodPlanner.for_tasks([core])
    _, result = play(loop, model, Person(HUMAN, PASSIVE), core=core)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    by = [p.by_seat for p in result.verdict.propositions]
    assert ROBOT in by
