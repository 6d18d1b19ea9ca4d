"""Watch over the age of data: retention runs by itself, once an hour."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from server.privacy.retention import Kind, Retention
from server.settings import Settings
from server.store import DatabaseError

FIRST_S = 600.0
"""Seconds from the start to the first run: time to stop a server whose limits were not meant."""
ROUND_S = 3600.0

log = structlog.get_logger(__name__)


async def keep_retention(
    retention: Retention,
    settings: Settings,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Remove what is kept too long, now and then; runs until cancelled."""
    limits = {kind: days for kind in Kind if (days := kind.days(settings))}
    log.info(
        "retention.limits",
        days={kind.removeprefix("keep_").removesuffix("_days"): n for kind, n in limits.items()},
        first_run_s=FIRST_S,
    )
    wait_s = FIRST_S
    while True:
        await sleep(wait_s)
        wait_s = ROUND_S
        try:
            await retention.run()
        except DatabaseError as error:
            log.warning("retention.no_database", reason=str(error))
        except Exception:
            # One run that fails must not be the last.
            log.exception("retention.failed")
