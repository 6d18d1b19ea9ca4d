"""Faults of housekeeping: what goes wrong with one session keeps no other from its turn."""

from __future__ import annotations

from collections.abc import Awaitable

import structlog

from server.store.database_faults import DatabaseError

log = structlog.get_logger(__name__)


class TidyFaults:
    """Sessions that could not be tidied when it was their turn."""

    def __init__(self) -> None:
        self._untidy: set[str] = set()

    async def in_round(self, step: Awaitable[None]) -> None:
        """Do a round of housekeeping, and tell the log if it fails."""
        try:
            await step
        except DatabaseError as error:
            log.warning("sessions.tidy_failed", reason=str(error))
        except Exception:
            log.exception("sessions.tidy_failed")

    async def of(self, session_id: str, step: Awaitable[None]) -> None:
        """Do a step of housekeeping for a session, and tell the log if it fails."""
        try:
            await step
        except Exception as error:
            # Its traceback is worth telling once: it is tried again every few seconds.
            is_new = session_id not in self._untidy and not isinstance(error, DatabaseError)
            self._untidy.add(session_id)
            reason = str(error) or repr(error)
            log.error("session.tidy_failed", session=session_id, reason=reason, exc_info=is_new)
        else:
            self._untidy.discard(session_id)
