"""Faults of housekeeping: what goes wrong with one session keeps no other from its turn."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from server.hosting.hosted_session import HostError
from server.log_throttle import LogThrottle
from server.store.database_faults import DatabaseError

T = TypeVar("T")

log = structlog.get_logger(__name__)


class TidyFaults:
    """Sessions that could not be tidied when it was their turn."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._untidy: set[str] = set()
        self._throttle = LogThrottle(clock)

    @property
    def sessions(self) -> int:
        return len(self._untidy)

    async def in_round(self, step: Awaitable[None]) -> None:
        """Do a round of housekeeping, and tell the log if it fails.

        It is told once a minute: it is tried again every few seconds.
        """
        try:
            await step
        except DatabaseError as error:
            if count := self._throttle.count("database"):
                log.warning("sessions.tidy_failed", reason=str(error), count=count)
        except Exception as error:
            if count := self._throttle.count(type(error).__name__):
                log.exception("sessions.tidy_failed", count=count)

    async def of(
        self, session_id: str, step: Awaitable[T], event: str = "session.tidy_failed"
    ) -> T | None:
        """Do a step for a session and return its result; tell the log if it fails: None then."""
        try:
            done = await step
        except Exception as error:
            # Its traceback is worth telling once: it is tried again every few seconds.
            is_ours = not isinstance(error, DatabaseError | HostError)
            is_new = session_id not in self._untidy and is_ours
            self._untidy.add(session_id)
            reason = str(error) or repr(error)
            log.error(event, session=session_id, reason=reason, exc_info=is_new)
            return None
        self._untidy.discard(session_id)
        return done
