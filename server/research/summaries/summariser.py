"""Summariser: has the logs summarised that the archivist packed, so that exports need not wait."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import structlog

from server.child_processes import module_environment
from server.settings import Settings

TIMEOUT_S = 300.0

log = structlog.get_logger(__name__)


class Summariser:
    """Starter of the program that summarises packed logs."""

    def __init__(self, settings: Settings) -> None:
        self._data_dir = settings.data_dir

    async def summarise(self, packed_logs: Sequence[Path]) -> None:
        """Have logs summarised in a process of its own, and wait for it.

        What fails is told in the log: an export computes it.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "server.research.summaries.summary_program",
            str(self._data_dir),
            *(str(file) for file in packed_logs),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=module_environment(),
        )
        try:
            async with asyncio.timeout(TIMEOUT_S):
                _, told = await process.communicate()
        except TimeoutError:
            log.warning("recordings.not_summarised", reason=f"no end within {TIMEOUT_S:g} s")
            return
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            reason = told.decode(errors="replace").strip()[-2000:]
            log.warning("recordings.not_summarised", reason=reason)
