"""Messages between the web process and a session worker (see `server.ipc.channel`).

The web process owns people's sockets and the database; a worker owns sessions. A *connection* is
one browser socket; its id is chosen by the web process. A worker never waits for the web process.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from server.durations import Durations
from server.sessions.events import EndReason
from server.sessions.play_count import NO_PLAY, PlayCount
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec

Codec = Literal["json", "msgpack"]


# Web to worker


class OpenSession(msgspec.Struct, frozen=True, tag="open", array_like=True):
    """An order to start a session, or to resume it if ``resume`` and its log is there.

    One that was ``played`` must have a log: without it nothing can be resumed, and nothing begins
    anew as if nobody had been there. ``shown`` is how far anybody was shown it, as far as the web
    process knows; the people of ``vacated`` seats have left for good. ``people`` are the
    participants of the seats, whose words are sealed in the log. Answered by `Opened` or
    `OpenFailed`.
    """

    spec: SessionSpec
    episode: EpisodeSpec
    log_path: str
    resume: bool = False
    played: bool = False
    shown: PlayCount = NO_PLAY
    vacated: tuple[str, ...] = ()
    people: dict[str, str] = {}


class NextEpisode(msgspec.Struct, frozen=True, tag="next", array_like=True):
    """An order to begin another episode in a session whose last one has ended.

    Idempotent per episode id. Answered by `Opened` or `OpenFailed`; a failure leaves the session as
    it was.
    """

    session_id: str
    episode: EpisodeSpec


class EndEpisode(msgspec.Struct, frozen=True, tag="end", array_like=True):
    """An order to end the episode that is being played; its result follows as `Ended`."""

    session_id: str
    reason: EndReason


class Vacate(msgspec.Struct, frozen=True, tag="vacate", array_like=True):
    """News that a seat's participant has left the session for good, between two episodes."""

    session_id: str
    seat: str


class Fill(msgspec.Struct, frozen=True, tag="fill", array_like=True):
    """An order to wait no longer for a seat's participant, who is away, and to have it played."""

    session_id: str
    seat: str


class CloseSession(msgspec.Struct, frozen=True, tag="close", array_like=True):
    """An order to write the log to its end and forget the session.

    Answered by `SessionEnded`.
    """

    session_id: str
    reason: str


class Attach(msgspec.Struct, frozen=True, tag="attach", array_like=True):
    """A browser that has proven that it occupies ``seat`` (None: it only watches)."""

    session_id: str
    connection: int
    seat: str | None
    codec: Codec


class Detach(msgspec.Struct, frozen=True, tag="detach", array_like=True):
    connection: int


class FromClient(msgspec.Struct, frozen=True, tag="in", array_like=True):
    """A client message that passed size, rate and schema checks, as msgpack."""

    connection: int
    payload: bytes


class Drained(msgspec.Struct, frozen=True, tag="drained", array_like=True):
    """News that the connection's outbox is empty again after `Behind`: send what it missed."""

    connection: int


class Behind(msgspec.Struct, frozen=True, tag="behind", array_like=True):
    """News that the connection reads too slowly: send it nothing until `Drained`."""

    connection: int


class Drain(msgspec.Struct, frozen=True, tag="drain", array_like=True):
    """An order to write all logs and exit: the server stops. The sessions can be resumed."""


ToWorker = (
    OpenSession
    | NextEpisode
    | EndEpisode
    | Vacate
    | Fill
    | CloseSession
    | Attach
    | Detach
    | FromClient
    | Drained
    | Behind
    | Drain
)


# Worker to web


class Hi(msgspec.Struct, frozen=True, tag="hi", array_like=True):
    """The worker's first message: it is ready for sessions."""

    pid: int


class Opened(msgspec.Struct, frozen=True, tag="opened", array_like=True):
    """A session that runs. ``lost`` was played after ``resumed_tick`` and then lost."""

    session_id: str
    episode_id: str
    resumed_tick: int | None = None
    lost_bytes: int = 0
    lost: PlayCount = NO_PLAY


class OpenFailed(msgspec.Struct, frozen=True, tag="open_failed", array_like=True):
    """A session that could not be opened; trying again helps unless it is ``for_good``."""

    session_id: str
    reason: str
    for_good: bool = False


class ToClients(msgspec.Struct, frozen=True, tag="out", array_like=True):
    """The same bytes for several connections, encoded once.

    ``binary`` chooses the frame type. They show the session as far as it is ``played``.
    """

    connections: tuple[int, ...]
    payload: bytes
    binary: bool
    played: PlayCount = NO_PLAY


class Ended(msgspec.Struct, frozen=True, tag="result", array_like=True):
    """The result of an episode that has ended. Sent again when an ended session is resumed."""

    result: EpisodeResult


class SessionEnded(msgspec.Struct, frozen=True, tag="ended", array_like=True):
    """News that the worker has forgotten a session: it was closed, or (``failed``) it broke.

    Its log is on disk either way, but for what is ``lost``: it could not be written to the end.
    """

    session_id: str
    reason: str
    failed: bool = False
    lost: PlayCount = NO_PLAY


class TooSlow(msgspec.Struct, frozen=True, tag="too_slow", array_like=True):
    """A connection that is further behind than anybody wants to read: close it."""

    connection: int


class Recording(msgspec.Struct, frozen=True, tag="recording", array_like=True):
    """News of a session's log: it can, or cannot, be written.

    ``problem`` says why it cannot (what happens is kept in memory and tried again); an empty one
    says that it can again and nothing is missing.
    """

    session_id: str
    problem: str


LATE_BUCKETS_S = (0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.033, 0.05, 0.1, 0.25, 1.0)
"""Upper bounds of the histogram of how late ticks began."""


class WorkerStats(msgspec.Struct, frozen=True, tag="stats", array_like=True):
    """The figures that `/metrics` and the load program read, sent each second.

    A worker that is silent for long hangs and is killed. ``late_ms`` is how long after its time a
    tick began, ``stretched_s`` by how much all sessions together fell behind real time in this
    second because the worker was overloaded.
    """

    pid: int
    sessions: int
    ticks: int
    late_ms_p50: float
    late_ms_p99: float
    tick_us_mean: float
    cpu_s: float
    rss_bytes: int
    stretched_s: float = 0.0
    late_counts: tuple[int, ...] = ()
    late_sum_s: float = 0.0
    episodes: int = 0
    """The episodes begun in this worker so far."""
    log_bytes: int = 0
    log_lag_s: float = 0.0
    unrecorded: int = 0
    unrecorded_s: float = 0.0
    """Seconds of play, of all sessions together, that are in no log now."""
    logs_restored: int = 0
    """Number of times that a log was removed or spoiled, and written again."""
    model_calls: Durations = Durations()
    """Answers of a model so far, in the buckets of `CALL_BOUNDS_S`."""
    model_errors: int = 0
    """Calls of a model so far that came to nothing."""
    evaluations: Durations = Durations()
    """Ticks at which the evaluator looked so far, in the buckets of `EVALUATION_BOUNDS_S`."""


FromWorker = (
    Hi | Opened | OpenFailed | ToClients | Ended | SessionEnded | TooSlow | Recording | WorkerStats
)
