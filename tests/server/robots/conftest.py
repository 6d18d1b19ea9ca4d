"""Fixtures of the robots' tests: an event loop beside the test, and a client of the real vLLM."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.close()


@pytest.fixture
def client(vllm_url: str, loop: asyncio.AbstractEventLoop) -> Iterator[ModelClient]:
    made = ModelClient(ModelServer(vllm_url, model="tiny", deadline_s=300))
    loop.run_until_complete(made.__aenter__())
    yield made
    loop.run_until_complete(made.__aexit__(None, None, None))
