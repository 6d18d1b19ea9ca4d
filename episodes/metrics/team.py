"""Measures of a team, defined once for any number of bodies; for a pair they are the papers'.

PARTNR measures a robot and a person, MAP-THOR two to five robots. Here each measure is one formula
over the seats of an episode, for the team and for each seat; `episodes.metrics.partnr` and
`episodes.metrics.mapthor` name the papers' readings of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from episodes.dataset.model import Proposition
from episodes.dataset.vocabulary import GROUPS_ARG, PREDICATES
from episodes.evaluation.verdict import PropositionChange
from episodes.trace import Attempt, Percent, Trace

EPSILON: Final = 1e-4
LATE_TICKS = 2
"""Ticks after an action in which a proposition that waits for another may still be recorded."""


class SeatMeasures(NamedTuple):
    """Measures of one seat. None is "undefined", which is never the same as zero.

    ``credit_share``: of the propositions that count and are credited to anybody, the share credited
    to it; the shares of a team add up to 1. ``transport_rate``: those credited to it, over all
    propositions. ``coverage``: target entities that it interacted with, over all; several seats may
    cover the same one. ``extraneous``: its accepted actions that did not raise percent complete,
    over its accepted actions. ``decisions``: its actions, refused ones too. ``blocked_s``: the
    seconds for which it pushed bodies that stood in its way, where bodies block.
    """

    seat: str
    credit_share: float | None
    transport_rate: float | None
    coverage: float | None
    extraneous: float | None
    actions: int
    useful: int
    decisions: int
    blocked_s: float | None


class TeamMeasures(NamedTuple):
    """Measures of all occupied seats together, and of each in the order of the session.

    ``offloading``: the sum of the robots' credit shares, whatever the outcome (PARTNR counts
    successes only). ``balance``: of the propositions that each seat completed. ``decisions``:
    joint ones: the most that any seat took, as all decide at the same time.
    """

    bodies: int
    transport_rate: float | None
    coverage: float | None
    offloading: float | None
    extraneous: float | None
    balance: float | None
    decisions: int
    seats: tuple[SeatMeasures, ...]


def team_measures(trace: Trace, propositions: Sequence[Proposition]) -> TeamMeasures:
    """Compute the measures of an episode of a task."""
    shares = credit_shares(trace)
    credit = credit_of(trace)
    useful = Counter(a.seat for a in useful_actions(trace))
    blocked = {s.seat: s.blocked_s for s in trace.seats}
    total = len(trace.verdict.propositions)
    seats = []
    for seat in trace.occupied:
        mine = [a for a in trace.attempts if a.seat == seat]
        accepted = [a for a in mine if a.accepted]
        seats.append(
            SeatMeasures(
                seat=seat,
                credit_share=shares.get(seat),
                transport_rate=credit[seat] / total if total else None,
                coverage=coverage(propositions, accepted),
                extraneous=extraneous(len(accepted), useful[seat]),
                actions=len(accepted),
                useful=useful[seat],
                decisions=len(mine),
                blocked_s=blocked[seat],
            )
        )
    accepted = [a for a in trace.attempts if a.accepted]
    return TeamMeasures(
        bodies=len(seats),
        transport_rate=transport_rate(trace),
        coverage=coverage(propositions, accepted),
        offloading=offloading(trace),
        extraneous=extraneous(len(accepted), useful.total()),
        balance=balance([credit[s] for s in trace.occupied]),
        decisions=joint_decisions(trace),
        seats=tuple(seats),
    )


# What became true, and through whom


def transport_rate(trace: Trace) -> float | None:
    """Return the share of propositions that were satisfied and not invalidated."""
    outcomes = trace.verdict.propositions
    done = sum(p.satisfied and p.valid for p in outcomes)
    return done / len(outcomes) if outcomes else None


def credit_of(trace: Trace) -> Counter[str]:
    """Count the propositions that count, by the seat that they are credited to."""
    return Counter(
        p.by_seat
        for p in trace.verdict.propositions
        if p.satisfied and p.valid and p.by_seat is not None
    )


def credit_shares(trace: Trace) -> dict[str, float]:
    """Return the share of the credit that each occupied seat has; empty where nobody has any."""
    credit = credit_of(trace)
    total = credit.total()
    return {seat: credit[seat] / total for seat in trace.occupied} if total else {}


def offloading(trace: Trace, kinds: Collection[str] = ("robot",)) -> float | None:
    """Return the share of the credit that bodies of these kinds have; None where nobody has any."""
    credit = credit_of(trace)
    total = credit.total()
    taken = sum(credit[s.seat] for s in trace.seats if s.kind in kinds)
    return taken / total if total else None


def balance(counts: Sequence[int], epsilon: float = EPSILON) -> float | None:
    """Return ``min / (max + epsilon)`` of what each body completed; None for a single one.

    With every further body there is one more that may have done least: it falls with their number
    by construction (MAP-THOR's table 6).
    """
    if len(counts) < 2:
        return None
    return min(counts) / (max(counts) + epsilon)


# What was done for it


def is_pick(attempt: Attempt) -> bool:
    return attempt.verb in ("pick", "Pick")


def _is_of_hands(attempt: Attempt) -> bool:
    """Tell whether an action changes what is in a hand."""
    return is_pick(attempt) or attempt.verb in ("place", "Place")


def joint_decisions(trace: Trace) -> int:
    """Return the most actions that any occupied seat tried: all decide at the same time."""
    tried = Counter(a.seat for a in trace.attempts)
    return max((tried[seat] for seat in trace.occupied), default=0)


def joint_calls(trace: Trace) -> int | None:
    """Return the most skills that any occupied seat called, as MAP-THOR counts joint steps.

    None where a seat's log has no calls: of people, of scripts, or of a policy that did nothing.
    """
    called = [s.calls for s in trace.seats if s.occupied]
    known = [c for c in called if c is not None]
    return max(known, default=None) if len(known) == len(called) else None


def extraneous(accepted: int, useful: int) -> float | None:
    """Return the share of accepted actions that were of no use; None without any."""
    return 1 - useful / accepted if accepted else None


def rises(trace: Trace) -> list[Percent]:
    """Return every new height of percent complete, without what holds at the start."""
    found: list[Percent] = []
    best = -math.inf
    for percent in trace.percents:
        if percent.tick <= 0:
            best = max(best, percent.value)
        elif percent.value > max(best, 0.0):
            best = percent.value
            found.append(percent)
    return found


def useful_actions(trace: Trace) -> list[Attempt]:
    """Return the accepted actions that raised percent complete.

    For each rise that is the last action before it by the seat that it is credited to, or by
    anybody where it is credited to nobody. A rise on the way, while a thing is carried over a place
    where it belongs, counts for where the thing is put down, if what rose holds there: so the path
    over which something was carried changes nothing.
    """
    accepted = [a for a in trace.attempts if a.accepted]
    found: dict[int, Attempt] = {}
    for rise in rises(trace):
        raised = [
            c
            for c in trace.propositions
            if rise.tick - LATE_TICKS <= c.tick <= rise.tick and c.holds
        ]
        seats = {c.by_seat for c in raised} - {None}
        before = [
            (i, a)
            for i, a in enumerate(accepted)
            if a.tick <= rise.tick and (not seats or a.seat in seats)
        ]
        if not before:
            continue
        index, attempt = before[-1]
        hand = [(i, a) for i, a in before if a.seat == attempt.seat and _is_of_hands(a)]
        if hand and is_pick(hand[-1][1]) and attempt.tick < rise.tick - LATE_TICKS:
            put_down = _put_down(accepted, hand[-1][0])
            if put_down is not None:
                index, attempt = put_down
                if not _holds(trace, raised, attempt.tick + LATE_TICKS):
                    continue
        found[index] = attempt
    return [found[i] for i in sorted(found)]


def _put_down(accepted: Sequence[Attempt], picked: int) -> tuple[int, Attempt] | None:
    """Return the action that put down what was picked; None if it stayed in the hand."""
    seat = accepted[picked].seat
    return next(
        (
            (i, a)
            for i, a in enumerate(accepted)
            if i > picked and a.seat == seat and _is_of_hands(a)
        ),
        None,
    )


def _holds(trace: Trace, raised: Sequence[PropositionChange], tick: int) -> bool:
    """Tell whether any of the propositions that had risen holds at a tick."""
    last = {c.index: c.holds for c in trace.propositions if c.tick <= tick}
    return not raised or any(last.get(c.index) for c in raised)


def _targets(propositions: Sequence[Proposition]) -> list[frozenset[str]]:
    """Return what has to be interacted with: each entry is met by any of its names.

    A list of alternatives makes as many entries as things are asked for.
    """
    entries: dict[tuple[frozenset[str], int], None] = {}

    def need(names: Sequence[str], number: int = 1) -> None:
        for k in range(number):
            entries[frozenset(names), k] = None

    for p in propositions:
        signature = PREDICATES[p.function_name]
        if signature.is_clustered:
            groups = p.args[GROUPS_ARG]
            numbers = p.args.get("number", 1)
            per_group = numbers if isinstance(numbers, list) else [numbers] * len(groups)
            for group, number in zip(groups, per_group, strict=True):
                need(group, number)
            continue
        need(p.args[signature.first], p.args.get("number", 1))
        # Rooms are not interacted with.
        if signature.second == "receptacle_handles":
            need(p.args[signature.second])
    return [names for names, _ in entries]


def _touched(attempts: Sequence[Attempt]) -> set[str]:
    found: set[str] = set()
    for attempt in attempts:
        names = [attempt.target, attempt.where and attempt.where.partition("|")[0]]
        found.update(n for n in (*names, *attempt.args) if n)
    return found


def coverage(propositions: Sequence[Proposition], attempts: Sequence[Attempt]) -> float | None:
    """Return the share of target entities that the attempts name; None without targets.

    With the accepted ones these are successful interactions (the paper's words as a set).
    """
    targets = _targets(propositions)
    if not targets:
        return None
    touched = _touched(attempts)
    # Two entries with the same alternatives need two of them.
    met = sum(min(targets.count(t), len(t & touched)) for t in set(targets))
    return met / len(targets)
