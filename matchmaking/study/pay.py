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
_NO_HUNDREDTHS = re.compile(
    "BHD|BIF|CLP|DJF|GNF|IQD|ISK|JOD|JPY|KMF|KRW|KWD|LYD|OMR|PYG|RWF|TND|UGX|UYI|VND|VUV|XAF|XOF|"
    "XPF"
)
"""Currencies whose minor unit is no hundredth, or that have none (ISO 4217)."""


class Measure(StrEnum):
    """Rule by which an ending is paid."""

    FULL = "full"
    """The base, the bonus that was earned, and the waiting; never less than the time where nothing
    says for how long the base is."""
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


LEAST_HOURLY = {"GBP": 600, "USD": 800, "EUR": 700}
"""Pay of an hour, in minor units, below which a study has to say in its consent that it pays
little: about what recruiters demand at least."""


class Owed(NamedTuple):
    """Amounts that are owed for a visit, in minor units."""

    base: int = 0
    bonus: int = 0
    waiting: int = 0

    @property
    def total(self) -> int:
        return self.base + self.bonus + self.waiting


class Length(NamedTuple):
    """Length of a visit, as its study declares it."""

    minutes: float | None
    """Minutes that it is said to take, without the wait."""
    wait_s: float
    """Longest wait."""
    visit_limit_s: float | None
    """Longest time with everything."""


class Ceiling(NamedTuple):
    """Ceiling over what the time of a visit earns, in minor units. None: there is none."""

    total: int | None = None
    """Most that all of the time earns, waiting among it."""
    work: int | None = None
    """Most that the time outside the lobby earns."""

    @property
    def waiting(self) -> int | None:
        """Most that waiting earns beside the base."""
        return self.total if self.total is None else self.total - (self.work or 0)


