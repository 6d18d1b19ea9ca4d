"""Habits of scripted participants: how they come, read, wait, play and leave, from a seed."""

from __future__ import annotations

from random import Random

import msgspec

from matchmaking.study import Study
from matchmaking.study.endings import Ending


class Habits(msgspec.Struct, frozen=True, kw_only=True):
    """Habits of those who come. Shares are from 0 to 1; times are in the middle of a log-normal."""

    per_hour: float = 60.0
    """Rate at which people open the link."""
    refuses: float = 0.03
    """Share that does not consent."""
    fails: float = 0.02
    """Share that fails each check of device, eligibility, tutorial and quiz."""
    reads_slowly: float = 0.1
    """Share that takes five times as long for each page."""
    comes_twice: float = 0.05
    """Share that opens the link a second time."""
    leaves_per_hour: float = 1.0
    """Rate at which somebody who waits gives up."""
    unready: float = 0.03
    """Share of those who are asked and do not say that they are ready."""
    drops_out: float = 0.02
    """Share of people who leave within an attempt."""
    page_s: float = 45.0
    attempt_s: float = 240.0
    succeeds: float = 0.6
    """Share of attempts that succeed, where condition, task and group make no difference."""

    def problem(self) -> str:
        """Return a sentence on what cannot be; empty: it can."""
        for name in ("refuses", "fails", "reads_slowly", "comes_twice", "unready", "drops_out"):
            if not 0 <= getattr(self, name) <= 1:
                return f"{name}: expected a share from 0 to 1, got {getattr(self, name):g}"
        if not 0 < self.succeeds < 1:
            return f"succeeds: expected a share between 0 and 1, got {self.succeeds:g}"
        for name in ("per_hour", "page_s", "attempt_s"):
            if not 0 < getattr(self, name) < float("inf"):
                return f"{name}: expected more than 0, got {getattr(self, name):g}"
        if not 0 <= self.leaves_per_hour < float("inf"):
            return f"leaves_per_hour: expected 0 or more, got {self.leaves_per_hour:g}"
        return ""


def usual_success(study: Study) -> float:
    """Return the share of attempts that succeed: as the plan expects of first tries, if it does."""
    plan = study.analysis
    samples = () if plan is None else (plan.sample, *map(plan.sample_of, plan.hypotheses))
    shares = (sample.first_tries_failing for sample in samples)
    failing = next((share for share in shares if share is not None), None)
    # A rate of 0 or 1 has no place on the scale of difficulty.
    return Habits().succeeds if failing is None else min(0.99, max(0.01, 1 - failing))


class Person:
    """A scripted participant; each draw is their own, so that others change none of it."""

    def __init__(self, number: int, comes_at: float, habits: Habits, seed: int) -> None:
        self.number, self.comes_at = number, comes_at
        self.participant_id, self.ticket_id = f"par_{number:05}", f"tic_{number:05}"
        self._rng = rng = Random(f"{seed}/person/{number}")
        self._habits = habits
        self.refuses = rng.random() < habits.refuses
        self.comes_twice = rng.random() < habits.comes_twice
        self.is_ready = rng.random() >= habits.unready
        self.slowness = 5.0 if rng.random() < habits.reads_slowly else 1.0
        leaves = habits.leaves_per_hour / 3600
        self.patience_s = rng.expovariate(leaves) if leaves else float("inf")
        self.waited_s = 0.0
        self.successes = 0
        self.ending: Ending | None = None
        self.ended_at = 0.0

    def fails(self) -> bool:
        """Tell whether a check is failed."""
        return self._rng.random() < self._habits.fails

    def page_s(self) -> float:
        """Return how long a page takes."""
        return self.slowness * around(self._habits.page_s, self._rng)

    def drops_out(self) -> bool:
        """Tell whether somebody leaves within an attempt."""
        return self._rng.random() < self._habits.drops_out


def around(middle: float, rng: Random) -> float:
    """Return a time around a middle one."""
    return middle * rng.lognormvariate(0.0, 0.35)
