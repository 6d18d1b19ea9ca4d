"""MAP-THOR's metrics: section 2 of its notes (LLaMAR, section 5; the released code where named)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from episodes.dataset.model import Proposition
from episodes.dataset.vocabulary import GROUPS_ARG, PREDICATES
from episodes.metrics.team import (
    balance,
    coverage,
    credit_of,
    is_pick,
    joint_calls,
    joint_decisions,
    transport_rate,
)
from episodes.trace import Attempt, Trace
from episodes.world import PartMoved

MOST_STEPS: Final = 30


class MapThor(NamedTuple):
    """MAP-THOR's metrics of one episode; sub-tasks are the unrolled propositions that count.

    ``success``: all sub-tasks done. ``transport_rate``: done over all (paper);
    ``transport_rate_fine``: over the code's fine sub-tasks (go to, pick, carry, put for each
    object; open and close for each container), which a single missing ``close`` keeps below 1.
    ``coverage``: target entities with at least one successful interaction, over all (the
    paper's words as a set); ``coverage_attempted``: as in the released code, refused ones count
    too. ``balance``: min over (max + 1e-4) of the sub-tasks that each seat completed, every
    occupied seat present, undefined for one; ``balance_code``: of all accepted actions, seats
    without any left out, no epsilon (so that a single worker scores 1). ``steps``: the most acts
    of a seat's hands, at most 30, 30 for a failure; ``steps_to_stop``: the same without a cap.
    ``joint_steps`` and ``success_in_time`` are the paper's L and SR, where every seat's policy
    calls skills (else None): the most calls of a seat, at most 30, 30 for a failure; and success
    that took no seat more than 30 calls.
    """

    success: float | None
    transport_rate: float | None
    transport_rate_fine: float | None
    coverage: float | None
    coverage_attempted: float | None
    balance: float | None
    balance_code: float | None
    steps: int
    steps_to_stop: int
    joint_steps: int | None
    success_in_time: float | None


def map_thor(
    trace: Trace, propositions: Sequence[Proposition], most_steps: int = MOST_STEPS
) -> MapThor:
    """Compute all of MAP-THOR's metrics of an episode of a task."""
    seats = trace.occupied
    credit = credit_of(trace)
    accepted = [a for a in trace.attempts if a.accepted]
    active = [n for seat in seats if (n := sum(a.seat == seat for a in accepted))]
    by_code = None if len(seats) < 2 else min(active, default=0) / max(active, default=1)
    decisions = joint_decisions(trace)
    success = trace.verdict.success
    calls = joint_calls(trace)
    in_time = bool(success) and calls is not None and calls <= most_steps
    return MapThor(
        success=None if success is None else float(success),
        transport_rate=transport_rate(trace),
        transport_rate_fine=_fine(trace, propositions, accepted),
        coverage=coverage(propositions, accepted),
        coverage_attempted=coverage(propositions, trace.attempts),
        balance=balance([credit[seat] for seat in seats]),
        balance_code=by_code,
        steps=min(decisions, most_steps) if success else most_steps,
        steps_to_stop=decisions,
        joint_steps=None if calls is None else calls if in_time else most_steps,
        success_in_time=None if success is None or calls is None else float(in_time),
    )


def _fine(
    trace: Trace, propositions: Sequence[Proposition], accepted: Sequence[Attempt]
) -> float | None:
    total = done = 0
    good: dict[int, int] = {}
    for outcome in trace.verdict.propositions:
        good[outcome.original] = good.get(outcome.original, 0) + (
            outcome.satisfied and outcome.valid
        )
    picked = {a.target for a in accepted if is_pick(a)}
    acted = {a.target for a in accepted}
    containers: set[str] = set()
    for index, p in enumerate(propositions):
        signature = PREDICATES[p.function_name]
        number: Any = p.args.get("number", 1)
        names: list[str] = (
            [h for group in p.args[GROUPS_ARG] for h in group]
            if signature.is_clustered
            else p.args[signature.first]
        )
        count = number if isinstance(number, int) else sum(number)
        fulfilled = min(good.get(index, 0), count)
        if signature.state is not None:
            total += 2 * count
            reached = max(min(count, len(acted & set(names))), fulfilled)
            done += reached + fulfilled
            continue
        total += 4 * count
        begun = max(min(count, len(picked & set(names))), fulfilled)
        done += 2 * begun + 2 * fulfilled
        if signature.name == "is_inside":
            containers.update(p.args["receptacle_handles"])
    doors: dict[str, dict[int, float]] = {}
    for change in trace.start:
        if isinstance(change, PartMoved) and change.furniture in containers:
            doors.setdefault(change.furniture, {})[change.part] = change.value
    # Of alternative containers only those that were used count.
    used = {a.where.partition("|")[0] for a in accepted if a.where} & doors.keys()
    opened: set[str] = set()
    for happening in trace.happenings:
        change = happening.change
        if isinstance(change, PartMoved) and change.furniture in used:
            doors[change.furniture][change.part] = change.value
            if change.value:
                opened.add(change.furniture)
    total += 2 * len(used)
    done += len(opened) + sum(not any(doors[f].values()) for f in opened)
    return done / total if total else None
