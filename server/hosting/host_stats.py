"""Figures of the host, its workers and its sessions, for operators and the load program."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.hosting.seat_presence import SeatPresence
from server.ipc.messages import WorkerStats
from server.sessions.play_count import NO_PLAY, PlayCount

SessionPhase = Literal["playing", "between tasks", "reconnecting", "broken"]


class WorkerState(msgspec.Struct, frozen=True):
    name: str
    is_up: bool
    is_overloaded: bool
    restarts: int
    stretched_s: float
    stats: WorkerStats | None


class HostStats(msgspec.Struct, frozen=True):
    """Figures of a host; counts since its start, the rest as of now.

    ``bytes_out`` counts payloads that were handed to sockets, ``queued_bytes`` are those that wait
    there now. ``returns`` counts sockets that came to a seat which had one before, ``fell_behind``
    how often one read too slowly, ``ignored`` what players sent while their worker was away,
    ``publishing`` the verdicts that are not stored yet. ``unrecorded_s`` are the seconds of play
    that are in no log now, ``lost_seconds`` those that were shown to people and then lost, with
    ``lost_events`` acts and lines of chat.
    """

    sessions: int
    playing: int
    connections: int
    messages_out: int
    bytes_out: int
    queued_bytes: int
    returns: int
    fell_behind: int
    ignored: int
    publishing: int
    unrecorded: int
    unrecorded_s: float
    lost_seconds: float
    lost_events: int
    lost_sessions: int
    workers: tuple[WorkerState, ...]


class SeatState(msgspec.Struct, frozen=True):
    """A seat that is occupied.

    ``policy`` drives it from the start; empty: a person does, who is as ``presence`` says since
    ``for_s`` seconds ago.
    """

    seat_id: str
    policy: str = ""
    presence: SeatPresence = "expected"
    for_s: float = 0.0


class SessionState(msgspec.Struct, frozen=True):
    """A session; ``seats`` are the occupied ones, ``watchers`` the browsers that only look.

    It may be ``unrecorded`` now; ``lost`` was shown and then lost.
    """

    session_id: str
    task_id: str
    phase: SessionPhase
    seats: tuple[SeatState, ...]
    watchers: int
    unrecorded: bool = False
    lost: PlayCount = NO_PLAY
