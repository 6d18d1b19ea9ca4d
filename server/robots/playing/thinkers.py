"""Thoughts beside the session: one is started, and asked for later. Nothing waits."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from server.robots.policy import Decision
from server.sessions.spec import TICK_S


class CancelledItselfError(Exception):
    """A decision that ended as if it had been cancelled, though nobody here did that.

    It is an exception like others, where a `CancelledError` would end whoever asks.
    """


class Thought(Protocol):
    """A decision that is being made."""

    def ready(self, tick: int) -> bool: ...

    def result(self) -> Decision:
        """Return the decision, or raise what the policy raised. Only once it is ready."""
        ...

    def cancel(self) -> None: ...

    def is_over(self) -> bool:
        """Tell whether nothing more happens in it.

        It was decided, it failed, or its end has come after `cancel`.
        """
        ...


class Thinker(Protocol):
    """A starter of thoughts."""

    def start(self, deciding: Coroutine[Any, Any, Decision], tick: int) -> Thought: ...


class _Task:
    def __init__(self, task: asyncio.Task[Decision]) -> None:
        self._task = task
        # Of a thought that is dropped nobody asks how it ended: asyncio would complain of that.
        task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())

    def ready(self, tick: int) -> bool:
        return self._task.done()

    def result(self) -> Decision:
        try:
            return self._task.result()
        except asyncio.CancelledError as error:
            raise CancelledItselfError from error

    def cancel(self) -> None:
        self._task.cancel()

    def is_over(self) -> bool:
        return self._task.done()


class ConcurrentThinker:
    """The thinker of paced sessions: a thought is a task of the running event loop."""

    def start(self, deciding: Coroutine[Any, Any, Decision], tick: int) -> Thought:
        return _Task(asyncio.get_running_loop().create_task(deciding))


class _Made:
    def __init__(self, decision: Decision | Exception, ready_tick: int) -> None:
        self._decision = decision
        self._ready_tick = ready_tick

    def ready(self, tick: int) -> bool:
        return tick >= self._ready_tick

    def result(self) -> Decision:
        if isinstance(self._decision, Exception):
            raise self._decision
        return self._decision

    def cancel(self) -> None:
        pass

    def is_over(self) -> bool:
        return True


class ChargedThinker:
    """The thinker of unpaced runs: it decides at once and charges the time in ticks.

    The time is ``latency_s`` where that is given, else what ``charged_s`` says that the decision
    costs, else what it took by the clock, which depends on what else the machine does.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        latency_s: float | None = None,
        charged_s: Callable[[], float] | None = None,
    ) -> None:
        self._loop = loop
        self._latency_s = latency_s
        self._charged_s = charged_s

    def start(self, deciding: Coroutine[Any, Any, Decision], tick: int) -> Thought:
        begun = time.perf_counter()
        decision: Decision | Exception
        try:
            decision = self._loop.run_until_complete(deciding)
        except asyncio.CancelledError:
            decision = CancelledItselfError()
        except Exception as error:
            decision = error
        took_s = time.perf_counter() - begun
        if self._charged_s is not None:
            took_s = self._charged_s()
        if self._latency_s is not None:
            took_s = self._latency_s
        return _Made(decision, tick + math.ceil(took_s / TICK_S))
