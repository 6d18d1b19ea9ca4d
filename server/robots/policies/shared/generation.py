"""Model queries of a policy, with the records of them that the log keeps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar, cast

import msgspec

from server.robots.grammar import Grammar
from server.robots.models import (
    AbandonedError,
    Completes,
    Constraint,
    Message,
    ModelError,
    ModelRequest,
    record,
)
from server.sessions.policy_records import CallRecord

Parameter = float | int | str | bool | None


class Generation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sampling parameters and limits of a policy's model calls; the defaults are PARTNR's."""

    model: str = ""
    """Model or LoRA adapter on the server; empty: the server's setting."""
    max_tokens: int = 250
    temperature: float = 0.0
    seed: int | None = 0
    deadline_s: float | None = None
    """Seconds until a call is given up; None: the server's setting."""
    retries: bool = True
    grammar: bool = True
    """Whether the grammar of valid calls is sent with each request."""
    thought_chars: int = 300
    """Longest thought that a grammar allows (characters): what follows it has to fit into the
    tokens."""


class _AsksModel(Protocol):
    """Settings of a policy that asks a model."""

    @property
    def generation(self) -> Generation: ...


SettingsT = TypeVar("SettingsT", bound=_AsksModel)


def seeded(settings: SettingsT, seed: int) -> SettingsT:
    """Return the settings with ``seed`` added to their generation's seed, if that has one.

    A model with a temperature above zero answers by this seed.
    """
    generation = settings.generation
    if generation.seed is None:
        return settings
    moved = msgspec.structs.replace(generation, seed=generation.seed + seed)
    changed: Any = msgspec.structs.replace(cast(Any, settings), generation=moved)
    return cast(SettingsT, changed)


class ModelQueries:
    """The calls that a policy makes of its model."""

    def __init__(self, model: Completes, generation: Generation) -> None:
        self.generation = generation
        self._model = model
        self._calls: list[CallRecord] = []

    async def ask(
        self,
        purpose: str,
        prompt: tuple[Message, ...] | str,
        *,
        stop: str,
        grammar: Grammar | None = None,
        more: Mapping[str, Parameter] | None = None,
    ) -> str:
        """Return the answer up to ``stop``; ``more`` is kept with the call's parameters.

        Raises ModelError.
        """
        wanted = self.generation
        request = ModelRequest(
            purpose=purpose,
            prompt=prompt,
            max_tokens=wanted.max_tokens,
            temperature=wanted.temperature,
            seed=wanted.seed,
            stop=(stop,),
            constraint=(
                Constraint.grammar(grammar.ebnf) if grammar is not None and wanted.grammar else None
            ),
            deadline_s=wanted.deadline_s,
            may_retry=wanted.retries,
            model=wanted.model,
        )
        begun = time.monotonic()
        try:
            answer = await self._model.complete(request)
        except asyncio.CancelledError:
            self._keep(record(request, AbandonedError.after(time.monotonic() - begun)), more)
            raise
        except ModelError as error:
            self._keep(record(request, error), more)
            raise
        self._keep(record(request, answer), more)
        return answer.text.partition(stop)[0]

    def _keep(self, call: CallRecord, more: Mapping[str, Parameter] | None) -> None:
        if more:
            call = msgspec.structs.replace(call, parameters={**call.parameters, **more})
        self._calls.append(call)

    def parsed(self, what: str) -> None:
        """Note what was read out of the last answer: a call, or why there is none."""
        if self._calls:
            self._calls[-1] = msgspec.structs.replace(self._calls[-1], parsed=what)

    def fork(self) -> ModelQueries:
        """Return queries to the same model with the same settings and an empty record of calls."""
        return ModelQueries(self._model, self.generation)

    def take_calls(self) -> list[CallRecord]:
        taken, self._calls = self._calls, []
        return taken
