"""A session in a worker: core, log, view and the connections that look at it. No I/O but the log.

One tick goes through all of them in an order that matters (`server.sessions.tick_driver`): the log
has it before any player does.
"""

from __future__ import annotations

import msgspec

from episodes.dataset import Task
from server.recording.durable_file import DurableFile
from server.recording.log_writer import LogWriter
from server.sessions.chat import LONGEST_LINE
from server.sessions.core import SessionCore, Tick
from server.sessions.disclosure import told_programs
from server.sessions.events import PhaseChanged
from server.sessions.intents import Drive, Place
from server.sessions.play_count import PlayCount
from server.sessions.results import EpisodeResult
from server.sessions.spec import TICK_RATE, EpisodeSpec
from server.sessions.state import STILL
from server.sessions.tick_driver import TickDriver
from server.wire.codecs import CodecName
from server.wire.messages import (
    ClientMessage,
    DriveInput,
    Hello,
    PageStats,
    Ping,
    Pong,
    Preview,
    PreviewInput,
    RefusedEvent,
    Welcome,
)
from server.wire.quantise import metres3, mm3, radians, rotation_vector
from server.worker.attendance import Attendance
from server.worker.input_delays import Walks
from server.worker.input_timeout import InputTimeout
from server.worker.policy_seats import PolicyBuilder, PolicySeats
from server.worker.seen_people import SeenPeople
from server.worker.view.client_inputs import intents_of
from server.worker.view.house_snapshot import house_of
from server.worker.view.public_view import EpisodeInfo, PublicView
from server.worker.view.viewers import Outgoing, Viewers

ASSET_ROOT = "/assets"
BASIN = "basin"
"""The receptacle of furniture in which water stands."""
PACE_TICKS = 10 * TICK_RATE
_decode = msgspec.msgpack.Decoder(ClientMessage).decode


