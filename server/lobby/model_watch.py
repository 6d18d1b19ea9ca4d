"""The watch over the model server: what needs a model is offered only while it answers soon."""

from __future__ import annotations

import asyncio
import dataclasses

import structlog

from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.models.request import Message, ModelError, ModelRequest, RefusedError
from server.settings import Settings

log = structlog.get_logger(__name__)

WATCH_S = 10.0
"""Seconds between two looks at the model server."""
_ONE_WORD = ModelRequest(
    purpose="watch",
    prompt=(Message("user", "Are you there? Answer with one word."),),
    max_tokens=1,
    may_retry=False,
)
"""A request for one word: a server may list its models and yet answer nothing, or too late, so it
is really asked."""


class ModelWatch:
    """Watch that asks the settings' model server for a word now and then; run `watch` in a task."""

    def __init__(self, settings: Settings) -> None:
        server = ModelServer.of(settings)
        self._server = server and dataclasses.replace(server, deadline_s=settings.model_slow_s)
        self._answered: bool | None = None
        """Whether it answered last time; None: it has not been asked yet."""

    @property
    def answers(self) -> bool:
        """Whether the model server answered soon enough when it was last asked."""
        return bool(self._answered)

    async def watch(self) -> None:
        """Ask the model server now and then; runs until cancelled."""
        while self._server is not None:
            try:
                await self.look()
            except Exception:
                # One look that goes wrong must not be the last.
                log.exception("model_server.look_failed")
            await asyncio.sleep(WATCH_S)

    async def look(self) -> None:
        """Ask the model server whether it would answer policies soon enough, as they would ask."""
        if self._server is None:
            return
        reason = ""
        try:
            async with ModelClient(self._server) as client:
                await _ask(client)
        except ModelError as error:
            reason = str(error)
        answers = not reason
        if answers == self._answered:
            return
        self._answered = answers
        if answers:
            log.info("model_server.answers")
        else:
            log.warning("model_server.silent", reason=reason)


async def _ask(client: ModelClient) -> None:
    """Ask for one word. Raises ModelError where no answer comes."""
    try:
        await client.complete(_ONE_WORD)
    except RefusedError:
        # A model without a chat template only continues texts.
        await client.complete(dataclasses.replace(_ONE_WORD, prompt="Are you there?"))
