"""Host of sessions in the web process: opens them in workers, relays frames, survives crashes.

Results go to ``on_result``, which stores the verdict; only then do players hear of the end.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import structlog

from server.hosting import crash_blame
from server.hosting.host_stats import HostStats
from server.hosting.hosted_session import (
    EMPTY,
    RECONNECTED,
    RECONNECTING,
    RECORDED,
    UNRECORDED,
    HostedSession,
    HostError,
    UnansweredError,
)
from server.hosting.launchers import Launcher
from server.hosting.losses import unrecorded_problem
from server.hosting.overload import TOO_SLOW, disk_problem
from server.hosting.relay import Relay
from server.hosting.result_publisher import OnEnded, OnResult, ResultPublisher
from server.hosting.resumption import PATIENCE_S, Resumption
from server.hosting.supervisor import Supervisor
from server.hosting.worker_pool import WorkerPool, WorkerPoolError
from server.ipc.messages import (
    Attach,
    CloseSession,
    Ended,
    EndEpisode,
    FromWorker,
    NextEpisode,
    Opened,
    OpenFailed,
    OpenSession,
    Recording,
    SessionEnded,
    ToClients,
    TooSlow,
)
from server.sessions.events import EndReason
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.settings import Settings
from server.wire.close_codes import CloseCode
from server.wire.messages import EpisodeOver

OPEN_TIMEOUT_S = 30.0
CLOSE_TIMEOUT_S = 5.0

log = structlog.get_logger(__name__)


class SessionHost(Relay):
    """Host of the running sessions; call `start` first and `stop` last, all in one event loop."""

    def __init__(
        self,
        settings: Settings,
        on_result: OnResult,
        on_ended: OnEnded,
        launcher: Launcher | None = None,
        version: str = "",
    ) -> None:
        super().__init__()
        self._settings = settings
        self._publisher = ResultPublisher(on_result, self._told)
        self._on_ended = on_ended
        self._workers = WorkerPool(
            settings,
            launcher,
            version,
            on_up=self._worker_up,
            on_down=self._worker_down,
            on_message=self._take,
        )
        self.switchboard = self._workers.switchboard
        self._is_draining = False

    # Life

    async def start(self) -> None:
        """Start the workers. Raises RuntimeError when one does not start."""
        try:
            await self._workers.start()
        except BaseException:
            await self.stop()
            raise

    def problems(self) -> list[str]:
        """Return what keeps sessions from being recorded, in words for operators."""
        reserve_bytes = round(self._settings.disk_reserve_mb * 1e6)
        disk = disk_problem(self._settings.recordings_dir, reserve_bytes)
        count = sum(h.unrecorded is not None for h in self._sessions.values())
        told = [unrecorded_problem(count, self._workers.unrecorded_s())] if count else []
        return told if disk is None else [disk, *told]

    def refusal(self) -> str | None:
        """Return why no new session should open now; None if one may."""
        if self._is_draining:
            return "the server is about to stop"
        return TOO_SLOW if self.busy_s() else next(iter(self.problems()), None)

    def busy_s(self) -> int:
        """Return the seconds for which the machine has no time for more; 0 where nobody plays."""
        return self._workers.busy_s() if self.playing() else 0

    def playing(self) -> int:
        """Return how many sessions have an episode that goes on."""
        return sum(h.over is None and not h.has_failed for h in self._sessions.values())

    def close_admission(self) -> None:
        """Open no more sessions: the server is to stop when the present ones have ended."""
        self._is_draining = True

    def drain(self) -> None:
        """Tell all players that the server goes away; their clients come back by themselves."""
        for connection in list(self._connections.values()):
            connection.outbox.close(CloseCode.GOING_AWAY, "the server is restarting")

    async def stop(self) -> None:
        """Have all logs written and the workers ended. The sessions can be resumed."""
        self.drain()
        await self._workers.stop()
        # A verdict that is being stored is worth waiting for.
        await self._publisher.finish(CLOSE_TIMEOUT_S)

    # Sessions

    async def open(
        self,
        spec: SessionSpec,
        episode: EpisodeSpec,
        *,
        resume: bool = False,
        played: bool = False,
        people: Mapping[str, str] = EMPTY,
    ) -> Opened:
        """Open a session, or resume it from its log. Raises HostError. Idempotent.

        One that was ``played`` is not resumed without its log; what of it cannot be read for a
        moment is tried again for a while. Who connects meanwhile waits.
        """
        hosted = self._sessions.get(spec.session_id)
        if hosted is not None and not hosted.has_failed:
            async with hosted.turn:
                if hosted.has_failed:
                    raise HostError("it could not be opened for who asked first")
                return Opened(spec.session_id, hosted.episode.episode_id)
        hosted = HostedSession(spec, episode, people)
        hosted.was_played = played
        self._sessions[spec.session_id] = hosted
        async with hosted.turn:
            try:
                await self._give_worker(hosted)
                return await self._order(hosted, self._open_message(hosted, resume))
            except BaseException as error:
                if played and isinstance(error, HostError):
                    # Its players may be here by now.
                    self._fail(hosted, str(error))
                    raise
                if not isinstance(error, HostError) or isinstance(error, UnansweredError):
                    # The worker may still be at it, and must not play for nobody.
                    hosted.send(CloseSession(spec.session_id, "failed"))
                hosted.failed()
                self._sessions.pop(spec.session_id, None)
                self._workers.release(spec.session_id)
                raise

    async def _give_worker(self, hosted: HostedSession) -> None:
        try:
            hosted.worker = await self._workers.assign(hosted.spec)
        except WorkerPoolError as error:
            raise HostError(str(error)) from error

    async def next_episode(self, session_id: str, episode: EpisodeSpec) -> Opened:
        """Begin another episode. Raises HostError. Idempotent per episode id."""
        hosted = self._sessions.get(session_id)
        if hosted is None or not hosted.is_running:
            raise HostError(f"session {session_id} is not open")
        async with hosted.turn:
            if hosted.episode.episode_id == episode.episode_id:
                return Opened(session_id, episode.episode_id)
            before = hosted.episode
            hosted.begin(episode)
            try:
                return await self._order(hosted, NextEpisode(session_id, episode))
            except HostError:
                hosted.episode = before
                raise

    def end_episode(self, session_id: str, reason: EndReason) -> None:
        """Have the episode end that is being played; its result is published as always.

        Idempotent, and without effect while the session has no worker.
        """
        hosted = self._sessions.get(session_id)
        if hosted is not None and hosted.is_up:
            hosted.send(EndEpisode(session_id, reason))

    async def close_session(self, session_id: str, reason: str) -> None:
        """End a session and say good-bye to everybody in it. Idempotent."""
        hosted = self._sessions.get(session_id)
        if hosted is None:
            return
        if hosted.is_up:
            hosted.send(CloseSession(session_id, reason))
            try:
                await asyncio.wait_for(hosted.closed.wait(), CLOSE_TIMEOUT_S)
            except TimeoutError:
                log.warning("session.close_unanswered", session=session_id)
        self._remove(hosted, reason)

    def _open_message(self, hosted: HostedSession, resume: bool) -> OpenSession:
        return OpenSession(
            hosted.spec,
            hosted.episode,
            str(self.log_path(hosted.spec.session_id)),
            resume,
            hosted.was_played,
            hosted.shown,
            tuple(sorted(self._vacated.get(hosted.spec.session_id, ()))),
            hosted.people,
        )

    def log_path(self, session_id: str) -> Path:
        """Return the path of a session's log."""
        return self._settings.log_path(session_id)

    async def _order(self, hosted: HostedSession, message: OpenSession | NextEpisode) -> Opened:
        """Give an order to the worker and wait for its answer. Raises HostError.

        While the worker is down nothing is lost: the session is opened, with this episode, when it
        is up again.
        """
        worker = hosted.worker
        assert worker is not None
        hosted.answer = asyncio.get_running_loop().create_future()
        if worker.is_up:
            worker.send(message)
        else:
            hosted.lost_worker()
        patience_s = PATIENCE_S if hosted.was_played else 0.0
        try:
            return await asyncio.wait_for(hosted.answer, OPEN_TIMEOUT_S + patience_s)
        except TimeoutError:
            raise UnansweredError(f"no answer from {worker.name}") from None
        finally:
            hosted.answer = None

    def _remove(self, hosted: HostedSession, reason: str) -> None:
        self._sessions.pop(hosted.spec.session_id, None)
        self._vacated.pop(hosted.spec.session_id, None)
        self._workers.release(hosted.spec.session_id)
        for connection in hosted.connections.values():
            self._connections.pop(connection.number, None)
            connection.outbox.close(CloseCode.DONE, f"the session is over: {reason}")
        hosted.connections.clear()

    # Workers

    def _worker_up(self, worker: Supervisor) -> None:
        for hosted in self._sessions.values():
            if hosted.worker is worker and hosted.is_down:
                worker.send(self._open_message(hosted, resume=True))

    def _worker_down(self, worker: Supervisor, at_work: frozenset[str]) -> None:
        now = time.monotonic()
        hit = {
            session_id: hosted
            for session_id, hosted in self._sessions.items()
            if hosted.worker is worker and hosted.is_running
        }
        for session_id, hosted in hit.items():
            hosted.lost_worker()
            death = crash_blame.Death(now, session_id in at_work)
            hosted.deaths = [*crash_blame.recent(hosted.deaths, now), death]
        log.info("worker.left", worker=worker.name, sessions=len(hit), at_work=sorted(at_work))
        culprits, moving = crash_blame.find({s: hosted.deaths for s, hosted in hit.items()})
        for session_id, hosted in hit.items():
            if session_id in culprits:
                self._fail(hosted, "its worker died of it twice within a minute")
            else:
                hosted.tell(RECONNECTING)
        if moving:
            self._part(worker, [hit[session_id] for session_id in sorted(moving)])

    def _part(self, worker: Supervisor, moving: list[HostedSession]) -> None:
        """Move some sessions away from a worker that dies again and again in one of its own."""
        try:
            fresh = self._workers.part(hosted.spec.session_id for hosted in moving)
        except WorkerPoolError as error:
            for hosted in moving:
                self._fail(hosted, f"its worker dies again and again: {error}")
            return
        log.warning("worker.parted", worker=worker.name, into=fresh.name, sessions=len(moving))
        for hosted in moving:
            hosted.worker = fresh
        self._publisher.start(self._start_parted(fresh, moving))

    async def _start_parted(self, fresh: Supervisor, moving: list[HostedSession]) -> None:
        try:
            await fresh.start()
        except RuntimeError as error:
            for hosted in moving:
                if hosted.worker is fresh and self.is_open(hosted.spec.session_id):
                    self._fail(hosted, str(error))

    def _take(self, message: FromWorker) -> None:
        match message:
            case ToClients():
                self._deliver(message)
            case Opened(session_id):
                self._opened(session_id, message)
            case OpenFailed():
                self._open_failed(message)
            case Ended(result):
                self._publisher.publish(result)
            case SessionEnded():
                self._session_ended(message)
            case Recording(session_id, problem):
                self._recording(session_id, problem)
            case TooSlow(number):
                self._hang_up(number)

    def _opened(self, session_id: str, message: Opened) -> None:
        hosted = self._sessions.get(session_id)
        if hosted is None or hosted.has_failed:
            return
        returned = hosted.is_down or hosted.resumption is not None
        hosted.was_played, hosted.resumption = True, None
        if message.resumed_tick is not None:
            hosted.resumed(message.lost)
            self.losses.count(session_id, message.lost)
        if hosted.opened():
            for connection in hosted.connections.values():
                hosted.send(
                    Attach(session_id, connection.number, connection.seat, connection.codec)
                )
                if not hosted.tell_of_loss(connection) and returned:
                    connection.tell(RECONNECTED)
        if hosted.answer is not None and not hosted.answer.done():
            hosted.answer.set_result(message)

    def _open_failed(self, failure: OpenFailed) -> None:
        hosted, reason = self._sessions.get(failure.session_id), failure.reason
        if hosted is None:
            return
        if hosted.was_played and not hosted.is_up:
            self._resume_failed(hosted, failure)
        elif hosted.answer is not None and not hosted.answer.done():
            hosted.answer.set_exception(HostError(reason))
        elif not hosted.is_up:
            self._fail(hosted, f"it could not be resumed: {reason}")

    def _resume_failed(self, hosted: HostedSession, failure: OpenFailed) -> None:
        """Try again in a moment: what a session goes on from may come back."""
        session_id, now = failure.session_id, time.monotonic()
        if hosted.resumption is None:
            hosted.resumption = Resumption(now)
            hosted.tell(RECONNECTING)
        pause_s = None if failure.for_good else hosted.resumption.pause_s(now)
        if pause_s is None:
            self._fail(hosted, f"it could not be resumed: {failure.reason}")
            return
        log.warning("session.resume_retried", session=session_id, reason=failure.reason)
        if hosted.next_attempt is not None:
            hosted.next_attempt.cancel()
        loop = asyncio.get_running_loop()
        hosted.next_attempt = loop.call_later(pause_s, self._resume_again, hosted, hosted.worker)

    def _resume_again(self, hosted: HostedSession, worker: Supervisor | None) -> None:
        # A worker that has died since is told when it is up again.
        if hosted.worker is worker and hosted.resumption is not None and hosted.is_running:
            hosted.send(self._open_message(hosted, resume=True))

    def _recording(self, session_id: str, problem: str) -> None:
        hosted = self._sessions.get(session_id)
        if hosted is None:
            return
        hosted.unrecorded = UNRECORDED if problem else None
        hosted.tell(hosted.unrecorded or RECORDED)

    def _session_ended(self, message: SessionEnded) -> None:
        hosted = self._sessions.get(message.session_id)
        if hosted is None:
            return
        self.losses.count_at_the_end(message.session_id, message.lost)
        if message.failed:
            self._give_up(hosted, message.reason)
        else:
            hosted.ended()
        hosted.closed.set()

    # Ends

    def _fail(self, hosted: HostedSession, reason: str) -> None:
        """End a session that cannot go on, with the result that its log says."""
        if self._give_up(hosted, reason):
            path, told = self.log_path(hosted.spec.session_id), partial(self._salvaged, hosted)
            self._publisher.publish_from_log(path, hosted.spec, hosted.episode, hosted.shown, told)

    def _give_up(self, hosted: HostedSession, reason: str) -> bool:
        """Tell everybody that a session cannot go on; return whether that was news."""
        if not hosted.failed():
            return False
        session_id = hosted.spec.session_id
        log.error("session.failed", session=session_id, reason=reason)
        hosted.break_off(reason)
        self._publisher.start(self._on_ended(session_id, reason))
        return True

    def _told(self, result: EpisodeResult) -> None:
        hosted = self._sessions.get(result.session_id)
        if hosted is None or hosted.episode.episode_id != result.episode_id:
            return
        hosted.over = EpisodeOver(result.episode_id, result.reason)
        for connection in hosted.connections.values():
            connection.tell_over(hosted.over)

    def stats(self) -> HostStats:
        """Return the figures for `/metrics` and the load program."""
        return HostStats(
            sessions=len(self._sessions),
            playing=self.playing(),
            connections=len(self._connections),
            messages_out=self._messages_out,
            bytes_out=self._bytes_out,
            queued_bytes=sum(c.outbox.waiting_bytes for c in self._connections.values()),
            returns=self._returns,
            fell_behind=self._fell_behind,
            ignored=self._ignored,
            publishing=self._publisher.waiting,
            unrecorded=sum(h.unrecorded is not None for h in self._sessions.values()),
            unrecorded_s=self._workers.unrecorded_s(),
            lost_seconds=self.losses.seconds,
            lost_events=self.losses.events,
            lost_sessions=self.losses.sessions,
            workers=self._workers.states(),
        )
