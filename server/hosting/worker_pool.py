"""Workers of a host: a pool that shares the household sessions, and one for each on Habitat.

A worker of the pool that has run many episodes takes no more sessions (a fresh one does) and ends
with its last. Long-lived simulators leak; processes that end do not.

habitat-sim lives in another interpreter, is heavy, and may abort its process: a session on it has a
worker to itself, so that it can end nothing but itself.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import structlog

from server.hosting.host_stats import WorkerState
from server.hosting.launchers import Launcher, LocalLauncher
from server.hosting.overload import WorkerLoad
from server.hosting.supervisor import Supervisor
from server.ipc.messages import FromWorker
from server.robots.models.model_server import ModelServer, to_environment
from server.robots.remote import hop
from server.robots.remote.switchboard import Switchboard
from server.sessions.spec import SessionSpec
from server.settings import Settings
from server.simulators.habitat.interpreter import habitat_python

MOST_PARTED = 8
"""Most workers beside the pool. When the cause is not in any session (the machine has no memory
left), more and more processes would make it worse."""

log = structlog.get_logger(__name__)


class WorkerPoolError(Exception):
    """Error for want of a worker that can run a session; the text says why and what to do."""


class WorkerPool:
    """Workers by session; call `start` first and `stop` last. Callbacks name their worker."""

    def __init__(
        self,
        settings: Settings,
        launcher: Launcher | None,
        version: str,
        *,
        on_up: Callable[[Supervisor], None],
        on_down: Callable[[Supervisor, frozenset[str]], None],
        on_message: Callable[[FromWorker], None],
    ) -> None:
        self._settings = settings
        self._options = (
            "--loading-timeout-s",
            str(settings.loading_timeout_s),
            "--version",
            version,
            *(("--log-json",) if settings.log_json else ()),
        )
        self._secrets = to_environment(ModelServer.of(settings))
        self._launcher = launcher or LocalLauncher(
            settings.data_dir, self._options, secrets=self._secrets
        )
        self._on_up, self._on_down, self._on_message = on_up, on_down, on_message
        self._pool: list[Supervisor] = []
        self._own: dict[str, Supervisor] = {}
        """Workers that one session has to itself, by session id."""
        self._retired: set[Supervisor] = set()
        """Workers that take no more sessions and end with their last."""
        self._sessions: dict[Supervisor, set[str]] = {}
        """Session ids, by worker."""
        self._numbers = itertools.count()
        self._renewing: asyncio.Task[None] | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self._folder: Path | None = None
        self.switchboard = Switchboard(settings.policy_wait_s)
        """The policies elsewhere that workers ask."""
        self._hop: asyncio.Server | None = None

    async def start(self) -> None:
        """Start the pool. Raises RuntimeError when one of its workers does not start."""
        # Short, because the path of a Unix socket may not be long; ours alone, because whoever
        # can connect is believed.
        self._folder = Path(tempfile.mkdtemp(prefix="cohabit-"))
        self._hop = await hop.listen(hop.path_in(self._folder), self.switchboard)
        self._pool = [self._pooled() for _ in range(self._settings.workers)]
        await asyncio.gather(*(worker.start() for worker in self._pool))

    async def stop(self) -> None:
        """Have all logs written and the workers ended."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.gather(self._renewing, return_exceptions=True)
        await asyncio.gather(*(worker.stop() for worker in self.all()), *self._leaving)
        if self._hop is not None:
            self._hop.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def all(self) -> list[Supervisor]:
        return [*self._pool, *self._retired, *self._own.values()]

    def states(self) -> tuple[WorkerState, ...]:
        """Return the figures of all workers."""
        return tuple(
            WorkerState(
                w.name, w.is_up, w.load.is_overloaded, w.restarts, w.load.stretched_s, w.stats
            )
            for w in self.all()
        )

    def unrecorded_s(self) -> float:
        """Return the seconds of play that are in no log now, by what workers said last."""
        told = (worker.stats for worker in self.all() if worker.is_up)
        return sum(stats.unrecorded_s for stats in told if stats is not None)

    @property
    def are_overloaded(self) -> bool:
        """Whether no worker of the pool can take more."""
        return bool(self._pool) and all(self._is_overloaded(worker) for worker in self._pool)

    def busy_s(self) -> int:
        """Return the seconds after which a worker can take more, at the earliest; 0: one can now.

        Where none has a session there is nothing to spare by refusing.
        """
        if not self.are_overloaded:
            return 0
        return max(1, min(worker.load.calm_in_s for worker in self._pool))

    def _is_overloaded(self, worker: Supervisor) -> bool:
        # Without a session there is nothing to spare by refusing: something else made it late.
        return worker.load.is_overloaded and bool(self._sessions.get(worker))

    async def assign(self, spec: SessionSpec) -> Supervisor:
        """Return the worker for a session, which has it until it is released.

        Raises WorkerPoolError when there is none, or when one of its own does not start.
        """
        if spec.simulator == "habitat":
            return await self._own_worker(spec.session_id)
        if not self._pool:
            raise WorkerPoolError("the host is not started")
        self._renew()
        worker = min(
            self._pool,
            key=lambda w: (not w.is_up, self._is_overloaded(w), len(self._sessions.get(w, ()))),
        )
        self._sessions.setdefault(worker, set()).add(spec.session_id)
        return worker

    def release(self, session_id: str) -> None:
        """Free the worker of a session that is over.

        A worker that the session had to itself, or that waited for its end, ends too.
        """
        own = self._own.pop(session_id, None)
        if own is not None:
            self._leave(own)
        for worker, sessions in list(self._sessions.items()):
            sessions.discard(session_id)
            if not sessions:
                del self._sessions[worker]
                if worker in self._retired:
                    self._retired.discard(worker)
                    self._leave(worker)

    def part(self, session_ids: Iterable[str]) -> Supervisor:
        """Return a worker for sessions that must not share one with the others any more.

        It is not started yet, takes no further sessions, and ends with the last of these. Raises
        WorkerPoolError when there are too many of these workers already.
        """
        if len(self._retired) >= MOST_PARTED:
            raise WorkerPoolError(f"{len(self._retired)} workers beside the pool are too many")
        moving = set(session_ids)
        for sessions in self._sessions.values():
            sessions -= moving
        worker = self._pooled()
        self._retired.add(worker)
        self._sessions[worker] = moving
        return worker

    def _leave(self, worker: Supervisor) -> None:
        task = asyncio.get_running_loop().create_task(worker.stop())
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    # Recycling

    def _renew(self) -> None:
        """Replace a worker that has run its number of episodes, one at a time.

        This goes on beside everything else: sessions are opened in it until its successor is up.
        """
        if self._renewing is not None and not self._renewing.done():
            return
        for worker in self._pool:
            if worker.stats and worker.stats.episodes >= self._settings.worker_episodes:
                self._renewing = asyncio.get_running_loop().create_task(self._replace(worker))
                return

    async def _replace(self, old: Supervisor) -> None:
        fresh = self._pooled()
        try:
            await fresh.start()
        except RuntimeError as error:
            log.error("worker.not_renewed", worker=old.name, reason=str(error))
            return
        self._pool[self._pool.index(old)] = fresh
        log.info("worker.renewed", worker=fresh.name, instead_of=old.name)
        if self._sessions.get(old):
            self._retired.add(old)
        else:
            self._leave(old)

    def _pooled(self) -> Supervisor:
        number = next(self._numbers)
        return self._supervisor(f"worker-{number}", self._launcher, f"{number}.sock")

    async def _own_worker(self, session_id: str) -> Supervisor:
        python = habitat_python()
        if python is None:
            raise WorkerPoolError(
                "no interpreter with habitat-sim is known: cohabit habitat use PYTHON"
            )
        options = (*self._options, "--habitat-dir", str(self._settings.habitat_dir.absolute()))
        launcher = LocalLauncher(self._settings.data_dir, options, str(python), self._secrets)
        # The end of an id is what differs; the whole of it is too long for a socket's path.
        worker = self._supervisor(f"habitat-{session_id}", launcher, f"h{session_id[-10:]}.sock")
        self._own[session_id] = worker
        try:
            await worker.start()
        except RuntimeError as error:
            self._own.pop(session_id, None)
            raise WorkerPoolError(str(error)) from error
        return worker

    def _supervisor(self, name: str, launcher: Launcher, socket_name: str) -> Supervisor:
        if self._folder is None:
            raise WorkerPoolError("the host is not started")
        worker: Supervisor
        worker = Supervisor(
            name,
            launcher,
            self._folder / socket_name,
            WorkerLoad(self._settings.late_limit_ms),
            on_up=lambda: self._on_up(worker),
            on_down=lambda at_work: self._on_down(worker, at_work),
            on_message=self._on_message,
        )
        return worker
