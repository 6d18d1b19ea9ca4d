"""Sessions as their host knows them.

Beside them, what players are told when something is wrong on our side.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from enum import Enum, auto
from functools import reduce
from types import MappingProxyType

from msgspec import UNSET

from server.hosting.connections import Connection
from server.hosting.crash_blame import Death
from server.hosting.host_stats import SeatState, SessionPhase, SessionState
from server.hosting.losses import BROKEN, loss_notice
from server.hosting.resumption import Resumption
from server.hosting.seat_presence import SeatPresence, most_present
from server.hosting.supervisor import Supervisor
from server.ipc.messages import Opened, ToWorker
from server.sessions.play_count import NO_PLAY, PlayCount
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.wire.messages import EpisodeOver, Notice

EMPTY: Mapping[str, str] = MappingProxyType({})
UNRECORDED = Notice(
    "unrecorded", "We cannot save what happens right now. You can play on while we try again."
)
RECORDED = Notice("recorded", "Everything is saved again.")
RECONNECTING = Notice("reconnecting", "Something broke on our side. It goes on in a moment.")
RECONNECTED = Notice("reconnected", "It goes on.")


class HostError(Exception):
    """The host cannot do what was asked; the text says why, fit for a log and an operator."""


class UnansweredError(HostError):
    """Error for an order that the worker has not answered, and may carry out yet."""


class HostingState(Enum):
    """State of a session between its host and its worker."""

    OPENING = auto()
    """The worker has been told to open the session and has not answered."""
    UP = auto()
    """The worker runs the session."""
    DOWN = auto()
    """The worker is down; the session is resumed from its log in the next one."""
    ENDED = auto()
    """The worker has closed the session because it was told to."""
    FAILED = auto()
    """The session cannot go on; it stays only until it is closed."""


_FINAL = frozenset({HostingState.ENDED, HostingState.FAILED})
NEXT: Mapping[HostingState, frozenset[HostingState]] = {
    HostingState.OPENING: frozenset({HostingState.UP, HostingState.DOWN}) | _FINAL,
    HostingState.UP: frozenset({HostingState.DOWN}) | _FINAL,
    HostingState.DOWN: frozenset({HostingState.UP}) | _FINAL,
    HostingState.ENDED: frozenset(),
    HostingState.FAILED: frozenset(),
}
"""States that may follow each state.

