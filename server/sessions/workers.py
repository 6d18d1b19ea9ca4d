"""The workers of a host: a pool that shares the household sessions, and one for each on Habitat.

habitat-sim lives in another interpreter, is heavy, and may abort its process: a session on it has a
worker to itself, so that it can end nothing but itself.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from server.sessions.launcher import Launcher, LocalLauncher
from server.sessions.messages import FromWorker
from server.sessions.spec import SessionSpec
from server.sessions.supervisor import Supervisor
from server.settings import Settings
from server.simulators.habitat.interpreter import habitat_python


class WorkersError(Exception):
    """No worker can run a session: says why and what to do."""


class Workers:
    """Call `start` first and `stop` last. The callbacks are told which worker they are about."""

    def __init__(
        self,
        settings: Settings,
        launcher: Launcher | None,
        version: str,
        *,
        on_up: Callable[[Supervisor], None],
        on_down: Callable[[Supervisor], None],
        on_message: Callable[[FromWorker], None],
    ) -> None:
        self._settings = settings
        self._options = (
            "--loading-timeout-s",
            str(settings.loading_timeout_s),
            "--version",
            version,
        )
        self._launcher = launcher or LocalLauncher(settings.data_dir, self._options)
        self._on_up, self._on_down, self._on_message = on_up, on_down, on_message
        self._pool: list[Supervisor] = []
        self._own: dict[str, Supervisor] = {}
        """By session id."""
        self._leaving: set[asyncio.Task[None]] = set()
        self._folder: Path | None = None

    async def start(self) -> None:
        """Start the pool. Raises RuntimeError when one of it does not start."""
        # Short, because the path of a Unix socket may not be long; ours alone, because whoever
        # can connect is believed.
        self._folder = Path(tempfile.mkdtemp(prefix="cohabit-"))
        self._pool = [
            self._supervisor(f"worker-{n}", self._launcher, f"{n}.sock")
            for n in range(self._settings.workers)
        ]
        await asyncio.gather(*(worker.start() for worker in self._pool))

    async def stop(self) -> None:
        """Have all logs written and the workers ended."""
        await asyncio.gather(*(worker.stop() for worker in self.all()), *self._leaving)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def all(self) -> list[Supervisor]:
        return [*self._pool, *self._own.values()]

    async def assign(self, spec: SessionSpec, load: Mapping[Supervisor, int]) -> Supervisor:
        """The worker for a session; ``load`` counts the sessions of each.

        Raises WorkersError when there is none, or when one of its own does not start.
        """
        if spec.simulator == "habitat":
            return await self._own_worker(spec.session_id)
        up = [worker for worker in self._pool if worker.is_up] or self._pool
        if not up:
            raise WorkersError("the host is not started")
        return min(up, key=lambda worker: load.get(worker, 0))

    def release(self, session_id: str) -> None:
        """A session is over: so is the worker that it had to itself."""
        worker = self._own.pop(session_id, None)
        if worker is not None:
            task = asyncio.get_running_loop().create_task(worker.stop())
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)

    async def _own_worker(self, session_id: str) -> Supervisor:
        python = habitat_python()
        if python is None:
            raise WorkersError(
                "no interpreter with habitat-sim is known: cohabit habitat use PYTHON"
            )
        options = (*self._options, "--habitat-dir", str(self._settings.habitat_dir.absolute()))
        launcher = LocalLauncher(self._settings.data_dir, options, str(python))
        # The end of an id is what differs; the whole of it is too long for a socket's path.
        worker = self._supervisor(f"habitat-{session_id}", launcher, f"h{session_id[-10:]}.sock")
        self._own[session_id] = worker
        try:
            await worker.start()
        except RuntimeError as error:
            self._own.pop(session_id, None)
            raise WorkersError(str(error)) from error
        return worker

    def _supervisor(self, name: str, launcher: Launcher, socket_name: str) -> Supervisor:
        if self._folder is None:
            raise WorkersError("the host is not started")
        worker: Supervisor
        worker = Supervisor(
            name,
            launcher,
            self._folder / socket_name,
            on_up=lambda: self._on_up(worker),
            on_down=lambda: self._on_down(worker),
            on_message=self._on_message,
        )
        return worker
