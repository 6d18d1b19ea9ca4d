"""A session worker: a process that runs many sessions for the web process.

    python -m server.worker.main --socket PATH --data-dir DIR

It ends when the web process does: a closed channel means to write all logs and exit. What goes
wrong in one session ends that session alone.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import resource
import signal
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import structlog

from server.ipc import work_marker
from server.ipc.channel import ChannelError, WorkerChannel, worker_side
from server.ipc.messages import (
    Attach,
    Behind,
    CloseSession,
    Detach,
    Drain,
    Drained,
    Ended,
    EndEpisode,
    Fill,
    FromClient,
    Hi,
    NextEpisode,
    Opened,
    OpenFailed,
    OpenSession,
    Recording,
    SessionEnded,
    ToClients,
    TooSlow,
    ToWorker,
    Vacate,
    WorkerStats,
)
from server.ipc.work_marker import WorkMarker
from server.logs import configure_logging
from server.robots.models.call_tally import CALLS
from server.robots.remote import hop
from server.sessions.evaluation import EVALUATIONS
from server.sessions.play_count import NO_PLAY, PlayCount
from server.sessions.spec import TICK_S
from server.wall_clock import wall_s
from server.worker import simulator_backends, tick_schedule
from server.worker.live_session import LiveSession
from server.worker.resident_memory import resident_bytes
from server.worker.session_loader import LoadedSession, OpenError, SessionLoader

STATS_S = 1.0
log = structlog.get_logger(__name__)


class Worker:
    """A worker: the sessions of one process, and the channel to the web process."""

    def __init__(
        self, channel: WorkerChannel, loader: SessionLoader, marker: WorkMarker | None = None
    ) -> None:
        self._channel = channel
        self._loader = loader
        self._marker = marker or WorkMarker()
        self._sessions: dict[str, LiveSession] = {}
        self._session_of: dict[int, LiveSession] = {}
        """The session of each connection."""
        self._schedule = tick_schedule.TickSchedule(time.monotonic())
        # One thread: sessions open in the order in which they were asked for.
        self._opener = ThreadPoolExecutor(1, thread_name_prefix="open")
        self._has_frozen = False
        self._episodes = 0
        self._log_bytes_of_closed = 0
        self._unrecorded: dict[str, str] = {}
        """The trouble with logs that the web process was told of, by session."""
        self._restored: dict[str, int] = {}
        self._logs_restored = 0
        """Number of times that the log of each session was removed and written again."""
        self._opening: set[asyncio.Task[None]] = set()
        self._unwanted: dict[str, bool] = {}
        """Whether each session that is being opened has been closed meanwhile."""

    async def run(self) -> None:
        """Serve until the web process says so or is gone. Whatever ends it, logs are written."""
        self._channel.send(Hi(os.getpid()))
        tasks = (
            asyncio.create_task(self._listen(), name="listener"),
            asyncio.create_task(
                tick_schedule.run(self._schedule, self._step, self._channel.flush), name="pacer"
            ),
            asyncio.create_task(self._tell_stats(), name="stats"),
        )
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (*tasks, *self._opening):
                task.cancel()
            self._close_all()
        for task in done:
            error = task.exception()
            if error is not None and not isinstance(error, ChannelError):
                raise error

    async def _listen(self) -> None:
        while True:
            for message in await self._channel.receive():
                if isinstance(message, Drain):
                    return
                self._take(message)

    def _take(self, message: ToWorker) -> None:
        match message:
            case FromClient(connection, payload):
                self._from_client(connection, payload)
            case OpenSession():
                self._start(self._open(message))
            case NextEpisode():
                self._start(self._next(message))
            case EndEpisode(session_id, reason):
                session = self._sessions.get(session_id)
                if session is not None:
                    session.core.end(reason)
            case Vacate(session_id, seat):
                session = self._sessions.get(session_id)
                if session is not None:
                    session.vacate(seat)
            case Fill(session_id, seat):
                session = self._sessions.get(session_id)
                if session is not None:
                    session.fill(seat)
            case CloseSession(session_id, reason):
                self._start(self._close(session_id, reason))
            case Attach():
                self._attach(message)
            case Detach(connection):
                session = self._session_of.pop(connection, None)
                if session is not None:
                    session.detach(connection)
            case Behind(connection) | Drained(connection):
                session = self._session_of.get(connection)
                if session is not None:
                    session.viewers.set_behind(connection, isinstance(message, Behind))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    # Sessions come and go

    async def _open(self, message: OpenSession) -> None:
        session_id = message.spec.session_id
        known = self._sessions.get(session_id)
        if known is not None:
            self._channel.send(Opened(session_id, known.episode_id))
            return
        loop = asyncio.get_running_loop()
        self._unwanted[session_id] = False
        try:
            loaded = await loop.run_in_executor(self._opener, self._load, message)
        except OpenError as error:
            log.warning("session.open_failed", session=session_id, reason=str(error))
            self._channel.send(OpenFailed(session_id, str(error), error.for_good))
            return
        finally:
            is_unwanted = self._unwanted.pop(session_id, False)
        session = loaded.session
        if is_unwanted:
            self._forget(session)
            return
        for seat in message.vacated:
            session.vacate(seat)
        self._sessions[session_id] = session
        self._episodes += 1
        self._schedule.add(session_id)
        if not self._has_frozen:
            # The first session brings the house and all code, which the collector need never
            # look at again.
            self._has_frozen = True
            gc.collect()
            gc.freeze()
        self._channel.send(
            Opened(
                session_id,
                session.episode_id,
                loaded.resumed_tick,
                loaded.lost_bytes,
                loaded.lost,
            )
        )
        if loaded.resumed_tick is not None:
            log.info("session.resumed", session=session_id, tick=loaded.resumed_tick,
                     lost_bytes=loaded.lost_bytes, lost_ticks=loaded.lost.ticks)  # fmt: skip
        self._tell_result(session)

    def _load(self, message: OpenSession) -> LoadedSession:
        with self._marker.opening(message.spec.session_id):
            return self._loader.load(message)

    async def _next(self, message: NextEpisode) -> None:
        session_id, episode = message.session_id, message.episode
        session = self._sessions.get(session_id)
        if session is None:
            self._channel.send(OpenFailed(session_id, "the session is not open"))
            return
        if session.episode_id != episode.episode_id:
            loop = asyncio.get_running_loop()
            try:
                task = await loop.run_in_executor(self._opener, self._loader.task, episode)
                with self._marker.playing(session_id):
                    session.begin(episode, task, wall_s())
                self._episodes += 1
            except (OpenError, ValueError) as error:
                self._channel.send(OpenFailed(session_id, str(error)))
                return
            except Exception as error:
                self._break(session, error)
                return
        self._channel.send(Opened(session_id, session.episode_id))

    async def _close(self, session_id: str, reason: str) -> None:
        session = self._sessions.get(session_id)
        lost = NO_PLAY
        if session is not None:
            lost = self._forget(session)
        elif session_id in self._unwanted:
            self._unwanted[session_id] = True
        self._channel.send(SessionEnded(session_id, reason, lost=lost))

    def _forget(self, session: LiveSession) -> PlayCount:
        """Close a session; return what of it could not be written to its log."""
        lost = NO_PLAY
        self._sessions.pop(session.session_id, None)
        self._schedule.remove(session.session_id)
        self._unrecorded.pop(session.session_id, None)
        self._restored.pop(session.session_id, None)
        for connection in [c for c, s in self._session_of.items() if s is session]:
            del self._session_of[connection]
        try:
            session.close(wall_s())
        except Exception as error:
            lost = session.unrecorded
            log.error(
                "session.close_failed",
                session=session.session_id,
                reason=str(error),
                lost_s=round(lost.ticks * TICK_S, 1),
            )
        self._log_bytes_of_closed += session.log_file.bytes_written
        return lost

    def _close_all(self) -> None:
        for session in list(self._sessions.values()):
            self._forget(session)
        self._opener.shutdown(wait=False, cancel_futures=True)

    def _break(self, session: LiveSession, error: Exception) -> None:
        """End one session that raised; the others know nothing of it."""
        log.error("session.broke", session=session.session_id, exc_info=error)
        result = session.core.failed_result()
        lost = self._forget(session)
        told = msgspec.structs.replace(result, lost_ticks=result.lost_ticks + lost.ticks)
        self._channel.send(Ended(told))
        reason = f"{type(error).__name__}: {error}"
        self._channel.send(SessionEnded(session.session_id, reason, failed=True, lost=lost))

    # Players

    def _attach(self, message: Attach) -> None:
        session = self._sessions.get(message.session_id)
        if session is None:
            return
        try:
            with self._marker.playing(message.session_id):
                session.attach(message.connection, message.seat, message.codec)
        except KeyError:
            log.warning("session.no_such_seat", session=message.session_id, seat=message.seat)
            return
        self._session_of[message.connection] = session

    def _from_client(self, connection: int, payload: bytes) -> None:
        session = self._session_of.get(connection)
        if session is None:
            return
        try:
            with self._marker.playing(session.session_id):
                session.receive(connection, payload)
        except ValueError as error:
            # Numbers beyond any house: the schema of the wire lets through what is only absurd.
            log.warning("session.odd_input", session=session.session_id, reason=str(error))
        except Exception as error:
            self._break(session, error)

    def _step(self, session_id: str, late_s: float) -> None:
        session = self._sessions.get(session_id)
        if session is None:
            return
        try:
            with self._marker.playing(session_id):
                for outgoing in session.step(wall_s(), late_s):
                    self._channel.put(ToClients(*outgoing, session.played))
        except Exception as error:
            self._break(session, error)
            return
        if session.result is not None:
            self._tell_result(session)

    def _tell_result(self, session: LiveSession) -> None:
        result = session.take_result()
        if result is not None:
            self._channel.put(Ended(result))

    async def _tell_stats(self) -> None:
        while True:
            await asyncio.sleep(STATS_S)
            pace = self._schedule.pace()
            usage = resource.getrusage(resource.RUSAGE_SELF)
            files = [session.log_file for session in self._sessions.values()]
            self._tell_of_logs()
            if pace.stretched_s > 0:
                log.warning("worker.overloaded", stretched_s=round(pace.stretched_s, 3))
            self._channel.send(
                WorkerStats(
                    pid=os.getpid(),
                    sessions=len(self._sessions),
                    ticks=pace.ticks,
                    late_ms_p50=pace.late_ms_p50,
                    late_ms_p99=pace.late_ms_p99,
                    tick_us_mean=pace.tick_us_mean,
                    cpu_s=usage.ru_utime + usage.ru_stime,
                    rss_bytes=resident_bytes(),
                    stretched_s=pace.stretched_s,
                    late_counts=pace.late_counts,
                    late_sum_s=pace.late_sum_s,
                    episodes=self._episodes,
                    log_bytes=self._log_bytes_of_closed + sum(f.bytes_written for f in files),
                    log_lag_s=max((s.log_lag_s for s in self._sessions.values()), default=0.0),
                    unrecorded=len(self._unrecorded),
                    unrecorded_s=TICK_S * sum(s.unrecorded.ticks for s in self._sessions.values()),
                    logs_restored=self._logs_restored,
                    model_calls=CALLS.answered.told(),
                    model_errors=CALLS.failed,
                    evaluations=EVALUATIONS.told(),
                )
            )
            for session in self._sessions.values():
                for connection in session.viewers.too_far_behind():
                    self._channel.send(TooSlow(connection))

    def _tell_of_logs(self) -> None:
        for session_id, session in self._sessions.items():
            problem = session.log_file.problem
            if session.log_file.restored > self._restored.get(session_id, 0):
                self._logs_restored += 1
                self._restored[session_id] = session.log_file.restored
                log.error("session.log_restored", session=session_id,
                          reason=session.log_file.restored_why)  # fmt: skip
            if problem == self._unrecorded.get(session_id, ""):
                continue
            if problem:
                self._unrecorded[session_id] = problem
                log.error("session.unrecorded", session=session_id, reason=problem)
            else:
                del self._unrecorded[session_id]
                log.info("session.recorded_again", session=session_id)
            self._channel.send(Recording(session_id, problem))


async def serve(socket_path: str, loader: SessionLoader, leaving: AsyncExitStack) -> None:
    """Connect to the web process and run until it is gone, then call ``leaving``.

    Ends the process where nobody listens: the web process went away while this one started.
    """
    try:
        reader, writer = await asyncio.open_unix_connection(socket_path)
    except OSError as error:
        log.warning("worker.not_wanted", socket=socket_path, reason=str(error))
        raise SystemExit(1) from None
    channel = worker_side(reader, writer)
    worker = Worker(channel, loader, WorkMarker(work_marker.path_beside(Path(socket_path))))
    try:
        await worker.run()
    finally:
        channel.close()
        await leaving.aclose()


def main() -> None:
    """Run the command line."""
    # Ctrl+C and the SIGTERM of some service managers reach all processes of the server. The web
    # process decides what they mean: episodes may have time to end. Without it we end by ourselves.
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    parser = argparse.ArgumentParser(description="Run sessions for the web process.")
    parser.add_argument("--socket", required=True, help="Unix socket of the web process")
    parser.add_argument("--data-dir", required=True, type=Path, help="data directory")
    parser.add_argument("--loading-timeout-s", type=float, default=120.0,
                        help="seconds that players may take to load")  # fmt: skip
    parser.add_argument("--habitat-dir", type=Path, help="folder of an exported Habitat data set")
    parser.add_argument("--log-json", action="store_true", help="log lines as JSON")
    parser.add_argument("--version", default="", help="code version that players are told")
    arguments = parser.parse_args()
    configure_logging(as_json=arguments.log_json)
    simulators = {"household": simulator_backends.household(arguments.data_dir)}
    if arguments.habitat_dir is not None:
        simulators["habitat"] = simulator_backends.habitat(arguments.habitat_dir)
    leaving = AsyncExitStack()
    loader = SessionLoader(
        arguments.data_dir,
        simulators,
        loading_timeout_s=arguments.loading_timeout_s,
        code_version=arguments.version,
        policies=simulator_backends.policies(leaving, hop.path_in(Path(arguments.socket).parent)),
    )
    # The collector's pauses are longer than a slot; the cycles it looks for hardly occur here.
    gc.set_threshold(50_000, 20, 100)
    try:
        import uvloop
    except ImportError:
        asyncio.run(serve(arguments.socket, loader, leaving))
    else:
        uvloop.run(serve(arguments.socket, loader, leaving))


if __name__ == "__main__":
    main()
