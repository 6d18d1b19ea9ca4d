"""Attempts at tasks by teams of people and policies, live or in trials, with the same measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

TEAM_MEASURES: Final = ("concurrent_activity", "extraneous_effort", "target_conflicts")
"""Measures of the team that are compared as they are; their definitions are the codebook's."""
PERSON: Final = "person"
NO_VERDICT: Final = "it has no verdict"


class Reading(NamedTuple):
    """A value of a measure, as exports and summaries have it."""

    measure: str
    seat: str
    value: float | None


class Attempt(NamedTuple):
    """A first attempt at a task."""

    occupants: tuple[str, ...]
    """Occupants of its bodies: `PERSON`, or the name of a policy."""
    task_id: str
    house: str
    house_digest: str
    seed: int
    """Seed of the episode, which decides where bodies start."""
    values: Mapping[str, float]
    """Values that are defined, by measure."""
    time_s: float | None
    """Time to success, or to the end where there was none; None: it is not known."""
    is_solved: bool

    @property
    def kind(self) -> str:
        """Kind of the team: person+person, person+policy, person alone, and so on."""
        kinds = [PERSON if who == PERSON else "policy" for who in self.occupants]
        return f"{kinds[0]} alone" if len(kinds) == 1 else "+".join(sorted(kinds))


class Source(NamedTuple):
    """A study or a trial: its attempts, and what was so in all of them, by circumstance."""

    name: str
    attempts: Sequence[Attempt]
    circumstances: Mapping[str, str]
    limit_s: float | None
    """Time limit of an attempt; None: it has none."""
    left_out: Mapping[str, int] = {}
    """Numbers of attempts that are not compared, by the reason."""


CIRCUMSTANCES: Final = (
    "pace", "latency", "reading", "rules", "ending", "how it ended", "explanations",
    "tasks in a row", "simulator", "evaluator",
)  # fmt: skip
"""Circumstances that are told of each source, in their order."""


def values_of(
    readings: Iterable[Reading], success: bool, percent: float, duration_s: float
) -> dict[str, float]:
    """Return the values of an attempt by measure; what is undefined is not there."""
    found = {"success": float(success), "percent complete": percent}
    idle: list[float] = []
    for measure, seat, value in readings:
        if value is None:
            continue
        if measure in TEAM_MEASURES and not seat:
            found[measure.replace("_", " ")] = value
        if measure == "idle" and seat:
            idle.append(value)
    if idle and duration_s > 0:
        found["idle share"] = fmean(idle) / duration_s
    return found


def counted(words: Iterable[str]) -> str:
    """Return words with how often each came, the most frequent first."""
    counts: dict[str, int] = {}
    for word in words:
        counts[word or "none"] = counts.get(word or "none", 0) + 1
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{word} {count}" for word, count in ordered)


def named(words: Iterable[str]) -> str:
    """Return each word once, in order."""
    return ", ".join(sorted({word for word in words if word})) or "not known"
