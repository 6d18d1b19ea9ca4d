"""Rounds of a queue for tests: the groups that it forms, and the tickets that leave."""

from __future__ import annotations

from random import Random

from matchmaking.matches import Match
from matchmaking.queue import Queue
from matchmaking.tickets import Ticket


def groups_in(queue: Queue, now: float, rng: Random, free_sessions: int) -> list[Match]:
    """Return the groups of a round."""
    found = queue.round(now, rng, free_sessions)
    return [match for match in found if isinstance(match, Match)]


def left_in(queue: Queue, now: float) -> list[Ticket]:
    """Return who leaves in a round while no session is free."""
    return [found for found in queue.round(now, Random(0), 0) if isinstance(found, Ticket)]
