"""Supervisor of one worker process: starts it, watches it, starts it again when it dies.

Its sessions (to be opened again from their logs) are the host's business; this tells the host when
the worker is up and when it is down.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import structlog

from server.hosting.launchers import Launcher, WorkerProcess
from server.hosting.overload import WorkerLoad
from server.ipc import work_marker
from server.ipc.channel import ChannelError, WebChannel, web_side
from server.ipc.messages import Drain, FromWorker, Hi, ToWorker, WorkerStats

START_TIMEOUT_S = 90.0
"""Seconds in which a worker must come up; on a busy machine it takes more than thirty."""
SILENCE_S = 20.0
"""Seconds without a word after which a worker hangs; it sends its figures each second."""
STEADY_S = 60.0
"""Seconds after which a death was no crash on start: the next worker is started at once."""
FIRST_BACKOFF_S = 0.05
LONGEST_BACKOFF_S = 10.0
STOP_TIMEOUT_S = 5.0

log = structlog.get_logger(__name__)


class Supervisor:
    """Keeper of one worker after the other.

    Callbacks are called in the event loop and must not raise; ``on_down`` is told which sessions
    the worker was at work on when it died.
    """

    def __init__(
        self,
        name: str,
        launcher: Launcher,
        socket_path: Path,
        load: WorkerLoad,
        *,
        on_up: Callable[[], None],
        on_down: Callable[[frozenset[str]], None],
        on_message: Callable[[FromWorker], None],
    ) -> None:
        self.name = name
        self.stats: WorkerStats | None = None
        self.load = load
        self.restarts = 0
        self.process: WorkerProcess | None = None
        self._launcher = launcher
        self._socket_path = socket_path
        self._on_up, self._on_down, self._on_message = on_up, on_down, on_message
        self._channel: WebChannel | None = None
        self._task: asyncio.Task[None] | None = None
        self._heard_at = 0.0
        self._stopping = False
        self._first_up = asyncio.Event()
        self._problem = ""

    @property
    def is_up(self) -> bool:
        return self._channel is not None

    async def start(self) -> None:
        """Start the worker and wait until it is up. Raises RuntimeError when it does not come."""
        self._task = asyncio.create_task(self._supervise(), name=f"supervise {self.name}")
        try:
            await asyncio.wait_for(self._first_up.wait(), START_TIMEOUT_S)
        except TimeoutError:
            await self.stop()
            raise RuntimeError(
                f"session worker {self.name} does not start: {self._problem or 'no answer'}"
            ) from None

    async def stop(self) -> None:
        """Have the worker write its logs and end; kill it if it does not."""
        self._stopping = True
        if self._channel is not None:
            self._channel.send(Drain())
        elif self._task is not None:
            # Nothing runs that could be told: it is starting, or pauses after a crash.
            self._task.cancel()
        if self._task is not None:
            _, late = await asyncio.wait((self._task,), timeout=STOP_TIMEOUT_S)
            for task in late:
                task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def send(self, message: ToWorker) -> None:
        """Send a message; what is sent while the worker is down is lost."""
        if self._channel is not None:
            self._channel.send(message)

    async def _supervise(self) -> None:
        crashes = 0
        while not self._stopping:
            started = time.monotonic()
            try:
                await self._one_life()
            except (OSError, ChannelError, TimeoutError) as error:
                self._problem = f"{type(error).__name__}: {error}"
                if not self._stopping:
                    log.error("worker.died", worker=self.name, reason=self._problem)
            if self._stopping:
                return
            self.restarts += 1
            crashes = 0 if time.monotonic() - started >= STEADY_S else crashes + 1
            backoff_s = min(FIRST_BACKOFF_S * 4 ** (crashes - 1), LONGEST_BACKOFF_S)
            await asyncio.sleep(backoff_s if crashes else 0)

    async def _one_life(self) -> None:
        """Launch a worker and talk to it until it dies. Raises what ended it."""
        connected: asyncio.Future[WebChannel] = asyncio.get_running_loop().create_future()

        def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if connected.done():
                writer.close()
            else:
                connected.set_result(web_side(reader, writer))

        at_work_path = work_marker.path_beside(self._socket_path)
        for path in (self._socket_path, at_work_path):
            path.unlink(missing_ok=True)
        listener = await asyncio.start_unix_server(connect, self._socket_path)
        process: WorkerProcess | None = None
        channel: WebChannel | None = None
        try:
            process = self.process = await self._launcher.launch(self._socket_path)
            channel = await self._connection(process, connected)
            await self._converse(process, channel)
        finally:
            self._channel = None
            listener.close()
            if channel is not None:
                channel.close()
            if process is not None:
                await _end(process, self._stopping)
            if channel is not None and not self._stopping:
                self._on_down(work_marker.read(at_work_path))

    async def _connection(
        self, process: WorkerProcess, connected: asyncio.Future[WebChannel]
    ) -> WebChannel:
        ended = asyncio.ensure_future(process.wait())
        try:
            await asyncio.wait(
                (connected, ended), timeout=START_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED
            )
            if connected.done():
                return connected.result()
            if ended.done():
                raise ChannelError(f"it ended at once with status {ended.result()}")
            raise TimeoutError("it did not connect")
        finally:
            ended.cancel()

    async def _converse(self, process: WorkerProcess, channel: WebChannel) -> None:
        self._heard_at = time.monotonic()
        watchdog = asyncio.create_task(self._watch(process))
        try:
            while True:
                for message in await channel.receive():
                    self._heard_at = time.monotonic()
                    match message:
                        case Hi(pid):
                            log.info("worker.up", worker=self.name, pid=pid)
                            self._channel = channel
                            self._first_up.set()
                            self._on_up()
                        case WorkerStats():
                            self.stats = message
                            self.load.hear(message)
                        case _:
                            self._on_message(message)
        finally:
            watchdog.cancel()

    async def _watch(self, process: WorkerProcess) -> None:
        while True:
            await asyncio.sleep(1)
            if time.monotonic() - self._heard_at > SILENCE_S:
                log.error("worker.hangs", worker=self.name, silent_s=SILENCE_S)
                process.kill()
                return


async def _end(process: WorkerProcess, gently: bool) -> None:
    """See off a process whose channel is closed."""
    with contextlib.suppress(TimeoutError):
        if gently:
            await asyncio.wait_for(process.wait(), STOP_TIMEOUT_S)
    process.kill()
    await process.wait()
