"""Agreement of two coders: Cohen's kappa for each code over units of time, and matched moments.

Time is cut into units, each of which a coder has put a code on or not. Kappa is that of Cohen
(1960) over the units of all episodes that both have finished:
``(p_o - p_e) / (1 - p_e)``, where ``p_o`` is the share of units in which the two say the same, and
``p_e`` what it would be by chance with the shares of each. It is *time-unit kappa* in Bakeman and
Quera (2011). Of moments it is strict, since a second's difference counts as two disagreements;
beside it stands the share of moments that the two have in common within a tolerance, as the
F1 of one coder's by the other's.

Its interval is a percentile bootstrap over episodes, because units of one episode are no
independent observations.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from server.coding.codebook import Code, Shape
from server.coding.notes import Coding

RESAMPLES = 2_000
LEAST_DEFINED = 0.95
"""Share of resamples that need a kappa for an interval."""
LEAST_EPISODES = 10
"""Number of episodes below which an interval over them is rough."""


class Counts(NamedTuple):
    """Numbers of units by what two coders put on them."""

    both: int
    first_only: int
    second_only: int
    neither: int


class Agreement(NamedTuple):
    """Agreement of two coders on one code."""

    code: str
    counts: Counts
    kappa: float | None
    """None: not defined, as neither has put the code on any unit, or both on every one."""
    low: float | None
    high: float | None
    """Interval (95 %) over episodes; None with fewer than two, where kappa is not defined, and
    where the code is in so few episodes that many resamples have none of it."""
    notes: tuple[int, int]
    """Notes of each coder with the code."""
    matched_share: float | None
    """F1 of moments within the tolerance; None for a stretch, and where neither noted any."""


def kappa_of(counts: Counts) -> float | None:
    """Return Cohen's kappa (Cohen 1960); None where chance alone makes agreement complete."""
    total = sum(counts)
    if total == 0:
        return None
    observed = (counts.both + counts.neither) / total
    first = (counts.both + counts.first_only) / total
    second = (counts.both + counts.second_only) / total
    chance = first * second + (1 - first) * (1 - second)
    return None if math.isclose(chance, 1.0) else (observed - chance) / (1 - chance)


def agreement_on(
    code: Code,
    pairs: Sequence[tuple[Coding, Coding]],
    unit_ticks: int,
    tolerance_ticks: int,
    rng: Random,
) -> Agreement:
    """Return the agreement on a code over episodes that both coders have finished."""
    counts = [_counts(code, a, b, unit_ticks) for a, b in pairs]
    total = _sum(counts)
    low, high = _interval(counts, rng) if kappa_of(total) is not None else (None, None)
    noted = [
        sum(1 for pair in pairs for note in pair[who].notes if note.code == code.code)
        for who in (0, 1)
    ]
    matched = None
    if code.shape is Shape.MOMENT and any(noted):
        common = sum(
            _matches(_moments(code, a), _moments(code, b), tolerance_ticks) for a, b in pairs
        )
        matched = 2 * common / sum(noted)
    return Agreement(code.code, total, kappa_of(total), low, high, (noted[0], noted[1]), matched)


def _counts(code: Code, a: Coding, b: Coding, unit_ticks: int) -> Counts:
    units = max(1, math.ceil((a.last - a.first) / unit_ticks))
    one, other = (_units(code, coding, unit_ticks, units) for coding in (a, b))
    both = len(one & other)
    return Counts(both, len(one) - both, len(other) - both, units - len(one | other))


def _units(code: Code, coding: Coding, unit_ticks: int, units: int) -> set[int]:
    """Return the units that a coder has put a code on.

    A stretch is on each unit of which it covers at least half, and on one at least.
    """
    found: set[int] = set()
    for note in coding.notes:
        if note.code != code.code:
            continue
        begin = (note.first - coding.first) / unit_ticks
        end = (note.last - coding.first) / unit_ticks
        covered = set(range(math.floor(begin + 0.5), math.floor(end + 0.5))) or {math.floor(begin)}
        found |= {min(units - 1, max(0, unit)) for unit in covered}
    return found


def _moments(code: Code, coding: Coding) -> list[int]:
    return sorted(note.first for note in coding.notes if note.code == code.code)


def _matches(a: Sequence[int], b: Sequence[int], tolerance: int) -> int:
    """Return the most pairs of moments, none used twice, that lie within a tolerance.

    Both are in order, so taking the earliest that fits is best.
    """
    found = i = j = 0
    while i < len(a) and j < len(b):
        if abs(a[i] - b[j]) <= tolerance:
            found, i, j = found + 1, i + 1, j + 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return found


def _interval(counts: Sequence[Counts], rng: Random) -> tuple[float | None, float | None]:
    if len(counts) < 2:
        return None, None
    drawn = (kappa_of(_sum(rng.choices(counts, k=len(counts)))) for _ in range(RESAMPLES))
    kappas = sorted(kappa for kappa in drawn if kappa is not None)
    # Those without a kappa are no chance sample: a code is too rare then for an interval.
    if len(kappas) < LEAST_DEFINED * RESAMPLES:
        return None, None
    return kappas[int(0.025 * (len(kappas) - 1))], kappas[math.ceil(0.975 * (len(kappas) - 1))]


def _sum(counts: Iterable[Counts]) -> Counts:
    return Counts(*(sum(column) for column in zip(Counts(0, 0, 0, 0), *counts, strict=True)))
