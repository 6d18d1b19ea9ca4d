"""Lists of participants of studies, page by page, as operators read them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.store.visit_models import VisitRow


class Filter(NamedTuple):
    """Filter of a list; what is empty leaves nothing out."""

    study: str = ""
    mode: str = ""
    place: str = ""
    ending: str = ""
    visit: str = ""
    """Beginning of the id of a visit."""


class Line(NamedTuple):
    """Line of a list: a participant by their visit, and nothing by which a recruiter knows them."""

    visit_id: str
    study: str
    study_version: int
    mode: str
    place: str
    ending: str | None
    arrived_at: datetime
    here_since: datetime
    session_id: str | None


async def visits_before(
    db: AsyncSession, before: str | None, most: int, only: Filter
) -> list[Line]:
    """Return up to ``most`` visits that began before another, the newest first.

    Ids are in the order of their making, so that a page is found by the index of the table.
    """
    found = (
        select(
            VisitRow.visit_id,
            VisitRow.study,
            VisitRow.study_version,
            VisitRow.mode,
            VisitRow.place,
            VisitRow.ending,
            VisitRow.arrived_at,
            VisitRow.here_since,
            VisitRow.session_id,
        )
        .where(*_wanted(only))
        .order_by(VisitRow.visit_id.desc())
        .limit(most)
    )
    if before is not None:
        found = found.where(VisitRow.visit_id < before)
    return [Line(*row) for row in await db.execute(found)]


async def count_visits(db: AsyncSession, only: Filter) -> int:
    """Return how many visits a filter finds."""
    found = select(func.count()).select_from(VisitRow).where(*_wanted(only))
    return await db.scalar(found) or 0


class Standing(NamedTuple):
    """Number of a study's visits at one place, or with one ending."""

    study: str
    mode: str
    place: str
    ending: str | None
    visits: int


async def standings(db: AsyncSession, studies: Collection[str]) -> list[Standing]:
    """Return where the visits of some studies stand, and as what they have ended."""
    columns = (VisitRow.study, VisitRow.mode, VisitRow.place, VisitRow.ending)
    rows = await db.execute(
        select(*columns, func.count())
        .where(VisitRow.study.in_(studies))
        .group_by(*columns)
        .order_by(*columns)
    )
    return [Standing(*row) for row in rows]


def _wanted(only: Filter) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = []
    for column, value in (
        (VisitRow.study, only.study),
        (VisitRow.mode, only.mode),
        (VisitRow.place, only.place),
        (VisitRow.ending, only.ending),
    ):
        if value:
            wanted.append(column == value)
    if only.visit:
        wanted.append(VisitRow.visit_id.startswith(only.visit, autoescape=True))
    return wanted
