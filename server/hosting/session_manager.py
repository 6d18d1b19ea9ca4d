"""Manager of open sessions: opens them, goes on to the next task, stores verdicts, closes them.

The database is written first and people are told afterwards. Running a session is the host's
business; this decides which session gets which task, and closes those whose time is over.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

import msgspec
import structlog

from matchmaking.matches import Match
from matchmaking.study import Study
from server.hosting.episode_plans import EpisodePlans
from server.hosting.episode_turns import EpisodeTurns, NotBegunError, SessionGoneError
from server.hosting.ghost_consents import refuse_withdrawn
from server.hosting.hosted_session import HostError
from server.hosting.match_opening import MatchOpening, Patience
from server.hosting.operator_ends import OperatorEnds
from server.hosting.page_presence import PagePresence
from server.hosting.pulse import Pulse
from server.hosting.result_publisher import OnEnded, OnResult
from server.hosting.resumption import PATIENCE_S
from server.hosting.session_host import SessionHost
from server.hosting.session_plan import provenance, session_spec
from server.hosting.session_times import CLOSE_DELAY_S, SessionTimes
from server.hosting.task_series import SeriesError
from server.hosting.tidy_faults import TidyFaults
from server.hosting.unfinished_episodes import spec_of, unfinished_result
from server.hosting.verdict_waits import VerdictWaits
from server.sessions.events import LAST_REASONS, EndReason
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.settings import Settings
from server.store.attempts import attempt
from server.store.consents import permits_of
from server.store.database import Database
from server.store.episodes import store_result
from server.store.identifiers import new_id
from server.store.matches import MatchRecord
from server.store.models import EpisodeRow, SessionRow
from server.store.sessions import LeftSeat, close_session, open_sessions, people_in, vacated_seats
from server.store.tickets import end_all_live
from server.wall_clock import utc_now

log = structlog.get_logger(__name__)

PULSE_S = 5.0
VERDICT_WAIT_S = 3.0
RESUME_WAIT_S = 10.0
"""Longest time (s) for which pages wait until the sessions of the last process go on."""
DEFAULT_PATIENCE = Patience()


class MakeHost(Protocol):
    """Maker of the host of a manager; the host reports to the two callbacks."""

    def __call__(
        self, settings: Settings, on_result: OnResult, on_ended: OnEnded
    ) -> SessionHost: ...


class SessionManager:
    """Manager of open sessions; call `resume` at start and `keep` in a task of its own."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        server_version: str,
        make_host: MakeHost,
        now: Callable[[], datetime] = utc_now,
        clock: Callable[[], float] = time.monotonic,
        patience: Patience = DEFAULT_PATIENCE,
        studies: Sequence[Study] = (),
    ) -> None:
        """Wire a manager. ``studies`` say how the sessions of their groups go."""
        self._studies = {study.key: study for study in studies}
        self._settings, self._database = settings, database
        self._server_version, self._now, self._clock = server_version, now, clock
        self._pulse, self._faults = Pulse(settings.data_dir / "alive"), TidyFaults(clock)
        self._plans = EpisodePlans(settings, database, self._studies)
        self.tasks = self._plans.tasks
        self.host = make_host(settings, self.on_result, self.on_session_ended)
        self.pages = PagePresence(clock)
        self.given_back = 0
        """Number of sessions that were closed because no page of them asked for anything."""
        self._patience = patience
        self._times = SessionTimes(settings, clock)
        closing = self._times.is_closing
        self._opening = MatchOpening(database, self.host, now, closing, patience)
        self._close_listeners: list[Callable[[], None]] = []
        self._open: set[str] = set()
        self._resuming: set[asyncio.Task[bool]] = set()
        self._hosted: set[str] = set()
        """Sessions that the host may have; an open one that it has not is opened there when its
        next task begins, and one that is not open is closed there."""
        self._starting: dict[str, asyncio.Event] = {}
        """Sessions of matches that are not decided yet, with what tells that they are."""
        self._refusal: str | None = None
        self._turns = EpisodeTurns(database, self._plans, server_version, now, self._begin, closing)
        self._verdicts = VerdictWaits(database)
        self.operator_ends = OperatorEnds(
            database, self.host, self._times, self.is_open, self.episode, self._close
        )

    def on_close(self, listener: Callable[[], None]) -> None:
        """Have ``listener`` called whenever a session was closed.

        Its log is complete then, and its place is free.
        """
        self._close_listeners.append(listener)

    def free_places(self) -> int:
        """Return how many more sessions may open now; people wait in the lobby while it is none."""
        refusal = self.host.refusal()
        if refusal != self._refusal:
            self._refusal = refusal
            if refusal is None:
                log.info("sessions.open_again")
            else:
                log.warning("sessions.none_open", reason=refusal)
        if refusal:
            return 0
        # The lobby counts those that it has asked for itself.
        return self._settings.capacity - len((self._open | self._hosted) - self._starting.keys())

    def is_paused(self) -> bool:
        """Tell whether no session opens now, however many places are free."""
        return self.host.refusal() is not None

    def busy_s(self) -> int:
        """Return the seconds for which the machine has no time for more sessions, at least."""
        return self.host.busy_s()

    @property
    def untidy(self) -> int:
        """Number of sessions with which something went wrong that is tried again."""
        return self._faults.sessions

    def is_open(self, session_id: str) -> bool:
        """Tell whether a session holds one of the places."""
        return session_id in self._open

    # Opening

    async def start(self, match: Match, seed: int, n_waiting: int) -> str:
        """Open the session of a match with its first task and store it; return the session's id.

        Whatever it raises (HostError, MatchRefusedError), there is neither session nor match then.
        """
        try:
            episode, choice = await self._plans.first(match, seed)
        except SeriesError as error:
            raise HostError(str(error)) from error
        await refuse_withdrawn(self._database, match.team)
        study = None if match.study is None else self._studies[match.study]
        permits = None if study is None else await permits_of(self._database, match)
        spec = session_spec(self._settings, match, seed, study, permits)
        record = MatchRecord(
            new_id("mat"),
            match,
            seed,
            n_waiting,
            spec,
            episode.dataset,
            self._settings.member,
            episode,
            provenance(self._server_version, spec, choice),
        )
        decided = self._starting[spec.session_id] = asyncio.Event()
        self._hosted.add(spec.session_id)
        try:
            await self._opening.open(record)
            self._times.turned(spec.session_id)
            self._enter(spec.session_id)
        except Exception:
            await self._discard(spec.session_id)
            raise
        finally:
            del self._starting[spec.session_id]
            decided.set()
        return spec.session_id

    def _enter(self, session_id: str, *, had_socket: bool = False) -> None:
        self._open.add(session_id)
        self.pages.begin(session_id, had_socket=had_socket)

    async def _discard(self, session_id: str) -> None:
        """Close what the host may have opened for a match that came to nothing.

        Nobody was ever in it, so its log goes too.
        """
        try:
            await attempt(self.host.close_session(session_id, "failed"), self._patience.discard_s)
        except Exception as error:
            # It stays among the hosted, so `tidy` tries again.
            log.warning("session.close_failed", session=session_id, reason=repr(error))
            return
        self._hosted.discard(session_id)
        self._times.forget_closing(session_id)
        self.host.log_path(session_id).unlink(missing_ok=True)

    async def next(self, session_id: str, after: str, *, again: bool = False) -> None:
        """Begin the task after the episode ``after``, once, however many ask for it.

        Raises SessionGoneError if the session is closed or cannot go on.
        """
        try:
            if await self._turns.next(session_id, after, again=again):
                self._times.turned(session_id)
        except NotBegunError as error:
            await self._not_begun(session_id, error)
            raise SessionGoneError(session_id) from error

    async def _not_begun(self, session_id: str, error: NotBegunError) -> None:
        log.warning("session.next_failed", session=session_id, reason=str(error))
        await self._close(session_id, "failed")

    async def _begin(self, row: SessionRow, episode: EpisodeSpec) -> None:
        self._vacate(row)
        if row.session_id in self._hosted:
            await self.host.next_episode(row.session_id, episode)
        else:
            spec = msgspec.convert(row.spec, SessionSpec)
            await self.host.open(spec, episode, people=people_in(row))
            self._hosted.add(row.session_id)

    def _vacate(self, row: SessionRow) -> None:
        for seat_id in vacated_seats(row):
            self.host.vacate(row.session_id, seat_id)

    # Verdicts

    async def on_result(self, result: EpisodeResult) -> None:
        """Store the verdict. The host tells the players when this has returned."""
        decided = self._starting.get(result.session_id)
        if decided is not None:
            await decided.wait()
        async with self._database.transaction() as db:
            is_new = await store_result(db, result, self._now())
        self._verdicts.tell(result.episode_id)
        if is_new:
            self._times.turned(result.session_id)
            # How it came out is not said: whoever reads this log may run a study that is open.
            log.info("episode.ended", session=result.session_id, episode=result.episode_id)
        if result.reason in LAST_REASONS:
            self._close_soon(result.session_id, result.reason)

    async def episode(self, episode_id: str, wait_s: float | None = None) -> EpisodeRow | None:
        """Return an episode, None if unknown; waits for a verdict that is on its way.

        It waits ``wait_s``, or VERDICT_WAIT_S where none is said.
        """
        waits = VERDICT_WAIT_S if wait_s is None else wait_s
        return await self._verdicts.episode(episode_id, waits)

    async def on_session_ended(self, session_id: str, reason: str) -> None:
        """Close a session soon that the host cannot go on with.

        The host reports what the log says of its episode.
        """
        log.warning("session.broke", session=session_id, reason=reason)
        self._close_soon(session_id, "failed")

    def _close_soon(self, session_id: str, reason: str) -> None:
        if session_id in self._open or session_id in self._starting:
            self._times.close_after(session_id, CLOSE_DELAY_S, reason)

    def goes_on(self, session: SessionRow) -> bool:
        """Tell whether the same people may play another task in a session."""
        return session.state == "open" and not self._times.is_closing(session.session_id)

    # Restart

    async def resume(self) -> int:
        """Open again what ran when the last process ended; return how many sessions.

        Sessions go on if that was not long ago, and so do stays in the lobby; older ones are
        closed, their data is stored.
        """
        absence_s = self._pulse.absence_s()
        young = absence_s is not None and absence_s <= self._settings.resume_age_s
        async with self._database.transaction() as db:
            if not young:
                await end_all_live(db, self._now(), member=self._settings.member)
            rows, unreadable = await open_sessions(db, self._settings.member)
        for session_id in (*unreadable, *(row.session_id for row in rows)):
            # Its pages had sockets, which went with the last process.
            self._enter(session_id, had_socket=True)
        for session_id, error in unreadable.items():
            await self._faults.of(session_id, _raised(error), "session.resume_failed")
            self._close_soon(session_id, "failed")
        self._resuming = {asyncio.create_task(self._resume(row, young)) for row in rows}
        if not rows:
            return 0
        # What cannot be read yet is tried again for a while; the others need not wait for it.
        done, _ = await asyncio.wait(self._resuming, timeout=RESUME_WAIT_S)
        return sum(task.result() for task in done)

    async def _resume(self, row: SessionRow, young: bool) -> bool:
        """Go on with a session, or close it; where that fails, `tidy` closes it."""
        step = self._resume_or_close(row, young)
        goes_on = await self._faults.of(row.session_id, step, "session.resume_failed")
        if goes_on is None:
            self._close_soon(row.session_id, "failed" if young else "server_stopped")
        return bool(goes_on)

    async def _resume_or_close(self, row: SessionRow, young: bool) -> bool:
        last = row.episodes[-1]
        if not young or last.end_reason in LAST_REASONS:
            await self._close_old(row.session_id)
            return False
        if last.ended_at is not None:
            return True
        spec = msgspec.convert(row.spec, SessionSpec)
        self._hosted.add(row.session_id)
        self._vacate(row)
        # Its players may be there by now, and are told what its log says before it is closed.
        episode, people = spec_of(last, self._settings), people_in(row)
        await self.host.open(spec, episode, resume=True, played=True, people=people)
        log.info("session.resumed", session=row.session_id)
        return True

    async def _close_old(self, session_id: str) -> None:
        """Close a session of the last process that does not go on.

        A log that is not there may come back, as one that is tried for resuming may.
        """
        if self._settings.log_path(session_id).exists():
            await self._close(session_id, "server_stopped")
            return
        self._open.discard(session_id)
        self.pages.forget(session_id)
        self._times.close_after(session_id, PATIENCE_S, "server_stopped")

    def take_up(self, study: Study) -> None:
        """Take up a study that was opened meanwhile: how its sessions go."""
        self._studies[study.key] = study

    # Keeping house

    async def keep(self) -> None:
        """Close what nobody plays any more, and leave a sign of life; runs until cancelled."""
        while True:
            try:
                self._pulse.beat()
            except OSError as error:
                log.warning("server.no_pulse", reason=str(error))
            await self._faults.in_round(self.tidy())
            await asyncio.sleep(PULSE_S)

    async def tidy(self) -> None:
        """Close sessions whose time is over, that nobody follows, or that the host alone has."""
        known = (self._open | self._hosted) - self._starting.keys()
        async with self._database.transaction() as db:
            rows, unreadable = await open_sessions(db, self._settings.member)
        for session_id in self._turns.undecided:
            await self._faults.of(session_id, self._decide(session_id))
        playing_alone: list[SessionRow] = []
        for row in rows:
            await self._faults.of(row.session_id, self._tidy_one(row, playing_alone))
        await asyncio.gather(
            *(self._faults.of(row.session_id, self.end(row, "abandoned")) for row in playing_alone)
        )
        for session_id in known - {row.session_id for row in rows} - unreadable.keys():
            await self._faults.of(session_id, self._close(session_id, "finished"))

    async def _tidy_one(self, row: SessionRow, playing_alone: list[SessionRow]) -> None:
        is_abandoned = self.pages.is_abandoned(row.session_id, *self._times.kept_s(row))
        reason = self._times.over(row, is_abandoned)
        if reason is not None:
            await self._close(row.session_id, reason, given_back=is_abandoned)
        elif is_abandoned:
            playing_alone.append(row)

    async def _decide(self, session_id: str) -> None:
        try:
            await self._turns.decide(session_id)
        except NotBegunError as error:
            await self._not_begun(session_id, error)

    async def left(self, seats: Sequence[LeftSeat]) -> None:
        """Let the host know of seats whose people play elsewhere, as the database does.

        A session that nobody is left in is closed there.
        """
        for seat in seats:
            if seat.others_stay:
                self.host.vacate(seat.session_id, seat.seat_id)
            else:
                await self._close(seat.session_id, "finished")

    def seconds_left(self, row: SessionRow) -> int | None:
        """Return the seconds for which a session is still kept; None: a page of it is open."""
        left_s = self.pages.seconds_left(row.session_id, *self._times.kept_s(row))
        return None if left_s is None else round(left_s)

    async def end(self, row: SessionRow, reason: EndReason) -> None:
        """End the episode of a session, and close that unless its worker cannot answer now."""
        session_id = row.session_id
        self.host.end_episode(session_id, reason)
        episode = await self.episode(row.episodes[-1].episode_id)
        if episode is None or episode.ended_at is None or session_id not in self._open:
            return
        await self._close(
            session_id, episode.end_reason or reason, given_back=reason == "abandoned"
        )

    async def _close(self, session_id: str, reason: str, *, given_back: bool = False) -> None:
        """Close a session, once its log is written and what that says is stored.

        Whatever cannot be stored now leaves the session open, to be closed later.
        """
        if session_id in self._hosted:
            try:
                await self.host.close_session(session_id, reason)
                self._hosted.discard(session_id)
            except Exception as error:
                # Its row must not stay open; `tidy` tries again to close it in the host.
                log.warning("session.close_failed", session=session_id, reason=repr(error))
        salvaged = await unfinished_result(self._database, self._settings, session_id, reason)
        if salvaged is not None:
            await self.on_result(salvaged.result)
            self.host.losses.count_at_the_end(session_id, salvaged.lost)
        async with self._database.transaction() as db:
            await close_session(db, session_id, reason, self._now())
        self._open.discard(session_id)
        self.pages.forget(session_id)
        self._turns.forget(session_id)
        self._times.forget(session_id)
        self.given_back += given_back
        log.info("session.closed", session=session_id, reason=reason)
        for listener in self._close_listeners:
            listener()


async def _raised(error: Exception) -> None:
    """Raise an error that was caught where nothing could be done about it."""
    raise error
