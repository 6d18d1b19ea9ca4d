"""What a session is made from. All that decides how it runs is here and in its log header."""

from __future__ import annotations

import msgspec

from episodes.seats import PAIR, Seat

TICK_RATE = 30
"""Simulation steps per second."""
TICK_S = 1.0 / TICK_RATE


class SeatSpec(msgspec.Struct, frozen=True):
    """A seat and whether somebody is to occupy it. An unoccupied body stands hidden."""

    seat: Seat
    occupied: bool


class EpisodeSpec(msgspec.Struct, frozen=True):
    """One episode: which task, which attempt, and its own id (``epi_…``)."""

    episode_id: str
    dataset: str
    """Path of the data set, relative to the data directory."""
    task_id: str
    try_index: int = 0
    time_limit_s: float | None = None


class SessionSpec(msgspec.Struct, frozen=True):
    """A session is opened with its first episode; later ones follow with `next_episode`."""

    session_id: str
    seats: tuple[SeatSpec, ...]
    seed: int
    simulator: str = "household"
    profile: str = "cohabit"
    semantics: str = "documented"
    end_on_success: bool = False
    reconnect_window_s: float = 30.0

    @classmethod
    def solo(cls, session_id: str, seed: int) -> SessionSpec:
        """One person in the human seat; the robot seat stays empty."""
        seats = tuple(SeatSpec(s, s.kind == "human") for s in PAIR)
        return cls(session_id, seats, seed)

    @classmethod
    def pair(cls, session_id: str, seed: int) -> SessionSpec:
        """Two occupants, one seat of each kind."""
        return cls(session_id, tuple(SeatSpec(s, True) for s in PAIR), seed)
