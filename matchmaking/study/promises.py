"""Promises of pay: what a study can tell people before anybody knows how their visit ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matchmaking.study.endings import Ending
from matchmaking.study.pages import Device, Eligibility, Lobby, Page, Quiz, Survey, Tutorial
from matchmaking.study.pay import Ceiling, Length, Measure, Pay, by_the_hour

_SCREENING = (Device, Eligibility, Tutorial, Quiz)
_ANYWHERE = frozenset(Ending) - {
    Ending.SCREENED_OUT,
    Ending.ATTENTION_FAILED,
    Ending.NO_CONSENT,
}


class Promises(NamedTuple):
    """Sentences on pay that are true of a study, however a visit ends that they speak of."""

    pay: Pay
    length: Length
    after_consent: frozenset[Ending]
    """Endings that somebody who has agreed can come to."""
    after_waiting: frozenset[Ending]
    """Endings that somebody who has waited in the lobby can come to."""

    @classmethod
    def of(cls, pay: Pay, length: Length, pages: Sequence[Page]) -> Promises:
        """Return the promises of a study with some pages."""
        lobby = next((n for n, page in enumerate(pages) if isinstance(page, Lobby)), 0)
        return cls(pay, length, _endings_of(pages), _endings_of(pages[lobby:]))

    @property
    def ceiling(self) -> Ceiling:
        return self.pay.ceiling(self.length)

    @property
    def completion(self) -> bool:
        """Whether whoever completes is paid, however long it took and whatever they did."""
        is_flat = self.length.minutes is not None
        owed = self.pay.owed(Ending.COMPLETED, spent_s=1.0, ceiling=self.ceiling, is_flat=is_flat)
        return owed.total > 0

    @property
    def whole(self) -> int:
        """Pay of a visit that is completed without a bonus or a wait; 0: nothing is said of it."""
        payment = self.pay.of(Ending.COMPLETED)
        if payment.measure is Measure.FIXED:
            return payment.amount
        return self.pay.base if payment.measure is Measure.FULL else 0

    @property
    def is_whole_least(self) -> bool:
        """Whether that pay is the least, as the time is paid where it earns more."""
        is_full = self.pay.of(Ending.COMPLETED).measure is Measure.FULL
        return is_full and self.length.minutes is None and bool(self.pay.hourly)

    @property
    def each_success(self) -> int:
        """Bonus of whoever completes, for each task that is done."""
        is_full = self.pay.of(Ending.COMPLETED).measure is Measure.FULL
        return self.pay.bonus_per_success if is_full else 0

    @property
    def waiting(self) -> bool:
        """Whether waiting is paid from its first second to the longest wait, however it ends."""
        return all(map(self._pays_waiting, self.after_waiting))

    @property
    def time(self) -> bool:
        """Whether the time of whoever ends early is paid by the hour, for the study's minutes.

        The waiting is paid besides, unless the study pays for no waiting.
        """
        early = self.after_consent - {Ending.COMPLETED}
        return self.ceiling.work is not None and all(map(self._pays_all_time, early))

    @property
    def told_apart(self) -> list[tuple[Ending, int]]:
        """Pay, in minor units, of endings whose time is not paid: nothing, or an amount.

        An amount for whoever comes to the end is none of them.
        """
        told = []
        for ending in Ending:
            payment = self.pay.of(ending)
            is_timed = payment.measure is Measure.TIME
            is_unpaid = is_timed and not (self.pay.hourly or self.pay.waiting_rate)
            is_fixed = payment.measure is Measure.FIXED and ending is not Ending.COMPLETED
            if ending in self.after_consent and (
                payment.measure is Measure.NONE or is_unpaid or is_fixed
            ):
                told.append((ending, payment.amount))
        return told if self.pay.is_paid else []

    @property
    def is_capped(self) -> bool:
        """Whether something is paid by the hour, and only so much of it."""
        total = self.ceiling.total
        return bool(self.pay.hourly and total) and any(map(self._is_timed, self.after_consent))

    def covers(self, ending: Ending) -> bool:
        """Tell whether all time of a visit with an ending is paid, to the ceiling."""
        is_timed = self.pay.of(ending).measure is Measure.TIME
        return is_timed and bool(self.pay.hourly) and self._pays_waiting(ending)

    def _is_timed(self, ending: Ending) -> bool:
        match self.pay.of(ending).measure:
            case Measure.TIME:
                return True
            case Measure.FULL:
                return self.length.minutes is None
            case _:
                return False

    def _pays_all_time(self, ending: Ending) -> bool:
        pay, ceiling = self.pay, self.ceiling
        match pay.of(ending).measure:
            case Measure.TIME:
                return bool(pay.hourly)
            case Measure.FULL:
                # The base is at least what the time would earn, and the waiting that it covers.
                covered = by_the_hour(pay.waiting_free_s, pay.waiting_rate)
                return bool(pay.hourly) and pay.base >= (ceiling.work or 0) + covered
            case _:
                return False

    def _pays_waiting(self, ending: Ending) -> bool:
        pay, ceiling = self.pay, self.ceiling
        longest = by_the_hour(self.length.wait_s, pay.waiting_rate)
        match pay.of(ending).measure:
            case Measure.FULL if pay.waiting_free_s:
                return False
            case Measure.FULL:
                return bool(longest) and (ceiling.waiting is None or ceiling.waiting >= longest)
            case Measure.TIME:
                # The work is paid first, and the waiting of what the ceiling leaves.
                usual = pay.usual_ceiling(self.length).total
                is_left = ceiling.total is None or (usual is not None and ceiling.total >= usual)
                return bool(longest) and is_left
            case _:
                return False


def _endings_of(pages: Sequence[Page]) -> frozenset[Ending]:
    """Return the endings that visits can come to on some pages."""
    screens = any(isinstance(page, _SCREENING) for page in pages)
    fails = any(isinstance(page, Survey) and page.ends_inattentive for page in pages)
    found = {Ending.SCREENED_OUT} if screens else set()
    return _ANYWHERE | found | ({Ending.ATTENTION_FAILED} if fails else set())
