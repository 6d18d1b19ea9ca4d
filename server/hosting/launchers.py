"""Launchers of session workers; a protocol, so that they may one day run on other machines."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from server.child_processes import module_environment


class WorkerProcess(Protocol):
    """A worker that was launched."""

    @property
    def pid(self) -> int: ...

    async def wait(self) -> int:
        """Wait for its end and return its exit status."""
        ...

    def kill(self) -> None:
        """End it at once. Idempotent."""
        ...


class Launcher(Protocol):
    """Launcher of a worker that connects to ``socket_path``. Raises OSError when it cannot."""

    async def launch(self, socket_path: Path) -> WorkerProcess: ...


class LocalProcess:
    """A worker that is a process of this machine."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid

    async def wait(self) -> int:
        return await self._process.wait()

    def kill(self) -> None:
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)


class LocalLauncher:
    """Launcher of workers as subprocesses of this machine.

    ``python`` may be another interpreter, for a simulator that does not live in ours; ``options``
    go to the worker's command line, ``secrets`` (which every user of the machine could read there)
    into its environment.
    """

    def __init__(
        self,
        data_dir: Path,
        options: Sequence[str] = (),
        python: str = sys.executable,
        secrets: Mapping[str, str] | None = None,
    ) -> None:
        self._secrets = dict(secrets or {})
        self._command = [
            python,
            "-m",
            "server.worker.main",
            "--data-dir",
            str(data_dir.absolute()),
            *options,
        ]

    async def launch(self, socket_path: Path) -> WorkerProcess:
        process = await asyncio.create_subprocess_exec(
            *self._command,
            "--socket",
            str(socket_path),
            stdin=asyncio.subprocess.DEVNULL,
            env={**module_environment(), **self._secrets},
        )
        return LocalProcess(process)
