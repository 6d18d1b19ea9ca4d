"""Calls to one OpenAI-compatible server: how many at once, how long, how often again.

The protocol itself is in `openai_http`. Everything waits on the running event loop; a client
belongs to one loop.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from server.robots.models.backoff import Backoff
from server.robots.models.breaker import Breaker
from server.robots.models.call_tally import CALLS
from server.robots.models.model_server import ModelServer
from server.robots.models.openai_http import ModelCard, Wire
from server.robots.models.request import (
    DeadlineError,
    ModelAnswer,
    ModelError,
    ModelRequest,
    UnavailableError,
)

T = TypeVar("T")
Availability = Literal["up", "trying", "down"]


class Completes(Protocol):
    """The part of a model that a policy needs."""

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        """Ask the model. Raises DeadlineError, UnavailableError, RefusedError or GarbageError.

        All of them are ModelErrors. Cancelling it closes the connection, so that the server can
        stop too.
        """
        ...


class ModelClient:
    """The client of a server: one for each event loop, shared by all seats."""

    def __init__(
        self,
        server: ModelServer,
        *,
        backoff: Backoff | None = None,
        breaker: Breaker | None = None,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.server = server
        self._backoff = backoff or Backoff()
        self._breaker = breaker or Breaker()
        self._rng = rng or random.Random()
        self._clock = clock
        self._wire = Wire(server.url, server.api_key, clock)
        self._places = asyncio.Semaphore(server.concurrency)
        self._in_flight = 0
        self._model = server.model

    @property
    def in_flight(self) -> int:
        """Calls under way, those that wait for a place among them."""
        return self._in_flight

    def availability(self) -> Availability:
        """Say what the last calls tell about the server."""
        state = self._breaker.state(self._clock())
        return {"closed": "up", "half-open": "trying", "open": "down"}[state]  # type: ignore[return-value]

    async def models(self) -> list[str]:
        """List the models and adapters that the server offers. Raises ModelError."""
        return await self._in_time(self._wire.models())

    async def cards(self) -> tuple[ModelCard, ...]:
        """List the models with what the server says of each. Raises ModelError."""
        return await self._in_time(self._wire.cards())

    async def model_cards(self) -> list[str]:
        """Say of each model what the server says of it. Raises ModelError."""
        return [
            f"{card.id} of {card.owned_by}, from {card.root}, with {card.max_model_len} tokens"
            for card in await self.cards()
        ]

    async def beside(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Ask for what some servers have beside the protocol; None: not this one.

        Raises ModelError.
        """
        return await self._in_time(self._wire.beside(path, body))

    async def embed(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Ask the server's model for embeddings for a vector for each text. Raises ModelError."""
        model = self.server.model or (await self.models())[0]
        return await self._in_time(self._wire.embed(texts, model))

    async def _in_time(self, asking: Coroutine[Any, Any, T]) -> T:
        async with asyncio.timeout(self.server.deadline_s) as limit:
            try:
                return await asking
            except asyncio.CancelledError:
                if limit.expired():
                    raise self._late(self.server.deadline_s) from None
                raise

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        """Ask, and ask again where that may help. Raises ModelError; see `Completes`."""
        begun = self._clock()
        deadline_s = request.deadline_s or self.server.deadline_s
        limit = asyncio.timeout(deadline_s)
        call = _Call(request, begun, begun + deadline_s, limit, in_flight=self._in_flight)
        self._in_flight += 1
        try:
            async with limit:
                try:
                    answer = await self._in_turn(call)
                except asyncio.CancelledError:
                    if limit.expired():
                        raise self._late(deadline_s) from None
                    raise
        except ModelError as error:
            CALLS.failed += 1
            error.measured(
                latency_s=self._clock() - begun,
                retries=call.retries,
                in_flight=call.in_flight,
                queue_s=call.queue_s,
                model=request.model or self._model,
            )
            raise
        finally:
            self._in_flight -= 1
        latency_s = self._clock() - begun
        CALLS.answered.note(latency_s)
        return dataclasses.replace(
            answer,
            queue_s=call.queue_s,
            retries=call.retries,
            in_flight=call.in_flight,
            latency_s=latency_s,
        )

    async def close(self) -> None:
        """Drop the connections. Idempotent."""
        await self._wire.close()

    async def __aenter__(self) -> ModelClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _in_turn(self, call: _Call) -> ModelAnswer:
        async with self._places:
            call.queue_s = self._clock() - call.begun
            while True:
                try:
                    return await self._once(call)
                except UnavailableError as error:
                    wait_s = self._backoff.wait_s(call.retries, self._rng, error.retry_after_s)
                    if not self._is_worth_it(call, error, wait_s):
                        raise
                    call.retries += 1
                    await asyncio.sleep(wait_s)

    def _is_worth_it(self, call: _Call, error: UnavailableError, wait_s: float) -> bool:
        return (
            error.may_pass
            and call.request.may_retry
            and call.retries < self._backoff.most_retries
            and self._clock() + wait_s < call.ends
        )

    async def _once(self, call: _Call) -> ModelAnswer:
        request, now = call.request, self._clock()
        if not self._breaker.admits(now):
            wait_s = self._breaker.wait_s(now)
            raise UnavailableError(
                f"{self.server.url} failed several times in a row and is left alone for "
                f"{wait_s:.0f} s more",
                may_pass=False,
            )
        try:
            answer = await self._wire.complete(request, await self._name(request))
        except asyncio.CancelledError:
            if call.limit.expired():
                self._breaker.failed(self._clock())
            else:
                self._breaker.abandoned()
            raise
        except UnavailableError as error:
            if error.is_fault:
                self._breaker.failed(self._clock())
            else:
                self._breaker.succeeded()
            raise
        except ModelError:
            self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return answer

    async def _name(self, request: ModelRequest) -> str:
        if not (request.model or self._model):
            self._model = (await self._wire.models())[0]
        return request.model or self._model

    def _late(self, deadline_s: float) -> DeadlineError:
        return DeadlineError(f"no complete answer from {self.server.url} within {deadline_s:g} s")


@dataclass
class _Call:
    """A `complete` from beginning to end."""

    request: ModelRequest
    begun: float
    ends: float
    limit: asyncio.Timeout
    in_flight: int
    queue_s: float | None = None
    """Seconds waited for a place; None: it waits still."""
    retries: int = 0
