"""Arrivals: how people come to a study and what they do there, drawn from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec

MOST_PEOPLE = 10_000
"""Most people who are invented: more than a study recruits, and played in minutes."""


class ArrivalsError(ValueError):
    """Arrivals that cannot be; the text is a sentence for whoever asked for them."""


class Arrivals(msgspec.Struct, frozen=True, kw_only=True):
    """Habits of the people who come. Shares are from 0 to 1, times exponential or log-normal."""

    per_hour: float = 30.0
    """Rate at which people reach the lobby."""
    hours: float = 8.0
    """Time for which people are invited; the study may be full before."""
    leaves_per_hour: float = 2.0
    """Rate at which somebody who waits gives up."""
    unready: float = 0.03
    """Share of those who are asked and do not say that they are ready, each time anew."""
    breaks_off: float = 0.05
    """Share of groups that somebody leaves before the end."""
    pages_minutes: float = 8.0
    """Time of the pages before and behind play, in the middle."""
    play_minutes: float = 20.0
    """Time that a group plays, in the middle."""
    rtt_ms: float = 60.0
    """Round trip to the server, in the middle."""
    homes: int = 40
    """Most sessions at once."""
    seed: int = 0

    def check(self) -> None:
        """Raise ArrivalsError for what cannot be."""
        for name in ("per_hour", "hours", "play_minutes", "rtt_ms", "homes"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ArrivalsError(f"{name}: expected more than 0, got {getattr(self, name):g}")
        if self.per_hour * self.hours > MOST_PEOPLE:
            raise ArrivalsError(
                f"per_hour: expected a rate at which at most {MOST_PEOPLE} people come in "
                f"{self.hours:g} h, got {self.per_hour:g}"
            )
        for name in ("leaves_per_hour", "pages_minutes"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ArrivalsError(f"{name}: expected 0 or more, got {getattr(self, name):g}")
        for name in ("unready", "breaks_off"):
            if not 0 <= getattr(self, name) <= 1:
                raise ArrivalsError(
                    f"{name}: expected a share from 0 to 1, got {getattr(self, name):g}"
                )


class Person(msgspec.Struct, frozen=True):
    """Person who comes, with everything about them that was drawn. Times in seconds."""

    number: int
    comes_at: float
    patience_s: float
    """Time after which they give up waiting."""
    pages_s: float
    """Time of all pages; half of them come before play."""
    rtt_ms: float


def people(arrivals: Arrivals) -> Iterator[Person]:
    """Yield those who come, in their order; each has draws of their own."""
    now, number = 0.0, 0
    gaps = Random(f"{arrivals.seed}/arrivals")
    while True:
        now += gaps.expovariate(arrivals.per_hour / 3600)
        if now > arrivals.hours * 3600:
            return
        rng = Random(f"{arrivals.seed}/person/{number}")
        leaves = arrivals.leaves_per_hour / 3600
        yield Person(
            number,
            now,
            rng.expovariate(leaves) if leaves else float("inf"),
            _around(arrivals.pages_minutes * 60, rng),
            _around(arrivals.rtt_ms, rng),
        )
        number += 1


def answer_s(arrivals: Arrivals, person: int, asked: int, ready_s: float) -> float | None:
    """Return how long somebody takes to say that they are ready, when they are asked once more.

    None: they do not say so.
    """
    rng = Random(f"{arrivals.seed}/person/{person}/asked/{asked}")
    return None if rng.random() < arrivals.unready else rng.uniform(0.1, 0.8) * ready_s


def _around(middle: float, rng: Random) -> float:
    return middle * rng.lognormvariate(0.0, 0.35)


def play_time_s(arrivals: Arrivals, group: int) -> tuple[float, bool]:
    """Return how long a group plays, and whether somebody leaves it before the end."""
    rng = Random(f"{arrivals.seed}/group/{group}")
    whole_s = _around(arrivals.play_minutes * 60, rng)
    breaks_off = rng.random() < arrivals.breaks_off
    return (whole_s * rng.random() if breaks_off else whole_s), breaks_off
