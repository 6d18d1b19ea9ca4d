"""PARTNR's metrics (section 4.2.2 and appendix A.11 of its paper, and its human-study script)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, NamedTuple

from episodes.evaluation.hitl_metrics import study_metrics
from episodes.evaluation.percent_complete import is_study_success
from episodes.metrics.team import credit_shares, extraneous, is_pick, offloading, useful_actions
from episodes.trace import Trace


class Partnr(NamedTuple):
    """PARTNR's metrics of one episode. None is "undefined", which is never the same as zero.

    ``success``: percent complete is 1 (code), more than 0.99 (``success_study``: the human
    study). ``percent_complete``: the share of propositions satisfied and not invalidated.
    ``steps``: simulation steps until the end (paper, and the runner's ``sim_step_count``);
    ``steps_study``: without the leading and the trailing idle frames (the study's script).
    ``planning_cycles``: model calls of all seats; None without a model. ``offloading``: the
    robots' share of the sub-tasks, of successful episodes (paper): here of the propositions
    that count, by the seat credited; ``offloading_study``: of the rises of percent complete, by
    the script's rule (the human first, else the robot). ``extraneous``: accepted actions that
    did not raise percent complete, over all accepted actions (paper, section 4.2.2);
    ``extraneous_study``: the same over rises and placements only, for successful episodes
    (appendix A.11 and the script). ``exploration``: steps until the first object is picked
    (paper); ``exploration_study``: the script's, which takes the *last* event of a person, less
    the first idle run.
    """

    success: float | None
    success_study: float | None
    percent_complete: float | None
    steps: int
    steps_study: int
    planning_cycles: int | None
    offloading: float | None
    offloading_study: float | None
    extraneous: float | None
    extraneous_study: float | None
    exploration: int | None
    exploration_study: int


class SeatShare(NamedTuple):
    """Share of one seat in an episode.

    ``work_share``: the part of the counting propositions credited to it (None if none count).
    ``useful`` are accepted actions after which percent complete was higher than ever.
    """

    seat: str
    work_share: float | None
    actions: int
    refused: int
    useful: int
    extraneous: float | None
    first_pick: int | None
    planning_cycles: int | None
    distance_m: float


def partnr(trace: Trace) -> Partnr:
    """Compute all of PARTNR's metrics of an episode."""
    verdict = trace.verdict
    percent = verdict.percent_complete
    study = study_metrics(frames_of(trace))
    cycles = [s.planning_cycles for s in trace.seats if s.planning_cycles is not None]
    accepted = [a for a in trace.attempts if a.accepted]
    useful = useful_actions(trace)
    picks = [a.tick for a in accepted if is_pick(a)]
    return Partnr(
        success=None if verdict.success is None else float(verdict.success),
        success_study=None if percent is None else float(is_study_success(percent)),
        percent_complete=percent,
        steps=trace.ticks,
        steps_study=study.remaining_num,
        planning_cycles=sum(cycles) if cycles else None,
        offloading=offloading(trace) if verdict.success else None,
        offloading_study=study.ratio_agent_0,
        extraneous=extraneous(len(accepted), len(useful)),
        extraneous_study=study.ratio_extraneous_actions,
        exploration=min(picks, default=None),
        exploration_study=study.explore_steps,
    )


def seat_shares(trace: Trace) -> tuple[SeatShare, ...]:
    """Return every occupied seat's share, in the order of the session."""
    shares = credit_shares(trace)
    useful = Counter(a.seat for a in useful_actions(trace))
    found = []
    for seat in trace.seats:
        if not seat.occupied:
            continue
        mine = [a for a in trace.attempts if a.seat == seat.seat]
        accepted = [a for a in mine if a.accepted]
        count = useful[seat.seat]
        found.append(
            SeatShare(
                seat=seat.seat,
                work_share=shares.get(seat.seat),
                actions=len(accepted),
                refused=len(mine) - len(accepted),
                useful=count,
                extraneous=extraneous(len(accepted), count),
                first_pick=min((a.tick for a in accepted if is_pick(a)), default=None),
                planning_cycles=seat.planning_cycles,
                distance_m=seat.distance_m,
            )
        )
    return tuple(found)


def frames_of(trace: Trace) -> list[dict[str, Any]]:
    """Return the episode in the study's form: a frame per tick, empty where nothing happened.

    What human bodies do is the last user's, what robots do ``agent_states[0]``'s, as in PARTNR's
    recordings of a pair; user 0's as well where a person plays one of the robots. Without human
    bodies the robots are the user.
    """
    frames: list[dict[str, Any]] = [{} for _ in range(trace.ticks + 1)]
    robots = [s for s in trace.seats if s.kind == "robot" and s.occupied]
    humans = [s for s in trace.seats if s.kind == "human" and s.occupied]
    by_person = any(s.actor == "human" for s in robots) and bool(humans)
    users = {s.seat for s in humans or robots}
    agents = {s.seat for s in robots} - users
    ticks = {min(a.tick, trace.ticks) for a in trace.attempts if a.accepted}
    ticks |= {min(max(h.tick, 0), trace.ticks) for h in trace.happenings}
    # The script reads the result from the last frame.
    ticks.add(trace.ticks)
    events: dict[tuple[int, str], list[dict[str, str]]] = {}
    for attempt in trace.attempts:
        if attempt.accepted:
            key = (min(attempt.tick, trace.ticks), attempt.seat)
            events.setdefault(key, []).append({"type": attempt.verb.lower()})

    def done_by(seats: Collection[str], tick: int) -> dict[str, list[dict[str, str]]]:
        return {
            "events": [e for s in trace.occupied if s in seats for e in events.get((tick, s), [])]
        }

    percents = sorted(trace.percents, key=lambda p: p.tick)
    value, position = 0.0, 0
    for tick in sorted(ticks):
        while position < len(percents) and percents[position].tick <= tick:
            value = percents[position].value
            position += 1
        if tick == trace.ticks and trace.verdict.percent_complete is not None:
            value = trace.verdict.percent_complete
        mine, other = done_by(users, tick), done_by(agents, tick)
        frames[tick] = {
            "users": [other, mine] if by_person else [mine],
            "agent_states": [other, mine],
            "task_percent_complete": value,
            "t": tick,
        }
    return frames
