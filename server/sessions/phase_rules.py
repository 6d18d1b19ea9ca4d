"""The rules of when an episode starts, waits and ends: decided from the seats, nothing else."""

from __future__ import annotations

import math
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
    """Return the people who have a say, and the policies that stand for one.

    Those for whom a policy plays are left out.
    """
    return [s for s in _needed(seats) if s.counts_as_person]


def robots_overdue(state: EpisodeState, ending: Ending) -> bool:
    """Tell whether people have been done for too long for policies to matter.

    They are since the last of those still there finished, or the last of the others left, whichever
    was later. A policy that stands for a person counts as one. Without people, and in sessions that
    are older than this rule, policies have all the time.
    """
    end = _robots_end(state, ending)
    return end is not None and state.tick >= end


def _robots_end(state: EpisodeState, ending: Ending) -> int | None:
    """Return the session's tick up to which policies may finish; None: people decide, or nobody."""
    if ending.robot_wait_s is None or not state.people_have_finished:
        return None
    ticks = [s.finished_tick for s in people_of(state.seats) if s.finished_tick is not UNSET]
    if not ticks:
        return None
    ticks += [s.left_tick for s in state.seats.values() if s.left_tick is not UNSET]
    return max(ticks) + round(ending.robot_wait_s * TICK_RATE)


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


def next_look(state: EpisodeState) -> float:
    """Return the tick up to which a running episode goes on as it is if nothing happens.

    Seats change with events only, so that between those nothing but time can end or pause it. A
    waiting clock is looked at in every tick.
    """
    if state.clock_waits or state.started_tick is None:
        return 0
    ends: list[float] = [math.inf]
    if state.limit is not None:
        ends.append(state.started_tick + state.limit)
    if state.ending is not UNSET and (end := _robots_end(state, state.ending)) is not None:
        ends.append(end)
    return min(ends)


def limit_now(state: EpisodeState, ticks: int, finish_wait_s: float) -> LimitChanged | None:
    """Return the new limit where it changes with somebody's finish, else None.

    Once a person has finished, the others have only so long to finish too, unless that is taken
    back. Nobody can hold the others for longer. Once all people have, the policies have what
    `Ending` gives them. In older sessions a policy's finish counts like a person's, and policies
    have as long as people.
    """
    full, limit = state.full_limit, state.limit
    hurrying = _needed(state.seats) if state.ending is UNSET else people_of(state.seats)
    finished = [s for s in hurrying if s.finished]
    if not finished:
        limit = full
    elif finish_wait_s > 0 and limit == full:
        limit = _sooner(full, ticks + max(1, round(finish_wait_s * TICK_RATE)))
    if finished and state.ending is not UNSET and state.started_tick is not None:
        end = None if all_finished(state.seats) else _robots_end(state, state.ending)
        if end is not None:
            limit = _sooner(limit, max(1, end - state.started_tick))
        elif state.limit_of_programs and not state.people_have_finished:
            # Who takes it back has what they had from the finish of those who have not.
            limit = full
            known = [s.finished_tick for s in finished if s.finished_tick is not UNSET]
            if finish_wait_s > 0 and known:
                soon = min(known) - state.started_tick + round(finish_wait_s * TICK_RATE)
                limit = _sooner(full, max(1, soon))
    return None if limit == state.limit else LimitChanged(limit, full)


def _sooner(limit: int | None, ticks: int) -> int:
    return ticks if limit is None else min(limit, ticks)