An end is kept, whatever a worker still says of the session: news cross on their way, and a session
that failed has not ended because its worker forgets it afterwards.
"""


class HostedSession:
    """A session as its host knows it: who is connected, and the worker that runs it."""

    def __init__(
        self, spec: SessionSpec, episode: EpisodeSpec, people: Mapping[str, str] = EMPTY
    ) -> None:
        self.spec = spec
        self.people = dict(people)
        """Participants of the seats."""
        self.episode = episode
        self.hosted_at = time.monotonic()
        self.worker: Supervisor | None = None
        self._state = HostingState.OPENING
        self.deaths: list[Death] = []
        """Recent deaths of its workers."""
        self.connections: dict[int, Connection] = {}
        self.seats_taken: set[str] = set()
        """Seats that have had a browser."""
        self.left_at: dict[str, float] = {}
        """Times at which the last browser of a seat went."""
        self.answer: asyncio.Future[Opened] | None = None
        self.closed = asyncio.Event()
        self.over: EpisodeOver | None = None
        self.unrecorded: Notice | None = None
        """Notice that players are given while the session cannot be recorded."""
        self.broken = BROKEN
        """Notice that players are given once it cannot go on."""
        self._shown = NO_PLAY
        self._loss: Notice | None = None
        self._told_of_loss: set[str | None] = set()
        self.was_played = False
        """Whether it was open once: then it has a log, or has lost it."""
        self.resumption: Resumption | None = None
        """Attempts to go on from the log, while they fail."""
        self.next_attempt: asyncio.TimerHandle | None = None
        self.turn = asyncio.Lock()
        """Lock that lets orders to the worker through one at a time."""

    def one_way_s(self) -> float:
        """Return the time by which a player's messages are delayed each way in this episode."""
        delay_ms = self.episode.delay_ms
        return 0.0 if delay_ms is UNSET else delay_ms / 2000

    @property
    def state(self) -> HostingState:
        return self._state

    @property
    def is_up(self) -> bool:
        return self._state is HostingState.UP

    @property
    def is_down(self) -> bool:
        return self._state is HostingState.DOWN

    @property
    def has_failed(self) -> bool:
        return self._state is HostingState.FAILED

    @property
    def is_running(self) -> bool:
        """Whether its worker has it, or will have it."""
        return self._state not in _FINAL

    # Each of these tells whether the state is another one now.

    def opened(self) -> bool:
        """Take note that its worker runs it."""
        return self._enter(HostingState.UP)

    def lost_worker(self) -> bool:
        """Take note that its worker is down."""
        return self._enter(HostingState.DOWN)

    def ended(self) -> bool:
        """Take note that its worker has closed it."""
        return self._enter(HostingState.ENDED)

    def failed(self) -> bool:
        """Take note that it cannot go on."""
        return self._enter(HostingState.FAILED)

    def _enter(self, state: HostingState) -> bool:
        if state not in NEXT[self._state]:
            return False
        self._state = state
        return True

    def summary(self, lost: PlayCount) -> SessionState:
        """Return the state of the session for operators, with what was lost of it."""
        now = time.monotonic()
        return SessionState(
            self.spec.session_id,
            self.episode.task_id,
            self._phase(),
            tuple(
                SeatState(s.seat.seat_id, s.policy, *self.presence(s.seat.seat_id, now))
                for s in self.spec.seats
                if s.occupied
            ),
            sum(connection.seat is None for connection in self.connections.values()),
            self.unrecorded is not None,
            lost,
        )

    def presence(self, seat: str, now: float) -> tuple[SeatPresence, float]:
        """Return how present the person of a seat is, and the seconds since they are so."""
        mine = [c.presence(now) for c in self.connections.values() if c.seat == seat]
        if mine:
            return most_present(mine)
        left_at = self.left_at.get(seat)
        if left_at is None:
            return "expected", now - self.hosted_at
        return "gone", now - left_at

    def _phase(self) -> SessionPhase:
        if self.has_failed:
            return "broken"
        if not self.is_up:
            return "reconnecting"
        return "playing" if self.over is None else "between tasks"

    @property
    def shown(self) -> PlayCount:
        """The play that anybody was shown, as far as this process knows."""
        return reduce(PlayCount.at_least, (c.shown for c in self.connections.values()), self._shown)

    def was_shown(self, shown: PlayCount) -> None:
        """Note what somebody who is gone was shown."""
        self._shown = self._shown.at_least(shown)

    def resumed(self, lost: PlayCount) -> None:
        """Note that it goes on from what is recorded, after which some play was lost."""
        # What was shown beyond that is told as lost, and will be shown as something else.
        self._shown = NO_PLAY
        for connection in self.connections.values():
            connection.shown = NO_PLAY
        self._loss = loss_notice(lost.ticks)
        self._told_of_loss.clear()

    def tell_of_loss(self, connection: Connection) -> bool:
        """Tell a browser what was lost, each seat once; return whether something was."""
        if self._loss is None:
            return False
        if connection.seat not in self._told_of_loss:
            self._told_of_loss.add(connection.seat)
            connection.tell(self._loss)
        return True

    def begin(self, episode: EpisodeSpec) -> None:
        """Take the next episode, of which nothing is lost yet."""
        self.episode, self.over, self._loss = episode, None, None

    def send(self, message: ToWorker) -> None:
        """Send to its worker, if it has one already."""
        if self.worker is not None:
            self.worker.send(message)

    def tell(self, notice: Notice) -> None:
        """Send a notice to everybody who is connected."""
        for connection in self.connections.values():
            connection.tell(notice)

    def tell_broken(self, notice: Notice) -> None:
        """Tell everybody, and whoever comes later, what is known by now of the broken session."""
        self.broken = notice
        self.tell(notice)

    def break_off(self, reason: str) -> None:
        """Tell everybody who waits for an answer, or is connected, that it cannot go on."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(HostError(reason))
        self.tell(self.broken)
        for connection in self.connections.values():
            connection.expect_no_greeting()
