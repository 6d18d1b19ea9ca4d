"""Calls to one OpenAI-compatible server."""

from __future__ import annotations

from typing import Protocol

from server.robots.models.request import ModelAnswer, ModelRequest


class Completes(Protocol):
    """What a policy needs of a model."""

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        """Raises DeadlineError, UnavailableError, RefusedError or GarbageError (all ModelError).

        Cancelling it closes the connection, so that the server can stop too.
        """
        ...
