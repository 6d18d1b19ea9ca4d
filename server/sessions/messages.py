"""Messages between the web process and a session worker (length-prefixed msgpack, one socket).

The web process owns people's sockets and the database; a worker owns sessions. A *connection* is
one browser socket; its id is chosen by the web process. A worker never waits for the web process.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from episodes.evaluation import Verdict
from server.sessions.spec import EpisodeSpec, SessionSpec

Codec = Literal["json", "msgpack"]


# Web to worker


class OpenSession(msgspec.Struct, frozen=True, tag="open"):
    """Start a session, or resume it from its log if ``resume`` and the log is there."""

    spec: SessionSpec
    episode: EpisodeSpec
    log_path: str
    resume: bool = False


class NextEpisode(msgspec.Struct, frozen=True, tag="next"):
    """Begin another episode in a session whose last one has ended (idempotent per episode id)."""

    session_id: str
    episode: EpisodeSpec


class CloseSession(msgspec.Struct, frozen=True, tag="close"):
    session_id: str
    reason: str


class Attach(msgspec.Struct, frozen=True, tag="attach"):
    """A browser has proven that it occupies ``seat`` (None: it only watches)."""

    session_id: str
    connection: int
    seat: str | None
    codec: Codec


class Detach(msgspec.Struct, frozen=True, tag="detach"):
    connection: int


class FromClient(msgspec.Struct, frozen=True, tag="in", array_like=True):
    """A client message that passed size, rate and schema checks, as msgpack."""

    connection: int
    payload: bytes


class Drained(msgspec.Struct, frozen=True, tag="drained", array_like=True):
    """The connection's outbox is empty again after `Behind`: send what it missed."""

    connection: int


class Behind(msgspec.Struct, frozen=True, tag="behind", array_like=True):
    """The connection reads too slowly: send it nothing until `Drained`."""

    connection: int


ToWorker = (
    OpenSession | NextEpisode | CloseSession | Attach | Detach | FromClient | Drained | Behind
)


# Worker to web


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    session_id: str
    episode_id: str
    resumed_tick: int | None = None
    lost_bytes: int = 0


class OpenFailed(msgspec.Struct, frozen=True, tag="open_failed"):
    session_id: str
    reason: str


class ToClients(msgspec.Struct, frozen=True, tag="out", array_like=True):
    """The same bytes for several connections: encoded once. ``binary`` chooses the frame type."""

    connections: tuple[int, ...]
    payload: bytes
    binary: bool


class EpisodeResult(msgspec.Struct, frozen=True, tag="result"):
    """An episode has ended. The web process stores it, then tells the players."""

    session_id: str
    episode_id: str
    task_id: str
    reason: str
    ticks: int
    """From start to end."""
    verdict: Verdict
    state_digest: str
    task_text: str


class WorkerStats(msgspec.Struct, frozen=True, tag="stats"):
    """Each second: what `/metrics` and the load program read."""

    pid: int
    sessions: int
    ticks: int
    late_ms_p50: float
    late_ms_p99: float
    tick_us_mean: float
    cpu_s: float
    rss_bytes: int


FromWorker = Opened | OpenFailed | ToClients | EpisodeResult | WorkerStats
