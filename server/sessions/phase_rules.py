"""The rules of when an episode starts, waits and ends: decided from the seats, nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET

from server.sessions.events import EndReason, LimitChanged, Presence
from server.sessions.spec import TICK_RATE, Ending
from server.sessions.state import EpisodeState, Seated

WAITED_FOR: frozenset[Presence] = frozenset({"away", "reconnecting"})


def _needed(seats: Mapping[str, Seated]) -> list[Seated]:
    """Return those who have a say: occupied seats whose occupant has not gone for good."""
    return [s for s in seats.values() if s.occupied and s.presence != "gone"]


def may_start(seats: Mapping[str, Seated]) -> bool:
    """Tell whether everybody who is still there is ready (and somebody is)."""
    needed = _needed(seats)
    return bool(needed) and all(s.presence == "ready" for s in needed)


def all_gone(seats: Mapping[str, Seated]) -> bool:
    """Tell whether all who were to play have gone for good; at most stand-ins are left."""
    anybody = False
    for seated in seats.values():
        if seated.occupied and (seated.stands_in or not seated.policy):
            if not seated.deserted:
                return False
            anybody = True
    return anybody


def all_finished(seats: Mapping[str, Seated]) -> bool:
    """Tell whether everybody who is still there has finished (and somebody is)."""
    anybody = False
    for seated in seats.values():
        if seated.occupied and seated.presence != "gone":
            if not seated.finished:
                return False
            anybody = True
    return anybody


def people_of(seats: Mapping[str, Seated]) -> list[Seated]:
    """Return the people who have a say, and the scripts that stand for one in a trial.

    Those for whom a policy plays are left out.
    """
    return [s for s in _needed(seats) if s.counts_as_person]


def robots_overdue(state: EpisodeState, ending: Ending) -> bool:
    """Tell whether people have been done for too long for policies to matter.

    They are since the last of those still there finished, or the last of the others left, whichever
    was later. A scripted person of a trial counts as one. Without people, and in sessions that are
    older than this rule, policies have all the time.
    """
    if ending.robot_wait_s is None:
        return False
    # Asked in every tick, and as a rule the first person has not finished.
    for s in state.seats.values():
        is_waited_for = s.finished_tick is UNSET and s.occupied and s.presence != "gone"
        if is_waited_for and s.counts_as_person:
            return False
    ticks = [s.finished_tick for s in people_of(state.seats) if s.finished_tick is not UNSET]
    if not ticks:
        return False
    ticks += [s.left_tick for s in state.seats.values() if s.left_tick is not UNSET]
    return state.tick - max(ticks) >= round(ending.robot_wait_s * TICK_RATE)


def is_waited_for(seats: Mapping[str, Seated]) -> bool:
    """Tell whether somebody is not there who may come back."""
    return any(s.occupied and s.presence in WAITED_FOR for s in seats.values())


def limit_ticks(time_limit_s: float | None) -> int | None:
    """Convert a time limit to ticks, at least one."""
    return None if time_limit_s is None else max(1, round(time_limit_s * TICK_RATE))


def end_of(state: EpisodeState, ticks: int, succeeded: bool) -> EndReason | None:
    """Return why a running episode ends at this tick; None: it goes on.

    ``ticks`` counts from its start.
    """
    if all_gone(state.seats):
        return "left"
    if all_finished(state.seats) or (
        state.ending is not UNSET and robots_overdue(state, state.ending)
    ):
        return "finished"
    if succeeded:
        return "success"
    if state.limit is not None and ticks >= state.limit and not state.clock_waits:
        return "time_limit" if state.limit == state.full_limit else "finished"
    return None


def limit_now(state: EpisodeState, ticks: int, finish_wait_s: float) -> LimitChanged | None:
    """Return the new limit where it changes with somebody's finish, else None.

    Once a person has finished, the others have only so long to finish too, unless that is taken
    back. Nobody can hold the others for longer. In older sessions a policy's finish counts alike.
    """
    if finish_wait_s <= 0:
        return None
    full, limit = state.full_limit, state.limit
    hurrying = _needed(state.seats) if state.ending is UNSET else people_of(state.seats)
    if any(s.finished for s in hurrying):
        if limit == full:
            soon = ticks + max(1, round(finish_wait_s * TICK_RATE))
            limit = soon if full is None else min(full, soon)
    else:
        limit = full
    return None if limit == state.limit else LimitChanged(limit, full)