class LiveSession:
    """A session as a worker runs it.

    ``code_version`` is what `Welcome` tells, ``people`` whom all sessions of the worker
    have seen.
    """

    def __init__(
        self,
        core: SessionCore,
        log: LogWriter,
        *,
        loading_ticks: int,
        code_version: str,
        resumed: bool = False,
        policies: PolicyBuilder | None = None,
        people: SeenPeople | None = None,
    ) -> None:
        self.core = core
        self._log = log
        self._code_version = code_version
        self._loading_ticks = loading_ticks
        self.view = self._make_view()
        self.viewers = Viewers(self.view)
        self._attendance = Attendance(core, loading_ticks, resumed)
        self._input_timeout = InputTimeout()
        seen = people or SeenPeople()
        self._occupants = PolicySeats(core, policies or {}, seen)
        self._driver = TickDriver(core, self._occupants, log, self._publish)
        self.result: EpisodeResult | None = core.result() if core.phase == "ended" else None
        """The result of an ended episode that nobody has fetched yet; see `take_result`."""
        self._answers: list[Outgoing] = []
        self._walks = Walks(seen.inputs)
        self._page_stats: list[tuple[str, PageStats]] = []
        self._late_s: list[float] = []
        """Lateness of the ticks that the log does not tell of yet."""

    @property
    def session_id(self) -> str:
        return self.core.spec.session_id

    @property
    def episode_id(self) -> str:
        return self.core.episode_spec.episode_id

    def _make_view(self) -> PublicView:
        core = self.core
        info = EpisodeInfo(
            core.episode_spec.episode_id,
            core.task_text,
            core.profile,
            ASSET_ROOT,
            told_programs(core.spec),
        )
        house = house_of(core.simulator.scene, core.simulator.catalogue, core.names.labels)
        return PublicView(info, house, core.spec.seats, core.state, core.names.labels)

    # Connections

    def attach(self, connection: int, seat: str | None, codec: CodecName) -> None:
        """Let a browser join. Its welcome goes out at once, its snapshot with the next tick.

        Raises KeyError for a seat that the session does not have.
        """
        if seat is not None and seat not in self.core.seats:
            raise KeyError(seat)
        self.viewers.add(connection, seat, codec)
        welcome = Welcome(
            self.session_id,
            self.view.seat_number(seat),
            TICK_RATE,
            self._code_version,
            LONGEST_LINE,
            round(self.core.spec.reconnect_window_s),
        )
        self._answers += self.viewers.answer(connection, welcome)
        if seat is not None:
            self._attendance.arrive(seat, connection)

    def detach(self, connection: int) -> None:
        seat = self.viewers.seat(connection)
        self.viewers.remove(connection)
        if seat is not None:
            self._attendance.leave(seat, connection)

    def vacate(self, seat: str) -> None:
        """Let the others go on without a seat's participant, who has left for good."""
        self._attendance.vacate(seat)

    def fill(self, seat: str) -> None:
        """Have the stand-in play a seat whose participant is away, until they are back."""
        self._attendance.fill(seat)

    def receive(self, connection: int, payload: bytes) -> None:
        """Take a message from a browser. A watcher's is ignored, but for its ping."""
        message = _decode(payload)
        match message:
            case Ping():
                self._ping(connection, message)
                return
            case Hello():
                return
        seat = self.viewers.seat(connection)
        if seat is None:
            return
        if isinstance(message, PageStats):
            # The page says so by itself: it is no sign of anybody being there.
            self._page_stats.append((seat, message))
            return
        self._attendance.hear(seat)
        if isinstance(message, PreviewInput):
            self._preview(connection, seat, message)
            return
        if isinstance(message, DriveInput):
            self._walks.note(seat, message, self.core.tick)
        intents = intents_of(message, self.view)
        if isinstance(intents, RefusedEvent):
            self.view.refuse(seat, intents)
            return
        for intent in intents:
            if isinstance(intent, Drive):
                self._input_timeout.hear(seat, intent, self.core.tick)
            self.core.submit(seat, intent)

    def _ping(self, connection: int, ping: Ping) -> None:
        seat = self.viewers.seat(connection)
        if seat is not None and ping.idle_ms >= 0:
            self._attendance.report(seat, ping.idle_ms / 1000, ping.hidden)
        self._answers += self.viewers.answer(connection, Pong(ping.client_ms, self.core.tick))

    def _preview(self, connection: int, seat: str, asked: PreviewInput) -> None:
        place = Place(0, metres3(asked.point), radians(asked.yaw), self.view.handle(asked.target))
        part = None if asked.part < 0 else asked.part
        found = self.core.preview(seat, place, inside=asked.inside, part=part)
        position, rotation = asked.point, (0, asked.yaw, 0)
        if found.pose is not None:
            position = mm3(found.pose.position)
            rotation = rotation_vector(found.pose.rotation)
        where = self._landing(found.support)
        answer = Preview(asked.preview_id, found.fits, found.reason, position, rotation, where)
        self._answers += self.viewers.answer(connection, answer)

    def _landing(self, support: str) -> str:
        """Say on or in what something would be that rests there: ``in the counter``."""
        if not support:
            return ""
        surface = self.core.surfaces.by_name.get(support)
        within = surface is not None and surface.receptacle.kind == "within"
        label = self.view.place_label(support)
        if surface is not None and surface.receptacle.name == BASIN:
            # It lies open on top: nobody takes it for the doors below.
            return f"in the basin of the {label}"
        return f"{'in' if within else 'on'} the {label}"

    # Time

    def step(self, now: float, late_s: float | None = None) -> list[Outgoing]:
        """Make one tick and return what to send to whom; ``now`` is the wall clock for the log.

        ``late_s`` is how long after its time the tick begins (None: it has none).
        """
        core = self.core
        self._note_apparatus(now, late_s)
        self._attendance.look()
        for seat in self._input_timeout.stuck(core.tick):
            core.submit(seat, STILL)
        tick = self._driver.step(now)
        for event in tick.events:
            if isinstance(event, PhaseChanged) and event.phase == "ended":
                self.result = core.result()
        outgoing, self._answers = self._answers, []
        return outgoing + self.viewers.flush(sign_of_life=tick.tick % TICK_RATE == 0)

    def _note_apparatus(self, now: float, late_s: float | None) -> None:
        """Have the log say how the pages ran, and each ten seconds how well time was kept."""
        for seat, stats in self._page_stats:
            self._log.page(self.core, seat, stats, now)
        self._page_stats.clear()
        if late_s is not None:
            self._late_s.append(late_s)
        if len(self._late_s) >= PACE_TICKS:
            self._log.pace(self.core, self._late_s, now)
            self._late_s.clear()

    def _publish(self, tick: Tick) -> None:
        self.view.update(tick.tick, tick.changes, tick.events)

    def take_result(self) -> EpisodeResult | None:
        """Return the result of an episode that has just ended, once."""
        result, self.result = self.result, None
        return result

    def begin(self, episode_spec: EpisodeSpec, task: Task, now: float) -> None:
        """Go on to another episode. Raises ValueError while one is being played."""
        self.core.begin(episode_spec, task)
        self._log.open_episode(self.core, now)
        self.view = self._make_view()
        self.viewers.show(self.view)
        self._attendance.begin()
        self._occupants.begin()

    @property
    def log_file(self) -> DurableFile:
        """The file of the log, for whoever tells of trouble with it."""
        return self._log.file

    @property
    def log_lag_s(self) -> float:
        """Seconds of play since the oldest thing that should be in the log and is not."""
        return self._log.lag_s()

    @property
    def unrecorded(self) -> PlayCount:
        """Play that is in no log, because it cannot be written."""
        return self._log.unrecorded

    @property
    def played(self) -> PlayCount:
        """The play of the session so far."""
        return self._log.played

    def close(self, now: float) -> None:
        """Write the log to its end and release the simulator."""
        self._occupants.close()
        try:
            self._log.close(now)
        finally:
            self.core.close()