_NO_CEILING = Ceiling()


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
    """Bonus for each task that was done, practice left out."""
    low_hourly: int = 0
    """Pay of an hour below which the researcher is warned, where recruiters demand no more."""
    endings: Mapping[Ending, Payment] = {}
    """Payments of endings that are not paid as `DEFAULT_PAYMENTS` says."""
    time_ceiling: int | None = None
    """Most that the time of one visit earns, waiting among it; nothing said: what the study's
    ``minutes`` and the longest wait earn, or the longest visit where it names no minutes."""
    cap: int | None = None
    """Most that may be spent in all; a study that pays cannot open without it."""

    @property
    def has_hundredths(self) -> bool:
        """Whether amounts of the currency are told in hundredths, as all pages do."""
        return _NO_HUNDREDTHS.fullmatch(self.currency) is None

    @property
    def is_paid(self) -> bool:
        """Whether anybody can be owed anything."""
        fixed = any(payment.amount for payment in self.endings.values())
        return bool(
            self.base or self.hourly or self.waiting_hourly or self.bonus_per_success or fixed
        )

    @property
    def least_hourly(self) -> int:
        """Pay of an hour below which pay is low, whatever the researcher is content with."""
        return max(self.low_hourly, LEAST_HOURLY.get(self.currency, 0))

    @property
    def waiting_rate(self) -> int:
        """Pay of an hour in the lobby."""
        return self.hourly if self.waiting_hourly is None else self.waiting_hourly

    def of(self, ending: Ending) -> Payment:
        return self.endings.get(ending, DEFAULT_PAYMENTS[ending])

    def ceiling(self, length: Length) -> Ceiling:
        """Return the most that the time of a visit earns."""
        usual = self.usual_ceiling(length)
        return usual if self.time_ceiling is None else Ceiling(self.time_ceiling)

    def usual_ceiling(self, length: Length) -> Ceiling:
        """Return the ceiling of a study that declares none of its own."""
        if length.minutes is not None:
            work = by_the_hour(length.minutes * 60, self.hourly)
            return Ceiling(work + by_the_hour(length.wait_s, self.waiting_rate), work)
        if length.visit_limit_s is not None:
            # It is at the same time the most of the waiting, which is a part of it.
            return Ceiling(by_the_hour(length.visit_limit_s, max(self.hourly, self.waiting_rate)))
        return _NO_CEILING

    def most(self, ceiling: Ceiling, tasks: int | None) -> int | None:
        """Return the most that a visit of some tasks can earn; None: there is no bound.

        ``ceiling`` is the most that its time does; practice is none of the tasks.
        """
        if not self.is_paid:
            return 0
        amounts = []
        for payment in map(self.of, Ending):
            match payment.measure:
                case Measure.FULL | Measure.TIME if ceiling.total is None:
                    return None
                case Measure.FULL if self.bonus_per_success and tasks is None:
                    return None
                case Measure.FULL:
                    time = max(self.base + (ceiling.waiting or 0), ceiling.total or 0)
                    amounts.append(time + self.bonus_per_success * (tasks or 0))
                case Measure.TIME:
                    amounts.append(ceiling.total or 0)
                case Measure.FIXED:
                    amounts.append(payment.amount)
                case Measure.NONE:
                    amounts.append(0)
        return max(amounts)

    def owed(
        self,
        ending: Ending,
        *,
        spent_s: float,
        waited_s: float = 0.0,
        successes: int = 0,
        ceiling: Ceiling = _NO_CEILING,
        is_flat: bool = True,
    ) -> Owed:
        """Return what a visit earned. ``spent_s`` contains ``waited_s``; parts are rounded up.

        What is paid by the time, waiting among it, is never more than ``ceiling``. ``is_flat``:
        whether the study says for how long the base is; otherwise the time is paid where that is
        more.
        """
        payment = self.of(ending)
        match payment.measure:
            case Measure.FULL:
                bonus = self.bonus_per_success * successes
                paid_wait_s = max(0.0, waited_s - self.waiting_free_s)
                waiting = by_the_hour(paid_wait_s, self.waiting_rate)
                flat = Owed(self.base, bonus, _at_most(waiting, ceiling.waiting))
                timed = self._by_time(spent_s, waited_s, ceiling)._replace(bonus=bonus)
                return flat if is_flat else max(flat, timed, key=lambda owed: owed.total)
            case Measure.TIME:
                return self._by_time(spent_s, waited_s, ceiling)
            case Measure.FIXED:
                return Owed(payment.amount)
            case Measure.NONE:
                return Owed()

    def _by_time(self, spent_s: float, waited_s: float, ceiling: Ceiling) -> Owed:
        waiting = by_the_hour(waited_s, self.waiting_rate)
        time = by_the_hour(max(0.0, spent_s - waited_s), self.hourly)
        paid = _at_most(_at_most(time, ceiling.work), ceiling.total)
        return Owed(paid, 0, _at_most(paid + waiting, ceiling.total) - paid)

    def less(self, length: Length) -> list[str]:
        """Return what of it pays less than the defaults do, in words; empty: nothing."""
        if not self.is_paid:
            return []
        found = [str(ending) for ending in self.endings if self._is_less(ending)]
        if not self.hourly:
            found.append("time")
        if self.waiting_rate < self.hourly or self.waiting_free_s:
            found.append("waiting")
        minutes = length.minutes
        if minutes is not None and self.base < by_the_hour(minutes * 60, self.hourly):
            found += [
                f"{ending} (the base, for {minutes:g} minutes)"
                for ending in Ending
                if self.of(ending).measure is Measure.FULL
            ]
        usual = self.usual_ceiling(length)
        if self.time_ceiling is not None and (
            usual.total is None or self.time_ceiling < usual.total
        ):
            found.append("time above pay.time_ceiling")
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


def by_the_hour(seconds: float, hourly: int) -> int:
    """Return what a time earns, rounded up."""
    # Rounded at the tenth decimal first, so that a whole amount stays what it is.
    return math.ceil(round(seconds * hourly / 3600, 10))
