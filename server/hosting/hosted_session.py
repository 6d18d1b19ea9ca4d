"""Sessions as their host knows them.

Beside them, what players are told when something is wrong on our side.
"""

from __future__ import annotations

import asyncio
from enum import Enum, auto

from server.hosting.connections import Connection
from server.hosting.crash_blame import Death
from server.hosting.host_stats import SeatState, SessionPhase, SessionState
from server.hosting.supervisor import Supervisor
from server.ipc.messages import Opened, ToWorker
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.wire.messages import EpisodeOver, Notice

BROKEN = Notice("server", "This home broke and cannot go on. What you did is saved.")
UNRECORDED = Notice(
    "unrecorded", "We cannot save what happens right now. You can play on while we try again."
)
RECORDED = Notice("recorded", "Everything is saved again.")
RECONNECTING = Notice("reconnecting", "Something broke on our side. It goes on in a moment.")
RECONNECTED = Notice("reconnected", "It goes on.")


class HostError(Exception):
    """The host cannot do what was asked; the text says why, fit for a log and an operator."""


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


RUNNING = frozenset({HostingState.OPENING, HostingState.UP, HostingState.DOWN})
"""States of a session that its worker has, or will have."""


class HostedSession:
    """A session as its host knows it: who is connected, and the worker that runs it."""

    def __init__(self, spec: SessionSpec, episode: EpisodeSpec) -> None:
        self.spec = spec
        self.episode = episode
        self.worker: Supervisor | None = None
        self.state = HostingState.OPENING
        self.deaths: list[Death] = []
        """Recent deaths of its workers."""
        self.connections: dict[int, Connection] = {}
        self.seats_taken: set[str] = set()
        """Seats that have had a browser."""
        self.answer: asyncio.Future[Opened] | None = None
        self.closed = asyncio.Event()
        self.over: EpisodeOver | None = None
        self.unrecorded: Notice | None = None
        """Notice that players are given while the session cannot be recorded."""
        self.turn = asyncio.Lock()
        """Lock that lets orders to the worker through one at a time."""

    @property
    def is_up(self) -> bool:
        return self.state is HostingState.UP

    @property
    def has_failed(self) -> bool:
        return self.state is HostingState.FAILED

    def summary(self) -> SessionState:
        """Return the state of the session for operators."""
        seated = {connection.seat for connection in self.connections.values()}
        return SessionState(
            self.spec.session_id,
            self.episode.task_id,
            self._phase(),
            tuple(
                SeatState(s.seat.seat_id, s.policy, s.seat.seat_id in seated)
                for s in self.spec.seats
                if s.occupied
            ),
            sum(connection.seat is None for connection in self.connections.values()),
        )

    def _phase(self) -> SessionPhase:
        if self.has_failed:
            return "broken"
        if not self.is_up:
            return "reconnecting"
        return "playing" if self.over is None else "between tasks"

    def send(self, message: ToWorker) -> None:
        """Send to its worker, if it has one already."""
        if self.worker is not None:
            self.worker.send(message)

    def tell(self, notice: Notice) -> None:
        """Send a notice to everybody who is connected."""
        for connection in self.connections.values():
            connection.tell(notice)
