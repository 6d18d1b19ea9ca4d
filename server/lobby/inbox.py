"""Inbox of a task that owns something: others put in what is to be done, one thing at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar

import structlog

log = structlog.get_logger(__name__)
T = TypeVar("T")


class Inbox:
    """Requests to the task that calls `serve`, in the order in which they came."""

    def __init__(self) -> None:
        self._requests: asyncio.Queue[Callable[[], None]] = asyncio.Queue()

    def put(self, act: Callable[[], None]) -> None:
        """Have something done, and wait for nothing."""
        self._requests.put_nowait(act)

    async def ask(self, act: Callable[[], T]) -> T:
        """Have something done, and return what that returns or raise what it raises."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        # What is stored for them is stored on behalf of whoever asks.
        context = copy_context()

        def request() -> None:
            if answer.cancelled():
                return
            try:
                answer.set_result(context.run(act))
            except Exception as error:
                answer.set_exception(error)

        self.put(request)
        return await answer

    async def serve(self, pause_s: float, event: str) -> None:
        """Do what is there, waiting for the first thing so long; ``event`` logs what fails."""
        with suppress(TimeoutError):
            done(await asyncio.wait_for(self._requests.get(), pause_s), event)
        while not self._requests.empty():
            done(self._requests.get_nowait(), event)


def done(act: Callable[[], None], event: str) -> bool:
    """Do one thing and tell whether that went well; a bad one must not end the task."""
    try:
        act()
    except Exception:
        log.exception(event)
        return False
    return True


def log_failure(event: str, task: asyncio.Task[Any]) -> None:
    """Log what a task failed of that nobody waits for."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.warning(event, reason=repr(error))
