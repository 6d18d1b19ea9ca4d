"""Payments of a study: what each visit has earned, for the researcher and for Prolific's bulk form.

This is the only place that puts ids of recruiters beside what people did.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from statistics import median
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.study.pay import Measure, Owed
from matchmaking.study_key import StudyKey
from server.recruiting.earnings import earnings_of
from server.recruiting.prolific import ID
from server.store.studies import opened_study, opened_version
from server.store.visits import study_key_of, visits_of_study

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of cells that a spreadsheet would run."""


class UnknownStudyError(Exception):
    """Error for a study that was never opened on this database."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no study {name!r} was ever opened with this database")


class Payment(NamedTuple):
    """Pay that one visit has earned, and to whom it goes."""

    visit_id: str
    recruiter: str
    external_id: str
    mode: str
    ending: Ending
    code: str
    owed: Owed
    on_approval: int
    """Part of it that the recruiter pays when the visit is approved."""
    spent_s: float
    waited_s: float
    hourly: float | None
    """Pay of an hour as it turned out, in minor units."""
    has_withdrawn: bool
    is_at_ceiling: bool
    """Whether the study's ceiling over the pay for time has made it less."""

    @property
    def beside_approval(self) -> int:
        """Part of it that the recruiter does not pay when the visit is approved."""
        return self.owed.total - self.on_approval


class Payments(NamedTuple):
    study: Study
    rows: list[Payment]
    """Visits that have ended."""
    going_on: int
    """Visits that have not."""
    lost: list[str]
    """Visits whose version of the study the database does not have: nobody can reckon them."""

    @property
    def total(self) -> int:
        return sum(row.owed.total for row in self.rows)

    @property
    def hourly(self) -> float | None:
        """The median of what an hour earned those who completed; None: nobody was paid who did.

        Whoever is sent away after seconds with the whole base would raise it to any height.
        """
        paid = [
            row.hourly
            for row in self.rows
            if row.ending is Ending.COMPLETED and row.owed.total and row.hourly is not None
        ]
        return median(paid) if paid else None

    def too_low(self) -> list[Payment]:
        """Return the paid visits whose hour earned less than the study warns of."""
        low = self.study.pay.least_hourly
        return [
            row
            for row in self.rows
            if row.owed.total and row.hourly is not None and row.hourly < low
        ]

    def at_ceiling(self) -> list[Payment]:
        """Return the visits whose time would have earned more than the study pays for it."""
        return [row for row in self.rows if row.is_at_ceiling]


async def payments_of(db: AsyncSession, name: str, now: datetime, mode: str = "live") -> Payments:
    """Return the payments of a study. Raises UnknownStudyError."""
    latest = await opened_study(db, name)
    if latest is None:
        raise UnknownStudyError(name)
    versions: dict[StudyKey, Study | None] = {}
    found = Payments(latest, [], 0, [])
    going_on = 0
    for visit, identity in await visits_of_study(db, name):
        if visit.mode != mode:
            continue
        key = study_key_of(visit)
        if key not in versions:
            versions[key] = await opened_version(db, key)
        study = versions[key]
        if study is None:
            found.lost.append(visit.visit_id)
            continue
        earned = await earnings_of(db, visit, study, now)
        if earned is None or visit.ending is None:
            going_on += 1
            continue
        ending = Ending(visit.ending)
        code = study.recruiter.codes.get(ending, "")
        # Without a code nobody hands in what could be approved.
        is_approved = bool(code) and study.pay.of(ending).measure is Measure.FULL
        found.rows.append(
            Payment(
                visit.visit_id,
                identity.recruiter,
                identity.external_id or "",
                visit.mode,
                ending,
                code,
                earned.owed,
                study.pay.base if is_approved else 0,
                earned.times.spent_s,
                earned.times.waited_s,
                earned.hourly(),
                visit.withdrawn_at is not None,
                earned.is_at_ceiling,
            )
        )
    return found._replace(going_on=going_on)


def payments_csv(payments: Payments) -> str:
    """Return a table of payments, a row for each visit, amounts in the currency's own units."""
    columns = (
        "visit_id", "recruiter", "external_id", "mode", "ending", "code", "currency", "base",
        "bonus", "waiting", "total", "on_approval", "spent_s", "waited_s", "hourly",
        "has_withdrawn", "is_at_ceiling",
    )  # fmt: skip
    currency = payments.study.pay.currency
    lines = [
        (
            row.visit_id,
            row.recruiter,
            _cell(row.external_id),
            row.mode,
            row.ending,
            _cell(row.code),
            currency,
            *map(amount, (row.owed.base, row.owed.bonus, row.owed.waiting, row.owed.total)),
            amount(row.on_approval),
            f"{row.spent_s:.1f}",
            f"{row.waited_s:.1f}",
            "" if row.hourly is None else amount(round(row.hourly)),
            "true" if row.has_withdrawn else "false",
            "true" if row.is_at_ceiling else "false",
        )
        for row in payments.rows
    ]
    return _written([columns, *lines])


def prolific_bulk(payments: Payments) -> str:
    """Return the lines of Prolific's bulk bonus form: an id and what is paid beside an approval.

    Whoever came with an id of another form than Prolific's is left out.
    """
    return _written(
        (row.external_id, amount(row.beside_approval))
        for row in _with_bonus(payments)
        if ID.fullmatch(row.external_id)
    )


def not_in_bulk(payments: Payments) -> list[Payment]:
    """Return the visits that `prolific_bulk` leaves out because their ids are not Prolific's."""
    return [row for row in _with_bonus(payments) if not ID.fullmatch(row.external_id)]


def _with_bonus(payments: Payments) -> list[Payment]:
    return [row for row in payments.rows if row.recruiter == "prolific" and row.beside_approval > 0]


def amount(minor_units: int) -> str:
    """Return an amount as people write it: pounds and pence."""
    return f"{minor_units // 100}.{minor_units % 100:02d}"


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _written(lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()
