"""Preflights that operators start from their page: one at a time, in a process of its own.

The checks load houses, start workers and ask models: in the web process they would delay everybody
who plays. The process is `cohabit preflight`, with the settings of this server.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

import msgspec
import structlog

from server.child_processes import module_environment
from server.settings import Settings
from server.store import Database, DatabaseError
from server.store.operator_acts import note_act

COMMAND = ("-m", "server.cli", "preflight")
LIMIT_S = 1500.0
"""Longest time (s) that all checks together may take: more than the sum of their own limits."""
GRACE_S = 5.0
"""Time (s) in which one that is given up closes the copy of the study that it has opened."""
LONGEST_SAID = 2000
"""Most characters that are kept of what a process says before it dies."""

log = structlog.get_logger(__name__)


class Line(msgspec.Struct, frozen=True):
    """Result of one check."""

    check: str
    level: Literal["ok", "warn", "fail"]
    found: str
    remedy: str
    took_s: float


class _Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """First line of the process: names of its checks."""

    checks: tuple[str, ...]


@dataclass
class Run:
    """A preflight that goes on or is over."""

    study: str
    """Name of the study; empty: the server alone."""
    who: str
    began_at: datetime
    ended_at: datetime | None = None
    lines: list[Line] = field(default_factory=list)
    planned: tuple[str, ...] = ()
    broke_off: str = ""
    """Reason why not all checks were made; empty: they were."""

    @property
    def waiting(self) -> list[str]:
        """Checks that are still to come, the one that goes on first."""
        done = {line.check for line in self.lines}
        return [] if self.ended_at is not None else [c for c in self.planned if c not in done]

    def count(self, level: str) -> int:
        """Return how many checks came to a level."""
        return sum(line.level == level for line in self.lines)

    @property
    def summary(self) -> str:
        """Outcome as the log has it."""
        return outcome_of(self.lines, self.broke_off)


class PreflightRuns:
    """Runner of preflights; keeps the last one."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        now: Callable[[], datetime],
        command: Sequence[str] = COMMAND,
    ) -> None:
        self._settings, self._database, self._now = settings, database, now
        self._command = command
        self.last: Run | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, study: str, who: str) -> bool:
        """Start a preflight, unless one runs; return whether it is new."""
        if self.is_running:
            return False
        self.last = Run(study, who, self._now())
        self._task = asyncio.create_task(self._go(self.last), name="preflight")
        return True

    async def finished(self) -> None:
        """Wait until none runs."""
        if self._task is not None:
            await asyncio.wait({self._task})

    async def stop(self) -> None:
        """Give up the one that runs."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _go(self, run: Run) -> None:
        try:
            async with asyncio.timeout(LIMIT_S):
                run.broke_off = await self._read(run)
        except TimeoutError:
            run.broke_off = f"it had not ended after {LIMIT_S / 60:.0f} minutes"
        except Exception as error:
            log.exception("preflight.failed")
            run.broke_off = f"it could not be run ({type(error).__name__})"
        finally:
            run.ended_at = self._now()
        await self._note(run)

    async def _read(self, run: Run) -> str:
        """Run the process and take in what it finds; return why it broke off, if it did."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *self._command,
            *([run.study] if run.study else []),
            "--json",
            "--of-page",
            env={**module_environment(), **as_environment(self._settings)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=1 << 20,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        said = asyncio.create_task(process.stderr.read())
        try:
            async for text in process.stdout:
                self._take(run, text)
            await process.wait()
        finally:
            await _give_up(process)
            words = (await said).decode(errors="replace").strip()
        if process.returncode == 0 or run.count("fail"):
            return ""
        log.error("preflight.broke_off", reason=words[-LONGEST_SAID:])
        last = words.splitlines()[-1] if words else f"status {process.returncode}"
        return f"it broke off: {last[:200]}"

    def _take(self, run: Run, text: bytes) -> None:
        with contextlib.suppress(msgspec.MsgspecError):
            run.lines.append(msgspec.json.decode(text, type=Line))
            return
        with contextlib.suppress(msgspec.MsgspecError):
            run.planned = msgspec.json.decode(text, type=_Plan).checks

    async def _note(self, run: Run) -> None:
        try:
            async with self._database.transaction() as db:
                note_act(
                    db,
                    run.who,
                    "preflight",
                    run.study,
                    self._now(),
                    study=run.study or None,
                    detail=run.summary,
                )
        except DatabaseError as error:
            log.warning("preflight.not_logged", reason=str(error))


async def _give_up(process: asyncio.subprocess.Process) -> None:
    """End a process that has not ended: first so that it can tidy up, then at once."""
    with contextlib.suppress(ProcessLookupError, TimeoutError):
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
            async with asyncio.timeout(GRACE_S):
                await process.wait()
    with contextlib.suppress(ProcessLookupError):
        if process.returncode is None:
            process.kill()
    await process.wait()


class Checked(Protocol):
    """Result of one check, as the process has it or as its line is read."""

    @property
    def check(self) -> str: ...
    @property
    def level(self) -> str: ...


def outcome_of(results: Sequence[Checked], broke_off: str = "") -> str:
    """Return what came of checks, as the operators' log has it."""
    parts = [f"{len(results)} checks", *([broke_off] if broke_off else [])]
    for level, words in (("fail", "failed"), ("warn", "to look at")):
        names = [result.check for result in results if result.level == level]
        if names:
            parts.append(f"{words}: {', '.join(names)}")
    return "; ".join(parts)


def as_environment(settings: Settings) -> Mapping[str, str]:
    """Return the variables by which another process has these settings."""
    values = settings.model_dump(mode="json")
    return {f"COHABIT_{name.upper()}": str(value) for name, value in values.items()}
