"""Limits of recruiting: when a study takes nobody for now, and when it pauses by itself."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from matchmaking.study import Study
from matchmaking.study.endings import Ending


class Cause(StrEnum):
    """Cause for which a study pauses its own recruiting."""

    COMPLETE = "complete"
    NO_GROUPS = "no_groups"
    BUDGET = "budget"
    FAILURES = "failures"
    WAIT = "wait"
    MODEL = "model"
    OPERATOR = "operator"
    """Pause by hand, of somebody who runs the site."""


class Spending(NamedTuple):
    """Money of a study, in minor units of its currency."""

    spent: int
    """Owed to visits that have ended."""
    at_most: int | None
    """Most that visits which have not ended may earn, each by the version of the study that it is
    in; None: nobody knows."""

    def takes_another(self, study: Study) -> bool:
        """Tell whether the next visit cannot pass the cap, whatever becomes of all that go on."""
        cap, most = study.pay.cap, study.most_of_a_visit
        if cap is None or not study.pay.is_paid:
            return True
        if most is None or self.at_most is None:
            return False
        return self.spent + self.at_most + most <= cap

    def is_exhausted(self, study: Study) -> bool:
        """Tell whether no further visit can be paid, even if all that go on earn nothing."""
        return not self._replace(at_most=0).takes_another(study)


class Course(NamedTuple):
    """Course of a study since its recruiting was last taken up."""

    spending: Spending
    endings: Sequence[Ending]
    """Endings of visits, the latest last."""
    longest_wait_s: float
    """Longest wait of anybody who is in the lobby now."""
    no_groups: str = ""
    """Reason why no groups are formed for the study, in a sentence; empty: they are."""
    is_full: bool = False
    """Whether the study has all the groups that it wants."""


def cause_of_pause(study: Study, course: Course) -> tuple[Cause, str] | None:
    """Return why a study pauses its recruiting, with a sentence; None: it goes on."""
    if course.no_groups:
        return Cause.NO_GROUPS, course.no_groups
    if course.is_full:
        return Cause.COMPLETE, (
            "every condition has all its groups: the target is completed, or as many have begun as "
            "may"
        )
    pauses, pay = study.pauses, study.pay
    spent = course.spending.spent
    if pay.is_paid:
        if pauses.spent is not None and spent >= pauses.spent:
            return Cause.BUDGET, (
                f"{_amount(spent)} {pay.currency} are spent, and the budget at which it pauses is "
                f"{_amount(pauses.spent)} {pay.currency}"
            )
        if course.spending.is_exhausted(study):
            assert pay.cap is not None, "without a cap nothing is exhausted"
            return Cause.BUDGET, (
                f"{_amount(spent)} {pay.currency} are spent, and another visit could pass the cap "
                f"of {_amount(pay.cap)} {pay.currency}"
            )
    recent = course.endings[-pauses.of_visits :]
    failures = sum(ending is Ending.TECHNICAL_FAILURE for ending in recent)
    if failures >= pauses.failures:
        return Cause.FAILURES, (
            f"{failures} of the last {len(recent)} visits ended as technical failures"
        )
    if pauses.wait_s is not None and course.longest_wait_s > pauses.wait_s:
        return Cause.WAIT, (
            f"somebody has been waiting for {course.longest_wait_s:.0f} s, and the limit is "
            f"{pauses.wait_s:g} s"
        )
    return None


def after_pause(cause: str, study: str) -> str:
    """Return what ends a pause of a study, in a sentence for its operator."""
    if cause == Cause.COMPLETE:
        return (
            "a version with larger targets takes people again, and "
            f"`cohabit study close {study}` ends the study"
        )
    if cause == Cause.MODEL:
        return (
            f"once the model is again what it was, `cohabit study resume {study}` takes people "
            "again; with another model it is another version of the study"
        )
    if cause == Cause.OPERATOR:
        return f"`cohabit study resume {study}`, or the operators' page, takes people again"
    return f"once that is mended, `cohabit study resume {study}` takes people again"


def _amount(minor_units: int) -> str:
    return f"{minor_units // 100}.{minor_units % 100:02d}"
