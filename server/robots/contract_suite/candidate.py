"""Candidate of the contract suite: a policy's name, its stand-in model, and the seats it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from episodes.dataset import Task
from episodes.seats import PAIR
from server.robots.models import Completes
from server.robots.registry.registry import one_mind
from server.sessions.core import SessionCore


@dataclass(frozen=True)
class Candidate:
    """A policy under test."""

    name: str
    """The whole name, as settings and trials have it: of the registry, or ``my_policy.py``."""
    model: Callable[[SessionCore], Completes] | None = None
    """Maker of a model that plans well, for one session; None: the policy asks no model.

    Planning well includes giving up what is refused again and again, where the policy leaves each
    call to its model.
    """
    seats: tuple[str, ...] = tuple(seat.seat_id for seat in PAIR)
    """The seats that the policy plays in."""
    seed: int = 0
    task: Task | None = None
    """A task of the first house; None: its second one, which has two things to bring."""

    @property
    def plays_both(self) -> bool:
        """Whether it is one mind for both seats."""
        return one_mind(self.name)
