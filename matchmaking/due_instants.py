"""Instants at which something changes for people who wait, though nobody does anything."""

from __future__ import annotations

from matchmaking.queue import Queue
from matchmaking.tickets import State


def next_change(queue: Queue, now: float) -> float | None:
    """Return when somebody has to leave, or a group begins, or the next wait is over."""
    instants = (queue.next_deadline(), next_due(queue, now))
    return min((at for at in instants if at is not None), default=None)


def next_due(queue: Queue, now: float) -> float | None:
    """Return when somebody will next have waited as long as their condition wants.

    They begin at that instant, not at the next round: a group that is complete does so too, and
    whoever begins a little later each time would know that nobody was waited for.
    """
    dues = (
        ticket.yoked_until(wait_s, queue.limits_of(ticket.pool).wait_s)
        for ticket in queue
        if ticket.state is State.WAITING
        and ticket.study in queue.places
        and (wait_s := queue.places[ticket.study].wait_of(ticket.participant_id)) is not None
    )
    return min((due for due in dues if due > now), default=None)
