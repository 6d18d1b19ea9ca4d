"""When an episode starts and when it ends: decided from the seats, nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from server.sessions.events import EndReason
from server.sessions.spec import TICK_RATE
from server.sessions.state import Seated


def _needed(seats: Mapping[str, Seated]) -> list[Seated]:
    """Those who have a say: occupied seats whose occupant has not gone for good."""
    return [s for s in seats.values() if s.occupied and s.presence != "gone"]


def may_start(seats: Mapping[str, Seated]) -> bool:
    """Everybody who is still there is ready (and somebody is)."""
    needed = _needed(seats)
    return bool(needed) and all(s.presence == "ready" for s in needed)


def all_gone(seats: Mapping[str, Seated]) -> bool:
    """Everybody who was to play has gone for good."""
    occupied = [s for s in seats.values() if s.occupied]
    return bool(occupied) and all(s.presence == "gone" for s in occupied)


def limit_ticks(time_limit_s: float | None) -> int | None:
    """A time limit in ticks, at least one."""
    return None if time_limit_s is None else max(1, round(time_limit_s * TICK_RATE))


def end_of(
    seats: Mapping[str, Seated], ticks: int, limit: int | None, succeeded: bool
) -> EndReason | None:
    """Why a running episode ends at this tick, if it does. ``ticks`` counts from its start."""
    needed = _needed(seats)
    if not needed:
        return "left" if all_gone(seats) else None
    if all(s.finished for s in needed):
        return "finished"
    if succeeded:
        return "success"
    if limit is not None and ticks >= limit:
        return "time_limit"
    return None
