"""Goal errors: what was not the case at the end, and whether anybody ever tried."""

from __future__ import annotations

from collections.abc import Iterator

from episodes.dataset.vocabulary import DIFFERENT_ARG, PREDICATES, SAME_ARG, TEMPORAL
from episodes.errors.records import CLASSES, ActionName, ErrorClass, ErrorRecord
from episodes.evaluation.task import EvaluationTask
from episodes.evaluation.verdict import PropositionOutcome
from episodes.trace import Trace


def goal_errors(trace: Trace, task: EvaluationTask) -> tuple[ErrorRecord, ...]:
    """Return a record for each proposition of the task that does not count, in the task's order.

    A state or a relation is unsatisfied when it was never recorded, or is no longer so at the
    end where the task asks for that; an action when it was done out of order, or with another
    thing than a tie allows. The cause is ``undone`` (through the seat named as agent),
    ``attempted_wrong`` if somebody acted on a thing it is about, else ``missed``.
    """
    return tuple(_records(trace, task))


def _records(trace: Trace, task: EvaluationTask) -> Iterator[ErrorRecord]:
    outcomes: list[list[PropositionOutcome]] = [[] for _ in task.propositions]
    for outcome in trace.verdict.propositions:
        outcomes[outcome.original].append(outcome)
    acted: dict[str, list[str]] = {}
    for attempt in trace.attempts:
        if attempt.accepted and attempt.target is not None:
            acted.setdefault(attempt.target, []).append(attempt.seat)
    broken = _broken(trace)
    for index, proposition in enumerate(task.propositions):
        mine = outcomes[index]
        missing = [o for o in mine if not o.satisfied]
        invalid = [o for o in mine if o.satisfied and not o.valid]
        if not missing and not invalid:
            continue
        signature = PREDICATES[proposition.function_name]
        state = signature.state is not None
        error: ErrorClass = "UNSATISFIED_STATE" if state else "UNSATISFIED_RELATION"
        lost = [o for o in mine if o.broken_tick is not None]
        things = _things(proposition.args[signature.first])
        subclass: str | None = None
        agent: str | None = None
        tick = trace.ticks
        if lost:
            newest = max(lost, key=lambda o: o.broken_tick or 0)
            cause = "undone"
            agent, tick = newest.broken_by_seat, newest.broken_tick or 0
            how = f"undone at tick {tick} by {agent or 'nobody'}"
        elif missing:
            tried = [s for thing in things for s in acted.get(thing, ())]
            cause = "attempted_wrong" if tried else "missed"
            agent = tried[-1] if tried else None
            how = "attempted, but not so" if tried else "missed"
        else:
            error = "UNSATISFIED_ACTION"
            kinds = sorted({kind for o in invalid for kind in broken.get(o.index, ())})
            subclass = ",".join(kinds) or None
            cause = "attempted_wrong"
            agent = invalid[0].by_seat
            tick = invalid[0].satisfied_tick or 0
            how = " and ".join(kinds).replace("_", " ")
        text = mine[0].text if mine else proposition.function_name
        stage, fatal = CLASSES[error]
        yield ErrorRecord(
            episode=trace.episode_id,
            t=tick,
            agent=agent,
            actor_kind=next((s.actor for s in trace.seats if s.seat == agent), "unknown"),
            action=ActionName(proposition.function_name, tuple(things)),
            stage=stage,
            error_class=error,
            subclass=subclass,
            fatal=fatal,
            cause=cause,
            text=f"{text} is not satisfied at the end ({how}).",
        )


def _things(value: list[str] | list[list[str]]) -> list[str]:
    found: list[str] = []
    for item in value:
        found += [item] if isinstance(item, str) else item
    return list(dict.fromkeys(found))


def _broken(trace: Trace) -> dict[int, list[str]]:
    """Return the kinds of constraint that invalidate each unrolled proposition."""
    kinds = {TEMPORAL: "out_of_order", SAME_ARG: "not_the_same", DIFFERENT_ARG: "not_different"}
    found: dict[int, list[str]] = {}
    for constraint in trace.verdict.constraints:
        for index in constraint.invalid:
            found.setdefault(index, []).append(kinds.get(constraint.type, "undone"))
    return found
