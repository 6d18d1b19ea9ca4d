"""Which robots can be played with now: those that need no model, and while a model server
answers, the others."""

from __future__ import annotations

import asyncio
import dataclasses

import structlog

from server.robots.models.client import ModelClient
from server.robots.models.request import ModelError
from server.robots.models.server import ModelServer
from server.robots.registry import POLICIES, Entry
from server.settings import Settings

log = structlog.get_logger(__name__)

WATCH_S = 10.0
TIMEOUT_S = 5.0


class Robots:
    """Run `watch` in a task."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        server = ModelServer.of(settings)
        self._server = server and dataclasses.replace(server, deadline_s=TIMEOUT_S)
        self._model_answers = False

    def offered(self) -> list[Entry]:
        """In the order in which they are shown."""
        return [e for e in POLICIES.values() if e.offered and self._works(e)]

    def default(self) -> str:
        """What somebody gets who asked for none; empty: none works."""
        wanted = POLICIES.get(self._settings.robot)
        if wanted is not None and self._works(wanted):
            return wanted.name
        return next((e.name for e in self.offered()), "")

    def is_offered(self, name: str) -> bool:
        return any(e.name == name for e in self.offered())

    def _works(self, entry: Entry) -> bool:
        return self._model_answers or not entry.needs_model

    async def watch(self) -> None:
        """Ask the model server now and then; runs until cancelled."""
        while self._server is not None:
            await self.look()
            await asyncio.sleep(WATCH_S)

    async def look(self) -> None:
        """Ask the model server whether it would answer robots, with the key that they have."""
        if self._server is None:
            return
        try:
            async with ModelClient(self._server) as client:
                await client.models()
            answers = True
        except ModelError:
            answers = False
        if answers != self._model_answers:
            self._model_answers = answers
            log.info("model_server.answers" if answers else "model_server.silent")
