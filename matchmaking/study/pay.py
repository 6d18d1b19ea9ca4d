"""Pay of a study: what each ending earns. Amounts are whole minor units of the currency (pence)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

import msgspec

from matchmaking.study.endings import Ending
from matchmaking.study.problems import Path, Problem

_CURRENCY = re.compile(r"[A-Z]{3}")


class Measure(StrEnum):
    """Rule by which an ending is paid."""

    FULL = "full"
    """The base, the bonus that was earned, and the waiting."""
    TIME = "time"
    """The time that was spent, by the hour."""
    FIXED = "fixed"
    """An amount of its own."""
    NONE = "none"


class Payment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Payment for one ending; ``amount`` belongs to the measure ``fixed``."""

    measure: Measure
    amount: int = 0


DEFAULT_PAYMENTS: Mapping[Ending, Payment] = {
    Ending.COMPLETED: Payment(Measure.FULL),
    Ending.NO_PARTNER: Payment(Measure.TIME),
    Ending.PARTNER_LEFT: Payment(Measure.FULL),
    Ending.TECHNICAL_FAILURE: Payment(Measure.TIME),
    Ending.OVER_RECRUITED: Payment(Measure.FULL),
    Ending.SCREENED_OUT: Payment(Measure.TIME),
    Ending.ATTENTION_FAILED: Payment(Measure.TIME),
    Ending.TIMED_OUT: Payment(Measure.TIME),
    Ending.NO_CONSENT: Payment(Measure.NONE),
    Ending.WITHDREW: Payment(Measure.TIME),
}
"""Payments of a study that names no others."""


class Owed(NamedTuple):
    """Amounts that are owed for a visit, in minor units."""

    base: int = 0
    bonus: int = 0
    waiting: int = 0

    @property
    def total(self) -> int:
        return self.base + self.bonus + self.waiting


