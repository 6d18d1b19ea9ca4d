"""``cohab`` with a real vLLM server and random weights: what its schema lets through is read."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from server.robots.models import Message, ModelRequest
from server.robots.models.client import ModelClient
from server.robots.models.request import Constraint
from server.robots.policies.cohab.instruction_goals import MeaningError, read, schema
from tests.server.robots.policies.test_golden_prompts import graph

pytestmark = pytest.mark.vllm
READINGS = 16


def request(seed: int, constraint: Constraint | None) -> ModelRequest:
    return ModelRequest(
        purpose="meaning",
        prompt=(Message("user", "Put the cup on the table."),),
        # Random weights end sentences by chance.
        max_tokens=2500 if constraint else 100,
        temperature=1.0,
        seed=seed,
        constraint=constraint,
    )


def test_what_the_schema_lets_through_is_read(loop: Any, client: ModelClient) -> None:
    wanted = Constraint.json(schema(graph(found=True)))

    async def all_of_them() -> Any:
        calls = [client.complete(request(seed, wanted)) for seed in range(READINGS)]
        return await asyncio.gather(*calls)

    whole = [a for a in loop.run_until_complete(all_of_them()) if a.finish_reason == "stop"]
    assert len(whole) > READINGS / 2
    refused = 0
    for answer in whole:
        assert msgspec.json.decode(answer.text)["goals"]
        try:
            read(answer.text)
        except MeaningError as error:
            refused += 1
            told = str(error)
            assert "other goals by their position" in told or "in a circle" in told
    assert refused < len(whole)


def test_without_it_nothing_is(loop: Any, client: ModelClient) -> None:
    answer = loop.run_until_complete(client.complete(request(1, None)))
    with pytest.raises(MeaningError, match="expected goals as JSON"):
        read(answer.text)