class Pay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Pay of a study. The defaults pay nothing, which only open play and pilots do."""

    currency: str = "GBP"
    base: int = 0
    """Pay of a visit that was completed."""
    hourly: int = 0
    """Pay of an hour where time is paid."""
    waiting_hourly: int | None = None
    """Pay of an hour in the lobby beside the base; nothing said: ``hourly``."""
    waiting_free_s: float = 0.0
    """Seconds of waiting that the base covers."""
    bonus_per_success: int = 0
    """Bonus for each task that was done."""
    low_hourly: int = 0
    """Realised pay of an hour below which the researcher is warned."""
    endings: Mapping[Ending, Payment] = {}
    """Payments of endings that are not paid as `DEFAULT_PAYMENTS` says."""
    time_ceiling: int | None = None
    """Most that the time of one visit earns, waiting among it; nothing said: what the study's
    ``minutes`` earn at ``hourly``, or ``base`` where it names no minutes."""
    cap: int | None = None
    """Most that may be spent in all; a study that pays cannot open without it."""

    @property
    def is_paid(self) -> bool:
        return bool(self.base or self.hourly)

    @property
    def waiting_rate(self) -> int:
        """Pay of an hour in the lobby."""
        return self.hourly if self.waiting_hourly is None else self.waiting_hourly

    def of(self, ending: Ending) -> Payment:
        return self.endings.get(ending, DEFAULT_PAYMENTS[ending])

    def ceiling(self, minutes: float | None) -> int | None:
        """Return the most that the time of a visit earns which is said to take some minutes.

        None: no ceiling, in a study that names none and has neither minutes nor a base.
        """
        if self.time_ceiling is not None:
            return self.time_ceiling
        if minutes is not None:
            return _by_the_hour(minutes * 60, self.hourly)
        return self.base or None

    def of_time(self, seconds: float) -> int:
        """Return what some time can earn at most, waiting or not."""
        return _by_the_hour(seconds, max(self.hourly, self.waiting_rate))

    def most(self, ceiling: int | None, episodes: int | None) -> int | None:
        """Return the most that a visit of some tasks can earn; None: there is no bound.

        ``ceiling`` is the most that its time does.
        """
        if not self.is_paid:
            return 0
        payments = [self.of(ending) for ending in Ending]
        amounts = [payment.amount for payment in payments if payment.measure is Measure.FIXED]
        for measure in {payment.measure for payment in payments}:
            if measure in (Measure.FULL, Measure.TIME) and ceiling is None:
                return None
            if measure is Measure.FULL:
                if episodes is None and self.bonus_per_success:
                    return None
                bonus = self.bonus_per_success * (episodes or 0)
                amounts.append(self.base + bonus + (ceiling or 0))
            elif measure is Measure.TIME:
                amounts.append(ceiling or 0)
        return max(amounts, default=0)

    def owed(
        self,
        ending: Ending,
        *,
        spent_s: float,
        waited_s: float = 0.0,
        successes: int = 0,
        ceiling: int | None = None,
    ) -> Owed:
        """Return what a visit earned. ``spent_s`` contains ``waited_s``; parts are rounded up.

        What is paid by the time, waiting among it, is never more than ``ceiling``.
        """
        payment = self.of(ending)
        match payment.measure:
            case Measure.FULL:
                paid_wait_s = max(0.0, waited_s - self.waiting_free_s)
                waiting = _by_the_hour(paid_wait_s, self.waiting_rate)
                return Owed(
                    self.base, self.bonus_per_success * successes, _at_most(waiting, ceiling)
                )
            case Measure.TIME:
                waiting = _by_the_hour(waited_s, self.waiting_rate)
                time = _by_the_hour(max(0.0, spent_s - waited_s), self.hourly)
                paid = _at_most(time, ceiling)
                return Owed(paid, 0, _at_most(time + waiting, ceiling) - paid)
            case Measure.FIXED:
                return Owed(payment.amount)
            case Measure.NONE:
                return Owed()

    def less(self) -> list[str]:
        """Return what of it pays less than the defaults do, in words; empty: nothing."""
        if not self.is_paid:
            return []
        found = [str(ending) for ending in self.endings if self._is_less(ending)]
        if self.waiting_rate < self.hourly or self.waiting_free_s:
            found.append("waiting")
        return found

    def _is_less(self, ending: Ending) -> bool:
        usual, mine = DEFAULT_PAYMENTS[ending].measure, self.endings[ending].measure
        return usual is not Measure.NONE and mine not in (usual, Measure.FULL)

    def problems(self, where: Path) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        if _CURRENCY.fullmatch(self.currency) is None:
            yield Problem(
                (*where, "currency"),
                f"expected three capital letters such as GBP, got {self.currency!r}",
            )
        numbers = {
            "base": self.base,
            "hourly": self.hourly,
            "waiting_hourly": self.waiting_hourly or 0,
            "waiting_free_s": self.waiting_free_s,
            "bonus_per_success": self.bonus_per_success,
            "low_hourly": self.low_hourly,
            "time_ceiling": self.time_ceiling or 0,
            "cap": self.cap or 0,
        }
        for field, value in numbers.items():
            if not (value >= 0 and math.isfinite(value)):
                yield Problem((*where, field), f"expected 0 or more, got {value:g}")
        for ending, payment in self.endings.items():
            is_fixed = payment.measure is Measure.FIXED
            if payment.amount < 0 or (payment.amount > 0) != is_fixed:
                yield Problem(
                    (*where, "endings", str(ending)),
                    "expected an amount above 0 with the measure 'fixed', and none with another, "
                    f"got {payment.measure} with {payment.amount}",
                )
        if self.base and not self.hourly:
            yield Problem(
                (*where, "hourly"),
                "expected pay of an hour, because waiting and visits that break off are paid by "
                "the time, and it is 0: divide the base by the hours that a visit takes",
            )


def _at_most(amount: int, ceiling: int | None) -> int:
    return amount if ceiling is None else min(amount, ceiling)


def _by_the_hour(seconds: float, hourly: int) -> int:
    # Rounded at the tenth decimal first, so that a whole amount stays what it is.
    return math.ceil(round(seconds * hourly / 3600, 10))
